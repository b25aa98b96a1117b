"""What reading a reply comes to."""

from __future__ import annotations

from typing import NamedTuple

from judgekit.judging.judgment import Cause


class Reading(NamedTuple):
    """What a reply says: a level, "not applicable", or why it says neither.

    Exactly one of ``level``, ``not_applicable`` and ``cause`` is set.

    Attributes:
        level: Index of the level in scale order, or None.
        not_applicable: The judge said that the criterion does not apply, and it may.
        cause: Why there is no level, or None when there is one.
        reason: The judge's own reason as written, or None.
        detail: What was met, for a person who asks why there is no level.
    """

    level: int | None
    not_applicable: bool
    cause: Cause | None
    reason: str | None
    detail: str | None


def unjudged(cause: Cause, detail: str, reason: str | None = None) -> Reading:
    """Return the reading of a reply that gives no level."""
    return Reading(None, not_applicable=False, cause=cause, reason=reason, detail=detail)


def judged(level: int, reason: str | None) -> Reading:
    """Return the reading of a reply that gives a level."""
    return Reading(level, not_applicable=False, cause=None, reason=reason, detail=None)


def not_applicable(reason: str | None) -> Reading:
    """Return the reading of a reply that says the criterion does not apply."""
    return Reading(None, not_applicable=True, cause=None, reason=reason, detail=None)
