"""Worked examples as the rules see them: where they stand, how long they are, whom they favour."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import yaml

from judgekit.rubric.scale import Level, find_sides
from judgekit.rubric.source import NULL, plain_text

if TYPE_CHECKING:
    from judgekit.linting.subject import AnchorView, CriterionView, LevelView, Text

MANY = 3
"""From so many examples on, what they have in common is a pattern."""


class Sides(NamedTuple):
    """The two levels of a pairwise scale that say which output is better."""

    first: LevelView
    second: LevelView


def sides_of(criterion: CriterionView) -> Sides | None:
    """Return the sides of a pairwise scale; None where it is not clear which they are."""
    if criterion.kind != "pairwise":
        return None
    words = [(level.value or level.name, level.name or level.value) for level in criterion.levels]
    levels = [
        Level(value=value.value, name=name.value, definition="")
        for value, name in words
        if value and name
    ]
    found = find_sides(levels) if len(levels) == len(criterion.levels) else None
    return None if found is None else Sides(*(criterion.levels[index] for index in found))


def only_level(criterion: CriterionView) -> LevelView | None:
    """Return the one level that all examples favour, ties aside; None with fewer than three."""
    sides = sides_of(criterion)
    favoured = [e.level for e in criterion.examples if sides is None or e.level in sides]
    first = favoured[0] if len(favoured) >= MANY else None
    return first if all(level is first for level in favoured) else None


def entry(node: yaml.Node, name: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Return a key of a mapping and its value; None where it is left out, null or an empty list."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if plain_text(key) == name and value.tag != NULL and value.value != []:
            return key, value
    return None


def fields_of(anchor: AnchorView) -> list[tuple[str, Text]]:
    """Return the texts of an anchor by what they are: the item's, then the reason."""
    reason = [("reason", anchor.reason)] if anchor.reason else []
    return [*anchor.fields.items(), *reason]
