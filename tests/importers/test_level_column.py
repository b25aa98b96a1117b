"""Which column is suggested for the levels: only one that holds levels."""

from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.labels import read_labels
from judgekit.importers.labelsheet import read_label_sheet
from judgekit.importers.table import read_table
from tests.importers.make import ONE_TO_THREE, TONE, told, write

HEAD = "id,input,output,case"


def refused(folder: Path, text: str) -> InputError:
    """What is said of a file without a column of levels."""
    with pytest.raises(InputError) as caught:
        read_labels(write(folder, "a.csv", text), [TONE, ONE_TO_THREE])
    assert caught.value.line == 1
    return caught.value


@pytest.mark.parametrize("near", ["case", "answers", "grades", "lable"])
def test_a_column_of_other_things_is_not_suggested(tmp_path: Path, near: str) -> None:
    """However much its name is like one: the columns that are there are listed instead."""
    said = told(refused(tmp_path, f"id,output,{near}\na,hi,c1\nb,ho,c2\nc,hm,rude\n"))

    assert f"--level-column {near}" not in said
    assert f"The columns are: id, output, {near}. Say which: --level-column NAME" in said


def test_a_misspelt_column_of_levels_is_suggested(tmp_path: Path) -> None:
    """One slip in one row, and the rows without a level, do not hide what it holds."""
    said = told(refused(tmp_path, "id,lable\na,rude\nb,freindly\nc,3\nd,\n"))

    assert "column 'lable': did you mean 'label'?" in said
    assert "--level-column lable" in said


def test_one_column_of_levels_of_any_name_is_suggested(tmp_path: Path) -> None:
    """By what it holds; a name with a blank is quoted."""
    said = told(refused(tmp_path, f"{HEAD},by ann\na,i,o,c1,rude\nb,i,o,c1,neutral\n"))

    assert "'by ann' holds levels. Say so: --level-column 'by ann'" in said


def test_a_column_for_each_rater_is_recognised(tmp_path: Path) -> None:
    """The wide form has an option of its own."""
    said = told(refused(tmp_path, f"{HEAD},ann,ben\na,i,o,c1,rude,neutral\nb,i,o,c1,rude,rude\n"))

    assert "Columns that hold levels: ann, ben. If each is one rater's: " in said
    assert "--rater-columns ann,ben" in said
    assert "case" not in said.replace(HEAD, "")


def test_without_a_scale_no_column_of_another_role_is_suggested(tmp_path: Path) -> None:
    """To split labels no rubric is needed; `case` is a case there too."""
    table = read_table(write(tmp_path, "a.csv", f"{HEAD},ann\na,i,o,c1,rude\n"))

    with pytest.raises(InputError) as caught:
        read_label_sheet(table, ColumnOptions())

    assert "--level-column case" not in told(caught.value)
