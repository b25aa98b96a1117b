"""What can stand where an answer is expected, and how one ends."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from judgekit.judging.reading.pattern import pattern

Kind = Literal[
    "level",  # a level of the scale
    "na",  # says that the criterion does not apply
    "abstained",  # says that it cannot tell
    "refused",  # declines to judge
    "out_of_scale",  # an answer, but none of this scale
    "contradictory",  # several levels in one answer
    "template",  # the scale itself, as in "Score: 1-5": not an answer
    "other",  # a word or two that could only be meant as a level, and are none
    "unknown",  # words that are no level
]


class Found(NamedTuple):
    """What stands where an answer is expected.

    Attributes:
        kind: What it is.
        level: The level, for ``level``; else -1.
        said: The words, for messages.
        end: Where it ends in the text.
        name: It was given by name, not by number.
    """

    kind: Kind
    level: int
    said: str
    end: int
    name: bool = False


def nothing(said: str = "", end: int = 0) -> Found:
    """Return what words that are no level come to."""
    return Found("unknown", -1, said, end)


_CLOSE = pattern(r"[\"'\])}>]*")
_ENDS = pattern(
    r"\s*(?:$|[\n.,;!|(\[=]|:(?!\d)|-{1,2}\s|/(?!\s*\w)"
    r"|(?:because|since|as|due|given|based|considering|overall|while|although)\b)",
    re.IGNORECASE,
)
JOINT = pattern(
    r"\s*,?\s*(?:-+|~|/|\||&|[,;]|\bto\b|\bor\b|\band\b|\b(?=maybe|perhaps|possibly))"
    r"\s*(?:(?:maybe|perhaps|possibly|even)\s+)?(?:an?\s+(?=\d))?(?=[\w+(\"'-])",
    re.IGNORECASE,
)
"""Stands between two levels that are given at once: "3 or 4", "A/B"."""

GLOSS = pattern(r"\s*[(\[]\s*(?P<text>[^()\[\]\n]{1,60}?)\s*[)\]]")
"""Says a level again in other words: "3 (good)"."""

DASH_GLOSS = pattern(r"\s*(?:[:=,]|--?(?=\s))\s*")
"""Comes before a level said again in other words: "3 - good"."""


def after_closing(text: str, at: int) -> int:
    """Return where the quotes and brackets that close at ``at`` end."""
    match = _CLOSE.match(text, at)
    return match.end() if match else at


def ends_at(text: str, at: int) -> bool:
    """Return whether what stands before ``at`` may be a whole answer: nothing goes on from it."""
    return _ENDS.match(text, at) is not None
