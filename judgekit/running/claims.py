"""Which requests are being asked right now, so that no other run on the same cache asks them too.

One byte of a file, which need not reach so far, stands for each request. Whoever asks it holds the
lock of that byte, and the operating system lets go of it when the process dies, however it dies.
The locks belong to the open file, not to the process, so two runs in one process keep out of each
other's way as well.
Where there are no such locks (they are Linux's), runs at the same time may ask the same twice.
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from judgekit.judging.request import ModelReply

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

FILE = "cache.db-asking"
"""Named after the database, so that diskcache takes it for one of its files."""
_SET = getattr(fcntl, "F_OFD_SETLK", None)
_HELD = {errno.EAGAIN, errno.EACCES}
_DIGITS = 15
"""Hexadecimal digits of a key that make its place in the file, which is less than 2**63."""


def open_locks(path: Path) -> int | None:
    """Return the open file whose bytes are locked, or None where there are no such locks."""
    if _SET is not None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        with contextlib.suppress(OSError):
            return os.open(path, flags, 0o600)
    return None


def flock_of(kind: int, place: int) -> bytes:
    """Return the ``struct flock`` of a lock on one byte: type, whence, start, length, process."""
    return struct.pack("hhqqi0q", kind, os.SEEK_SET, place, 1, 0)


class Claims:
    """The requests that one run is asking.

    Args:
        folder: Where the file stands, the same for every run with the same cache; None tells
            nobody.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else open_locks(folder / FILE)

    def take(self, key: str) -> bool:
        """Return False when another run is asking this; else others will be told that we are."""
        if self._file is None:
            return True
        try:
            self._set(self._file, fcntl.F_WRLCK, key)
        except OSError as error:
            if error.errno in _HELD:
                return False
            self.close()  # no locks on this disk
        return True

    def leave(self, key: str) -> None:
        """Let others ask: the reply is kept, or there is none."""
        if self._file is not None:
            self._set(self._file, fcntl.F_UNLCK, key)

    def close(self) -> None:
        """Let go of everything."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _set(self, file: int, kind: int, key: str) -> None:
        fcntl.fcntl(file, _SET, flock_of(kind, int(key[:_DIGITS], 16)))


class Flight:
    """What one run asks, beside what other runs ask and have answered.

    Args:
        claims: Tells them what this run asks.
        look: Returns the replies that are kept, by key.
        others: Whether another run may have kept some since this one looked.
        clock: Tells the seconds since some moment.
    """

    def __init__(
        self,
        claims: Claims,
        look: Callable[[Iterable[str]], dict[str, ModelReply]],
        others: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._claims, self._look, self._others = claims, look, others
        self._clock = clock
        self._met: dict[str, float] = {}
        """Key of each request met in another run's hands -> when that was."""

    def take(self, key: str, *, patience: float) -> bool:
        """Return False while another run is asking this, but no longer than ``patience`` seconds.

        After that the other run hangs, and is not waited for.
        """
        if self._claims.take(key):
            self._met.pop(key, None)
            return True
        now = self._clock()
        if now < self._met.setdefault(key, now) + patience:
            return False
        del self._met[key]
        return True

    def known(self, key: str) -> ModelReply | None:
        """Return the reply that another run has kept meanwhile."""
        return self._look((key,)).get(key) if self._others() else None

    def leave(self, key: str) -> None:
        """Let others ask."""
        self._claims.leave(key)
