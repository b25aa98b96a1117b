"""Scripted damages of a rubric, each with the lines at which a linter should point."""

from __future__ import annotations

from collections.abc import Iterator

from tests.linting.damages_anchors import ANCHORS
from tests.linting.damages_file import FILE
from tests.linting.damages_scale import SCALE
from tests.linting.damages_template import TEMPLATE
from tests.linting.damages_words import WORDS
from tests.linting.patient import Damage, Damaged, Patient

KINDS: tuple[dict[str, Damage], ...] = (FILE, SCALE, WORDS, ANCHORS, TEMPLATE)
DAMAGES: dict[str, Damage] = {name: one for kind in KINDS for name, one in kind.items()}


def damaged(text: str) -> Iterator[tuple[str, Damaged]]:
    """Every damage that can be done to a rubric."""
    patient = Patient(text)
    for name, damage in DAMAGES.items():
        done = damage(patient)
        if done is not None and done.text != text:
            yield name, done
