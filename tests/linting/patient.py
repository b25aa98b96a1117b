"""A rubric that is damaged on purpose, and the lines at which a person would point."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import yaml

from judgekit.importers.rubrics import template_loader
from judgekit.linting.subject import AnchorView, CriterionView, LevelView, Subject, Text
from judgekit.rubric.parse import read
from judgekit.rubric.source import NULL
from tests.rubric.make import CASES

LOAD = template_loader(CASES)


class Damaged(NamedTuple):
    """A damaged rubric, and the lines at which a person would point.

    That is the line of the damage itself; where something is gone, that of its owner and those
    beside the gap.
    """

    text: str
    lines: frozenset[int]


class Patient:
    """A rubric to be damaged."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.subject = Subject("r.jinja", text, read(text, load=LOAD))
        self.start = text.index("\n") + 1
        """Where the front matter begins."""

    @property
    def front(self) -> yaml.Node:
        """Its front matter."""
        assert self.subject.reading.front is not None
        return self.subject.reading.front

    @property
    def criterion(self) -> CriterionView:
        """Its first criterion."""
        return self.subject.criteria[0]

    @property
    def pairwise(self) -> bool:
        """Whether it compares two outputs."""
        return self.criterion.kind == "pairwise"

    @property
    def levels(self) -> tuple[LevelView, ...]:
        """The levels of its first criterion, as listed."""
        return self.criterion.levels

    @property
    def anchor(self) -> AnchorView:
        """Its first worked example."""
        return next(a for level in self.levels for a in level.anchors)

    @property
    def shown(self) -> str:
        """The name of the first input that is judged."""
        return next(name for name in self.subject.inputs if name.startswith("output"))

    @property
    def extends(self) -> str:
        """The line with which its body begins."""
        kind = "pairwise" if self.pairwise else "pointwise"
        return f'{{% extends "judgekit/{kind}@1.jinja" %}}'

    def name(self, level: int) -> str:
        """The name of a level."""
        named = self.levels[level].name
        assert named is not None
        return named.value

    def span(self, node: yaml.Node) -> tuple[int, int]:
        """Where a node stands in the text."""
        assert node.start_mark is not None
        assert node.end_mark is not None
        return self.start + node.start_mark.index, self.start + self._end(node)

    def _end(self, node: yaml.Node) -> int:
        """Collections are read by events, which say only where they begin."""
        inner = ()
        if isinstance(node, yaml.MappingNode):
            inner = tuple(value for _, value in node.value)
        elif isinstance(node, yaml.SequenceNode):
            inner = tuple(node.value)
        assert node.end_mark is not None
        return max([self._end(v) for v in inner], default=int(node.end_mark.index))

    def line(self, at: int | Text | yaml.Node | None, text: str | None = None) -> int:
        """The line of a place."""
        assert at is not None
        node = at.node if isinstance(at, Text) else at
        begin = node if isinstance(node, int) else self.span(node)[0]
        return (self.text if text is None else text).count("\n", 0, begin) + 1

    def entry(self, mapping: yaml.Node, key: str) -> tuple[yaml.Node, yaml.Node] | None:
        """A key of a mapping that has a value, with that."""
        for name, value in mapping.value if isinstance(mapping, yaml.MappingNode) else ():
            if name.value == key and value.tag != NULL:
                return name, value
        return None

    # --- damages -------------------------------------------------------------------------------

    def put(self, where: Text | yaml.Node | None, new: str) -> Damaged | None:
        """Another text in the place of one: its line."""
        if where is None:
            return None
        node = where.node if isinstance(where, Text) else where
        begin, end = self.span(node)
        tail = "\n" if self.text[begin:end].endswith("\n") else ""
        written = new if new.startswith(("[", "{")) or new.isalnum() else json.dumps(new)
        if not new.isascii():
            written = f"'{new}'"
        text = self.text[:begin] + written + tail + self.text[end:]
        return Damaged(text, frozenset({self.line(begin)}))

    def without(self, mapping: yaml.Node, key: str) -> Damaged | None:
        """A mapping without one of its keys: its first line, and those beside the gap."""
        found = self.entry(mapping, key)
        return self._cut(mapping, *found) if found else None

    def _cut(self, mapping: yaml.Node, name: yaml.Node, value: yaml.Node) -> Damaged | None:
        begin = self.span(name)[0]
        end = self.text.index("\n", max(self.span(value)[1] - 1, begin)) + 1
        first = self.text.rfind("\n", 0, begin) + 1
        indent = self.text[first:begin]
        if indent.strip() not in ("", "-"):
            return None
        text = self.text[:first] + self.text[end:]
        if indent.strip() == "-":  # the next key takes over the dash
            rest = self.text[end:]
            if not rest.startswith(" " * len(indent)):
                return None
            text = self.text[:first] + indent + rest[len(indent) :]
        gap = self.line(first)
        return Damaged(text, frozenset({self.line(mapping), gap - 1, gap}))

    def emptied(self, mapping: yaml.Node, key: str, new: str = "") -> Damaged | None:
        """A key that has lost its value: its line, or the first of the mapping."""
        found = self.entry(mapping, key)
        if found is None:
            return None
        begin = self.text.index(":", self.span(found[0])[1] - 1) + 1
        end = self.text.index("\n", max(self.span(found[1])[1] - 1, begin))
        text = self.text[:begin] + new + self.text[end:]
        return Damaged(text, frozenset({self.line(found[0]), self.line(mapping)}))

    def renamed(self, mapping: yaml.Node, key: str, new: str) -> Damaged | None:
        """A key under another name: its line."""
        for name, _ in mapping.value if isinstance(mapping, yaml.MappingNode) else ():
            if name.value == key:
                begin, end = self.span(name)
                text = self.text[:begin] + new + self.text[end:]
                return Damaged(text, frozenset({self.line(begin)}))
        return None

    def inserted(self, mapping: yaml.Node, line: str) -> Damaged:
        """One more line behind the first entry of a mapping: that line."""
        begin = self.span(mapping)[0]
        assert isinstance(mapping, yaml.MappingNode)
        end = self.text.index("\n", max(self.span(mapping.value[0][1])[1] - 1, begin)) + 1
        column = begin - self.text.rfind("\n", 0, begin) - 1
        text = f"{self.text[:end]}{' ' * column}{line}\n{self.text[end:]}"
        return Damaged(text, frozenset({self.line(end)}))

    def body(self, *lines: str, at: int | tuple[int, ...]) -> Damaged:
        """Another body, with the lines of it (from 1) that are damaged."""
        first = self.subject.body_line
        front = "\n".join(self.text.split("\n")[: first - 1])
        places = (at,) if isinstance(at, int) else at
        text = "\n".join([front, *lines, ""])
        return Damaged(text, frozenset(first + place - 1 for place in places))

    def block(self, name: str, *lines: str, at: int | tuple[int, ...] = 1) -> Damaged:
        """A body that fills one block; ``at`` counts from the line that opens it."""
        opened, end = f"{{% block {name} %}}", "{% endblock %}"
        places = (at,) if isinstance(at, int) else at
        written = (opened, *lines, end) if lines else (opened + end,)
        return self.body(self.extends, *written, at=tuple(place + 1 for place in places))


Damage = Callable[[Patient], Damaged | None]


def pointwise(damage: Damage) -> Damage:
    """A damage of rubrics that judge one output."""
    return lambda p: None if p.pairwise else damage(p)


def ordinal(damage: Damage, least: int = 2) -> Damage:
    """A damage of ordinal scales with so many levels."""
    return lambda p: damage(p) if p.criterion.kind == "ordinal" and len(p.levels) >= least else None
