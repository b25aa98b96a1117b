"""Scales of scores: the range a tool allows, with what its prompt says of the scores."""

from __future__ import annotations

from judgekit.importers.graders.node import Place
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.scales import Number, Points, pass_line, points
from judgekit.importers.graders.spans import passing, spanned
from judgekit.importers.graders.wording import Words, numbers
from judgekit.rubric.scale import Value, number_text


def scored(
    words: Words, low: Number, high: Number, name: str, *, at: Place, notes: Notes
) -> Points:
    """Return the levels of a range: those the prompt defines, and both ends.

    Args:
        words: What the prompt says of its levels.
        low: The lowest score the tool allows.
        high: The highest.
        name: The criterion.
        at: Where the source states the range.
        notes: Where it is noted which scores have no words, and which words have no score.
    """
    outside = [span for span in words.spans if span.low < low or span.high > high]
    for span in outside:
        message = f"{name!r} says what {span.said} means, and scores end at {low:g} and {high:g}"
        help_ = f"left out is: {span.words}"
        notes.add("import-level-unread", at, message, help_)
    if words.has_ranges:
        inside = [span for span in words.spans if span not in outside]
        if len(inside) > 1:
            return Points("ordinal", spanned(inside, name, at=at, notes=notes))
    return points(low, high, numbers(words), at=at, notes=notes)


def pass_at(
    scale: Points, words: Words, threshold: Number, *, at: Place, notes: Notes, said: str = ""
) -> Value | None:
    """Return the lowest level that passes, by the lowest score that does.

    Args:
        scale: The levels.
        words: What the prompt says of them.
        threshold: The lowest score that passes.
        at: Where the source states it.
        notes: Where it is noted that it is no level, or no line at all.
        said: How the source states the threshold, where that is another number.
    """
    said = said or number_text(threshold)
    if words.has_ranges and len(scale.levels) == len(words.spans):
        return passing(words.spans, scale.levels, threshold, said=said, at=at, notes=notes)
    values = [level.value for level in scale.levels if not isinstance(level.value, str | None)]
    return pass_line(values, threshold, at=at, notes=notes, said=said)
