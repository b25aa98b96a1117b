"""The scale: every level a criterion can have, and how a written level is matched to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["binary", "nominal", "ordinal", "pairwise"]
Value = int | float | str
Weights = Literal["unweighted", "linear", "quadratic"]

NA = "na"
"""How a human or a judge says that the criterion does not apply."""


@dataclass(frozen=True, kw_only=True)
class Anchor:
    """A worked example of one level, with the reason it has that level. Shown to the judge.

    ``fields`` holds the same inputs an item has: ``input``, ``output``, ``context`` ...
    """

    fields: dict[str, Any]
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Level:
    """One point of a scale.

    Attributes:
        value: What is written in labels and certificates; a number on ordinal scales.
        name: A word for it; the value's text where the rubric gives none.
        definition: What an output of this level looks like.
        drops_when: What makes such an output fall to the next lower level.
        anchors: Worked examples.
    """

    value: Value
    name: str
    definition: str
    drops_when: str | None = None
    anchors: tuple[Anchor, ...] = ()


def number_text(value: Value) -> str:
    """Return a level's value as people write it: 3, not 3.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form in which written levels are compared: case and outer space ignored."""
    return " ".join(text.split()).casefold()


@lru_cache(maxsize=8192)
def spelling(text: str) -> str:
    """Return the form in which two level names are one: as :func:`fold`, and "1.0" is "1"."""
    number = _as_number(text)
    return fold(text if number is None else number_text(number))


@dataclass(frozen=True, kw_only=True)
class Scale:
    """All levels of a criterion, in scale order.

    Ordinal and binary scales are kept in ascending order of value, nominal and pairwise ones
    in the order the rubric lists them. The order never depends on which labels occur.
    """

    kind: Kind
    levels: tuple[Level, ...]  # two or more

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Return the level values in scale order."""
        return tuple(level.value for level in self.levels)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the level names in scale order."""
        return tuple(level.name for level in self.levels)

    @cached_property
    def _by_text(self) -> dict[str, int]:
        table: dict[str, int] = {}
        for index, level in enumerate(self.levels):  # names first: a value's text wins below
            table.setdefault(fold(level.name), index)
        for index, level in enumerate(self.levels):
            table[fold(number_text(level.value))] = index
        for index, level in enumerate(self.levels):  # a name like "1.0" is also the number 1
            table.setdefault(spelling(level.name), index)
        if self.kind == "binary":
            for word, value in (("true", 1), ("false", 0)):
                if value in self.values:
                    table.setdefault(word, self.values.index(value))
        return table

    def index(self, written: object) -> int | None:
        """Return the position of a written level (value or name, any case), or None.

        ``"3"``, ``3``, ``3.0`` and ``"3.0"`` are the same level; ``3.2`` is none.
        """
        if isinstance(written, bool):
            return self._by_text.get(str(written).lower())
        if isinstance(written, int | float):
            return self._by_text.get(fold(number_text(written)))
        if not isinstance(written, str):
            return None
        found = self._by_text.get(fold(written))
        if found is None and (number := _as_number(written)) is not None:
            found = self._by_text.get(fold(number_text(number)))
        return found

    @cached_property
    def swap(self) -> tuple[int, ...]:
        """Return, for a pairwise scale, each level's index when A and B change places.

        The tie stays where it is.
        """
        first, second = self.sides
        order = list(range(len(self.levels)))
        order[first], order[second] = second, first
        return tuple(order)

    @cached_property
    def sides(self) -> tuple[int, int]:
        """Return the indices of the levels "A is better" and "B is better".

        Raises:
            IndexError: the scale does not say which they are; a parsed rubric's always does.
        """
        found = find_sides(self.levels)
        if found is None:
            raise IndexError("no two levels stand for A and B")
        return found


_TIES = {"tie", "tied", "equal", "equally", "same", "both", "neither", "draw", "even"}


def find_sides(levels: Sequence[Level]) -> tuple[int, int] | None:
    """Return which levels say "A is better" and "B is better", or None when it is not clear.

    Levels called A and B are the sides; else the values 1 and 2; else the first and the second
    of two levels that are no tie. A tie is told by its name, or by the value 0 among three.
    """
    words = {fold(t): i for i, lv in enumerate(levels) for t in (number_text(lv.value), lv.name)}
    rest = [i for i, level in enumerate(levels) if not _is_tie(level, len(levels))]
    for first, second in (("a", "b"), ("output_a", "output_b"), ("1", "2")):
        pair = words.get(first, -1), words.get(second, -1)
        if pair[0] != pair[1] and pair[0] in rest and pair[1] in rest:
            return pair
    return (rest[0], rest[1]) if len(rest) == 2 else None


def _is_tie(level: Level, levels: int) -> bool:
    if number_text(level.value) == "0" and levels == 3:
        return True
    return bool(_TIES & set(fold(f"{level.name} {level.value}").split()))


def _as_number(text: str) -> float | None:
    if "_" in text:  # Python would read 1_0 as 10
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
