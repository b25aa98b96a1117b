"""How a text was worded before and after: which words went, and which came."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

_TOKEN = re.compile(r"\s|\w+|[^\w\s]")
_MOST = 4000
"""Tokens beyond which words are not matched one by one: that takes time by the square."""


class Words(NamedTuple):
    """A stretch of text that stands in both wordings, in the old one only, or in the new one."""

    kind: Literal["same", "old", "new"]
    text: str


def compare_words(before: str, after: str) -> tuple[Words, ...]:
    """Return two wordings as one: what stayed, went and came, in the order of reading.

    The ``same`` and ``old`` stretches together are ``before``, to the character, and the ``same``
    and ``new`` ones ``after``.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(old) + len(new) > _MOST:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    found: list[Words] = []
    for tag, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Words("same", "".join(old[i:j])))
            continue
        found += [Words("old", "".join(old[i:j]))] if j > i else []
        found += [Words("new", "".join(new[k:n]))] if n > k else []
    return _readable(found)


def _readable(found: list[Words]) -> tuple[Words, ...]:
    """Take blanks between two changes into both, so that a changed phrase is told as one."""
    out: list[Words] = []
    old = new = ""
    for at, (kind, text) in enumerate(found):
        glue = kind == "same" and text in (" ", "-") and old + new and at + 1 < len(found)
        if kind == "old" or glue:
            old += text
        if kind == "new" or glue:
            new += text
        if kind == "same" and not glue:
            out += [*_changed(old, new), Words("same", text)]
            old = new = ""
    return (*out, *_changed(old, new))


def _changed(old: str, new: str) -> list[Words]:
    return [
        *([Words("old", old)] if old else []),
        *([Words("new", new)] if new else []),
    ]
