"""Sentences that end with a command to type."""

from __future__ import annotations

from judgekit.reports.words import WIDTH, printable, wrapped

_COMMAND = "judgekit "


def hint_lines(text: str, *, first: str = "", rest: str = "") -> list[str]:
    """Return a text in lines that fit the screen; the command it ends with is never broken.

    It has a line of its own where the whole does not fit on one.

    Args:
        text: The text, as in ``mend it first: judgekit lint r.jinja``.
        first: What its first line begins with.
        rest: What the others begin with.
    """
    if len(first + text) <= WIDTH:
        return wrapped(text, first=first, rest=rest)
    said, sign, command = text.rpartition(f": {_COMMAND}")
    if sign:
        return [
            *wrapped(f"{said}:", first=first, rest=rest),
            printable(f"{rest}{_COMMAND}{command}"),
        ]
    if text.startswith(_COMMAND):
        return [printable(f"{first}{text}")]
    return wrapped(text, first=first, rest=rest)
