"""Panels, replicates, pairs in both orders and token probabilities, through the command line."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House

PAIR = """---
rubric: better
version: 1
inputs: [input, output_a, output_b]
criteria:
  - criterion: better
    question: Which output answers the question?
    scale: pairwise
    levels:
      - value: A
        name: A
        definition: Output A answers it better.
      - value: tie
        name: tie
        definition: Both answer it as well.
      - value: B
        name: B
        definition: Output B answers it better.
---
"""
LEVELS = ["rude", "cold", "polite", "friendly"]


def said(level: str) -> str:
    """Return a reply that gives a level."""
    return json.dumps({"reason": "so it is", "level": level})


def shown(request: dict[str, Any]) -> str:
    """Return what a request shows of the item."""
    return str(request["messages"][-1]["content"])


def pairs(house: House, n: int) -> None:
    """Write pairs; in each, the better output says so."""
    rows = []
    for i in range(n):
        good, bad = f"right answer {i}", f"wrong answer {i}"
        a, b = (good, bad) if i % 2 else (bad, good)
        rows.append({"id": f"p{i:02}", "input": f"question {i}", "output_a": a, "output_b": b})
    house.write("pairs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, in the order of the items."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return sorted(rows, key=lambda row: row["item_id"])


def test_a_pair_is_shown_both_ways_round(house: House) -> None:
    """Complaint 58: a judge that takes the first is found out; a good one is not held up."""

    def reply(request: dict[str, Any]) -> str:
        text = shown(request)
        first = "right" if text.index("right") < text.index("wrong") else "wrong"
        if re.search(r"question [0-3]\b", text):
            return said("A")  # whichever comes first
        return said("A" if first == "right" else "B")

    with StubServer(reply=reply) as server:
        house.server = server
        house.judge(PAIR, name="better")
        pairs(house, 10)
        result = house.run("try", "better", "pairs.jsonl", "--out", "rows.jsonl")
        text = house.run("try", "better", "pairs.jsonl").out

        assert result.code == 0
        assert server.stats.requests == 20
    rows = rows_of(house.root / "rows.jsonl")
    assert [row["level"] for row in rows] == ["tie"] * 4 + ["B", "A"] * 3
    assert [(v["order"], v["level"]) for v in rows[0]["votes"]] == [("AB", "A"), ("BA", "B")]
    assert "p00: tie  (AB A, BA B)" in text


def test_a_pair_whose_orders_disagree_may_be_unjudged(house: House) -> None:
    """As the judge declares."""
    with StubServer(reply=lambda _: said("A")) as server:
        house.server = server
        house.judge(PAIR, name="better", inconsistent="unjudged")
        pairs(house, 3)
        house.run("try", "better", "pairs.jsonl", "--out", "rows.jsonl")

    causes = {row["cause"] for row in rows_of(house.root / "rows.jsonl")}
    assert causes == {"contradictory"}


@pytest.fixture
def panel(served: House) -> House:
    """A panel of three: two are right, one calls everything cold; asked twice each."""

    def reply(request: dict[str, Any]) -> str:
        level = re.search(r"(?:reply|answer) \d+ is (\w+)", shown(request))
        return said("cold" if request["model"] == "c" or level is None else level[1])

    served.server = StubServer(reply=reply).start()
    served.judge(panel=["openai/a", "openai/b", "openai/c"], replicates=2)
    return served


def test_a_panel_is_one_judge(panel: House) -> None:
    """Complaint 61: certified as one, with what its members are worth together."""
    assert panel.server is not None
    result = panel.run("calibrate", "tone", "--json")
    asked = panel.server.stats.requests
    again = panel.run("calibrate", "tone")
    panel.server.stop()

    (criterion,) = result.json["criteria"]
    found = criterion["panel"]
    assert criterion["verdict"] == "calibrated"
    assert asked == panel.server.stats.requests == 60 * 3 * 2
    assert [m["model"] for m in found["panel"]["members"]] == ["openai/a", "openai/b", "openai/c"]
    assert found["repeats"]["flips"]["value"] == 0
    assert "openai/c" in again.out
    certificate = json.loads((panel.root / criterion["certificate"]).read_text())
    assert certificate["judge"]["model"] == "openai/a + openai/b + openai/c"
    assert len(certificate["models_served"]) == 3


def test_replicates_that_differ_show(served: House) -> None:
    """Complaints 48, 49: how often a level changes, with an interval."""
    counts: dict[str, int] = {}

    def reply(request: dict[str, Any]) -> str:
        text = shown(request)
        key = hashlib.sha256(text.encode()).hexdigest()
        counts[key] = counts.get(key, 0) + 1
        level = re.search(r"(?:reply|answer) \d+ is (\w+)", text)
        right = level[1] if level else "cold"
        return said("cold" if counts[key] == 2 and int(key, 16) % 4 == 0 else right)

    with StubServer(reply=reply) as server:
        served.server = server
        served.judge(replicates=3, concurrency=1)
        result = served.run("calibrate", "tone", "--json")
        text = served.run("calibrate", "tone").out

    flips = result.json["criteria"][0]["panel"]["repeats"]["flips"]
    assert 0 < flips["low"] <= flips["value"] <= flips["high"] < 0.6
    assert "Asked 3 times" in text


def test_token_probabilities_are_read_into_levels(house: House) -> None:
    """Complaint 16: where they come they are used, and where not nothing breaks."""
    with StubServer() as server:
        house.server = server
        house.judge(probabilities=True)
        house.items([LEVELS[i % 4] for i in range(4)])
        house.run("try", "tone", "items.jsonl", "--out", "rows.jsonl")
        sent = json.loads(server.received[-1].body)
        server.configure(refuses=("logprobs",))
        house.run("try", "tone", "items.jsonl", "--refresh", "--out", "without.jsonl")

    with_them, without = (rows_of(house.root / f"{n}.jsonl") for n in ("rows", "without"))
    assert (sent["logprobs"], sent["top_logprobs"]) == (True, 20)
    chances = [row["probabilities"] for row in with_them if "probabilities" in row]
    assert chances
    assert all(abs(sum(found.values()) - 1) < 1e-6 for found in chances)
    assert all(row["status"] == "judged" for row in without)
    assert not any("probabilities" in row for row in without)
