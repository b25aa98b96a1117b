"""Files of lines, of which ``-`` is standard input or output."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from judgekit.errors import InputError, StorageError

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
    """Write lines to standard output; return how many."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON, whatever the terminal speaks
    return sum(1 for line in lines if sys.stdout.write(f"{line}\n"))


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write a file line by line, yet in one step for those who read it; return how many lines.

    A device or a pipe is written to, never replaced.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8") as device:
                return sum(1 for line in lines if device.write(f"{line}\n"))
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as made:
                count = sum(1 for line in lines if made.write(f"{line}\n"))
                made.flush()
                os.fsync(made.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except StorageError:  # of the cache
        raise
    except OSError as error:
        raise StorageError(
            f"cannot be written: {error.strerror or error}", file=str(path)
        ) from error
    return count
