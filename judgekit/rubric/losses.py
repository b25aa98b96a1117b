"""Where in a template something gets lost that a prompt should show."""

from __future__ import annotations

import re
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.rubric.scopes import uses_of
from judgekit.rubric.tags import tags_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.rubric.model import Criterion
    from judgekit.rubric.templates import Template

_LAST_PART = re.compile(r"\w+$")
Lost = tuple["Template", int, str]
"""A template, its line, and the word of the line to point at."""


def where_lost(templates: Sequence[Template], name: str, inputs: Sequence[str]) -> Lost:
    """Return where a template most likely loses an input that it never shows.

    That is where it is named all the same, in a branch or a comment; the block that stands in the
    place of the one that shows items; a loop over some of them; or where the last of the others
    is shown.

    Args:
        templates: The body first.
        name: The input.
        inputs: All of them.
    """
    body = templates[0]
    places = chain(
        mentions(body.source, rf"(?<![\w.]){re.escape(name)}(?!\w)"),
        mentions(body.source, r"(?<![\w.])item(?!\w)", comments=True),
        _loops(body),
        block_lines(body, ("item",)),
        deque(_shown(body, inputs), maxlen=1),
        [(first_line(body.source), "")],
    )
    return (body, *next(places))


def odd_shown(template: Template, lineno: int, criterion: Criterion) -> str | None:
    """Return what a line of a template shows that is no text of this criterion, as written."""
    levels = criterion.scale.levels
    there = {
        "not_applicable": criterion.not_applicable is not None,
        "drops_when": all(level.drops_when for level in levels),
        "reason": all(anchor.reason for level in levels for anchor in level.anchors),
    }
    for at, written in uses_of(template.tree).odd if template.tree else ():
        part = _LAST_PART.search(written)
        if at == lineno and part and not there.get(part[0], False):
            return written
    return None


def block_lines(template: Template, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield where a template has a block of one of these names, those named first first."""
    blocks = list(template.tree.find_all(nodes.Block)) if template.tree else []
    for name in names:
        yield from ((block.lineno, name) for block in blocks if block.name == name)


def first_line(source: str) -> int:
    """Return the first line of a template that says something."""
    blank = source[: len(source) - len(source.lstrip())]
    return blank.count("\n") + 1


def _shown(template: Template, inputs: Sequence[str]) -> Iterator[tuple[int, str]]:
    names = template.tree.find_all(nodes.Name) if template.tree else ()
    yield from ((name.lineno, name.name) for name in names if name.name in inputs)


def _loops(template: Template) -> Iterator[tuple[int, str]]:
    """Yield the loops over the item, and those that stand where it is shown."""
    if template.tree is None:
        return
    for loop in template.tree.find_all(nodes.For):
        source = [loop.iter, *loop.iter.find_all(nodes.Name)]
        if any(isinstance(name, nodes.Name) and name.name == "item" for name in source):
            yield loop.lineno, "item"
    for block in template.tree.find_all(nodes.Block):
        if block.name == "item":
            yield from ((loop.lineno, "for") for loop in block.find_all(nodes.For))


def mentions(source: str, pattern: str, *, comments: bool = False) -> Iterator[tuple[int, str]]:
    """Yield each place of a template that matches and is not text, with the words there.

    Args:
        source: The template.
        pattern: What to look for in tags, expressions, comments and raw text.
        comments: Whether to look in comments alone.
    """
    for tag in tags_of(source):
        if comments and tag.kind != "{#":
            continue
        for found in re.finditer(pattern, source[tag.start : tag.end]):
            yield source.count("\n", 0, tag.start + found.start()) + 1, found[0]
