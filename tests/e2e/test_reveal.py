"""``calibrate --reveal none``: the verdict, the labels needed, and nothing to fit a rubric to."""

import json
from pathlib import Path

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]


@pytest.fixture
def undecided(tmp_path: Path) -> House:
    """A judge that is right, on too few labels to tell."""
    with StubServer(reply=echo()) as server:
        house = House(tmp_path, server)
        house.judge()
        house.labels(spread(LEVELS, 24))
        yield house


def test_only_the_verdict_and_the_labels_needed(undecided: House) -> None:
    """No figure of the judge: neither kappa nor table nor level nor disagreement."""
    told = undecided.run("calibrate", "tone", "--reveal", "none")
    document = undecided.run("calibrate", "tone", "--reveal", "none", "--json").json

    assert told.code == 1
    assert told.out.startswith("tone: INCONCLUSIVE.\n")
    for word in ("kappa", "interval", "recall", "human \\ judge", "disagree"):
        assert word not in told.out
    (criterion,) = document["criteria"]
    assert document["revealed"] == "none"
    assert criterion.keys() == {
        *("criterion", "verdict", "certificate", "look", "looks_revealed"),
        *("labels_needed", "labels_needed_why"),
    }
    assert criterion["verdict"] == "inconclusive"
    assert criterion["labels_needed"] > 0


def test_a_hidden_look_is_a_look_that_showed_nothing(undecided: House) -> None:
    """It spends of the budget; the next changed judge is told that no details were shown."""
    undecided.run("calibrate", "tone", "--reveal", "none")
    undecided.judge(temperature=0.5)
    second = undecided.run("calibrate", "tone", "--json").json["criteria"][0]

    assert (second["look"], second["looks_revealed"]) == (2, 0)
    undecided.judge(temperature=0.7)
    third = undecided.run("calibrate", "tone")
    assert "3 on this label set (1 earlier look revealed details)" in third.out


def test_what_was_hidden_may_be_shown_later(undecided: House) -> None:
    """Looking at the details of the same measurement is no new look, and is entered as shown."""
    undecided.run("calibrate", "tone", "--reveal", "none")
    first = undecided.run("calibrate", "tone", "--json").json["criteria"][0]
    undecided.judge(temperature=0.5)
    second = undecided.run("calibrate", "tone", "--json").json["criteria"][0]

    assert first["look"] == 1
    assert (second["look"], second["looks_revealed"]) == (2, 1)


def test_no_single_item_either(undecided: House) -> None:
    """A list of disagreements contradicts it: bad usage, and nothing is asked."""
    before = undecided.files()
    result = undecided.run(
        "calibrate", "tone", "--reveal", "none", "--disagreements", "d.jsonl", "--json"
    )

    assert result.code == 2
    assert json.loads(result.out)["format"] == "judgekit.error/1"
    assert undecided.files() == before
    assert undecided.server.stats.requests == 0
