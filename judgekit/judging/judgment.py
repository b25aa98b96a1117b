"""What a judge said of an item, or why it said nothing usable."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple, get_args

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
Order = Literal["AB", "BA"]
CAUSES: tuple[Cause, ...] = get_args(Cause)
INCOMPLETE: frozenset[Cause] = frozenset({"provider_error", "budget", "missing"})
"""Causes that are no statement of the judge: the run is incomplete, ask again."""


class Judgment(NamedTuple):
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
        member: Which model of a panel was asked; 0 for a judge that is one model.
        order: How a pair was shown: ``AB`` in item order, ``BA`` swapped; None for no pair. The
            level is in item order either way.
        probabilities: Of each level in scale order, from the tokens of the reply; None where they
            were not asked for or do not show.
        votes: The single outcomes this one was made of, where the judge was asked more than once;
            empty otherwise. ``reason`` and ``raw`` are then those of the first vote for the level.
    """

    item: str
    criterion: str
    level: int | None
    reason: str | None = None
    raw: str | None = None
    replicate: int = 0
    served: str | None = None
    cached: bool = False
    member: int = 0
    order: Order | None = None
    probabilities: tuple[float, ...] | None = None
    votes: tuple[Judgment | Unjudged, ...] = ()

    @property
    def singles(self) -> tuple[Judgment | Unjudged, ...]:
        """Return the single outcomes: the votes, or this one where there was one asking."""
        return self.votes or (self,)

    @property
    def spread(self) -> dict[int | None, int]:
        """Return how many single outcomes gave each level; None stands for "not applicable"."""
        return spread(self.singles)


class Unjudged(NamedTuple):
    """No usable judgment, with the cause. Never a number. Fields as in :class:`Judgment`."""

    item: str
    criterion: str
    cause: Cause
    detail: str | None = None
    raw: str | None = None
    replicate: int = 0
    served: str | None = None
    cached: bool = False
    member: int = 0
    order: Order | None = None
    votes: tuple[Judgment | Unjudged, ...] = ()

    @property
    def singles(self) -> tuple[Judgment | Unjudged, ...]:
        """Return the single outcomes: the votes, or this one where there was one asking."""
        return self.votes or (self,)

    @property
    def spread(self) -> dict[int | None, int]:
        """Return how many single outcomes gave each level; empty where none did."""
        return spread(self.singles)


def spread(outcomes: tuple[Judgment | Unjudged, ...]) -> dict[int | None, int]:
    """Return how many outcomes gave each level, the most frequent first."""
    given = (outcome.level for outcome in outcomes if isinstance(outcome, Judgment))
    return dict(Counter(given).most_common())
