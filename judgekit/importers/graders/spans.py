"""Scales of score ranges: each range with words of its own is one level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from judgekit.importers.graders.grader import DraftLevel
from judgekit.importers.graders.node import Place
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.scales import tidy
from judgekit.rubric.scale import Value, number_text

_MOST = 100
"""Scores of a range that are worth writing out."""


class Span(NamedTuple):
    """The scores from one to another, and what they stand for."""

    low: float
    high: float
    words: str | None

    @property
    def said(self) -> str:
        """Return how people write it: ``3-6``, or ``7`` where it is one score."""
        low, high = number_text(self.low), number_text(self.high)
        return low if low == high else f"{low}-{high}"


def spanned(spans: Sequence[Span], name: str, *, at: Place, notes: Notes) -> tuple[DraftLevel, ...]:
    """Return one level for each range; it is numbered from 1 where ranges hold several scores.

    Args:
        spans: The ranges, lowest first.
        name: The criterion.
        at: Where the source states them.
        notes: Where it is noted that scores within a range are lost.
    """
    if all(span.low == span.high for span in spans):
        return tuple(DraftLevel(tidy(span.low), None, span.words or None) for span in spans)
    shown = ", ".join(span.said for span in spans)
    message = f"the score ranges of {name!r} ({shown}) are one level each, numbered from 1"
    notes.add("import-span", at, message, _map(spans))
    return tuple(DraftLevel(i, None, span.words or None) for i, span in enumerate(spans, start=1))


def _map(spans: Sequence[Span]) -> str:
    """Return how labels with the old scores are read."""
    touching = any(a.high >= b.low for a, b in pairwise(spans))
    whole = all(float(end).is_integer() for span in spans for end in (span.low, span.high))
    if touching or not whole:
        return "labels with the old scores: write the number of the range in their place"
    pairs = [
        f"{score}={position}"
        for position, span in enumerate(spans, start=1)
        for score in range(int(span.low), int(min(span.high, span.low + _MOST)) + 1)
    ]
    return f"labels with the old scores: --level-map {','.join(pairs)}"


def passing(
    spans: Sequence[Span],
    levels: Sequence[DraftLevel],
    least: float,
    *,
    said: str,
    at: Place,
    notes: Notes,
) -> Value | None:
    """Return the lowest level whose scores all pass, or the highest that some of pass.

    Args:
        spans: The ranges, lowest first.
        levels: The level of each.
        least: The lowest score that passes.
        said: How the source states it.
        at: Where.
        notes: Where it is noted that it is inside a range, or no line at all.
    """
    whole = [i for i, span in enumerate(spans) if span.low >= least]
    first = whole[0] if whole else len(spans) - 1
    if first == 0:
        message = f"with the threshold {said} every level of the scale passes"
        notes.add("import-threshold", at, message, "choose the level that passes: passes_at")
        return None
    below = spans[first - 1].high
    gap = spans[first].low != least and below + 1 != spans[first].low
    if not whole or below >= least or gap:
        message = f"the threshold {said} is inside a range; passes_at is {levels[first].said}"
        help_ = "a level passes as a whole: check that this is the line"
        notes.add("import-threshold", at, message, help_)
    return levels[first].value
