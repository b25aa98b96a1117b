"""Decode one object as models write it: character by character, forgiving what is no doubt."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from judgekit.judging.reading.pattern import pattern

DEEPEST = 24
"""Objects nested deeper than this are no reply of a judge."""


class Broken(ValueError):
    """The text is no object, not even a sloppy one."""


class CutOffError(Broken):
    """The text ends before anything of use was complete."""


class Pairs(list[tuple[str, Any]]):
    """An object as written: its pairs in order, so that a key said twice is seen twice."""


class Decoded(NamedTuple):
    """An object found in a text.

    Attributes:
        value: Its pairs.
        start: Where it begins.
        end: Where it ends.
        whole: It was closed; False when the text ended first.
        dangling: The key whose value was cut off, or None.
    """

    value: Pairs
    start: int
    end: int
    whole: bool
    dangling: str | None = None


_SPACE = pattern(r"(?:\s+|(?://|\#)[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")

_BARE_KEY = pattern(r"[^\W\d]\w{0,40}")

_BARE_WORD = pattern(r"[^\W_][^\s,:{}\[\]\"'<>|]{0,60}")

_NUMBER = pattern(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")

_QUOTES = frozenset("\"'`")

_RUNS = {quote: pattern(rf"[^{quote}\\]+") for quote in "\"'`"}

_NEXT_KEY = pattern(r"[\"'`][^\W\d][\w ]{0,40}[\"'`]\s*[:=]")

_NEXT = pattern(
    r"\s*(?:$|[\"'`{}\[\],;]|//|/\*|\#|[^\W\d]\w{0,40}\s*[:=]|[+-]?[\d.]+\s*[,\]}]"
    r"|(?:true|false|null|none)\s*[,\]}])",
    re.IGNORECASE,
)

_GOES_ON = pattern(r"[\"'][^\s\"']|[\"']\s+\w")

_LONGEST_WHOLE = 300  # Python converts no more than some thousand digits; no scale has as many

_WORDS = {"true": True, "false": False, "null": None, "none": None, "nan": math.nan}

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\"}


class _End(Exception):
    """The text ended."""


class Sloppy:
    """Reads one sloppy object. One object per reader; it remembers how far the text was whole."""

    def __init__(self, text: str, *, ended: bool) -> None:
        self.text, self.ended = text, ended
        self.dangling: str | None = None

    def object_at(self, start: int) -> Decoded:
        """Return the object whose brace stands at ``start``."""
        pairs = Pairs()
        try:
            end = self._pairs(start, pairs, 0)
        except _End:
            if not pairs and self.dangling is None:
                raise CutOffError("the object is cut off") from None
            return Decoded(pairs, start, len(self.text), whole=False, dangling=self.dangling)
        return Decoded(pairs, start, end, whole=True)

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        at = match.end() if match else at
        if at >= len(self.text):
            raise _End
        return at

    def _pairs(self, at: int, into: Pairs, depth: int) -> int:
        """Read an object's pairs into ``into``, so that those read before a cut are kept."""
        if depth > DEEPEST:
            raise Broken("nested too deeply")
        at += 1
        while True:
            at = self._skip(at)
            while self.text[at] in ",;":
                at = self._skip(at + 1)
            if self.text[at] == "}":
                return at + 1
            key, at = self._key(at)
            at = self._skip(at)
            if self.text[at] not in ":=":
                raise Broken("a key without a value")
            self.dangling = key
            value, at = self._value(at + 1, depth)
            into.append((key, value))
            self.dangling = None
            at = self._skip(at)
            if self.text[at] not in ",;}\"'`\n" and not _BARE_KEY.match(self.text, at):
                raise Broken("no comma between two pairs")

    def _key(self, at: int) -> tuple[str, int]:
        if self.text[at] in _QUOTES:
            return self._string(at, ends=":=")
        match = _BARE_KEY.match(self.text, at)
        if match is None:
            raise Broken("no key")
        return match[0], match.end()

    def _value(self, at: int, depth: int) -> tuple[Any, int]:
        at = self._skip(at)
        char = self.text[at]
        if char == "{":
            inner = Pairs()
            return inner, self._pairs(at, inner, depth + 1)
        if char == "[":
            return self._array(at, depth + 1)
        if char in _QUOTES:
            return self._string(at, ends=",;}]")
        return self._scalar(at)

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        if depth > DEEPEST:
            raise Broken("nested too deeply")
        values: list[Any] = []
        at = self._skip(at + 1)
        while self.text[at] != "]":
            value, at = self._value(at, depth)
            values.append(value)
            at = self._skip(at)
            if self.text[at] == ",":
                at = self._skip(at + 1)
            elif self.text[at] != "]":
                raise Broken("no comma in an array")
        return values, at + 1

    def _scalar(self, at: int) -> tuple[Any, int]:
        match = _NUMBER.match(self.text, at) or _BARE_WORD.match(self.text, at)
        if match is None:
            raise Broken("no value")
        end = match.end()
        if end == len(self.text) and not self.ended:
            raise _End  # "3" may be the beginning of "35"
        if end < len(self.text) and self.text[end] not in ",}] \t\n/#":
            raise Broken("a value that does not end")
        word = match[0]
        if word.lower() in _WORDS:
            return _WORDS[word.lower()], end
        if _NUMBER.fullmatch(word):
            whole = len(word) <= _LONGEST_WHOLE and not re.search(r"[.eE]", word)
            return (int(word) if whole else float(word)), end
        following = self._skip(end)
        if self.text[following] not in ",}":
            raise Broken("words without quotes")
        return word, end

    def _string(self, at: int, *, ends: str) -> tuple[str, int]:
        """Read a string; a quote inside it is taken as such unless what follows ends a string."""
        quote, parts, at = self.text[at], [], at + 1
        while at < len(self.text):
            run = _RUNS[quote].match(self.text, at)
            if run is not None:
                parts.append(run[0])
                at = run.end()
                continue
            char = self.text[at]
            if char == "\\" and at + 1 < len(self.text):
                part, at = self._escape(at)
                parts.append(part)
                continue
            if char == quote and self._closes(at + 1, ends):
                return "".join(parts), at + 1
            parts.append(char)
            at += 1
        raise _End

    def _escape(self, at: int) -> tuple[str, int]:
        char = self.text[at + 1]
        if char == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", self.text[at + 2 : at + 6]):
            return chr(int(self.text[at + 2 : at + 6], 16)), at + 6
        return _ESCAPES.get(char, char), at + 2

    def _closes(self, at: int, ends: str) -> bool:
        """Return whether a quote that stands before ``at`` ends its string.

        It does not where the words after its comma or brace are no part of an object: then it is
        a quotation inside the string. Of a missing comma the next key tells.
        """
        match = _SPACE.match(self.text, at)
        after = match.end() if match else at
        if after >= len(self.text):
            return True
        char = self.text[after]
        if char not in ends:
            return at < after and _NEXT_KEY.match(self.text, after) is not None
        if char in ",;":
            return _NEXT.match(self.text, after + 1) is not None
        return char != "}" or not _GOES_ON.match(self.text, after + 1)
