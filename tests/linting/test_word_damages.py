"""Rubrics of the gallery whose words were damaged: the linter names the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.linting.engine import lint
from judgekit.linting.subject import Text
from tests.linting.patient import LOAD, Damaged, Patient

GALLERY = sorted((Path(__file__).parents[2] / "rubrics").glob("*.jinja"))
PATIENTS = [Patient(path.read_text("utf-8")) for path in GALLERY]

DAMAGES: dict[str, tuple[str, ...]] = {
    "border": (
        "Otherwise.",
        "If it deserves a lower level.",
        "See level 2.",
        "It is not {own}.",
        "The requirements of this level are not met.",
        "Andernfalls.",
        "Siehe Stufe 2.",
        "De lo contrario.",
        "It is not the case that {definition}",
        "{definition}",
    ),
    "definition": (
        "See the labelling guide, section 4.",
        "Siehe Leitfaden.",
        "The output is {own}.",
        "The output is {other}.",
        "Worse than {other}.",
        "Everything as in {other}, with small flaws.",
        "Wie {other}, nur schwächer.",
        "The opposite of {other}.",
        "Meets expectations.",
        "{{ definition }}",
        "[your text]",
        "wird noch ergänzt",
        "Every part of what was asked for can be found in the",
        "{question}",
    ),
    "reason": (
        "This is {own}.",
        "Because it is good.",
        "It is correct.",
        "A typical example.",
        "Das ist eindeutig {own}.",
        "{definition}",
        "See definition.",
    ),
    "question": (
        "Is the output punctual as well as polite?",
        "How accurate and how friendly is the output?",
        "Rate the accuracy/politeness of the output.",
        "Nennt die Antwort den Grund und entschuldigt sie sich?",
        "La réponse est-elle exacte et polie ?",
        "Which level does it have?",
        "Tone",
        "As described in the handbook.",
    ),
    "not_applicable": (
        "n/a",
        "Never.",
        "When the criterion does not apply.",
        "Wenn das Kriterium nicht anwendbar ist.",
        "{definition}",
        "{question}",
    ),
    "name": ("{other}ish", "very {other}", "{other}!", "{other}s", "{cyrillic}"),
}
CASES = [(slot, words) for slot, texts in DAMAGES.items() for words in texts]
_CYRILLIC = str.maketrans("aeopc", "\u0430\u0435\u043e\u0440\u0441")


def _texts(patient: Patient, slot: str) -> Iterator[Text | None]:
    """The texts of one kind, of its first two levels where each has one."""
    first, second = patient.levels[:2]
    if slot == "question":
        yield patient.criterion.question
    elif slot == "not_applicable":
        yield patient.criterion.not_applicable
    elif slot == "reason":
        yield first.anchors[0].reason
    elif slot == "border":
        yield first.drops_when
    elif slot == "definition":
        yield first.definition
    else:
        yield second.name


def _damaged(patient: Patient, slot: str, words: str) -> Iterator[Damaged]:
    first, second = patient.levels[:2]
    own, other = (first, second) if slot != "name" else (second, first)
    assert own.name
    assert other.name
    assert first.definition
    assert patient.criterion.question
    for name, text in {
        "own": own.name.value,
        "other": other.name.value,
        "cyrillic": other.name.value.translate(_CYRILLIC),
        "definition": first.definition.value,
        "question": patient.criterion.question.value,
    }.items():
        words = words.replace(f"{{{name}}}", text) if "{{" not in words else words
    for said in _texts(patient, slot):
        done = patient.put(said, words)
        if done is not None and done.text != patient.text:
            yield done


@pytest.mark.parametrize(
    ("slot", "words"), CASES, ids=[f"{slot}: {words}" for slot, words in CASES]
)
def test_damaged_words_are_found_where_they_are(slot: str, words: str) -> None:
    """On every rubric that has such a text; sides of a pair are no names that can be confused."""
    missed = []
    for path, patient in zip(GALLERY, PATIENTS, strict=True):
        if patient.criterion.kind == "pairwise" and slot in ("definition", "name"):
            continue
        for text, lines in _damaged(patient, slot, words):
            found = lint(text, file=path.name, load=LOAD)
            if not any(one.finding.line in lines for one in found):
                missed.append(path.name)

    assert missed == []
