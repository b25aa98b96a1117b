"""A rubric file as the rules see it: whatever of it can be read, with where it stands.

Unlike :class:`judgekit.rubric.model.Rubric` it is there for broken files too: what is missing is
None, and nothing has been checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import yaml

from judgekit.linting.finding import Edit, Finding
from judgekit.rubric.criteria import kind_of
from judgekit.rubric.parse import Reading
from judgekit.rubric.scale import number_text
from judgekit.rubric.source import NULL, plain_text, scalar


class Text(NamedTuple):
    """A text of the front matter.

    Attributes:
        value: What it says.
        node: Where it stands.
    """

    value: str
    node: yaml.Node

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class AnchorView:
    """A worked example; ``fields`` are its item texts, chat messages joined by line ends."""

    node: yaml.Node
    fields: dict[str, Text]
    reason: Text | None

    @cached_property
    def outputs(self) -> list[Text]:
        """Return the texts that are judged in it."""
        return [text for name, text in self.fields.items() if name.startswith("output")]


@dataclass(frozen=True, slots=True)
class LevelView:
    """One level of a scale; ``number`` is its value as a number, or None."""

    node: yaml.Node
    value: Text | None
    name: Text | None
    definition: Text | None
    drops_when: Text | None
    anchors: tuple[AnchorView, ...]
    number: float | None

    @property
    def called(self) -> str:
        """Return what to call it in a message."""
        number = self.number
        if number is not None:
            return f"level {number_text(number)}"
        word = self.name or self.value
        return f"level {word.value!r}" if word else "a level"

    @property
    def texts(self) -> list[Text]:
        """Return what it says in prose."""
        return [text for text in (self.definition, self.drops_when) if text is not None]


class Example(NamedTuple):
    """An anchor and the level it stands under."""

    level: LevelView
    anchor: AnchorView

    @property
    def length(self) -> int:
        """Return the characters of what is judged in it."""
        return sum(len(text.value.strip()) for text in self.anchor.outputs)


@dataclass(frozen=True)
class CriterionView:
    """One criterion; ``levels`` stand in the order of the file."""

    node: yaml.Node
    name: Text | None
    question: Text | None
    kind: str | None
    passes_at: Text | None
    not_applicable: Text | None
    levels: tuple[LevelView, ...]
    keys: dict[str, yaml.Node] = field(default_factory=dict)

    @cached_property
    def ranked(self) -> tuple[LevelView, ...]:
        """Return the levels from the lowest up where all have numbers, else as listed."""
        if self.kind not in ("ordinal", "binary") or any(v.number is None for v in self.levels):
            return self.levels
        return tuple(sorted(self.levels, key=lambda level: level.number or 0.0))

    @cached_property
    def examples(self) -> list[Example]:
        """Return the anchors with their levels, in the order of the file."""
        return [Example(level, anchor) for level in self.levels for anchor in level.anchors]

    @cached_property
    def texts(self) -> list[Text]:
        """Return what it and its levels say in prose; worked examples are not among it."""
        own = [text for text in (self.question, self.not_applicable) if text is not None]
        return own + [text for level in self.levels for text in level.texts]


class Subject:
    """A rubric file under the linter.

    Args:
        file: The file, as the user named it.
        text: What is in it.
        reading: What could be read of it.
        earlier: What is known of earlier states of it.
    """

    def __init__(
        self, file: str, text: str, reading: Reading, earlier: Sequence[Earlier] = ()
    ) -> None:
        self.file, self.text, self.reading, self.earlier = file, text, reading, tuple(earlier)
        self.rubric, self.templates = reading.rubric, reading.templates
        self.inputs = reading.inputs
        self.front = reading.parts.front if reading.parts else ""
        self.body = reading.parts.body if reading.parts else ""
        self.body_line = reading.parts.body_line if reading.parts else 1
        self._keys = dict(_pairs(reading.front))

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines of the file, without their ends."""
        text = self.text.removeprefix("\ufeff")
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    @cached_property
    def name(self) -> Text | None:
        """Return the rubric's name."""
        return _text(self._keys.get("rubric"))

    @cached_property
    def version(self) -> Text | None:
        """Return the rubric's version as it is written."""
        return _text(self._keys.get("version"))

    @cached_property
    def criteria(self) -> tuple[CriterionView, ...]:
        """Return the criteria."""
        return tuple(map(_criterion, _mappings(self._keys.get("criteria"))))

    @cached_property
    def declares_inputs(self) -> bool:
        """Return whether the file lists its inputs itself."""
        return isinstance(self._keys.get("inputs"), yaml.SequenceNode)

    def find(self, text: Text, word: str) -> int:
        """Return where in the front matter a word of a text stands; its beginning otherwise."""
        start = text.node.start_mark.index if text.node.start_mark else 0
        end = text.node.end_mark.index if text.node.end_mark else start
        found = re.compile(re.escape(word), re.IGNORECASE).search(self.front, start, end)
        return found.start() if found else start

    def at(
        self,
        where: Text | yaml.Node | int,
        message: str,
        *,
        help: str | None = None,  # noqa: A002  (the word users see in the output)
        word: str = "",
        edits: tuple[Edit, ...] = (),
    ) -> Finding:
        """Return a finding in the front matter.

        Args:
            where: A text, a node, or a position.
            message: What is wrong.
            help: What to do instead.
            word: The word of the text to point at.
            edits: What would mend it.
        """
        if isinstance(where, Text):
            where = self.find(where, word) if word else where.node
        if isinstance(where, yaml.Node):
            where = where.start_mark.index if where.start_mark else 0
        line = self.front.count("\n", 0, where) + 2
        column = where - self.front.rfind("\n", 0, where)
        return Finding(line, column, message, help, edits)

    def in_body(
        self,
        lineno: int,
        message: str,
        *,
        help: str | None = None,  # noqa: A002
        word: str = "",
        edits: tuple[Edit, ...] = (),
    ) -> Finding:
        """Return a finding on a 1-based line of the body, at a word of it."""
        lines = self.body.split("\n")
        text = lines[lineno - 1] if 0 < lineno <= len(lines) else ""
        found = re.search(re.escape(word), text, re.IGNORECASE)
        column = found.start() + 1 if found else 1
        return Finding(self.body_line + lineno - 1, column, message, help, edits)


class Earlier(NamedTuple):
    """An earlier state of the rubric.

    Attributes:
        where: Where it is known from: ``git HEAD``, ``certificate 3f9a1c``.
        version: Its version.
        parts: The meaning of each of its criteria, by name, as
            :func:`judgekit.rubric.meaning.meaning_parts` gives it.
    """

    where: str
    version: int
    parts: dict[str, dict[str, str]]


def _pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    """Yield the keys of a mapping with their values; null is a value that is not there."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if value.tag != NULL:
            yield plain_text(key), value


def _mappings(node: yaml.Node | None) -> list[yaml.MappingNode]:
    nodes = node.value if isinstance(node, yaml.SequenceNode) else ()
    return [inner for inner in nodes if isinstance(inner, yaml.MappingNode)]


def _text(node: yaml.Node | None) -> Text | None:
    if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
        return None
    return Text(str(node.value).strip(), node)


def _criterion(node: yaml.MappingNode) -> CriterionView:
    keys = dict(_pairs(node))
    kind = _text(keys.get("scale"))
    return CriterionView(
        node=node,
        name=_text(keys.get("criterion")),
        question=_text(keys.get("question")),
        kind=kind and (kind_of(kind.value) or kind.value),
        passes_at=_text(keys.get("passes_at")),
        not_applicable=_text(keys.get("not_applicable")),
        levels=tuple(map(_level, _mappings(keys.get("levels")))),
        keys=keys,
    )


def _level(node: yaml.MappingNode) -> LevelView:
    keys = dict(_pairs(node))
    value = _text(keys.get("value"))
    number = None if value is None else scalar(value.node)
    return LevelView(
        node=node,
        value=value,
        name=_text(keys.get("name")),
        definition=_text(keys.get("definition")),
        drops_when=_text(keys.get("drops_when")),
        anchors=tuple(map(_anchor, _mappings(keys.get("anchors")))),
        number=float(number) if isinstance(number, int | float) else None,
    )


def _anchor(node: yaml.MappingNode) -> AnchorView:
    keys = dict(_pairs(node))
    reason = _text(keys.pop("reason", None))
    fields = {name: Text(_said(value).strip("\n"), value) for name, value in keys.items()}
    fields.pop("level", None)
    return AnchorView(node, fields, reason)


def _said(node: yaml.Node) -> str:
    """Return the text of an item field; of chat messages what they say."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    said: list[Any] = [dict(_pairs(message)).get("content") for message in _mappings(node)]
    return "\n".join(str(c.value) for c in said if isinstance(c, yaml.ScalarNode))
