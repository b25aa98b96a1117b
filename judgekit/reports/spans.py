"""Lines made of stretches that may be coloured, and two wordings shown as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judgekit.reports.words import WIDTH
from judgekit.rubric.wording import Words, compare_words

_ATOM = re.compile(r"\n|[^\S\n]+|\S+")
_MARKS = {"old": ("[-", "-]"), "new": ("{+", "+}")}
_STYLES = {"old": "red strike", "new": "green"}
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Span(NamedTuple):
    """A stretch of a line, and the style it has where there are colours."""

    text: str
    style: str = ""


Line = Sequence[Span]


def plain(line: Line) -> str:
    """Return a line without its styles."""
    return "".join(span.text for span in line)


def wording(
    before: str | None, after: str | None, *, coloured: bool, indent: int = 4
) -> list[list[Span]]:
    """Return two texts as one, what went and what came marked, in lines that fit the screen.

    Of texts of several lines only those that differ are shown.

    Args:
        before: The old text; None where there was none.
        after: The new one; None where there is none.
        coloured: Colour tells old from new; without it they stand in ``[-old-]`` and ``{+new+}``.
        indent: How far the lines are indented.
    """
    lines = _paragraphs(compare_words(before or "", after or ""))
    if before is not None and after is not None:
        lines = _changed_only(lines)
    return [
        [Span(" " * indent), *filled]
        for line in lines
        for filled in _filled(_spans(line, coloured=coloured), WIDTH - indent)
    ]


def _changed_only(lines: list[list[Words]]) -> list[list[Words]]:
    """Return the lines that differ, and a sign between them where others were left out."""
    if len(lines) == 1:
        return lines
    out: list[list[Words]] = []
    gap = [Words("same", "...")]
    for line in lines:
        if any(word.kind != "same" for word in line):
            out.append(line)
        elif out and out[-1] is not gap:
            out.append(gap)
    return out[:-1] if out and out[-1] is gap else out


def _paragraphs(words: Sequence[Words]) -> list[list[Words]]:
    """Return words line by line; an end of line that came or went alone is named instead."""
    lines: list[list[Words]] = [[]]
    for kind, text in words:
        if kind != "same" and not text.strip():
            named = "".join(_NAMED.get(character, character) for character in text)
            lines[-1].append(Words(kind, named))
            continue
        first, *rest = text.split("\n")
        lines[-1].append(Words(kind, first))
        lines += [[Words(kind, part)] for part in rest]
    return lines


def _spans(words: Sequence[Words], *, coloured: bool) -> Iterator[Span]:
    for kind, text in words:
        if kind == "same" or not text:
            yield Span(text)
        elif coloured:
            yield Span(text, _STYLES[kind])
        else:
            opening, closing = _MARKS[kind]
            yield Span(f"{opening}{text}{closing}")


def _filled(spans: Iterator[Span], width: int) -> list[list[Span]]:
    """Break spans between words into lines of that width; longer words stay whole."""
    lines: list[list[Span]] = [[]]
    used, blank, word = 0, list[Span](), list[Span]()

    def place() -> None:
        nonlocal used
        size = sum(len(part.text) for part in (*blank, *word))
        if used and used + size > width:
            lines.append([])
            used, size = 0, sum(len(part.text) for part in word)
            blank.clear()
        lines[-1].extend((*blank, *word))
        used += size
        blank.clear()
        word.clear()

    for text, style in spans:
        for atom in _ATOM.findall(text):
            if atom.isspace():
                if word:
                    place()
                blank.append(Span(atom, style))
            else:
                word.append(Span(atom, style))
    if word:
        place()
    return lines
