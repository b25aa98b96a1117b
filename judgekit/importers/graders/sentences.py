"""A prompt in pieces: its sentences and lines, and what is left when some of them are taken out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_ENDS = re.compile(
    r"(?<=\n)(?:[ \t]*\n)+|(?<=[.!?:;])\n"
    r"|\n(?![ \t]*[a-zà-ÿ](?![\w -]{0,30}(?::|[ \t][=–-][ \t])))"
    r"|(?<=[.!?。！？])(?:[\"'”)\]]{0,2}[ \t]+(?=[^\sa-z])|(?<=[。！？]))"
)
_NUMBERED = re.compile(r"\s*(?:[-*•]\s*)?\d{1,3}\.[ \t]+")
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")


class Piece(NamedTuple):
    """A stretch of a text."""

    start: int
    end: int


@lru_cache(maxsize=8)
def pieces(text: str) -> tuple[Piece, ...]:
    """Return the sentences of a text, and the lines that are none.

    A line that goes on in small letters is one with the next; blank lines are a piece together.
    """
    found: list[Piece] = []
    at = 0
    for end in _ENDS.finditer(text):
        if _NUMBERED.fullmatch(text, at, end.end()):
            continue  # the number of a point is no sentence
        found.append(Piece(at, end.end()))
        at = end.end()
    return (*found, Piece(at, len(text)))


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, folded."""
    return [word.lower() for word in _WORD.findall(text)]


def without(text: str, taken: Iterable[Piece]) -> str:
    """Return a text without some pieces, which may lie upon each other."""
    parts, at = [], 0
    for start, end in sorted(taken):
        if start > at:
            parts.append(text[at:start])
        at = max(at, end)
    return _BLANKS.sub("\n\n", "".join([*parts, text[at:]]))
