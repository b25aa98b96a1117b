"""Which tag of a template is not closed, or closes what is not open."""

from __future__ import annotations

import re

from judgekit.rubric.tags import tags_of

_NAME = re.compile(r"\{%[-+]?\s*(\w+)")
_OPENS = {"autoescape", "block", "call", "filter", "for", "if", "macro", "set", "with"}


def unclosed_at(source: str) -> int | None:
    """Return the 1-based line of the first tag that is never closed or closes nothing, or None.

    Where two tags cross, it is the inner one that is not closed.
    """
    opened: list[tuple[str, int]] = []
    for tag in tags_of(source):
        found = _NAME.match(source, tag.start) if tag.kind == "{%" else None
        name = found[1] if found else ""
        if name in _OPENS and not (name == "set" and "=" in source[tag.start : tag.end]):
            opened.append((name, tag.start))
        elif name.startswith("end") and name != "endraw":
            if opened and opened[-1][0] == name[3:]:
                opened.pop()
                continue
            crossed = any(name[3:] == other for other, _ in opened)
            return _line(source, opened[-1][1] if crossed else tag.start)
    return _line(source, opened[-1][1]) if opened else None


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1
