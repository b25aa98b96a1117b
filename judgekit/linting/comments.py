"""The comments of a rubric file, and which lines its texts take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import yaml

from judgekit.linting.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judgekit.linting.subject import Subject

_FRONT = re.compile(r"(?<!\S)#([^\n]*)")
_RAW = re.compile(r"\{%[-+]?\s*raw\s*-?%\}")
_CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}


class Comment(NamedTuple):
    """A comment.

    Attributes:
        line: 1-based line of the file it begins on.
        column: 1-based column.
        last: The line it ends on.
        text: The comment with its signs.
        words: What it says.
        alone: Whether nothing else stands on its lines.
        removal: What takes it out and leaves everything else as it is; none where that cannot be.
    """

    line: int
    column: int
    last: int
    text: str
    words: str
    alone: bool
    removal: tuple[Edit, ...]


class TextLines(NamedTuple):
    """The lines of the file that one text of the front matter takes, with its key."""

    line: int
    last: int


class _Span(NamedTuple):
    """Where in the front matter a text stands, and where the entry begins that it belongs to."""

    start: int
    end: int
    entry: int


def comments_of(subject: Subject) -> list[Comment]:
    """Return all comments of a file; those of the front matter first."""
    front, body, first = subject.front, subject.body, subject.body_line
    found = [_comment(front, *span, 2, _front_removal) for span in _front_comments(subject)]
    return found + [_comment(body, *span, first, _body_removal) for span in _body_comments(body)]


def texts_of(subject: Subject) -> list[TextLines]:
    """Return the lines of each text of the front matter that takes several."""
    front = subject.front
    found = []
    for span in _spans(subject.reading.front):
        first = front.count("\n", 0, span.entry) + 2
        last = first + front.count("\n", span.entry, max(span.end - 1, span.entry))
        if last > first:
            found.append(TextLines(first, last))
    return found


def _front_comments(subject: Subject) -> Iterator[tuple[int, int]]:
    """Yield where the comments of the front matter are: a # inside a text begins none."""
    front, at = subject.front, 0
    texts = []
    for start, end, _ in _spans(subject.reading.front):
        below = front.startswith(("|", ">"), start, end)  # its text begins on the next line
        texts.append((start + len(front[start:end].partition("\n")[0]) if below else start, end))
    while match := _FRONT.search(front, at):
        inside = next((end for start, end in texts if start <= match.start() < end), None)
        if inside is None:
            yield match.span()
        at = inside or match.end()


def _body_comments(body: str) -> Iterator[tuple[int, int]]:
    """Yield where the comments of the body are: none begins inside a tag or in raw text."""
    at = body.find("{")
    while at >= 0:
        kind = body[at : at + 2]
        raw = _RAW.match(body, at)
        if raw:
            end = body.find("endraw", raw.end())
        elif kind in _CLOSING:
            end = body.find(_CLOSING[kind], at + 2)
        else:
            at = body.find("{", at + 1)
            continue
        if end < 0:
            return  # it is never closed: all that follows is inside it
        if kind == "{#":
            yield at, end + 2
        at = body.find("{", end + 2)


def _spans(node: yaml.Node | None, entry: int | None = None) -> Iterator[_Span]:
    if isinstance(node, yaml.ScalarNode) and node.start_mark and node.end_mark:
        start = node.start_mark.index
        yield _Span(start, node.end_mark.index, start if entry is None else entry)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _spans(key)
            yield from _spans(value, key.start_mark.index if key.start_mark else None)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _spans(value)


def _comment(
    source: str,
    start: int,
    end: int,
    offset: int,
    removal: Callable[[Edit, str, str], tuple[Edit, ...]],
) -> Comment:
    line_end = source.find("\n", end)
    before = source[source.rfind("\n", 0, start) + 1 : start]
    after = source[end : line_end if line_end >= 0 else None]
    text = source[start:end]
    line = offset + source.count("\n", 0, start)
    column = len(before) + 1
    return Comment(
        line=line,
        column=column,
        last=line + text.count("\n"),
        text=text,
        words=text.strip("{#}-+ \t\n"),
        alone=not before.strip() and not after.strip(),
        removal=removal(Edit(line, column, text, ""), before, after),
    )


def _front_removal(edit: Edit, before: str, _after: str) -> tuple[Edit, ...]:
    if not before.strip():
        return (edit._replace(new=None),)
    blanks = before[len(before.rstrip()) :]
    return (edit._replace(column=edit.column - len(blanks), old=blanks + edit.old),)


def _body_removal(edit: Edit, before: str, after: str) -> tuple[Edit, ...]:
    """Return what takes a comment out of the body without moving a blank of the prompt.

    Jinja drops the line end behind a comment, and the blanks before one that begins its line.
    """
    if edit.old[2] in "-+" or edit.old[-3] in "-+":
        return ()
    first, *rest = edit.old.split("\n")
    if not before.strip() and not after:
        others = [Edit(edit.line + n, 1, text, None) for n, text in enumerate(rest, start=1)]
        return (edit._replace(old=first, new=None), *others)
    return (edit,) if before.strip() and after.strip() and not rest else ()
