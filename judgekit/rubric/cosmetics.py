"""What two rubric files have different that no fingerprint sees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import yaml

from judgekit.rubric.front import compose
from judgekit.rubric.outline import Outline, outline
from judgekit.rubric.sandbox import fresh_environment
from judgekit.rubric.source import Mapping, Problems, plain, plain_text, split
from judgekit.rubric.syntax import templates_meaning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.rubric.model import Rubric

Kind = Literal["rubric name", "version", "description", "comments", "order", "layout", "file names"]
BUILT_IN = "judgekit/"
"""What the names of templates begin with that never change."""
_COMMENT = re.compile(r"#[^\n]*")
_BY_VALUE = ("ordinal", "binary")
_OF_COMMENTS = ("comment_begin", "comment", "comment_end")
_GONE = "\ufdd0"
"""Stands where a comment stood: a code point that is no character."""
_LINE_END = re.compile(r"\r\n?")


class Cosmetic(NamedTuple):
    """One difference that changes nothing a judge is shown, and nothing of how it is read.

    Attributes:
        kind: What differs.
        detail: Where, in words; None for what stands in one place only.
        before: What it was, where that is short enough to say.
        after: What it is.
        lines: Where it stands in the two files.
    """

    kind: Kind
    detail: str | None = None
    before: str | None = None
    after: str | None = None
    lines: tuple[int | None, int | None] = (None, None)


class _File:
    """A rubric file, looked at as a text."""

    def __init__(self, rubric: Rubric, text: str) -> None:
        self.rubric, self.text = rubric, text
        plain_ends = _LINE_END.sub("\n", text.removeprefix("\ufeff"))
        self.lines: Outline = outline(text, rubric)
        problems = Problems()
        parts = split(plain_ends, problems)
        self.front, self.body = (parts.front, parts.body) if parts else ("", plain_ends)
        self.node = compose(self.front, problems) if parts else None

    def line(self, *path: str) -> int | None:
        return self.lines.get(path)

    def text_of(self, key: str) -> str | None:
        """Return a text of the front matter that is no part of the rubric as data."""
        return None if self.node is None else Mapping(self.node, Problems(), what="").text(key)

    def front_comments(self) -> list[str]:
        return [found.strip() for found in _COMMENT.findall(self._blanked())]

    def skeleton(self) -> list[str]:
        """Return the front matter with a sign for every text, and without comments."""
        lines = _COMMENT.sub("", self._blanked(sign="x")).split("\n")
        return [line.rstrip() for line in lines]

    def spellings(self) -> dict[tuple[str, str], set[str]]:
        """Return how each text is written: in quotes, plain, in a block, in lines."""
        found: dict[tuple[str, str], set[str]] = {}
        for key, node in _scalars(self.node, ""):
            text = str(plain(node)).strip()
            found.setdefault((key, text), set()).add(self.front[slice(*_span(node))].strip())
        return found

    def _blanked(self, sign: str = "") -> str:
        """Return the front matter without its texts, which may hold what looks like a comment."""
        nodes = [node for _, node in _scalars(self.node, "", keys=True)]
        out, at = [], 0
        for start, end in sorted(map(_span, nodes)):
            out += [self.front[at:start], sign]
            at = end - (self.front[start:end].endswith("\n"))
        return "".join([*out, self.front[at:]])


def cosmetics(
    before: tuple[Rubric, str], after: tuple[Rubric, str], *, changed: bool
) -> tuple[Cosmetic, ...]:
    """Return what differs between two rubrics and is no part of any fingerprint.

    Args:
        before: A rubric and the text it was read from.
        after: The same of the other.
        changed: Whether the meaning differs as well.
    """
    a, b = _File(*before), _File(*after)
    found = [*_facts(a, b), *_comments(a, b), *_orders(a, b), *_layout(a, b), *_templates(a, b)]
    if not found and not changed and a.text != b.text:
        found = [Cosmetic("layout", "the same in other words, such as a default spelled out")]
    return tuple(found)


def _facts(a: _File, b: _File) -> Iterator[Cosmetic]:
    old, new = a.rubric, b.rubric
    if old.name != new.name:
        lines = a.line("rubric"), b.line("rubric")
        yield Cosmetic("rubric name", None, old.name, new.name, lines)
    if old.version != new.version:
        lines = a.line("version"), b.line("version")
        yield Cosmetic("version", None, str(old.version), str(new.version), lines)
    texts = a.text_of("description"), b.text_of("description")
    if texts[0] != texts[1]:
        lines = a.line("description"), b.line("description")
        yield Cosmetic("description", None, texts[0], texts[1], lines)


def _comments(a: _File, b: _File) -> Iterator[Cosmetic]:
    if a.front_comments() != b.front_comments():
        yield Cosmetic("comments", "in the front matter")
    if _jinja_comments(a.body)[0] != _jinja_comments(b.body)[0]:
        yield Cosmetic("comments", "in the template")
    for name, *sources in _shared_templates(a, b):
        if _jinja_comments(sources[0])[0] != _jinja_comments(sources[1])[0]:
            yield Cosmetic("comments", f"in template {name!r}")


def without_comments(source: str) -> list[tuple[int, str]]:
    """Return the lines of a template without its comments, each with its number from 0.

    Lines that held nothing else are left out.
    """
    marked = "".join(
        text if kind not in _OF_COMMENTS else "\n".join([_GONE] * (text.count("\n") + 1))
        for _, kind, text in fresh_environment().lex(source)
    )
    return [
        (number, line.replace(_GONE, ""))
        for number, line in enumerate(marked.split("\n"))
        if _GONE not in line or line.strip(f"{_GONE} \t")
    ]


def _jinja_comments(source: str) -> tuple[list[str], str]:
    """Return the comments of a template, and what is left without them."""
    comments, rest = [], []
    for _, kind, text in fresh_environment().lex(source):
        if kind == "comment":
            comments.append(text.strip())
        elif kind not in _OF_COMMENTS:
            rest.append(text)
    return comments, "".join(rest)


def _shared_templates(a: _File, b: _File) -> Iterator[tuple[str, str, str]]:
    """Yield the templates that both have and that differ: name and both sources."""
    old, new = a.rubric.templates, b.rubric.templates
    for name in sorted(old.keys() & new.keys()):
        if old[name] != new[name]:
            yield name, old[name], new[name]


def _orders(a: _File, b: _File) -> Iterator[Cosmetic]:
    """Yield every place where the same things are listed in another order."""
    old, new = (_siblings(side.lines) for side in (a, b))
    for parent in [parent for parent in old if parent in new]:
        orders = [[one for one in old[parent] if one in new[parent]]]
        orders.append([one for one in new[parent] if one in old[parent]])
        if orders[0] == orders[1] or _order_counts(parent, a.rubric, b.rubric):
            continue
        moved = next(i for i, pair in enumerate(zip(*orders, strict=True)) if pair[0] != pair[1])
        first, second = ((*parent, order[moved]) for order in orders)
        lines = a.lines.get(first), b.lines.get(second)
        yield Cosmetic("order", _whose(parent), lines=lines)


def _siblings(lines: Outline) -> dict[tuple[str, ...], list[str]]:
    """Return what stands below each part, in the order of the file."""
    found: dict[tuple[str, ...], list[str]] = {}
    for path in sorted(lines, key=lambda path: lines[path]):
        if path != ("body",):
            found.setdefault(path[:-1], []).append(path[-1])
    return found


def _order_counts(parent: tuple[str, ...], *rubrics: Rubric) -> bool:
    """Tell the levels of a scale that is no order of values: they are shown as listed."""
    if len(parent) != 2 or parent[1] != "level":
        return False
    kinds = [c.scale.kind for rubric in rubrics for c in rubric.criteria if c.name == parent[0]]
    return not all(kind in _BY_VALUE for kind in kinds)


def _whose(parent: tuple[str, ...]) -> str:
    """Return the words for what stands in another order."""
    match parent:
        case ():
            return "of the keys or criteria"
        case (criterion, "level"):
            return f"of the levels of {criterion}"
        case (criterion, "level", value):
            return f"of the keys of level {value} of {criterion}"
        case (criterion, "level", value, *_):
            return f"of the keys of an anchor of level {value} of {criterion}"
        case _:
            return f"of the keys of criterion {parent[0]}"


def _layout(a: _File, b: _File) -> Iterator[Cosmetic]:
    old, new = a.spellings(), b.spellings()
    if any(old[text] != new[text] for text in old.keys() & new.keys()):
        yield Cosmetic("layout", "quotes and line breaks of texts")
    lines = a.skeleton(), b.skeleton()
    same_parts = old.keys() == new.keys() and a.lines.keys() == b.lines.keys()
    if same_parts and sorted(lines[0]) != sorted(lines[1]):
        yield Cosmetic("layout", "blank lines, indentation and brackets")
    if ("\r" in a.text) != ("\r" in b.text):
        yield Cosmetic("layout", "line ends")


def _templates(a: _File, b: _File) -> Iterator[Cosmetic]:
    old, new = a.rubric, b.rubric
    if old.templates.keys() != new.templates.keys():
        gone = sorted(old.templates.keys() - new.templates.keys())
        come = sorted(new.templates.keys() - old.templates.keys())
        if gone and come and not _are_built_in(*gone, *come):
            yield Cosmetic("file names", "of templates", ", ".join(gone), ", ".join(come))
    for name, was, is_ in _shared_templates(a, b):
        differs = _jinja_comments(was)[1] != _jinja_comments(is_)[1]
        if differs and _meaning(old, was) == _meaning(new, is_):
            yield Cosmetic("layout", f"of template {name!r}")
    rest = [_jinja_comments(side.body)[1] for side in (a, b)]
    if rest[0] != rest[1] and _meaning(old, old.body) == _meaning(new, new.body):
        yield Cosmetic("layout", "of the template: blanks, tags, or text that is never shown")


def _are_built_in(*names: str) -> bool:
    return any(name.startswith(BUILT_IN) for name in names)


def _meaning(rubric: Rubric, source: str) -> object:
    return templates_meaning(source, rubric.templates)


def _scalars(
    node: yaml.Node | None, key: str, *, keys: bool = False
) -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Yield every text below a node with the key it stands under; keys are texts as well."""
    if isinstance(node, yaml.ScalarNode):
        yield key, node
    elif isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _scalars(part, key, keys=keys)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if keys:
                yield "", name
            yield from _scalars(value, plain_text(name), keys=keys)


def _span(node: yaml.Node) -> tuple[int, int]:
    start, end = node.start_mark, node.end_mark
    return (start.index, end.index) if start and end else (0, 0)
