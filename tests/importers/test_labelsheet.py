"""A label file read for its cases: which row is of which, and what may not be."""

from pathlib import Path

import pytest

from judgekit.errors import InputError, LabelError
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.labelsheet import LabelSheet, read_label_sheet
from judgekit.importers.table import read_table


def sheet(folder: Path, text: str, **more: object) -> LabelSheet:
    """The rows of a label file."""
    path = folder / "labels.csv"
    path.write_text(text, encoding="utf-8")
    return read_label_sheet(read_table(path), ColumnOptions(), **more)


def test_items_cases_and_levels(tmp_path: Path) -> None:
    """A case column counts; an item without one is a case of its own."""
    found = sheet(tmp_path, "item_id,case,level\n1,a,good\n2,a,bad\n3,,Good\n")

    assert found.case_of == {"1": "a", "2": "a", "3": "3"}
    assert found.levels_of_cases() == {"a": ((None, "bad"),), "3": ((None, "good"),)}
    assert found.known() == {}


def test_the_items_file_names_the_case(tmp_path: Path) -> None:
    """Where it knows one it goes first, as when a judge is calibrated."""
    found = sheet(tmp_path, "item_id,case,level\n1,a,x\n2,b,x\n", cases={"1": "q", "2": None})

    assert found.case_of == {"1": "q", "2": "b"}


def test_the_commonest_level_of_each_criterion(tmp_path: Path) -> None:
    """1 and 1.0 are one level; rows without a level say nothing."""
    text = "item_id,rater,criterion,level\n"
    rows = [("a", "tone", "1"), ("b", "tone", "1.0"), ("c", "tone", "2"), ("a", "fit", "")]
    text += "".join(f"i,{rater},{criterion},{level}\n" for rater, criterion, level in rows)

    assert sheet(tmp_path, text).levels_of_cases() == {"i": (("tone", "1"),)}


def test_wide_form(tmp_path: Path) -> None:
    """One column a rater, and no level column."""
    found = sheet(tmp_path, "item_id,ann,bob\n1,good,bad\n2,good,\n", rater_columns=("ann", "bob"))

    assert [len(row.levels) for row in found.rows] == [2, 1]
    with pytest.raises(InputError, match="no column 'cy'"):
        sheet(tmp_path, "item_id,ann\n1,good\n", rater_columns=("cy",))


def test_known_parts(tmp_path: Path) -> None:
    """A case is where any of its rows says it is."""
    found = sheet(tmp_path, "item_id,case,level,split\n1,a,x,dev\n2,a,x,\n3,b,x,\n")

    assert found.known() == {"a": "dev"}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("item_id,case,level\n1,a,x\n1,b,x\n", 3, "item '1' is in case 'a' (line 2)"),
        ("item_id,case,level,split\n1,a,x,dev\n2,a,x,test\n", 3, "case 'a' is in split 'dev'"),
    ],
)
def test_what_stands_on_both_sides_is_refused(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    """An item in two cases, a case in two parts: both lines are named."""
    with pytest.raises(LabelError) as caught:
        sheet(tmp_path, text).known()

    assert said in caught.value.message
    assert caught.value.line == line


def test_rows_without_an_item_belong_nowhere(tmp_path: Path) -> None:
    """They are kept, and get no part."""
    found = sheet(tmp_path, "item_id,level,note\n,,a remark\n1,x,\n")

    assert [row.case for row in found.rows] == [None, "1"]
    assert found.case_of == {"1": "1"}
