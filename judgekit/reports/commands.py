"""Commands to type next: each whole on a line of its own, so that it works as it is pasted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from judgekit.reports.words import printable


def file_word(file: str | Path) -> str:
    """Return a file's name as a shell takes it, and no command takes it for an option."""
    name = str(file)
    return quote(f"./{name}" if name.startswith("-") else name)


def command_lines(label: str, commands: Sequence[str], *, column: int = 8) -> list[str]:
    """Return commands behind a label, below each other; a long one is not broken.

    ``column`` is where they begin, as in :func:`judgekit.reports.words.labelled`.
    """
    return [
        f"{'' if at else label:<{column}}{printable(command)}"
        for at, command in enumerate(commands)
    ]
