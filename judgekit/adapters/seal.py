"""Telling what a judge gave from what only looks like it, in the files of other runners.

Results hold the texts that were judged too, and a text may say anything, "judgekit_value": 4
among it. The seal of an outcome is a digest that takes the id of its certificate to make, which is
shown to no model. It tells accidents and texts from outcomes; it is no secret of the team's.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TypeVar

from judgekit.fingerprint import canonical_json, sha256_text

V = TypeVar("V")

PREFIX = "judgekit_"
SEAL = "judgekit_seal"
_EXACT = 2**53
SEALED = (
    *("judge", "criterion", "certificate", "fingerprint", "id", "item", "case", "status"),
    *("reason_code", "value", "text"),
)
"""What the seal is about; the rest of the metadata is for people."""


def sealed(facts: dict[str, V]) -> dict[str, V | str]:
    """Return the metadata of an outcome with its seal."""
    return {**facts, SEAL: seal_of(facts)}


def seal_of(facts: Mapping[str, object]) -> str:
    """Return the seal that metadata with these facts has.

    Runners keep numbers as text and leave out what is null; both change nothing.
    """
    told = {name: facts.get(f"{PREFIX}{name}") for name in SEALED}
    texts = {k: _text(v) for k, v in told.items() if v not in (None, "")}
    return sha256_text(canonical_json(texts))[:16]


def _text(value: object) -> str:
    """Return a fact as text; 4.0 is 4, as programs without whole numbers write it."""
    with contextlib.suppress(ValueError):
        if not isinstance(value, bool) and (number := float(str(value))).is_integer():
            return str(int(number)) if abs(number) < _EXACT else str(value)
    return str(value)


def holds(facts: Mapping[str, object]) -> bool:
    """Tell whether metadata carries the seal of what it says."""
    return facts.get(SEAL) == seal_of(facts)
