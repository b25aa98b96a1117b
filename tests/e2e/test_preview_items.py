"""``judgekit preview``: the item may be named by its id, or by the file it is the first of."""

from __future__ import annotations

import pytest

from tests.e2e.house import House


@pytest.fixture
def shown(house: House) -> House:
    """Return a project with labelled items, and a file of others."""
    house.judge()
    house.labels(["cold", "rude"])
    house.items(["polite", "friendly"])
    return house


@pytest.mark.parametrize(
    "named", [["items.jsonl"], ["--items", "items.jsonl"], ["new-000", "--items", "items.jsonl"]]
)
@pytest.mark.parametrize("judge", ["tone", "rubrics/tone.jinja"])
def test_the_items_file_may_stand_behind_the_judge(
    shown: House, judge: str, named: list[str]
) -> None:
    """As for `try` and `score`; with and without items of the project's own."""
    result = shown.run("preview", judge, *named)

    assert result.code == 0, result.err
    assert "answer 0 is polite" in result.out
    assert "item new-000" in result.out


def test_an_id_goes_before_a_file_of_that_name(shown: House) -> None:
    """An item is asked for as it always was."""
    shown.write("item-001", "no items at all")

    result = shown.run("preview", "tone", "item-001")

    assert "reply 1 is rude" in result.out


def test_what_is_neither_is_an_error_that_names_the_way(shown: House) -> None:
    """No item of the project, and no file; a named file is the only one looked into."""
    other = shown.run("preview", "rubrics/tone.jinja", "missing.jsonl")
    assert other.code == 2
    assert "--items FILE" in other.err
    assert shown.run("preview", "tone", "missing.jsonl").code == 2
    assert shown.run("preview", "tone", "items.jsonl", "--items", "labels.csv").code == 2
