"""Mending a rubric's text: only what leaves its meaning to the author."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from judgekit.linting.finding import Edit, Found

_ROUNDS = 10
"""One mend may uncover another; after so many it is given up."""


def fixed(text: str, look: Callable[[str], Sequence[Found]]) -> tuple[str, list[Found]]:
    """Return a text with all that can be mended, and what that was, each where it stood then.

    Args:
        text: The file's text; its line ends and its byte order mark stay.
        look: Returns what is wrong in a text.
    """
    mended: list[Found] = []
    for _ in range(_ROUNDS):
        new, done = _applied(text, [found for found in look(text) if found.finding.edits])
        if not done:
            break
        text, mended = new, mended + done
    return text, mended


def _applied(text: str, wanted: Iterable[Found]) -> tuple[str, list[Found]]:
    """Mend what does not get in the way of something before it; return what was mended."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = _by_line_end(text.removeprefix("\ufeff").splitlines(keepends=True))
    taken: list[Edit] = []
    done: list[Found] = []
    for found in wanted:
        edits = found.finding.edits
        others = [*taken, *edits]
        meet = any(_meet(edit, other) for edit in edits for other in others if other is not edit)
        if not meet and all(_stands(edit, lines) for edit in edits):
            taken += edits
            done.append(found)
    # From the end, so that columns stay what they are.
    for edit in sorted(taken, key=lambda edit: edit[:2], reverse=True):
        line = lines[edit.line - 1]
        at = edit.column - 1
        rest = line[at + len(edit.old) :]
        lines[edit.line - 1] = "" if edit.new is None else f"{line[:at]}{edit.new}{rest}"
    return mark + "".join(lines), done


def _meet(one: Edit, other: Edit) -> bool:
    """Return whether two changes touch the same place of a line, or one takes it out."""
    if one.line != other.line:
        return False
    if one.new is None or other.new is None:
        return True
    ends = one.column + len(one.old), other.column + len(other.old)
    return one.column <= ends[1] and other.column <= ends[0]


def _stands(edit: Edit, lines: Sequence[str]) -> bool:
    within = 0 < edit.line <= len(lines)
    return within and lines[edit.line - 1].startswith(edit.old, edit.column - 1)


def _by_line_end(pieces: Sequence[str]) -> list[str]:
    """Join what ``splitlines`` has cut at characters that end no line for an editor."""
    lines: list[str] = []
    for piece in pieces:
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += piece
        else:
            lines.append(piece)
    return lines
