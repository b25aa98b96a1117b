"""Every way a level of one scale may be written, and the patterns that find it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judgekit.judging.reading.pattern import pattern
from judgekit.rubric.scale import fold

_JOINT = pattern(r"(?<=\w)[\-_]+(?=\w)")
_SIGNS = frozenset("<>=")
_SIGN = pattern(r"\s*([<>=]+)\s*")
SIDE_NOUN = (
    r"(?:output|response|assistant|answer|option|model|candidate|system|completion|solution"
    r"|summary|text|agent|reply|story|version|translation|choice|feedback|critique|essay|article"
    r"|review|sample|snippet|passage|document|image|dialogue|conversation|explanation|program)"
)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The written forms of one scale's levels.

    Attributes:
        words: Folded word -> level: names, values that are words, conventional initials.
        numbers: Number -> level.
        exact: Name or value as the rubric writes it -> level.
        token: Matches one of the words as a whole token.
        plural: Matches one of the words with an "s" more.
        verbs: Those of the words that are verbs, as "supports" is.
        side: Matches a side of a pairwise scale ("Output (a)", "Response 2"), else None.
        order: Matches "A > B" where that is no level of its own, else None.
        pair: Levels "A is better" and "B is better", for pairwise scales.
        tie: The level that says neither is better, for pairwise scales that have one.
        yes_no: The two levels say yes and no to whatever is asked.
        size: How many levels there are.
        counts: Whether "4/5" makes sense, that is, whether the values count up to a top.
        shown: The levels as written in messages.
    """

    words: dict[str, int]
    numbers: dict[float, int]
    exact: dict[str | float, int]
    token: re.Pattern[str]
    plural: re.Pattern[str]
    verbs: frozenset[str]
    side: re.Pattern[str] | None
    order: re.Pattern[str] | None
    pair: tuple[int, int] | None
    tie: int | None
    yes_no: bool
    size: int
    counts: bool
    shown: str

    @property
    def top(self) -> float | None:
        """Return the highest number of the scale, or None when its values are words."""
        return max(self.numbers, default=None)

    @property
    def bottom(self) -> float | None:
        """Return the lowest number of the scale, or None when its values are words."""
        return min(self.numbers, default=None)

    @property
    def signed(self) -> bool:
        """Return whether some level is negative, so that a dash may be a sign."""
        return any(number < 0 for number in self.numbers)

    def side_level(self, side: str) -> int | None:
        """Return the level of side A, B, 1 or 2; where values are numbers, 1 and 2 are values."""
        if self.pair is None:
            return None
        if side.isdigit():
            by_value = self.numbers.get(float(side))
            if by_value is not None:
                return by_value
            side = "ab"[int(side) - 1]
        return self.pair["ab".index(side.lower())]

    def denial(self, level: int) -> int | None:
        """Return the level that is left where another one is denied: the other one of two."""
        return 1 - level if self.size == 2 and self.pair is None else None

    def word(self, text: str) -> int | None:
        """Return the level whose written form is the whole of ``text``, or None."""
        return self.words.get(key(text))


def key(text: str) -> str:
    """Return the form in which words are looked up: case and joints make no difference."""
    if "-" in text or "_" in text:
        text = _JOINT.sub(" ", text)
    return fold(_SIGN.sub(r"\1", text) if _SIGNS & set(text) else text)


def spelling(word: str) -> str:
    """Return a pattern of a looked-up word as it may stand in a text."""
    spelled = r"[\s_\-]+".join(re.escape(part) for part in word.split())
    return _SIGN.sub(r"\\s*\1\\s*", spelled) if _SIGNS & set(word) else spelled


_NUMERIC = frozenset("+-0123456789")
_NUMBER = pattern(r"[+-]?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")


def as_number(text: str) -> float | None:
    """Return the number that is the whole of ``text``; None for ``007``, ``1_0`` or ``1e5``."""
    return float(text) if text[:1] in _NUMERIC and _NUMBER.fullmatch(text) else None
