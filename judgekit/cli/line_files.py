"""Files of lines, of which ``-`` is standard input or output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from judgekit.cli.screen import print_json_text
from judgekit.errors import InputError
from judgekit.storage.disk import writing

STANDARD = "-"
"""The file that is standard input or output."""


@contextmanager
def lines_of(file: str) -> Iterator[Iterable[bytes | str]]:
    """Open a file, and give its lines as they are."""
    if file == STANDARD:
        yield getattr(sys.stdin, "buffer", sys.stdin)
        return
    try:
        opened = Path(file).open("rb")  # noqa: SIM115  (its errors are told from later ones)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from error
    with opened:
        yield opened


def print_lines(lines: Iterable[str]) -> int:
    """Write lines of JSON to standard output; return how many."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON, whatever the terminal speaks
    number = 0
    for number, line in enumerate(lines, start=1):  # noqa: B007  (the last one counts them)
        print_json_text(line)
    return number


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write a file line by line, yet in one step for those who read it; return how many lines.

    A device or a pipe is written to, never replaced.
    """
    number = 0
    with writing(path) as write:
        for number, line in enumerate(lines, start=1):  # noqa: B007  (the last one counts them)
            write(line.encode() + b"\n")
    return number
