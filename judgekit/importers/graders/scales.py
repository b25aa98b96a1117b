"""Scales from ranges, labels and thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judgekit.importers.graders.grader import DraftLevel
from judgekit.importers.graders.node import Place
from judgekit.importers.graders.notes import Notes
from judgekit.rubric.scale import Kind, fold, number_text

Number = int | float


class Points(NamedTuple):
    """Levels at points of a range; ``kind`` is binary when they are 0 and 1."""

    kind: Kind
    levels: tuple[DraftLevel, ...]


def tidy(number: Number) -> Number:
    """Return a whole number as an int."""
    return int(number) if float(number).is_integer() else number


def points(
    low: Number, high: Number, words: Mapping[Number, str], *, at: Place, notes: Notes
) -> Points:
    """Return a level for each point that has words, and for both ends.

    Args:
        low: The lowest score.
        high: The highest.
        words: What the source says of each point.
        at: Where the source states the range.
        notes: Where a point that nothing is said of is noted.
    """
    ends = tidy(low), tidy(high)
    inside = {tidy(n): text for n, text in words.items() if low <= n <= high}
    values = sorted({*ends, *inside})
    levels = tuple(DraftLevel(value, None, inside.get(value)) for value in values)
    whole = all(isinstance(end, int) for end in ends) and ends != (0, 1)
    written = sum(isinstance(value, int) for value in values)
    if not inside or (whole and ends[1] - ends[0] + 1 > written):
        said = ", ".join(number_text(value) for value in values)
        message = f"the scores between {low:g} and {high:g} have no definition each"
        help_ = f"written are the levels {said}; add one for each point that you can define"
        notes.add("import-range-bare", at, message, help_)
    return Points("binary" if values == [0, 1] else "ordinal", levels)


def pass_line(
    values: Sequence[Number], threshold: Number, *, at: Place, notes: Notes, said: str = ""
) -> Number | None:
    """Return the lowest level at or above a threshold; None when all or none of them are.

    Args:
        values: The levels, lowest first.
        threshold: The lowest score that passes.
        at: Where the source states it.
        notes: Where it is noted that the threshold is no level, or no line at all.
        said: How the source states the threshold, where that is another number.
    """
    above = [value for value in values if value >= threshold]
    said = said or f"{threshold:g}"
    if not above or len(above) == len(values):
        what = "no level" if not above else "every level"
        message = f"with the threshold {said} {what} of the scale passes"
        notes.add("import-threshold", at, message, "choose the level that passes: passes_at")
        return None
    if above[0] != threshold:
        message = f"the threshold {said} is no level; passes_at is the next one, {above[0]:g}"
        help_ = "scores between two levels are not given any more: check that this is the line"
        notes.add("import-threshold", at, message, help_)
    return above[0]


YES, NO = {"yes", "true", "pass", "1"}, {"no", "false", "fail", "0"}


def named(labels: Sequence[str], words: Mapping[str, str]) -> Points:
    """Return the levels of a list of labels: yes or no is binary, the rest nominal."""
    folded = {fold(label): label for label in labels}
    if len(labels) == 2 and folded.keys() & YES and folded.keys() & NO:
        high = next(folded[word] for word in folded if word in YES)
        low = next(folded[word] for word in folded if word in NO)
        pair = ((0, low), (1, high))
        return Points("binary", tuple(DraftLevel(v, n, words.get(n)) for v, n in pair))
    return Points("nominal", tuple(DraftLevel(None, label, words.get(label)) for label in labels))
