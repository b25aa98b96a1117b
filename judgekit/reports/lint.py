"""Violations as a person reads them: where, the line itself, and what to do instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.linting.violations import Violation
from judgekit.reports.words import WIDTH, count, printable, wrapped

_MARGIN = 8
_BEFORE = 30
"""Characters shown to the left of what a long line is about."""
_MOST = 4 * WIDTH
"""Characters of a line that are looked at to either side; lines may be as long as a file."""


def lint_lines(
    violations: Sequence[Violation], sources: Mapping[str, str], *, files: int, fixed: int = 0
) -> list[str]:
    """Return the report: each violation with its line of the file, and the total.

    Args:
        violations: What was found.
        sources: The text of the files it was found in.
        files: How many files were checked.
        fixed: How many violations were mended before.
    """
    if not files:
        return ["No file was checked."]
    mended = f"{count(fixed, 'violation')} fixed. " if fixed else ""
    if not violations:
        return [f"{mended}No violations in {count(files, 'file')}."]
    texts = {name: _lines(source) for name, source in sources.items()}
    lines: list[str] = []
    for v in violations:
        lines += [f"{_named(v.file)}:{v.line}:{v.column}  {v.rule} ({v.code})"]
        source = texts.get(v.file, [])
        lines += _pointed(v, source[v.line - 1] if v.line <= len(source) else "")
        if v.help:
            lines += wrapped(f"help: {v.help}", first="   ", rest="         ")
        lines.append("")
    dirty = len({v.file for v in violations})
    fixable = sum(v.fixable for v in violations)
    whole = f" of {files:,}" if files > dirty else ""
    lines.append(
        f"{mended}{count(len(violations), 'violation')} in {count(dirty, 'file')}{whole} "
        f"({fixable:,} can be fixed with --fix).  judgekit explain {violations[0].code}"
    )
    return lines


def github_lines(violations: Sequence[Violation]) -> list[str]:
    """Return workflow commands that GitHub turns into remarks beside the lines."""
    return [
        f"::error file={_property(v.file)},line={v.line},col={v.column},"
        f"title={_property(f'{v.rule} ({v.code})')}::{_message(v)}"
        for v in violations
    ]


def _message(v: Violation) -> str:
    return _escaped(f"{v.message}\n{v.help}" if v.help else v.message)


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _named(file: str) -> str:
    """Return the name of a file on one line."""
    return printable(file).replace("\n", "\\n").replace("\t", "\\t")


def _lines(source: str) -> list[str]:
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _pointed(v: Violation, text: str) -> list[str]:
    """Return the line of the file, as much as fits, and below it the message at its column."""
    room, column = WIDTH - _MARGIN, v.column - 1
    before = _visible(text[max(0, column - _MOST) : column])
    after = _visible(text[column : column + _MOST])
    if _cells(before + after) > room and _cells(before) >= room - _BEFORE:
        before = f"…{before[len(before) - _fitting(before[::-1], _BEFORE - 1) :]}"
    at = _cells(before)
    shown = f"{before}{after}".rstrip()
    if _cells(shown) > room:
        shown = f"{shown[: _fitting(shown, room - 1)]}…"
    message = wrapped(f"^ {v.message}", width=max(1, room - at), rest="  ")
    if at > room // 2 and len(message) > 1:  # no room to its right
        message = ["^", *wrapped(v.message, width=room)]
        first, *rest = message
        return [
            f"{v.line:>5} | {shown}",
            f"      | {' ' * at}{first}",
            *(f"      | {line}" for line in rest),
        ]
    return [f"{v.line:>5} | {shown}", *(f"      | {' ' * at}{line}" for line in message)]


def _fitting(text: str, room: int) -> int:
    """Return how many characters from the beginning of a text fit into so many columns."""
    for at, ch in enumerate(text):
        room -= _cells(ch)
        if room < 0:
            return at
    return len(text)


def _visible(text: str) -> str:
    """Return text in which every character has its place; what would move the cursor is a dot."""
    text = text.replace("\t", " ")
    return "".join("·" if unicodedata.category(ch)[0] == "C" else ch for ch in text)


def _cells(text: str) -> int:
    """Return how many columns of a screen a text takes; some characters take two or none."""
    return sum(
        0 if unicodedata.combining(ch) else 1 + (unicodedata.east_asian_width(ch) in "WF")
        for ch in text
    )


def lint_json(violations: Sequence[Violation]) -> list[dict[str, Any]]:
    """Return the document of ``lint --format json``."""
    return [v._asdict() for v in violations]
