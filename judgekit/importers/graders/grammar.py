"""How prompts write a level, and the small words around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from judgekit.importers.graders.sentences import Piece
from judgekit.rubric.scale import fold, number_text

NUMBER = r"-?(?<![\d.])\d{1,9}(?:\.\d{1,9})?(?!\d)"
_TO = r"[ \t]?(?:-|–|—|\.\.|to|through|bis|à)[ \t]?"
MARKS = r"[\"'`*_(\[“„«]{0,4}"
CLOSE = r"[\"'`*_)\]”“»]{0,4}"
OF = (
    r"(?:(?:scores?|levels?|ratings?|grades?|labels?|class|points?|values?|stars?|note|stufe"
    r"|punktzahl|niveau|nivel|puntuación|puntaje|pontuação|nota|livello|punteggio|voto|puan)"
    rf"(?:[ \t]+of|[ \t]+is|[ \t]*=)?[ \t]+{MARKS})?"
)
UNIT = r"(?:[ \t]?(?:%|/[ \t]?\d+|points?\b|pts?\b|stars?\b|punkte?\b))?"
_LONGEST = 20
"""Characters of a number, or of a range of numbers."""
SIGN = (
    r"(?::|：|={1,2}>?|[-–—]>|→|⇒|[-–—](?=\s)|\b(?:means?|indicates|denotes|bedeutet|signifie"
    r"|significa|betekent)\b(?:[ \t]+that\b)?:?)"
)


_QUOTED = re.compile(r"[\"“'`]([^\"“”]*?)[\"”'`][\s,}]*")


_SIGNS = "*_|,;/ "
_JOINS = re.compile(r"(?i)[,;/|]?\s+(?:and|or|to|through|up to|und|oder|et|ou|y|o|e)$")
_TAIL = 12


class Said(NamedTuple):
    """What a prompt says of one level.

    Attributes:
        level: The level; of a range of scores both ends, as in ``1..3``.
        words: What it means.
        piece: Where that stands.
    """

    level: str
    words: str
    piece: Piece


class Grammar:
    """How the levels of one scale are written.

    Args:
        labels: Their names; None when they are numbers.
    """

    def __init__(self, labels: Sequence[str] | None) -> None:
        self.is_number = labels is None
        names = sorted(filter(str.strip, labels or ()), key=len, reverse=True)
        self._names = {fold(name): name for name in names}
        self.longest = max(map(len, names), default=0) if names else _LONGEST
        numbers = rf"{NUMBER}(?:{_TO}{NUMBER})?"
        one = numbers if labels is None else "|".join(map(re.escape, names)) or "(?!)"
        self.one = rf"(?<![\w.$€#])(?<!\d,)(?P<level>{one})(?![\w]|\.\w)"

    def known(self, written: str) -> str:
        """Return the level a text stands for: its label, or its number or numbers, tidied."""
        if not self.is_number:
            return self._names.get(fold(written), written)
        first, *others = re.findall(r"\d+(?:\.\d+)?", written) or [""]
        if not first:
            return written.lower()
        if not others:
            return number_text(float(f"-{first}" if written.startswith("-") else first))
        low, high = sorted(float(end) for end in (first, others[0]))
        return f"{number_text(low)}..{number_text(high)}"


def tidied(words: str) -> str:
    """Return what is said of a level on one line, without the signs and small words at its end."""
    words = " ".join(words.split()).strip(_SIGNS)
    quoted = _QUOTED.fullmatch(words)
    words = quoted[1] if quoted else words
    tail = _JOINS.search(words, max(0, len(words) - _TAIL))
    words = words[: tail.start()] if tail else words
    if words.count(")") > words.count("("):
        words = words.removesuffix(")")
    return words.strip(_SIGNS)


def doubtful(found: Sequence[Said]) -> set[str]:
    """Return the levels of which nothing was read, or two different things."""
    said: dict[str, str] = {}
    for one in found:
        said.setdefault(one.level, one.words)
    return {o.level for o in found if not o.words or fold(said[o.level]) != fold(o.words)}
