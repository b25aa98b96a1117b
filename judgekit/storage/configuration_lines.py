"""On which line of a TOML text a key stands, told by the one thing that knows: the parser."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

Where = Sequence[str | int]
"""Keys and list positions, from the whole file inwards."""

_CLOSERS = ("", "\n]", "\n]]", "\n]}", "\n]}]")
"""What a text needs that ends within a list."""


def line_of(where: Where, text: str) -> int | None:
    """Return the 1-based line on which a value stands, or what is nearest around it.

    The beginning of a file that ends with the wanted line is the shortest that says the value.

    Args:
        where: The value; of one that is not there, the table that lacks it is meant.
        text: The file, which is valid TOML.
    """
    there = _there(where, tomllib.loads(text))
    if not there:
        return None
    lines = text.replace("\r\n", "\n").split("\n")

    end = _first(lines, lambda end: len(_there(there, _read(lines, end)[1])) == len(there))
    begin = _read(lines, end - 1)[0] + 1
    key = next(part for part in reversed(there) if isinstance(part, str))
    named = re.compile(rf"(?:[^#]*[\s.{{,\[])?[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    own = (number for number in range(begin, end) if named.match(lines[number - 1]))
    return next(own, end)


def first_line(text: str, fails: Callable[[str], bool]) -> int:
    """Return the line with which a text begins to fail; it never stops failing behind it."""
    lines = text.replace("\r\n", "\n").split("\n")
    return _first(lines, lambda end: fails("\n".join(lines[:end])))


def _first(lines: Sequence[str], holds: Callable[[int], bool]) -> int:
    """Return the number of the first line that is needed for something that then stays so."""
    return bisect_left(range(1, len(lines)), 1, key=lambda end: int(holds(end))) + 1


def _there(where: Where, data: Any) -> Where:
    """Return how far the way to a value leads."""
    for depth, part in enumerate(where):
        inside = data if isinstance(data, dict) else {}
        if isinstance(data, list):
            inside = dict(enumerate(data))
        if part not in inside:
            return where[:depth]
        data = inside[part]
    return where


def _read(lines: Sequence[str], end: int) -> tuple[int, Any]:
    """Return the last line up to which the file can be read by itself, and what it says."""
    for last in range(end, 0, -1):
        text = "\n".join(lines[:last])
        for closer in _CLOSERS:
            try:
                return last, tomllib.loads(text + closer)
            except tomllib.TOMLDecodeError:
                continue
    return 0, {}
