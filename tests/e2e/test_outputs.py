"""No output replaces what people made: labels, rubrics, certificates, the ledger."""

import json
from pathlib import Path

import pytest

from tests.e2e.house import BINARY, House


@pytest.fixture
def certified(tmp_path: Path) -> House:
    """A recorded judge with a certificate, of a project that names its labels."""
    house = House(tmp_path)
    house.judge(BINARY, "grounded")
    levels = [i % 2 for i in range(120)]
    house.labels(levels)
    rows = [
        {"item_id": f"item-{i:03}", "level": v if i % 20 else 1 - v, "judge": "x"}
        for i, v in enumerate(levels)
    ]
    house.write("j.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    rubric = "rubrics/grounded.jinja"
    done = house.run("calibrate", rubric, "--labels", "labels.csv", "--judgments", "j.jsonl")
    assert done.code == 0
    return house


def test_score_replaces_nothing_of_value(certified: House) -> None:
    """By a rubric file, so that only the project and the certificate know the labels."""
    before = certified.files()
    for place in before:
        result = certified.run(
            *("score", "rubrics/grounded.jinja", "--judgments", "j.jsonl", "--out", place)
        )
        assert result.code == 2, place
    assert certified.files() == before


def test_disagreements_replace_nothing_of_value(certified: House) -> None:
    """Neither does the list of disagreements."""
    before = certified.files()
    for place in before:
        result = certified.run(
            *("calibrate", "rubrics/grounded.jinja", "--labels", "labels.csv"),
            *("--judgments", "j.jsonl", "--disagreements", place),
        )
        assert result.code == 2, place
    assert certified.files() == before


def test_items_with_one_text_are_told(certified: House) -> None:
    """Copies under other ids look like evidence and are none."""
    text = (certified.root / "labels.csv").read_text()
    header, *rows = text.splitlines()
    copies = [row.replace("item-", "copy-", 1) for row in rows[:30]]
    certified.write("more.csv", "\n".join([header, *rows, *copies]) + "\n")
    done = certified.run(
        *("calibrate", "rubrics/grounded.jinja", "--labels", "more.csv"),
        *("--judgments", "j.jsonl", "--json"),
    )

    assert any("30 items repeat the text of another" in note for note in done.json["notes"])


def test_weights_hide_nothing(certified: House) -> None:
    """What kappa is with every item counted once stands beside the weighted figure."""
    levels = [i % 2 for i in range(120)]
    weights = [0.001 if i % 20 == 0 else 1 for i in range(120)]
    certified.labels(levels, name="weighted.csv", weight=weights)
    ask = ("calibrate", "rubrics/grounded.jinja", "--labels", "weighted.csv")
    ask = (*ask, "--judgments", "j.jsonl")
    found = certified.run(*ask, "--json").json["criteria"][0]

    assert found["agreement"]["value"] > 0.99
    assert found["unweighted"]["value"] == pytest.approx(0.9)
    assert "each counted once, kappa is 0.90" in " ".join(certified.run(*ask).out.split())
