"""Scripted damages of a rubric, each with the lines on which a linter should say so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

import yaml

from judgekit.importers.rubrics import template_loader
from judgekit.linting.subject import AnchorView, CriterionView, LevelView, Subject, Text
from judgekit.rubric.parse import read
from judgekit.rubric.source import NULL
from tests.rubric.make import CASES

LOAD = template_loader(CASES)


class Damaged(NamedTuple):
    """A damaged rubric, and the lines that are fair to point at."""

    text: str
    lines: range


class Patient:
    """A rubric to be damaged."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.subject = Subject("r.jinja", text, read(text, load=LOAD))
        self.start = text.index("\n") + 1
        """Where the front matter begins."""

    @property
    def criterion(self) -> CriterionView:
        """Its first criterion."""
        return self.subject.criteria[0]

    @property
    def levels(self) -> tuple[LevelView, ...]:
        """The levels of its first criterion, as listed."""
        return self.criterion.levels

    @property
    def anchor(self) -> AnchorView:
        """Its first worked example."""
        return next(a for level in self.levels for a in level.anchors)

    def span(self, node: yaml.Node) -> tuple[int, int]:
        """Where a node stands in the text."""
        assert node.start_mark is not None
        assert node.end_mark is not None
        return self.start + node.start_mark.index, self.start + self._end(node)

    def _end(self, node: yaml.Node) -> int:
        """Collections are read by events, which say only where they begin."""
        if isinstance(node, yaml.MappingNode):
            return max([self._end(v) for _, v in node.value], default=node.end_mark.index)
        if isinstance(node, yaml.SequenceNode):
            return max([self._end(v) for v in node.value], default=node.end_mark.index)
        return int(node.end_mark.index)

    def line(self, at: int, text: str | None = None) -> int:
        """The line of a place."""
        return (self.text if text is None else text).count("\n", 0, at) + 1

    def put(self, where: Text | yaml.Node | None, new: str) -> Damaged | None:
        """Another text in the place of one."""
        if where is None:
            return None
        node = where.node if isinstance(where, Text) else where
        begin, end = self.span(node)
        raw = self.text[begin:end]
        tail = "\n" if raw.endswith("\n") else ""
        written = new if new.startswith(("[", "{")) or new.isalnum() else json.dumps(new)
        text = self.text[:begin] + written + tail + self.text[end:]
        first = self.line(begin)
        return Damaged(text, range(first, first + 1))

    def without(self, mapping: yaml.Node, key: str) -> Damaged | None:
        """A mapping without one of its keys; its own first line and that of the gap are fair."""
        for name, value in mapping.value if isinstance(mapping, yaml.MappingNode) else ():
            if name.value == key and value.tag != NULL:
                return self._cut(mapping, name, value)
        return None

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
            width = len(indent)
            if not rest.startswith(" " * width):
                return None
            text = self.text[:first] + indent + rest[width:]
        top = self.line(self.span(mapping)[0])
        return Damaged(text, range(min(top, self.line(first)), self.line(first) + 2))

    def renamed(self, mapping: yaml.Node, key: str, new: str) -> Damaged | None:
        """A key under another name."""
        for name, _ in mapping.value if isinstance(mapping, yaml.MappingNode) else ():
            if name.value == key:
                begin, end = self.span(name)
                line = self.line(begin)
                text = self.text[:begin] + new + self.text[end:]
                return Damaged(text, range(line, line + 1))
        return None

    def body(self, new: str, lines: int = 1) -> Damaged:
        """Another body; what is said of it may stand on any of its lines."""
        first = self.subject.body_line
        front = "\n".join(self.text.split("\n")[: first - 1])
        return Damaged(f"{front}\n{new}\n", range(first, first + lines + new.count("\n")))

    def inserted(self, mapping: yaml.Node, line: str) -> Damaged:
        """One more line at the beginning of a mapping's second line."""
        begin = self.span(mapping)[0]
        end = self.text.index("\n", begin) + 1
        column = begin - self.text.rfind("\n", 0, begin) - 1
        text = f"{self.text[:end]}{' ' * column}{line}\n{self.text[end:]}"
        at = self.line(end)
        return Damaged(text, range(at, at + 1))


Damage = Callable[[Patient], Damaged | None]
_BASE = '{% extends "judgekit/pointwise@1.jinja" %}'


def _extends(p: Patient) -> str:
    return _BASE.replace("pointwise", "pairwise") if p.criterion.kind == "pairwise" else _BASE


def _shown(p: Patient) -> str:
    return next(name for name in p.subject.inputs if name.startswith("output"))


def _task(words: str) -> Damage:
    return lambda p: p.body(f"{_extends(p)}\n{{% block task %}}{words}{{% endblock %}}")


def _levels(p: Patient) -> yaml.Node:
    return p.criterion.keys["levels"]


def _ordinal(damage: Damage, least: int = 2) -> Damage:
    return lambda p: damage(p) if p.criterion.kind == "ordinal" and len(p.levels) >= least else None


def _swapped_values(p: Patient) -> Damaged | None:
    one, other = p.levels[0], p.levels[1]
    if one.number is None or other.number is None or one.value is None or other.value is None:
        return None
    first, second = p.span(one.value.node), p.span(other.value.node)
    a, b = p.text[slice(*first)], p.text[slice(*second)]
    text = p.text[: first[0]] + b + p.text[first[1] : second[0]] + a + p.text[second[1] :]
    last = p.span(p.levels[-1].node)[1]
    return Damaged(text, range(p.line(p.span(one.node)[0]), p.line(last) + 1))


def _swapped_definitions(p: Patient) -> Damaged | None:
    return p.put(p.levels[1].definition, p.levels[0].definition.value)  # type: ignore[union-attr]


def _same_anchor(p: Patient) -> Damaged | None:
    first, second = (level.anchors for level in p.levels[:2])
    return p.put(second[0].outputs[0], first[0].outputs[0].value) if first and second else None


def _without_level(p: Patient) -> Damaged | None:
    middle = p.levels[1]
    begin, end = p.span(middle.node)
    first = p.text.rfind("\n", 0, begin) + 1
    end = p.text.index("\n", end - 1) + 1
    text = p.text[:first] + p.text[end:]
    if middle.value and p.criterion.passes_at and middle.value.value == p.criterion.passes_at.value:
        return None  # then the pass line is off the scale, which is another damage
    top = p.line(p.span(p.criterion.node)[0])
    return Damaged(text, range(top, p.line(first) + 2))


def _no_inner_anchor(p: Patient) -> Damaged | None:
    return p.without(p.levels[-1].node, "anchors")


def _as_dash(p: Patient) -> Damaged:
    return Damaged(p.text.replace("---\n", "", 1), range(1, 2))


def _open_end(p: Patient) -> Damaged:
    lines = p.text.split("\n")
    del lines[p.subject.body_line - 2]
    return Damaged("\n".join(lines), range(1, len(lines) + 1))


def _open_quote(p: Patient) -> Damaged | None:
    question = p.criterion.question
    assert question is not None
    begin, end = p.span(question.node)
    line = p.line(begin)
    text = f'{p.text[:begin]}"{question.value}\n{p.text[end:].lstrip(chr(10))}'
    return Damaged(text, range(line, line + 2))


def _without_field(p: Patient) -> Damaged | None:
    name = next((n for n in p.anchor.fields if not n.startswith("output")), None)
    return p.without(p.anchor.node, name) if name else None


DAMAGES: dict[str, Damage] = {
    "delete a definition": lambda p: p.without(p.levels[0].node, "definition"),
    "delete the last definition": lambda p: p.without(p.levels[-1].node, "definition"),
    "delete what drops": _ordinal(lambda p: p.without(p.levels[0].node, "drops_when")),
    "delete the anchors of a level": _no_inner_anchor,
    "delete a reason": lambda p: p.without(p.anchor.node, "reason"),
    "delete a field of an anchor": _without_field,
    "delete the pass line": _ordinal(lambda p: p.without(p.criterion.node, "passes_at")),
    "delete a level": _ordinal(_without_level, least=3),
    "delete all levels": lambda p: p.without(p.criterion.node, "levels"),
    "delete the question": lambda p: p.without(p.criterion.node, "question"),
    "delete the version": lambda p: p.without(p.subject.reading.front, "version"),  # type: ignore[arg-type]
    "swap two values": _ordinal(_swapped_values),
    "the same value twice": _ordinal(
        lambda p: p.put(p.levels[1].value, p.levels[0].value.value)  # type: ignore[union-attr]
    ),
    "the same name twice": lambda p: p.put(p.levels[1].name, p.levels[0].name.value),  # type: ignore[union-attr]
    "one name within another": lambda p: p.put(
        p.levels[1].name,
        f"not {p.levels[0].name.value}",  # type: ignore[union-attr]
    ),
    "a level named n/a": lambda p: p.put(p.levels[1].name, "n/a"),
    "the same definition twice": _swapped_definitions,
    "a vague definition": lambda p: p.put(p.levels[0].definition, "It is of high quality."),
    "a relative definition": lambda p: (
        None
        if p.criterion.kind == "pairwise"
        else p.put(p.levels[-1].definition, "Somewhat worse than the above.")
    ),
    "a definition that is the name": lambda p: p.put(
        p.levels[0].definition,
        f"The answer is {p.levels[0].name.value}.",  # type: ignore[union-attr]
    ),
    "a definition to be written": lambda p: p.put(p.levels[0].definition, "TODO"),
    "a vague border": lambda p: p.put(p.levels[0].drops_when, "It is not good enough."),
    "a border below the lowest": _ordinal(
        lambda p: p.inserted(p.criterion.ranked[0].node, "drops_when: One thing is missing.")
    ),
    "two questions": lambda p: p.put(p.criterion.question, "Is the answer correct and polite?"),
    "a vague question": lambda p: p.put(p.criterion.question, "Is the answer good?"),
    "a field that is not shown": lambda p: (
        None
        if "reference" in p.subject.inputs
        else p.put(p.criterion.question, "Does it say what the reference answer says?")
    ),
    "a text for another scale": _task("Rate the answer on a scale from 1 to 10."),
    "the level first": _task("First give the level, then explain it."),
    "another answer form": _task("Grade the answer. Respond with a single number."),
    "the day": _task("Today is {{ today }}. You grade answers."),
    "a variable misspelt": _task("You grade answers to {{ inptu }}."),
    "the item out of its fence": lambda p: p.body(
        f"{_extends(p)}\n{{% block item %}}"
        + "".join(f"{{{{ {name} | upper }}}} " for name in p.subject.inputs)
        + "{% endblock %}"
    ),
    "the item cut": lambda p: p.body(
        f"{_extends(p)}\n{{% block item_intro %}}{{{{ {_shown(p)}[:200] }}}}{{% endblock %}}"
    ),
    "the item in the task": lambda p: p.body(
        f"{_extends(p)}\n{{% block task %}}You grade this: {{{{ {_shown(p)} }}}}{{% endblock %}}"
    ),
    "definitions not shown": lambda p: p.body(
        f'{_extends(p)}\n{{% block scale %}}{{{{ answer.levels | join(", ") }}}}{{% endblock %}}'
    ),
    "an input not shown": lambda p: p.body(
        f"{_extends(p)}\n{{% block item %}}{{{{ {_shown(p)} }}}}{{% endblock %}}", lines=2
    ),
    "another template": lambda p: p.body('{% extends "judgekit/pointwise@9.jinja" %}'),
    "a block misspelt": lambda p: p.body(
        f"{_extends(p)}\n{{% block taks %}}You grade.{{% endblock %}}"
    ),
    "a block left open": lambda p: p.body(f"{_extends(p)}\n{{% block task %}}You grade."),
    "words outside the blocks": lambda p: p.body(f"{_extends(p)}\nYou grade answers."),
    "a name never used": lambda p: p.body(
        f'{_extends(p)}\n{{% block task %}}{{% set who = "a" %}}You grade.{{% endblock %}}'
    ),
    "a key misspelt": lambda p: p.renamed(p.levels[0].node, "definition", "defintion"),
    "anchors misspelt": lambda p: p.renamed(p.levels[0].node, "anchors", "anchor"),
    "a field misspelt": lambda p: p.renamed(p.anchor.node, _shown(p), "ouptut"),
    "a level in an anchor": lambda p: p.inserted(p.anchor.node, "level: 3"),
    "the same anchor twice": _same_anchor,
    "a mail address": lambda p: p.put(
        p.anchor.outputs[0], "Write to anna.kowalska@shop-berlin.de and ask for a refund."
    ),
    "a scale misspelt": lambda p: p.put(p.criterion.keys["scale"], "ordnal"),
    "a pass line off the scale": _ordinal(lambda p: p.put(p.criterion.passes_at, "9")),
    "a version in words": lambda p: p.put(p.subject.version, "new"),
    "no front matter": _as_dash,
    "front matter left open": _open_end,
    "a quote left open": _open_quote,
}


def damaged(text: str) -> Iterator[tuple[str, Damaged]]:
    """Every damage that can be done to a rubric."""
    patient = Patient(text)
    for name, damage in DAMAGES.items():
        done = damage(patient)
        if done is not None and done.text != text:
            yield name, done
