"""A judge whose recorded answers are the labels themselves is told of: it was never measured."""

from __future__ import annotations

import json

import pytest

from tests.e2e.house import House, Result, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
TOLD = "the judge and rater 'ben' say the same of all 40 items they share"


def calibrated(house: House, judge: list[str], ben: list[str], *options: str) -> Result:
    """Measure recorded answers against two raters."""
    ann = spread(LEVELS[::-1], 40)
    rows = "".join(f"i{i},{one},{two}\n" for i, (one, two) in enumerate(zip(ann, ben, strict=True)))
    house.write("labels.csv", f"id,ann,ben\n{rows}")
    said = [{"item_id": f"i{i}", "level": level} for i, level in enumerate(judge)]
    house.write("said.jsonl", "".join(json.dumps(row) + "\n" for row in said))
    return house.run(
        *("calibrate", "tone", "--judgments", "said.jsonl", "--rater-columns", "ann,ben"),
        *options,
    )


@pytest.fixture
def judged(house: House) -> House:
    """Return a project with a judge."""
    house.judge()
    return house


def test_one_raters_column_is_recognised(judged: House) -> None:
    """Of two raters the one is named, in text and in JSON."""
    ben = spread(LEVELS, 40)

    told, document = (calibrated(judged, ben, ben, *more) for more in ((), ("--json",)))

    assert f"note: {TOLD}: are these the labels themselves" in told.err
    assert "'ann'" not in told.err
    assert [note for note in document.json["notes"] if TOLD in note]
    assert document.err == ""


def test_one_other_answer_is_a_judges_own(judged: House) -> None:
    """Very good is no copy."""
    ben = spread(LEVELS, 40)

    assert "say the same" not in calibrated(judged, ["cold", *ben[1:]], ben).err


def test_one_level_throughout_is_no_sign(judged: House) -> None:
    """Everybody says it."""
    assert "say the same" not in calibrated(judged, ["cold"] * 40, ["cold"] * 40).err


def test_a_few_alike_may_be_chance(judged: House) -> None:
    """Nine answers are no column."""
    ben = spread(LEVELS, 40)

    assert "say the same" not in calibrated(judged, ben[:9], ben).err


def test_a_table_of_verdicts_is_looked_at_as_well(house: House) -> None:
    """`agreement` takes columns, and the wrong one is soon named."""
    rows = "".join(f"i{i},{i % 2},{i % 2}\n" for i in range(40))
    house.write("table.csv", f"id,judge,ben\n{rows}")

    options = ("--judge", "judge", "--human", "ben", "--levels", "0,1")
    assert TOLD in house.run("agreement", "table.csv", *options).err


def test_a_judge_that_is_asked_may_be_perfect(served: House) -> None:
    """Its answers are its own."""
    assert "say the same" not in served.run("calibrate", "tone").err
