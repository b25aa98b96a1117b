"""Whether another process, or another run in this one, writes to the same cache.

Whoever writes holds a shared lock on one byte of a file, and has made the file a byte longer when
it began: so the file tells who is there, and whether somebody came and went meanwhile. Looking
costs a microsecond, where looking up a reply costs fifty. Where there are no such locks (they are
Linux's), others have to be reckoned with at all times.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

from judgekit.running.claims import FILE, flock_of, open_locks

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

_GET = getattr(fcntl, "F_OFD_GETLK", None)
_SET = getattr(fcntl, "F_OFD_SETLK", None)
_PLACE = 2**62
"""The byte of those who write; requests have the places below."""


class Presence:
    """This writer, and those beside it.

    Args:
        folder: The folder of the cache.
    """

    def __init__(self, folder: Path) -> None:
        self._others = True
        self._length = 0
        self._file = open_locks(folder / FILE)
        if self._file is not None:
            try:
                self._begin(self._file)
            except OSError:  # no locks on this disk
                self.close()

    def _begin(self, file: int) -> None:
        # In this order: who begins after the look is seen by the length.
        fcntl.fcntl(file, _SET, flock_of(fcntl.F_RDLCK, _PLACE))
        os.write(file, b".")
        self._length = os.fstat(file).st_size
        met = fcntl.fcntl(file, _GET, flock_of(fcntl.F_WRLCK, _PLACE))
        self._others = struct.unpack_from("h", met)[0] != fcntl.F_UNLCK

    def others(self) -> bool:
        """Return whether others may have written since this one began, or still may."""
        if not self._others and self._file is not None:
            self._others = os.fstat(self._file).st_size != self._length
        return self._others

    def close(self) -> None:
        """Be gone; from now on others have to be reckoned with."""
        file, self._file = self._file, None
        self._others = True
        if file is not None:
            os.close(file)
