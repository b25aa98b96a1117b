r"""Patterns of the words in a rubric's front matter, as JSON Schema has them.

To editors ``\w`` is ASCII only, and names are not: what is no ASCII counts as a letter here.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from judgekit.rubric.levels import NA_WORDS
from judgekit.rubric.parse import RESERVED

_OTHER = r"[^\x00-\x7F]"
_CONTROL = r"\x00-\x1F\x7F-\x9F\u2028\u2029"

SAID = r"\S"
"""Something is said."""

TITLE = rf"^\s*[^\s{_CONTROL}][^{_CONTROL}]{{0,99}}\s*$"
"""A line of at most 100 characters."""

CRITERION = rf"^\s*(?:[A-Za-z0-9]|{_OTHER})(?:[\w.-]|{_OTHER}){{0,63}}\s*$"

NUMBER = r"^\s*[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*$"
"""A number that is written as a text."""


def any_case(words: Iterable[str]) -> str:
    """Return a pattern of words in capitals or not, any blanks between their parts."""
    return f"\\s*(?:{'|'.join(map(_any_case, sorted(words)))})\\s*$"


def _any_case(word: str) -> str:
    letters = (
        f"[{ch.upper()}{ch}]" if ch.isalpha() else r"\s+" if ch == " " else ch
        for ch in word.lower()
    )
    return "".join(letters)


VALUE = f"^(?!{any_case(NA_WORDS)})"
"""Anything but how a rater says that a criterion does not apply."""

NAME = rf"{VALUE}\s*[^{_CONTROL}]*\s*$"
"""The same on one line; empty is no name, which is the same as none."""

INPUT = (
    rf"^(?!{any_case(RESERVED)})(?!(?:{'|'.join(keyword.kwlist)})$)"
    rf"(?:[A-Za-z_]|{_OTHER})(?:\w|{_OTHER})*$"
)
"""A name that a template can use, and has no meaning of its own for."""
