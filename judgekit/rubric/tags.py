"""The tags, expressions and comments of a template, found in one sweep, readable or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
_RAW = re.compile(r"\{%[-+]?\s*raw\s*[-+]?%\}")
_END_RAW = re.compile(r"\{%[-+]?\s*endraw\b")


class Tag(NamedTuple):
    """A tag, an expression, a comment, or text that is shown raw.

    Attributes:
        kind: How it opens: ``{%``, ``{{`` or ``{#``; ``raw`` for what stands between raw tags.
        start: Where it begins in the template.
        end: Where it ends.
    """

    kind: str
    start: int
    end: int


def tags_of(source: str) -> Iterator[Tag]:
    """Yield every tag of a template; of one that is never closed, and what follows, none."""
    at = source.find("{")
    while at >= 0:
        kind = source[at : at + 2]
        if kind not in _CLOSING:
            at = source.find("{", at + 1)
            continue
        end = source.find(_CLOSING[kind], at + 2)
        if end < 0:
            return
        end += 2
        yield Tag(kind, at, end)
        if kind == "{%" and _RAW.match(source, at):
            closing = _END_RAW.search(source, end)
            if closing is None:
                return
            yield Tag("raw", end, closing.start())
            end = closing.start()
        at = source.find("{", end)
