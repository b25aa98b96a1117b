"""Answers that the reply itself takes back: ``Level: 5 (corrected: 1)``, ``No. I mean yes``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.labels import SOMEBODY_ELSES
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import Vocabulary

_BACK = pattern(
    r"(?:=>|->|(?<=,[ ])no(?=,)"
    r"|\b(?:actually|i mean[t]?|make (?:that|it)|correct(?:ed|ion)(?: to)?|sorry|wait"
    r"|(?:chang|revis|adjust|lower|rais|correct|updat|amend|upgrad|downgrad)\w*[ \t]+"
    r"(?:(?:my|the|this|final)[ \t]+){0,2}(?:(?:score|rating|grade|level|verdict|answer)[ \t]+)?"
    r"(?:from[ \t]+\S{1,20}[ \t]+)?to"
    r"|scratch that|on second thought|(?:revised|changed|updated|amended)(?: to)?|or rather)\b)"
    r"[ \t]*[,:]?[ \t]*(?:(?:it(?:'s| is)|that(?:'s| is)|an?)[ \t]+)?(?=\S)",
    re.IGNORECASE,
)
_AGAIN = pattern(
    r"(?<=[\w)\]\"'])(?:[ \t]*[,;|/][ \t]*|[ \t]+)"
    r"(?:level|score|rating|grade|verdict)[ \t]*[:=][ \t]*(?=\S)",
    re.IGNORECASE,
)
_NOT_GIVEN = pattern(
    r"[ \t]*(?:[(\[,]|-{1,2}[ \t])[^()\[\]\n.]{0,60}\b(?:default|placeholder|unassessed"
    r"|not (?:assessed|judged|rated|graded|scored|evaluated))\b",
    re.IGNORECASE,
)


# Begins a sentence in which the judge thinks again.
_THINKS_AGAIN = pattern(
    r"(?:^|(?<=[.!?\n]))[ \t]*(?:(?:but|oh|hm+|no)[,.]?[ \t]+)?(?:wait|hold on|scratch that"
    r"|(?:up)?on (?:second thoughts?|(?:further )?reflection)"
    r"|(?:let me|i (?:need|have|want) to) (?:re-?\w+|correct|double[- ]check))\b",
    re.IGNORECASE | re.MULTILINE,
)


def taken_back(
    words: Vocabulary, text: str, found: Found, evidence: Iterable[Evidence]
) -> Found | None:
    """Return what a level comes to where the reply goes on to take it back, else None."""
    given = [e for e in evidence if e.found.level == found.level and e.weight > Weight.HINT]
    if any(_NOT_GIVEN.match(text, e.found.end) for e in given if _ends_there(text, e.found)):
        return nothing(text)
    start = max((e.at for e in given), default=0)  # the last time the level is given
    for form in (_BACK, _AGAIN):
        for match in form.finditer(text, start):
            if form is _AGAIN and SOMEBODY_ELSES.search(text, match.start() - 30, match.start()):
                continue
            value = value_at(words, text, match.end())
            if value is not None and value.kind == "level" and value.level != found.level:
                said = f"{found.said!r}, {value.said!r}"
                return Found("contradictory", -1, said, value.end)
    again = _THINKS_AGAIN.search(text, start)
    return nothing(text[again.start() :].strip()) if again else None


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
