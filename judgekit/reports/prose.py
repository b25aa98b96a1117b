"""Paragraphs of what a model wrote, which fit the screen in whatever script it wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from judgekit.reports.words import WIDTH, printable

_PART = re.compile(r"\s*\S+(?:(?<=\d) USD\b)?")
"""A word and the blanks before it; an amount stays with its currency."""

LONGEST = 300
"""Characters of one text of a model's that a report shows."""


def cells(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(ch) else 1 + (unicodedata.east_asian_width(ch) in "WF")
        for ch in text
    )


def shortened(text: str) -> str:
    """Return a model's text on one line, its end left out where it is too long for a report."""
    line = " ".join(text[: 2 * LONGEST].split())
    return line if len(text) <= 2 * LONGEST and len(line) <= LONGEST else f"{line[:LONGEST]}…"


def fitted(text: str, *, first: str = "", rest: str = "", width: int = WIDTH) -> list[str]:
    """Return text in lines of at most ``width`` columns; what has no blanks is broken anywhere."""
    lines, line, begun = [], first, False
    for part in _PART.findall(printable(text)):
        word = part.lstrip() if not begun else part
        if begun and cells(line + word) > width and cells(rest + word.lstrip()) <= width:
            lines.append(line)
            line, word = rest, word.lstrip()
        begun = True
        *full, line = _broken(line, word, rest, width)
        lines += full
    return [*lines, line if begun else line.rstrip()]


def _broken(line: str, word: str, rest: str, width: int) -> Iterator[str]:
    """Yield a line with a word behind it, in several lines where one does not hold it."""
    room = width - cells(line)
    for ch in word:
        size = cells(ch)
        if size > room:
            yield line.rstrip()
            line, room = rest, max(2, width - cells(rest))
        line += ch
        room -= size
    yield line


def paragraph(label: str, text: str, *, column: int) -> list[str]:
    """Return a paragraph behind a label, each line of the text on lines of its own."""
    pad = " " * column
    return [
        line
        for at, part in enumerate(text.split("\n"))
        for line in fitted(part, first=pad if at else f"{label:<{column}}", rest=pad)
    ]
