"""Small words for people: numbers, intervals, lists, and lines that fit the screen."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

WIDTH = 80
_LABEL = 8
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What makes a terminal do something, or show characters in another order than they stand in.

The control characters but newline and tab, the overrides and isolates of the direction of
writing, and halves of surrogate pairs, which cannot be shown at all. Joiners and marks, which
scripts and emoji need, are none of these.
"""

_QUOTED = re.compile(r"'[^']*'")
_HELD = "\ue000"
"""Stands for a blank within quotes, where a line must not be broken."""


def printable(text: str) -> str:
    r"""Return text that does nothing to a terminal: what would is its escape, as in ``\x1b``."""
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def printable_json(text: str) -> str:
    """Return a JSON document that does nothing to a terminal, and reads as the same values."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def number(value: float | None, digits: int = 2) -> str:
    """Return a number as people read it; never nan, and never -0.00."""
    if value is None:
        return "undefined"
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def bound(value: float, asked: float) -> str:
    """Return a bound that was held against a bar, with a digit more where two would hide which."""
    text = number(value)
    return number(value, 3) if text == number(asked) and value != asked else text


def percent(value: float | None) -> str:
    """Return a share as a percentage with one digit, 100% only for all and 0% only for none."""
    if value is None:
        return "undefined"
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    return f"{min(99.9, max(0.1, value * 100)):.1f}%"


def count(n: int, noun: str, several: str | None = None) -> str:
    """Return ``1 item`` or ``2 items``; ``several`` is for words that take no s."""
    return f"{n:,} {noun if n == 1 else several or f'{noun}s'}"


def short(name: str, most: int) -> str:
    """Return a name that fits a column, its end left out where it is too long."""
    name = printable(name)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names as one list, the rest of a long one as a count."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def labelled(label: str, text: str, *, width: int = WIDTH, column: int = _LABEL) -> list[str]:
    """Return a paragraph behind a label, as in ``Next    do this``; later lines hang below it.

    ``column`` is where the text begins: the same for all labels of a block. A command that does
    not fit on one line is broken as the shell wants it.
    """
    lines: list[str] = []
    for i, part in enumerate(text.split("\n")):
        first = f"{label:<{column}}" if i == 0 else " " * column
        rest = " " * column
        if part.startswith("judgekit ") and len(first + part) > width:
            whole = _QUOTED.sub(lambda found: found[0].replace(" ", _HELD), part)
            *broken, last = wrapped(whole, width=width - 2, first=first, rest=f"{rest}  ")
            lines.extend(line.replace(_HELD, " ") for line in [*(f"{b} \\" for b in broken), last])
        else:
            lines.extend(wrapped(part, width=width, first=first, rest=rest))
    return lines


def wrapped(text: str, *, width: int = WIDTH, first: str = "", rest: str = "") -> list[str]:
    """Return text in lines of at most ``width``; words longer than that stay whole."""
    return textwrap.wrap(
        printable(text),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def table(
    rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 2
) -> list[str]:
    """Return rows as aligned columns; ``right`` names the columns set flush right."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        (
            " " * indent
            + "  ".join(
                cell.rjust(widths[i]) if i in right else cell.ljust(widths[i])
                for i, cell in enumerate(row)
            )
        ).rstrip()
        for row in rows
    ]
