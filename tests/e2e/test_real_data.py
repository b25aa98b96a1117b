"""Published judges and labels, measured from their files with options alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.house import House

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the public data sets are not beside this checkout (../shared/data)"
)

SATISFIED = """---
rubric: satisfied
version: 1
criteria:
  - criterion: satisfied
    question: Is the requirement satisfied?
    scale: binary
    levels:
      - {value: 1, name: satisfied, definition: It is met., drops_when: Anything is missing.}
      - {value: 0, name: unsatisfied, definition: It is not met.}
---
"""
FOUR = """---
rubric: satisfaction
version: 1
criteria:
  - criterion: satisfaction
    question: How satisfied is the user?
    scale: ordinal
    not_applicable: The user did not answer.
    levels:
      - {value: 1, definition: not at all}
      - {value: 2, definition: a little, drops_when: not at all}
      - {value: 3, definition: mostly, drops_when: only a little}
      - {value: 4, definition: wholly, drops_when: only mostly}
---
"""
FIVE = """---
rubric: usefulness
version: 1
criteria:
  - criterion: usefulness
    question: How useful is the snippet?
    scale: ordinal
    levels:
      - {value: 0, definition: not at all}
      - {value: 1, definition: hardly, drops_when: not at all}
      - {value: 2, definition: a little, drops_when: hardly}
      - {value: 3, definition: mostly, drops_when: a little}
      - {value: 4, definition: wholly, drops_when: mostly}
---
"""
THREE_WAY = """---
rubric: preference
version: 1
criteria:
  - criterion: preference
    question: Which response is better?
    scale: pairwise
    levels:
      - {value: A, definition: The first is better.}
      - {value: B, definition: The second is better.}
      - {value: tie, definition: Neither is better.}
---
"""


def measured(house: House, rubric: str, folder: str, *options: str) -> dict:
    """Calibrate on a folder's files and return the one criterion's document."""
    house.write("judge.jinja", rubric)
    data = DATA / folder
    result = house.run(
        *("calibrate", "judge.jinja", "--labels", str(data / "labels.csv")),
        *("--judgments", str(data / "judgments.jsonl"), "--json", *options),
    )
    assert result.code in (0, 1), result.err
    return result.json["criteria"][0]


@pytest.mark.parametrize(
    ("agent", "kappa"), [("MetaGPT", 0.775), ("GPT-Pilot", 0.730), ("OpenHands", 0.800)]
)
def test_agent_as_judge(house: House, agent: str, kappa: float) -> None:
    """The published agents, one by one, chosen through the items' own column."""
    items = str(DATA / "agent_as_judge" / "items.jsonl")
    found = measured(
        house, SATISFIED, "agent_as_judge", "--items", items, "--where", f"agent={agent}"
    )

    assert found["agreement"]["value"] == pytest.approx(kappa, abs=0.0006)
    assert found["tally"]["items"] == found["tally"]["judged"] == 366


def test_llm_rubric(house: House) -> None:
    """Criterion Q0 of a file of nine, one judge of three; 0 means not applicable."""
    items = str(DATA / "llm_rubric_real" / "items.jsonl")
    found = measured(
        *(house, FOUR, "llm_rubric_real", "--items", items, "--criterion", "Q0"),
        *("--judge-id", "gpt-3.5-turbo-16k/argmax", "--level-map", "0=na"),
    )

    assert found["agreement"]["value"] == pytest.approx(0.080, abs=0.0006)
    assert found["agreement"]["n"] == 223


@pytest.mark.parametrize(
    ("judge", "gate", "unusable"), [("gpt-3.5-turbo", 0.4755, 25), ("pandalm-7b", 0.4354, 0)]
)
def test_pandalm(house: House, judge: str, gate: float, unusable: int) -> None:
    """Three-way preference against the majority of three raters."""
    found = measured(
        *(house, THREE_WAY, "pandalm", "--judge-id", judge, "--level-column", "score"),
        *("--level-map", "1=A,2=B,0=tie", "--reference", "majority"),
    )

    assert found["gate_agreement"]["value"] == pytest.approx(gate, abs=0.0001)
    assert sum(found["tally"]["unjudged"].values()) == unusable


def test_pandalm_pooled(house: House) -> None:
    """Without asking for a majority, all three raters count; the interval is by item."""
    found = measured(
        *(house, THREE_WAY, "pandalm", "--judge-id", "pandalm-7b", "--level-column", "score"),
        *("--level-map", "1=A,2=B,0=tie"),
    )

    assert found["agreement"]["n"] == 999
    assert found["agreement"]["pairs"] == 2997
    assert set(found["raters"]) == {"annotator1", "annotator2", "annotator3"}


def test_ice_conala(house: House) -> None:
    """Ragged raters, raw replies, cases by question."""
    items = str(DATA / "ice_conala" / "items.jsonl")
    found = measured(
        *(house, FIVE, "ice_conala", "--items", items, "--case-column", "question"),
        *("--judge-id", "gpt-3.5-turbo/no_step_no_ref"),
    )

    assert found["agreement"]["n"] == 2500
    assert found["agreement"]["pairs"] == 11033
    assert found["agreement"]["clusters"] == 500
    assert 0.5 < found["agreement"]["value"] < 0.6
