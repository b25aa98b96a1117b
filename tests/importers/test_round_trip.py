import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.labels import read_labels
from judgekit.importers.table import read_table
from judgekit.labels.label import Label
from tests.importers.make import TONE

BOM = "\ufeff"
AWKWARD = st.sampled_from(
    ["\u2028", "\u2029", "\x85", "\n", '"', ",", ";", "\t", "'", " ", "\ufeff"]
)
# No lone surrogates (no file can hold them), no NUL (refused); CR is CSV's own business.
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r")
TEXTS = st.lists(st.one_of(LETTERS, AWKWARD), max_size=9).map("".join)
NAMES = st.lists(
    st.text(st.characters(categories=["L"]), min_size=1), min_size=1, max_size=5, unique=True
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=3,
)
FEW = settings(deadline=None, max_examples=40)


def says_something(cells: list[str]) -> bool:
    """A row of blanks is passed over."""
    return any(cell.strip() for cell in cells)


def read_back(text: str, name: str) -> list[tuple[int, dict[str, Any]]]:
    """Write a file and read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text.encode())
        return [(row.line, row.values) for row in read_table(path).rows]


@FEW
@given(data=st.data(), names=NAMES, mark=st.sampled_from(["", BOM]))
def test_csv_round_trip(data: st.DataObject, names: list[str], mark: str) -> None:
    """Any text survives, with the line on which its row begins."""
    cells = st.lists(TEXTS, min_size=len(names), max_size=len(names)).filter(says_something)
    rows = data.draw(st.lists(cells, min_size=1, max_size=5))
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    expected = []
    for row in rows:
        expected.append((buffer.getvalue().count("\n") + 1, dict(zip(names, row, strict=True))))
        writer.writerow(row)

    assert read_back(mark + buffer.getvalue(), "a.csv") == expected


@FEW
@given(
    rows=st.lists(st.dictionaries(TEXTS.filter(str.strip), VALUES), min_size=1, max_size=5),
    mark=st.sampled_from(["", BOM]),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    ascii_only=st.booleans(),
)
def test_jsonl_round_trip(
    rows: list[dict[str, Any]], mark: str, end: str, *, ascii_only: bool
) -> None:
    """Any value survives, in readable and in escaped JSON."""
    text = end.join(json.dumps(row, ensure_ascii=ascii_only) for row in rows)
    step = end.count("\n")

    found = read_back(mark + text, "a.jsonl")

    assert found == [(1 + step * i, row) for i, row in enumerate(rows)]


@FEW
@given(
    rows=st.lists(st.dictionaries(TEXTS.filter(str.strip), VALUES), min_size=1, max_size=4),
    indent=st.sampled_from([None, 0, 2]),
)
def test_json_round_trip(rows: list[dict[str, Any]], indent: int | None) -> None:
    """A list of objects, on one line or many."""
    assert [v for _, v in read_back(json.dumps(rows, indent=indent), "a.json")] == rows


@FEW
@given(st.binary(max_size=300), st.sampled_from(["a.csv", "a.jsonl", "a.json", "a"]))
def test_no_file_breaks_the_reader(content: bytes, name: str) -> None:
    """Any bytes give a table or one clear error, never another exception."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        error, table = None, None
        try:
            table = read_table(path)
        except InputError as exc:
            error = exc

    assert table.rows if table else error and error.message and error.file == str(path)


PIECES = st.sampled_from(
    [
        *("item_id", "rater", "level", "id", "label", "criterion", "source", "model"),
        *("a", "rude", "na", "friendly", "1", ",", ",", ",", "\n", "\n", '"', ";", " "),
        '{"item_id": 1, "level": "rude"}',
    ]
)


@FEW
@given(text=st.lists(PIECES, max_size=40).map("".join), asked=st.booleans())
def test_no_label_file_breaks_the_reader(text: str, *, asked: bool) -> None:
    """Files that look like label files give labels or one clear error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_text(text)
        error: InputError | None = None
        labels: tuple[Label, ...] = ()
        try:
            labels = read_labels(
                path,
                [TONE],
                columns=ColumnOptions(criterion="-") if asked else None,
                level_map={"a": "rude"},
            ).labels
        except InputError as exc:
            error = exc

    assert error.message if error else labels
    assert all(label.level in {0, 1, 2} for label in labels)
    assert len({(v.item, v.rater) for v in labels}) == len(labels)
