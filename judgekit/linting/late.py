"""Patterns that are compiled when they are first needed: most files need few of them."""

from __future__ import annotations

import re
import sys
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Late:
    """A pattern; used as a compiled one is.

    Args:
        text: The pattern.
        flags: As for ``re.compile``.
    """

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._text, self._flags = text, flags

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._text, self._flags)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the match that a text begins with, or what stands from a place of it on."""
        return self._pattern.match(text, start)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match in a text, or between two places of it."""
        return self._pattern.search(text, start, end)

    def sub(self, new: str, text: str) -> str:
        """Return a text with something else for each match."""
        return self._pattern.sub(new, text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that a text is."""
        return self._pattern.fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        """Return every match in a text, or between two places of it."""
        return self._pattern.finditer(text, start, end)
