"""Advised commands name the judge and the files so that they work as they are typed."""

from __future__ import annotations

from pathlib import Path

from judgekit.api.again import column_words, judge_words, reading_words
from judgekit.api.material import ReadOptions
from judgekit.importers.columns import ColumnOptions
from judgekit.storage.project import open_project


def test_a_judge_by_its_name_or_by_its_rubric(tmp_path: Path) -> None:
    """A name that the project does not know is no judge: its file and its model are."""
    (tmp_path / "judgekit.toml").write_text('[judges.tone]\nrubric = "t.jinja"\nmodel = "a/b"\n')
    project = open_project(tmp_path)

    assert judge_words(project, "tone", "t.jinja", "a/b") == "tone"
    assert judge_words(project, "mood", "my m.jinja", "a/b") == "'my m.jinja' --model a/b"
    assert judge_words(project, "mood", "-m.jinja", None) == "./-m.jinja --model MODEL"


def test_columns_are_said_alone_to_who_takes_no_more() -> None:
    """What every reader takes is a part of what calibrate takes."""
    options = ReadOptions(
        columns=ColumnOptions(item="nr", case="session id"),
        rater_columns=("ann", "bob"),
        level_map={"pass": "1"},
    )
    columns = " --rater-columns ann,bob --item-column nr --case-column 'session id'"

    assert column_words(options) == columns
    assert reading_words(options) == f"{columns} --level-map pass=1"
    assert column_words(ReadOptions()) == reading_words(ReadOptions()) == ""
