"""The vocabulary of a scale, built once and kept.

Two levels that could be meant by the same word are both struck from it: a word that means two
things is no answer.
"""

from __future__ import annotations

import re
from functools import lru_cache

from judgekit.judging.reading.clean import normalise, strip_markup
from judgekit.judging.reading.conventions import YES_NO, forms, initials, verbs
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import SIDE_NOUN, Vocabulary, as_number, key, spelling
from judgekit.rubric.scale import Kind, Scale, Value, fold, number_text

_TIES = frozenset(("tie", "tied", "draw", "equal", "equally", "both", "neither", "same", "even"))

_END = r"(?![\w^+%\-])(?!'\w)(?![.,]\d)"

_MOST_SCALES = 256

_KNOWN: dict[int, tuple[Scale, Vocabulary]] = {}  # keeping a scale keeps its id from coming again


def vocabulary(scale: Scale) -> Vocabulary:
    """Return the vocabulary of ``scale``; equal levels share one."""
    known = _KNOWN.get(id(scale))
    if known is not None:
        return known[1]
    built = _build(scale.kind, scale.values, scale.names, _sides(scale))
    if len(_KNOWN) >= _MOST_SCALES:
        _KNOWN.clear()
    _KNOWN[id(scale)] = scale, built
    return built


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
    token = "|".join(spelling(word) for word in spellings) or r"(?!)"
    return Vocabulary(
        words=words,
        numbers=numbers,
        exact=_exact(words, numbers, (*names, *map(number_text, values))),
        token=pattern(rf"(?:{token}){_END}", re.IGNORECASE),
        plural=pattern(rf"(?:{token})s{_END}", re.IGNORECASE),
        verbs=verbs(words),
        side=_side_pattern() if sides else None,
        order=_order_pattern() if sides and len(values) <= 3 else None,
        pair=sides,
        tie=tie,
        yes_no=kind == "binary" and {fold(name) for name in names} <= YES_NO,
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


def _exact(
    words: dict[str, int], numbers: dict[float, int], written: tuple[str, ...]
) -> dict[str | float, int]:
    """Return the levels by what the schema lists: each way the rubric itself writes them."""
    exact: dict[str | float, int] = {}
    exact.update(numbers.items())
    for text in written:
        plain = strip_markup(normalise(text))
        number = as_number(plain)
        level = words.get(key(plain)) if number is None else numbers.get(number)
        if level is not None:
            exact[text] = level
    return exact


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
    for written in (initials, forms):
        for word, level in list(written(words, len(values))):
            words.setdefault(word, level)


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


def _side_pattern() -> re.Pattern[str]:
    return pattern(
        rf"(?:the\s+)?{SIDE_NOUN}[\s_]*(?:\#|no\.?\s)?\s*[(\[\"']*(?P<side>[ab12]){_END}[)\]\"']*",
        re.IGNORECASE,
    )


def _order_pattern() -> re.Pattern[str]:
    one = rf"(?:{SIDE_NOUN}\s*)?\(?(?P<{{0}}>[ab])\)?"
    return pattern(
        one.format("left") + r"\s*(?P<sign>>{1,3}|<{1,3}|={1,2})\s*" + one.format("right") + _END,
        re.IGNORECASE,
    )
