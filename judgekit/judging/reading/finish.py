"""Why a model stopped, in the words of many providers."""

from __future__ import annotations

import json
import re

from judgekit.judging.reading.pattern import pattern

_FILTERED = pattern(
    r"content.?(?:filter|management|policy)|safety|prohibited|blocklist|recitation|spii|moderation",
    re.IGNORECASE,
)
_CUT = pattern(
    r"(?:length|max.?(?:output.?|completion.?|new.?)?tokens|model.?length|token.?limit"
    r"|max.?length)(?:.?reached)?",
    re.IGNORECASE,
)
_STOPPED = pattern(
    r"stop(?:.?sequence)?|end.?turn|eos(?:.?token)?|complete(?:d)?|finished", re.IGNORECASE
)

_STARTS = 20
"""How many braces may begin the object."""
_BROKE_OFF = pattern(r"(?:\w+[ _-])?error|abort(?:ed)?|cancel+ed|fail(?:ed|ure)", re.IGNORECASE)


def was_filtered(finish: str | None) -> bool:
    """Return whether a filter of the provider stopped the reply."""
    return finish is not None and _FILTERED.search(finish) is not None


def was_cut(finish: str | None) -> bool:
    """Return whether the reply stopped because its token budget ran out."""
    return finish is not None and _CUT.fullmatch(finish.strip()) is not None


def broke_off(finish: str | None) -> bool:
    """Return whether something went wrong at the provider while it answered."""
    return finish is not None and _BROKE_OFF.fullmatch(finish.strip()) is not None


def ends_whole(text: str) -> bool:
    """Return whether a reply that was cut ends with a whole JSON object all the same.

    Some models put blanks behind their answer until the budget is gone.
    """
    body = text.rstrip().removesuffix("```").rstrip()
    if not body.endswith("}"):
        return False
    start = body.find("{")
    for _ in range(_STARTS):
        if start < 0:
            break
        try:
            return isinstance(json.loads(body[start:]), dict)
        except (ValueError, RecursionError):
            start = body.find("{", start + 1)
    return False


def ended_itself(finish: str | None) -> bool:
    """Return whether the model stopped of itself, so that its last characters are complete."""
    return finish is not None and _STOPPED.fullmatch(finish.strip()) is not None
