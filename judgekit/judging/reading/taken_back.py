"""Answers that the reply itself takes back: ``Level: 5 (corrected: 1)``, ``No. I mean yes``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.labels import SOMEBODY_ELSES
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import Vocabulary

_BACK = re.compile(
    r"(?:=>|->|(?<=,[ ])no(?=,)"
    r"|\b(?:actually|i mean[t]?|make (?:that|it)|correct(?:ed|ion)(?: to)?|sorry|wait"
    r"|scratch that|on second thought|(?:revised|changed|updated|amended)(?: to)?|or rather)\b)"
    r"[ \t]*[,:]?[ \t]*(?:(?:it(?:'s| is)|that(?:'s| is)|an?)[ \t]+)?(?=\S)",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?<=[\w)\]\"'])(?:[ \t]*[,;|/][ \t]*|[ \t]+)"
    r"(?:level|score|rating|grade|verdict)[ \t]*[:=][ \t]*(?=\S)",
    re.IGNORECASE,
)
_NOT_GIVEN = re.compile(
    r"[ \t]*(?:[(\[,]|-{1,2}[ \t])[^()\[\]\n.]{0,60}\b(?:default|placeholder|unassessed"
    r"|not (?:assessed|judged|rated|graded|scored|evaluated))\b",
    re.IGNORECASE,
)


def taken_back(
    words: Vocabulary, text: str, found: Found, evidence: Iterable[Evidence]
) -> Found | None:
    """Return what a level comes to where the reply goes on to take it back, else None."""
    given = [e for e in evidence if e.found.level == found.level and e.weight > Weight.HINT]
    if any(_NOT_GIVEN.match(text, e.found.end) for e in given if _ends_there(text, e.found)):
        return nothing(text)
    start = max((e.at for e in given), default=0)
    for pattern in (_BACK, _AGAIN):
        for match in pattern.finditer(text, start):
            if pattern is _AGAIN and SOMEBODY_ELSES.search(text, match.start() - 30, match.start()):
                continue
            value = value_at(words, text, match.end())
            if value is not None and value.kind == "level" and value.level != found.level:
                said = f"{found.said!r}, {value.said!r}"
                return Found("contradictory", -1, said, value.end)
    return None


def corrected(words: Vocabulary, text: str, level: int) -> Found | None:
    """Return another level that ``text``, which follows an answer, corrects it to; else None."""
    for match in _BACK.finditer(text):
        value = value_at(words, text, match.end())
        if value is not None and value.kind == "level" and value.level != level:
            return value
    return None


def _ends_there(text: str, found: Found) -> bool:
    """Return whether the end of a piece is a place in ``text``, and not in its own sentence."""
    return text[: found.end].rstrip("\"')]}>").endswith(found.said.rstrip("\"')]}>"))
