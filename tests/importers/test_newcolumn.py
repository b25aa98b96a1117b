"""A column more, and every other byte as it was."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.importers.newcolumn import with_column
from judgekit.importers.table import read_table

CASES = {
    "comma": ("a,b\n1,x\n2,y\n", "a,b,split\n1,x,dev\n2,y,test\n"),
    "no last line end": ("a,b\n1,x\n2,y", "a,b,split\n1,x,dev\n2,y,test"),
    "semicolon and CRLF": ("a;b\r\n1;x,y\r\n2;\r\n", "a;b;split\r\n1;x,y;dev\r\n2;;test\r\n"),
    "tab": ("a\tb\n1\tx\n2\ty\n", "a\tb\tsplit\n1\tx\tdev\n2\ty\ttest\n"),
    "quotes and lines": (
        'a,b\n1,"x ""y"",\nz"\n2,"w"\n',
        'a,b,split\n1,"x ""y"",\nz",dev\n2,"w",test\n',
    ),
    "blank rows": ("\na,b\n\n1,x\n,\n2,y\n\n", "\na,b,split\n\n1,x,dev\n,\n2,y,test\n\n"),
    "one column": ("a\n1\n2\n", "a,split\n1,dev\n2,test\n"),
    "spaces": (" a , b\n 1 , x \n2,y\n", " a , b,split\n 1 , x ,dev\n2,y,test\n"),
    "unnamed last": ("a,\n1,\n2,\n", "a,,split\n1,,dev\n2,,test\n"),
    "filled": ("a,split,b\n1,train,x\n2,test,y\n", "a,split,b\n1,train,x\n2,test,y\n"),
    "half filled": ("split,b\n,x\ntrain,y\n", "split,b\ndev,x\ntrain,y\n"),
    "last blank": ('a,split\n1,\n2," "\n', "a,split\n1,dev\n2,test\n"),
    "behind quotes": (
        'a,split,b\n"1,""\n",,x\n2,train,y\n',
        'a,split,b\n"1,""\n",dev,x\n2,train,y\n',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_csv(name: str, tmp_path: Path) -> None:
    """Delimiters, line ends, quotes, blanks and filled cells stay."""
    before, after = CASES[name]
    path = tmp_path / ("f.tsv" if "\t" in before else "f.csv")
    path.write_bytes(before.encode())

    assert with_column(before, read_table(path), "split", ["dev", "test"]) == after


LINES = {
    "lines": (
        '{"a": 1}\n{"a": 2, "b": "x"}\n',
        '{"a": 1, "split": "dev"}\n{"a": 2, "b": "x", "split": "test"}\n',
    ),
    "tight": ('{"a":1}\n\n{"a":2}', '{"a":1,"split":"dev"}\n\n{"a":2,"split":"test"}'),
    "null and blank": (
        '{"split": null, "a": 1.50}\n{"a": {"split": ""}, "split": " "}\n',
        '{"split": "dev", "a": 1.50}\n{"a": {"split": ""}, "split": "test"}\n',
    ),
    "filled": (
        '{"a": 1, "split": "x"}\n{"a": 2}\n',
        '{"a": 1, "split": "x"}\n{"a": 2, "split": "test"}\n',
    ),
    "escapes": (
        '{"a": "\\u00e9\\ud83d\\ude00}, {"}\r\n{"a": 1e3 }\r\n',
        '{"a": "\\u00e9\\ud83d\\ude00}, {", "split": "dev"}\r\n{"a": 1e3, "split": "test" }\r\n',
    ),
    "escaped key": (
        '{"spl\\u0069t": null, "a": 1}\n{"a": 2}\n',
        '{"split": "dev", "a": 1}\n{"a": 2, "split": "test"}\n',
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_json_lines(name: str, tmp_path: Path) -> None:
    """Numbers, escapes, spaces and order stay."""
    before, after = LINES[name]
    path = tmp_path / "f.jsonl"
    path.write_bytes(before.encode())

    assert with_column(before, read_table(path), "split", ["dev", "test"]) == after


def test_json_list(tmp_path: Path) -> None:
    """A list keeps its brackets and its lines."""
    before = '[\n  {\n    "a": [1, 2]\n  },\n  {"a": {}}\n]\n'
    path = tmp_path / "f.json"
    path.write_text(before)

    found = with_column(before, read_table(path), "split", ["dev", None])

    assert found == '[\n  {\n    "a": [1, 2], "split": "dev"\n  },\n  {"a": {}}\n]\n'


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=6)
cells = st.lists(st.tuples(texts, texts, st.sampled_from(["", "x", " "])), min_size=2, max_size=6)


@given(cells, st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n"]), st.data())
def test_any_csv_says_the_same_and_more(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str, str]],
    delimiter: str,
    end: str,
    data: st.DataObject,
) -> None:
    """Read back, every cell is what it was, and the blank ones of the column are filled."""
    column = data.draw(st.sampled_from(["split", "old"]))
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end)
    writer.writerows([("id", "text", "old"), *((f"i{a}", b, c) for a, b, c in rows)])
    path = tmp_path_factory.mktemp("csv") / ("f.tsv" if delimiter == "\t" else "f.csv")
    path.write_bytes(file.getvalue().encode())
    table = read_table(path)
    values = [f"v{delimiter}{i}" for i in range(len(table.rows))]

    path.write_bytes(with_column(file.getvalue(), table, column, values).encode())

    for old, new, value in zip(table.rows, read_table(path).rows, values, strict=True):
        kept = str(old.values.get(column, "")).strip()
        assert new.values == {**old.values, column: old.values[column] if kept else value}


@given(
    st.lists(
        st.dictionaries(texts.filter(str.strip), st.integers() | texts | st.none(), max_size=4),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_any_json_says_the_same_and_more(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[dict],
    tight: bool,  # noqa: FBT001
) -> None:
    """Read back, every value is what it was."""
    rows = [{"id": i, **row} for i, row in enumerate(rows)]
    shape = {"separators": (",", ":")} if tight else {}
    text = "".join(json.dumps(row, **shape) + "\n" for row in rows)
    path = tmp_path_factory.mktemp("json") / "f.jsonl"
    path.write_text(text)

    found = with_column(text, read_table(path), "split", ["dev"] * len(rows))

    for line, row in zip(found.splitlines(), rows, strict=True):
        kept = str(row.get("split") or "").strip()
        assert json.loads(line) == (row if kept else {**row, "split": "dev"})
