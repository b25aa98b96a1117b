"""Violations as a person reads them: where, the line itself, and what to do instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.errors import JudgekitError, on_one_line
from judgekit.linting.violations import Fix, Violation
from judgekit.reports.hints import hint_lines
from judgekit.reports.words import WIDTH, count, listed, printable, wrapped

_MARGIN = 8
_BEFORE = 30
"""Characters shown to the left of what a long line is about."""
_MOST = 4 * WIDTH
"""Characters of a line that are looked at to either side; lines may be as long as a file."""


def lint_lines(
    violations: Sequence[Violation],
    sources: Mapping[str, str],
    *,
    files: int,
    fixes: Sequence[Fix] = (),
) -> list[str]:
    """Return the report: what was mended, each violation with its line of the file, the total.

    Args:
        violations: What was found.
        sources: The text of the files it was found in; there is none of what could not be read.
        files: How many files were looked at, those that could not be read among them.
        fixes: What was mended before.
    """
    if not files:
        return ["No file was checked."]
    texts = {name: lines_of(source) for name, source in sources.items()}
    lines = fix_lines(fixes)
    for v in violations:
        lines += heading(v)
        source = texts.get(v.file)
        if source is None:
            lines += wrapped(v.message, first="   ", rest="   ")
        else:
            lines += _pointed(v, source[v.line - 1] if v.line <= len(source) else "")
        if v.help:
            lines += hint_lines(f"help: {v.help}", first="   ", rest="         ")
        lines.append("")
    return lines + _total(violations, files, len(fixes))


def _total(violations: Sequence[Violation], files: int, fixed: int) -> list[str]:
    """Return how much was found, and where to read on: on one line where both fit."""
    mended = f"{count(fixed, 'violation')} fixed. " if fixed else ""
    if not violations:
        return [f"{mended}No violations in {count(files, 'file')}."]
    dirty = len({v.file for v in violations})
    of = count(files, "file")
    told = (
        f"{mended}{count(len(violations), 'violation')} in "
        f"{of if dirty == files else f'{dirty:,} of {of}'} "
        f"({sum(v.fixable for v in violations):,} can be fixed with --fix)."
    )
    advised = f"judgekit explain {violations[0].code}"
    together = f"{told}  {advised}"
    return [together] if len(together) <= WIDTH else [*wrapped(told), advised]


def fix_lines(fixes: Sequence[Fix]) -> list[str]:
    """Return each violation that was mended, and what was changed."""
    lines: list[str] = []
    for fix in fixes:
        done = wrapped(f"fixed: {fix.done}", first="   ", rest="          ")
        lines += [*heading(fix), *done, ""]
    return lines


def beside_lines(
    notes: Sequence[str],
    unreadable: Sequence[JudgekitError],
    unwritten: Sequence[JudgekitError],
) -> list[str]:
    """Return what is said beside the report: what was left out, what the disk would not have.

    Args:
        notes: Evidence that was left out.
        unreadable: Files and folders that could not be read.
        unwritten: Files that could not be written.
    """
    lines = [line for note in notes for line in hint_lines(f"note: {note}", rest="      ")]
    if unreadable:
        names = listed([named(error.file or "") for error in unreadable])
        lines += wrapped(f"Not checked: {names}", rest="  ")
    for error in unwritten:
        lines += wrapped(str(error), rest="  ")
        lines += hint_lines(error.hint, first="  ", rest="  ") if error.hint else []
    return lines


def heading(v: Violation | Fix) -> list[str]:
    """Return where something is and what: ``file:line:column``, on one line, is for programs too.

    A name of a file that leaves no room for the rule has a line of its own.
    """
    where, what = f"{named(v.file)}:{v.line}:{v.column}", f"{v.rule} ({v.code})"
    fits = cells(where) + 2 + len(what) <= WIDTH
    return [f"{where}  {what}"] if fits else [where, f"   {what}"]


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


def named(file: str) -> str:
    """Return the name of a file on one line, so that it does nothing to a terminal."""
    return printable(on_one_line(file))


def lines_of(source: str) -> list[str]:
    """Return the lines of a text, whichever its line ends."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _pointed(v: Violation, text: str) -> list[str]:
    """Return the line of the file, as much as fits, and below it the message at its column."""
    room, column = WIDTH - _MARGIN, v.column - 1
    before = _visible(text[max(0, column - _MOST) : column])
    after = _visible(text[column : column + _MOST])
    if cells(before + after) > room and cells(before) >= room - _BEFORE:
        before = f"…{before[len(before) - _fitting(before[::-1], _BEFORE - 1) :]}"
    at = cells(before)
    shown = f"{before}{after}".rstrip()
    if cells(shown) > room:
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
        room -= cells(ch)
        if room < 0:
            return at
    return len(text)


def _visible(text: str) -> str:
    """Return text in which every character has its place; what would move the cursor is a dot."""
    text = text.replace("\t", " ")
    return "".join("·" if unicodedata.category(ch)[0] == "C" else ch for ch in text)


def cells(text: str) -> int:
    """Return how many columns of a screen a text takes; some characters take two or none."""
    return sum(
        0 if unicodedata.combining(ch) else 1 + (unicodedata.east_asian_width(ch) in "WF")
        for ch in text
    )


def lint_json(violations: Sequence[Violation]) -> list[dict[str, Any]]:
    """Return the document of ``lint --format json``."""
    return [v._asdict() for v in violations]
