"""Whether a rubric's templates do nothing with an item but show it, proven from their syntax.

An item reaches a template by a few names. As long as each of them stands only where it is written
into the prompt as it is, no item can change anything else in the prompt: the rest is the same for
every item. Whatever is not plainly so counts as not proven.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2
from jinja2 import nodes

from judgekit.rubric.sandbox import statements_of
from judgekit.rubric.templates import REFERENCES, names_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judgekit.rubric.model import Rubric

_OF_ITEMS = {"item", "mark", "next_message", "self", "super"}  # the last two: text of blocks
_CONSTANT = {"name", "label"}
_COUNTS = {"index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0"}
_INSIDE = (nodes.Output, nodes.If, nodes.For)
_CAPTURING = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock)

Fields = frozenset[str]
"""The names that stand for one field of the item: the targets of loops over ``item``."""


def only_shows(rubric: Rubric) -> bool:
    """Return whether it is proven that the prompt depends on an item only where it shows it.

    That is: an input or ``mark`` is only ever written out, ``{{ output }}``; ``item`` is only
    looped over, and of its fields ``text`` is only written out (``name`` and ``label`` are the
    same for every item); ``next_message(...)`` is only written out. In no condition, filter,
    macro, ``set``, captured block or imported template does any of them occur.
    """
    try:
        return _Reading(rubric).template(rubric.body)
    except (jinja2.TemplateError, RecursionError):
        return False


class _Reading:
    """Reads the body of a rubric and every template it reaches.

    Statements may show the item; expressions, and text that is captured before it is shown, may
    not depend on it.
    """

    def __init__(self, rubric: Rubric) -> None:
        self.templates = rubric.templates
        self.shown = {*rubric.inputs, "mark"}
        self.tainted = {*rubric.inputs, *_OF_ITEMS}
        self.seen: set[tuple[str, bool]] = set()

    def template(self, source: str) -> bool:
        """Return whether a template only shows the item."""
        return self.statements(statements_of(source), frozenset())

    def statements(self, body: Iterable[nodes.Node], fields: Fields) -> bool:
        """Return whether statements only show the item."""
        return all(self.statement(node, fields) for node in body)

    def statement(self, node: nodes.Node, fields: Fields) -> bool:  # noqa: PLR0911  (one a kind)
        """Return whether a statement only shows the item; one that is not known does not."""
        if fields and not isinstance(node, _INSIDE):
            return False  # included templates and blocks see the loop's names under any name
        if isinstance(node, nodes.Output):
            return all(self.output(child, fields) for child in node.nodes)
        if isinstance(node, nodes.If):
            parts = [*node.body, *node.elif_, *node.else_]
            return self.free(node.test, fields) and self.statements(parts, fields)
        if isinstance(node, nodes.For):
            return self.loop(node, fields)
        if isinstance(node, nodes.Block):
            return not node.scoped and self.statements(node.body, fields)
        if isinstance(node, nodes.With):
            return self.all_free(node.values, fields) and self.statements(node.body, fields)
        if isinstance(node, nodes.Extends | nodes.Include):
            return self.reached(node, captured=False)
        if isinstance(node, nodes.Assign):
            return self.free(node.node, fields)
        return isinstance(node, (*_CAPTURING, *REFERENCES)) and self.free(node, fields)

    def output(self, node: nodes.Node, fields: Fields) -> bool:
        """Return whether what is written out is the item as it is, or nothing of the item."""
        if isinstance(node, nodes.Name) and node.name not in fields:
            return node.name in self.shown or self.free(node, fields)
        if isinstance(node, nodes.Getattr) and node.attr == "text" and _is(node.node, fields):
            return True
        if isinstance(node, nodes.Call) and _is(node.node, {"next_message", "super"} - fields):
            given = [n for n in node.iter_child_nodes() if n is not node.node]
            return self.all_free(given, fields)
        return self.free(node, fields)

    def loop(self, node: nodes.For, fields: Fields) -> bool:
        """Return whether a loop only shows the item; over ``item`` it makes a name for its fields.

        A loop inside that takes the name for something else makes no difference here.
        """
        inner = fields
        if _is(node.iter, {"item"} - fields):
            if node.recursive or not isinstance(node.target, nodes.Name):
                return False
            inner = fields | {node.target.name}
        elif not self.free(node.iter, fields):
            return False
        test = node.test is None or self.free(node.test, inner)
        return test and self.statements(node.body, inner) and self.statements(node.else_, fields)

    def free(self, node: nodes.Node, fields: Fields) -> bool:
        """Return whether nothing in this part of the syntax depends on the item."""
        if isinstance(node, nodes.Getattr) and _is(node.node, fields):
            return node.attr in _CONSTANT
        if isinstance(node, nodes.Getattr) and _is(node.node, {"loop"}) and fields:
            return node.attr in _COUNTS
        if isinstance(node, nodes.Name):
            return node.name not in self.tainted | fields and not (fields and node.name == "loop")
        if isinstance(node, nodes.Block):
            return False  # another template may put something else in its place
        if isinstance(node, REFERENCES) and not self.reached(node, captured=True):
            return False
        return self.all_free(node.iter_child_nodes(), fields)

    def all_free(self, parts: Iterable[nodes.Node], fields: Fields) -> bool:
        """Return whether nothing in any of these parts depends on the item."""
        return all(self.free(part, fields) for part in parts)

    def reached(self, node: nodes.Node, *, captured: bool) -> bool:
        """Return whether a template that is named only shows the item; captured, is free of it."""
        names = names_in(node)
        return bool(names) and all(self._named(name, captured=captured) for name in names)

    def _named(self, name: str, *, captured: bool) -> bool:
        if (name, captured) in self.seen:
            return True
        self.seen.add((name, captured))
        if name not in self.templates:
            return False
        source = self.templates[name]
        if captured:
            return self.all_free(statements_of(source), frozenset())
        return self.template(source)


def _is(node: nodes.Node, names: set[str] | Fields) -> bool:
    return isinstance(node, nodes.Name) and node.name in names
