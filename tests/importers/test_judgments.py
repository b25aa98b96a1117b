from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError, UnknownName
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.judgments import read_judgments
from judgekit.importers.recorded import Recorded, RecordedSet
from tests.importers.make import ONE_TO_THREE, PAIR, TONE, write, write_jsonl

TWO_JUDGES = [
    {"item_id": "a", "judge": "j1", "raw": "3"},
    {"item_id": "a", "judge": "j2", "raw": "2"},
    {"item_id": "b", "judge": "j1", "raw": "1"},
]


def read(folder: Path, rows: list[dict[str, Any]], **options: Any) -> RecordedSet:
    """Read rows from a JSONL file."""
    return read_judgments(write_jsonl(folder, "j.jsonl", rows), [ONE_TO_THREE], **options)


def refused(folder: Path, rows: list[dict[str, Any]], **options: Any) -> InputError:
    """The error that rows give."""
    with pytest.raises(InputError) as caught:
        read(folder, rows, **options)
    assert caught.value.file == str(folder / "j.jsonl")
    return caught.value


def test_every_column(tmp_path: Path) -> None:
    """What the rows declare is kept as they declare it."""
    row = {
        "item_id": 7,
        "level": 3,
        "raw": "Fine. 3",
        "criterion": "groundedness",
        "replicate": 2,
        "judge": "j",
        "model": "m",
        "reason": "fine",
        "probs": [0.1],
    }

    found = read(tmp_path, [row])

    assert found.rows == (
        Recorded(
            item="7",
            criterion="groundedness",
            level_written=3,
            raw="Fine. 3",
            replicate=2,
            judge="j",
            model="m",
            reason="fine",
            line=1,
        ),
    )
    assert (found.judge, found.models, found.notes) == ("j", ("m",), ())


def test_a_level_off_the_scale_is_kept_as_written(tmp_path: Path) -> None:
    """It is the judge's doing, to be counted; unlike a label, it is no mistake of the file."""
    rows = [{"item_id": i, "level": v} for i, v in enumerate([9, "garbage", 2.5, None, "", " "])]

    found = read(tmp_path, rows)

    assert [r.level_written for r in found.rows] == [9, "garbage", 2.5, None, None, None]


def test_a_reply_is_never_touched(tmp_path: Path) -> None:
    """Blanks and odd line ends are part of it; an empty reply is a reply, null is none."""
    replies = [" 3 \u2028\n", "", None]
    rows = [{"item_id": i, "raw": raw} for i, raw in enumerate(replies)]

    assert [r.raw for r in read(tmp_path, rows).rows] == replies


def test_an_empty_csv_cell_is_no_reply(tmp_path: Path) -> None:
    """CSV cannot tell an empty reply from none; a missing one claims less."""
    path = write(tmp_path, "j.csv", "item_id,raw,level\na,,\nb,  ,\nc,,3\n")

    found = read_judgments(path, [ONE_TO_THREE])

    assert [(r.raw, r.level_written) for r in found.rows] == [
        (None, None),
        ("  ", None),
        (None, "3"),
    ]


def test_a_number_for_a_reply_is_its_text(tmp_path: Path) -> None:
    """`"raw": 3` is what a judge that answers with a number leaves behind."""
    assert read(tmp_path, [{"item_id": 1, "raw": 3}]).rows[0].raw == "3"


def test_one_judge_needs_no_option(tmp_path: Path) -> None:
    """Nor does a file that names none."""
    assert read(tmp_path, TWO_JUDGES[:1]).judge == "j1"
    assert read(tmp_path, [{"item_id": "a", "raw": "3"}]).judge is None


def test_a_file_that_mixes_judges(tmp_path: Path) -> None:
    """All are listed with their rows; one is read, the rest is reported."""
    error = refused(tmp_path, TWO_JUDGES)

    assert error.message == "the file mixes 2 judges: j1 (2 rows), j2 (1 row)"
    assert error.hint == "Say which: --judge-id 'j1'"

    found = read(tmp_path, TWO_JUDGES, judge_id="j2")

    assert [r.item for r in found.rows] == ["a"]
    assert found.notes == ("2 rows of other judges left out",)


def test_rows_without_a_judge_are_no_judge_of_their_own(tmp_path: Path) -> None:
    """They are listed as blank."""
    error = refused(tmp_path, [{"item_id": "z", "raw": "3"}, *TWO_JUDGES])

    assert "(blank) (1 row), j1" in error.message


@pytest.mark.parametrize(
    ("judge_id", "hint"), [("j11", "Did you mean 'j1'?"), ("other", "Known: j1, j2.")]
)
def test_a_judge_the_file_does_not_have(tmp_path: Path, judge_id: str, hint: str) -> None:
    """With the nearest, or the list."""
    with pytest.raises(UnknownName) as caught:
        read(tmp_path, TWO_JUDGES, judge_id=judge_id)

    assert caught.value.hint == hint


def test_a_judge_asked_of_a_file_that_names_none(tmp_path: Path) -> None:
    """It would be a guess."""
    error = refused(tmp_path, [{"item_id": "a", "raw": "3"}], judge_id="j1")

    assert error.hint == "The file has no judge column: leave --judge-id out."


def test_without_a_judge_column_the_model_is_the_judge(tmp_path: Path) -> None:
    """The identity is what the rows declare."""
    rows = [
        {"item_id": "a", "model": "m1", "raw": "3"},
        {"item_id": "a", "model": "m2", "raw": "3"},
    ]

    assert "2 judges: m1 (1 row), m2 (1 row)" in refused(tmp_path, rows).message
    assert read(tmp_path, rows, judge_id="m2").rows[0].judge == "m2"


@pytest.mark.parametrize("same", [{}, {"replicate": 1}, {"judge": "j"}])
def test_a_second_judgment_is_refused(tmp_path: Path, same: dict[str, Any]) -> None:
    """Both lines are named; numbering the replicates is the way out."""
    rows = [{"item_id": item, "raw": "3", **same} for item in "abaab"]

    error = refused(tmp_path, rows)

    assert "item 'a' is judged twice" in error.message
    assert "(lines 1 and 3) (and 2 more rows like it)" in error.message
    assert error.line == 3
    assert "replicate" in str(error.hint)


def test_replicates_judges_and_criteria_are_no_duplicates(tmp_path: Path) -> None:
    """Each is a judgment of its own."""
    rows = [
        {"item_id": "a", "criterion": "groundedness", "replicate": 0, "raw": "3"},
        {"item_id": "a", "criterion": "groundedness", "replicate": "1", "raw": "3"},
        {"item_id": "a", "criterion": "groundedness", "replicate": 2.0, "raw": "3"},
        {"item_id": "a", "criterion": "tone", "replicate": None, "raw": "rude"},
    ]

    found = read_judgments(write_jsonl(tmp_path, "j.jsonl", rows), [ONE_TO_THREE, TONE])

    assert [r.replicate for r in found.rows] == [0, 1, 2, 0]
    assert len(found.of("tone").rows) == 1
    assert found.items == ("a",)
    assert found.keep({"b"}).rows == ()


@pytest.mark.parametrize("replicate", [-1, 1.5, "two", "٣", True, "9" * 12])
def test_a_replicate_is_a_whole_number(tmp_path: Path, replicate: object) -> None:
    """From 0 on."""
    error = refused(tmp_path, [{"item_id": "a", "raw": "3", "replicate": replicate}])

    assert "is no whole number from 0 on" in error.message
    assert error.line == 1


def test_both_orders_of_a_pair(tmp_path: Path) -> None:
    """They are two rows of one judgment."""
    rows = [{"item_id": "a", "raw": "A", "order": order} for order in ("AB", "ba", None)]

    found = read_judgments(write_jsonl(tmp_path, "j.jsonl", rows), [PAIR])

    assert [r.order for r in found.rows] == ["AB", "BA", None]


def test_an_order_twice_is_refused(tmp_path: Path) -> None:
    """Also in another case."""
    rows = [{"item_id": "a", "raw": "A", "order": order} for order in ("AB", "ab")]

    with pytest.raises(InputError, match=r"judged twice in order AB \(lines 1 and 2\)"):
        read_judgments(write_jsonl(tmp_path, "j.jsonl", rows), [PAIR])


def test_an_order_that_is_none(tmp_path: Path) -> None:
    """Only AB and BA can be mapped back."""
    rows = [{"item_id": "a", "raw": "A", "order": "AC"}]

    with pytest.raises(InputError, match='order "AC" is neither AB nor BA') as caught:
        read_judgments(write_jsonl(tmp_path, "j.jsonl", rows), [PAIR])

    assert caught.value.line == 1


def test_an_order_of_something_else(tmp_path: Path) -> None:
    """On a scale that is not pairwise the column is not ours; that is said."""
    found = read(tmp_path, [{"item_id": "a", "raw": "3", "order": 17}])

    assert found.rows[0].order is None
    assert found.notes == ("the order column says nothing here: the scale is not pairwise",)


def test_criteria(tmp_path: Path) -> None:
    """As in label files, but a file without the column may be taken whole."""
    rows = [{"item_id": "a", "aspect": a, "raw": "3"} for a in ("Q0", "Q1")]

    assert "is not in the rubric" in refused(tmp_path, rows).message
    found = read(tmp_path, rows, criterion="Q1")
    assert [(r.criterion, r.line) for r in found.rows] == [("groundedness", 2)]
    whole = read(tmp_path, [{"item_id": "a", "raw": "3"}], criterion="Q1")
    assert [r.criterion for r in whole.rows] == ["groundedness"]


def test_a_row_without_an_item(tmp_path: Path) -> None:
    """With its line."""
    error = refused(tmp_path, [{"item_id": "a", "raw": "3"}, {"item_id": None, "raw": "3"}])

    assert (error.message, error.line) == ("the row has no item id", 2)


def test_neither_reply_nor_level(tmp_path: Path) -> None:
    """There is nothing to read."""
    error = refused(tmp_path, [{"item_id": "a", "text": "3"}])

    assert error.message == "no column 'raw' (the judge's reply) and none with levels"
    assert "--level-column" in str(error.hint)
    found = read(tmp_path, [{"item_id": "a", "text": "3"}], columns=ColumnOptions(level="text"))
    assert found.rows[0].level_written == "3"


def test_two_columns_with_levels(tmp_path: Path) -> None:
    """The option settles it."""
    rows = [{"item_id": "a", "verdict": "3", "score": 1}]

    assert "'verdict' and 'score'" in refused(tmp_path, rows).message
    found = read(tmp_path, rows, columns=ColumnOptions(level="score"))
    assert found.rows[0].level_written == 1


def test_a_level_map_must_lead_to_a_level(tmp_path: Path) -> None:
    """As in label files; it is kept with the rows."""
    rows = [{"item_id": "a", "level": "good"}]

    assert read(tmp_path, rows, level_map={"good": "3"}).level_map == {"good": "3"}
    with pytest.raises(InputError, match="is not on the scale"):
        read(tmp_path, rows, level_map={"good": "4"})
