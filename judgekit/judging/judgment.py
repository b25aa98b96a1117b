"""What a judge said of an item, or why it said nothing usable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Cause = Literal[
    "empty",
    "truncated",
    "refused",
    "filtered",
    "unreadable",
    "out_of_scale",
    "contradictory",
    "abstained",
    "missing",
    "provider_error",
    "budget",
]
CAUSES: tuple[Cause, ...] = get_args(Cause)
INCOMPLETE: frozenset[Cause] = frozenset({"provider_error", "budget", "missing"})
"""Causes that are no statement of the judge: the run is incomplete, ask again."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """The level a judge gave.

    Attributes:
        item: Item id.
        criterion: Criterion name.
        level: Index of the level in scale order, or None when the judge said "not applicable".
        reason: The judge's own reason, or None.
        raw: The reply text the level was read from, unchanged; None for recorded bare levels.
        replicate: Which asking it was.
        served: The model that answered, where known.
        cached: True when no call was made for it.
    """

    item: str
    criterion: str
    level: int | None
    reason: str | None = None
    raw: str | None = None
    replicate: int = 0
    served: str | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Unjudged:
    """No usable judgment, with the cause. Never a number."""

    item: str
    criterion: str
    cause: Cause
    detail: str | None = None
    raw: str | None = None
    replicate: int = 0
    served: str | None = None
    cached: bool = False
