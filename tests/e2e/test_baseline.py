"""What is reached without reading: a judge that counts characters gets no certificate."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from tests.e2e.house import House
from tests.e2e.record import (
    FILE,
    TWO,
    calibrate,
    failed,
    found,
    project,
    record,
    shown,
    verified,
    write_judgments,
)

N, CUT = 300, 200
OFF = "beat_length = false"


def told_by_length(lengths: Sequence[int]) -> list[str]:
    """Return the level that a count of characters gives."""
    return [TWO[length > CUT] for length in lengths]


def mistaken(levels: Sequence[str], share: float, seed: int) -> list[str]:
    """Return the levels, so large a share of them the other one."""
    wrong = np.random.default_rng(seed).random(len(levels)) < share
    return [TWO[1 - TWO.index(v)] if w else v for v, w in zip(levels, wrong, strict=True)]


LENGTHS = [int(n) for n in np.random.default_rng(0).integers(20, 400, N)]
LABELS = mistaken(told_by_length(LENGTHS), 0.08, 1)
"""People call long answers supported, nine times in ten."""
JUDGES = {"counts": told_by_length(LENGTHS), "reads": mistaken(LABELS, 0.03, 2)}


def written(house: House, judge: str, *, policy: str = "", text: bool = True) -> None:
    """Write the labels, with the text or without, and what one of the judges says."""
    project(house, policy=policy)
    output = ["x" * length for length in LENGTHS]
    columns = {"input": ["q"] * N, "output": output} if text else {}
    record(house, {"ann": LABELS}, JUDGES[judge], **columns)


def test_a_judge_that_counts_characters_is_refused(house: House) -> None:
    """Its agreement clears the bar; it reads nothing, and gets no certificate."""
    written(house, "counts")
    criterion = found(house)
    text = shown(house)

    assert criterion["gate_agreement"]["low"] > 0.60
    assert criterion["verdict"] == "not_calibrated"
    assert failed(criterion) == {"beats_length": "below_baseline"}
    assert criterion["certificate"] is None
    assert not list(house.root.glob("certificates/*.json"))
    figures = criterion["baselines"]
    assert figures["length"]["value"] == pytest.approx(figures["judge"]["value"], abs=0.02)
    assert figures["beats_length"]["low"] <= 0
    assert "A count of characters agrees with people about as well as the judge does." in text
    assert "beats length alone yes 0.84 against 0.84 (low end" in text


def test_a_judge_that_reads_is_certified(house: House) -> None:
    """On the very same labels."""
    written(house, "reads")
    criterion = found(house)

    assert criterion["verdict"] == "calibrated"
    figures = criterion["baselines"]
    assert figures["beats_length"]["low"] > 0
    assert figures["beats_length"]["value"] == pytest.approx(
        figures["judge"]["value"] - figures["length"]["value"]
    )
    (check,) = (c for c in criterion["checks"] if c["name"] == "beats_length")
    assert check["observed"]["low"] == figures["beats_length"]["low"]
    assert "beats length alone yes 0.9" in shown(house)
    assert verified(house, criterion["certificate"]).json["ok"] is True


def test_the_majority_is_told(house: House) -> None:
    """How often the commonest level alone is right."""
    written(house, "reads")
    commonest = max(LABELS.count(level) for level in TWO)

    majority = found(house)["baselines"]["majority"]
    assert majority["value"] == pytest.approx(commonest / N)


def test_without_text_nothing_is_compared(house: House) -> None:
    """No figure is made up and nothing is held against the judge, but it is said."""
    written(house, "counts", text=False)
    criterion = found(house)

    assert criterion["verdict"] == "calibrated"
    assert criterion["baselines"]["length"] is None
    assert criterion["baselines"]["without_length"] == N
    assert "beats_length" not in [check["name"] for check in criterion["checks"]]
    assert "beats length alone yes not compared: no text at hand" in shown(house)


def test_the_text_may_stand_in_another_file(house: House) -> None:
    """Bare labels and an item file are compared like one file."""
    written(house, "counts", text=False)
    rows = [
        {"id": f"i{i:03}", "input": "q", "output": "x" * length} for i, length in enumerate(LENGTHS)
    ]
    house.write("texts.jsonl", "".join(json.dumps(row) + "\n" for row in rows))

    assert failed(found(house, "--items", "texts.jsonl")) == {"beats_length": "below_baseline"}


def test_a_policy_may_leave_it_out(house: House) -> None:
    """Switched off, nobody asks; switched on again, a judge that fails it is no longer let in."""
    written(house, "counts", policy=OFF)
    criterion = found(house)
    assert criterion["verdict"] == "calibrated"
    assert "beats length" not in shown(house)
    write_judgments(house, [{"item_id": f"n{i}", "level": TWO[i % 2]} for i in range(40)], "new")
    score = ("score", FILE, "--judgments", "new")
    assert house.run(*score).code == 0

    project(house)
    refusal = house.run(*score, "--json")
    assert refusal.code == 3
    (reason,) = refusal.json["reasons"]
    assert reason["code"] == "policy_stricter"
    assert "more agreement with people than length alone has" in reason["message"]
    assert "shows 0.84 against 0.84." in reason["message"]


def test_a_judge_that_reads_outlives_the_stricter_policy(house: House) -> None:
    """Its certificate was made without the check, and holds the evidence that it would pass."""
    written(house, "reads", policy=OFF)
    assert found(house)["verdict"] == "calibrated"
    write_judgments(house, [{"item_id": f"n{i}", "level": TWO[i % 2]} for i in range(40)], "new")
    project(house)

    assert house.run("score", FILE, "--judgments", "new").code == 0


def test_outputs_that_are_all_about_as_long(house: House) -> None:
    """One word more is no verbosity: nothing is held against a judge for it."""
    project(house)
    output = [f"the answer is {level}" for level in LABELS]
    record(house, {"ann": LABELS}, JUDGES["reads"], input=["q"] * N, output=output)

    assert found(house)["verdict"] == "calibrated"


def test_a_bad_switch_is_told(house: House) -> None:
    """A misspelt policy key is an error, not a default."""
    written(house, "reads", policy="beats_length = false")
    result = calibrate(house)

    assert result.code == 2
    assert "Did you mean 'beat_length'?" in result.err
