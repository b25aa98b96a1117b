"""Every way a level of one scale may be written, and the patterns that find it.

Built once for each scale and kept. Two levels that could be meant by the same word are both
struck from the table: a word that means two things is no answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from judgekit.judging.reading.clean import normalise
from judgekit.rubric.scale import Kind, Scale, Value, fold, number_text

_ENGLISH = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
NUMBER_WORDS: dict[str, int] = {
    **{word: number for number, word in enumerate(_ENGLISH)},
    **{word: number for number, word in enumerate("零一二三四五六七八九十")},
    "〇": 0,
    "两": 2,
}
"""Numbers that are written out."""

INITIALS: dict[str, tuple[str, ...]] = {
    "y": ("yes",),
    "n": ("no",),
    "t": ("true",),
    "f": ("false", "fail"),
    "p": ("pass", "partial", "partially correct"),
    "c": ("correct",),
    "i": ("incorrect",),
}
"""Letters that graders are told to answer with.

Each only where one level begins with it, and where it could not number the options: on three
levels C may stand for "correct", but also for the third option, so there it is no answer.
"""

_TIES = frozenset(("tie", "tied", "draw", "equal", "equally", "both", "neither", "same", "even"))
_END = r"(?![\w^+%\-])(?!'\w)(?![.,]\d)"
_JOINT = re.compile(r"(?<=\w)[\-_]+(?=\w)")
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
        token: Matches one of the words as a whole token.
        side: Matches a side of a pairwise scale ("Output (a)", "Response 2"), else None.
        order: Matches "A > B" where that is no level of its own, else None.
        pair: Levels "A is better" and "B is better", for pairwise scales.
        tie: The level that says neither is better, for pairwise scales that have one.
        size: How many levels there are.
        counts: Whether "4/5" makes sense, that is, whether the values count up to a top.
        shown: The levels as written in messages.
    """

    words: dict[str, int]
    numbers: dict[float, int]
    token: re.Pattern[str]
    side: re.Pattern[str] | None
    order: re.Pattern[str] | None
    pair: tuple[int, int] | None
    tie: int | None
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

    def word(self, text: str) -> int | None:
        """Return the level whose written form is the whole of ``text``, or None."""
        return self.words.get(key(text))


def key(text: str) -> str:
    """Return the form in which words are looked up: case and joints make no difference."""
    return fold(_JOINT.sub(" ", text))


def vocabulary(scale: Scale) -> Vocabulary:
    """Return the vocabulary of ``scale``; equal levels share one."""
    return _build(scale.kind, scale.values, scale.names, _sides(scale))


def _sides(scale: Scale) -> tuple[int, int] | None:
    """Return the levels "A" and "B", or None where more than two sides have levels of their own."""
    if scale.kind != "pairwise" or len(scale.levels) > 4:
        return None
    try:
        return scale.sides
    except IndexError:  # nothing but ties
        return None


@lru_cache(maxsize=256)
def _build(
    kind: Kind,
    values: tuple[Value, ...],
    names: tuple[str, ...],
    sides: tuple[int, int] | None,
) -> Vocabulary:
    words, numbers = _written(values, names)
    tie = _tie(values, names, sides) if sides else None
    _add_conventions(words, kind, values, sides)
    if tie is not None and len(values) == 3 and "c" not in words:
        words["c"] = tie  # the third of three options; prompts ask for [[C]]
    spellings = sorted((w for w in words if w), key=lambda w: (-len(w), w))
    token = "|".join(_spelling(word) for word in spellings) or r"(?!)"
    return Vocabulary(
        words=words,
        numbers=numbers,
        token=re.compile(rf"(?:{token}){_END}", re.IGNORECASE),
        side=_side_pattern() if sides else None,
        order=_order_pattern() if sides and len(values) <= 3 else None,
        pair=sides,
        tie=tie,
        size=len(values),
        counts=kind in {"ordinal", "binary"},
        shown=", ".join(number_text(value) for value in values),
    )


def _written(
    values: tuple[Value, ...], names: tuple[str, ...]
) -> tuple[dict[str, int], dict[float, int]]:
    """Return words and numbers of the levels: values first, names where they are unambiguous."""
    words: dict[str, int] = {}
    numbers: dict[float, int] = {}
    struck: set[str] = set()
    texts = [normalise(number_text(value)) for value in values]
    for table in (texts, [normalise(name) for name in names]):
        meant: dict[str, set[int]] = {}
        for index, text in enumerate(table):
            number = as_number(text.strip())
            if number is None:
                meant.setdefault(key(text), set()).add(index)
            else:
                numbers.setdefault(number, index)
        struck |= {word for word, levels in meant.items() if len(levels) > 1}
        for word, levels in meant.items():
            if word and word not in struck:
                words.setdefault(word, *levels)
    return words, numbers


def _add_conventions(
    words: dict[str, int], kind: Kind, values: tuple[Value, ...], sides: tuple[int, int] | None
) -> None:
    if kind == "binary":
        for word, value in (("true", 1), ("false", 0)):
            if value in values:
                words.setdefault(word, values.index(value))
    if sides:
        words.setdefault("a", sides[0])
        words.setdefault("b", sides[1])
        return
    for letter, known in INITIALS.items():
        if "abcdefghijklmnopqrstuvwxyz".index(letter) < len(values):
            continue
        meant = {level for word, level in words.items() if word.startswith(letter)}
        if len(meant) == 1 and any(word in words for word in known):
            words.setdefault(letter, *meant)


def _tie(values: tuple[Value, ...], names: tuple[str, ...], sides: tuple[int, int]) -> int | None:
    """Return the one level that is no side and is called a tie, or has the value 0 of three."""
    found = [
        index
        for index, name in enumerate(names)
        if index not in sides
        and (
            _TIES & set(fold(f"{name} {values[index]}").split())
            or (len(values) == 3 and number_text(values[index]) == "0")
        )
    ]
    return found[0] if len(found) == 1 else None


def _spelling(word: str) -> str:
    return r"[\s_\-]+".join(re.escape(part) for part in word.split())


def _side_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?:the\s+)?{SIDE_NOUN}[\s_]*(?:\#|no\.?\s)?\s*[(\[\"']*(?P<side>[ab12]){_END}[)\]\"']*",
        re.IGNORECASE,
    )


def _order_pattern() -> re.Pattern[str]:
    one = rf"(?:{SIDE_NOUN}\s*)?\(?(?P<{{0}}>[ab])\)?"
    return re.compile(
        one.format("left") + r"\s*(?P<sign>>{1,3}|<{1,3}|={1,2})\s*" + one.format("right") + _END,
        re.IGNORECASE,
    )


_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")


def as_number(text: str) -> float | None:
    """Return the number that is the whole of ``text``; None for ``007``, ``1_0`` or ``1e5``."""
    return float(text) if _NUMBER.fullmatch(text) else None
