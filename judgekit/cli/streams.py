"""Standard output and standard error, and what becomes of them when nobody takes what is said."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO


class Unwritten(Exception):
    """Standard output does not take what is printed, as on a full disk; says why.

    Not an ``OSError``: it is no trouble of whatever file is being written at the time.
    """


def prepare_streams() -> None:
    """Let no closed stream and no narrow encoding of the terminal stand in a result's way."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or getattr(stream, "closed", False):
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


class Output:
    """Standard output whose troubles are told from any other's, whoever prints.

    Writing and flushing raise ``BrokenPipeError`` when the reader went, and ``Unwritten`` when
    what was printed cannot be written; all else is the stream's own.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text; return how many characters."""
        with _told_apart():
            return self._stream.write(text)

    def flush(self) -> None:
        """Hand on what was written."""
        with _told_apart():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        """Return what the stream has of that name."""
        return getattr(self._stream, name)


@contextlib.contextmanager
def _told_apart() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritten(error.strerror or str(error)) from error


def let_go(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, or the interpreter complains of it at its end."""
    with contextlib.suppress(OSError, ValueError, Unwritten):  # of a test, without a file
        stream.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
