"""The files of a reply cache, refused when they are not what they should be.

A cache folder may come from someone else, so nothing in it is believed. A database is opened only
when its files are plain files, and used only when its schema is the one we know
(:mod:`judgekit.running.cache_schema`).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from judgekit.errors import StorageError

DATABASE = "cache.db"


class Replaced(StorageError):
    """The database that was open is not the one in the folder any more."""


class Standing:
    """Tells whether the database in a folder is still the one that was opened.

    Whoever deletes a file leaves it to those who have it open: they would write on, all would seem
    well, and nobody would ever read it.

    Args:
        folder: The folder, right after the database in it was opened.
    """

    def __init__(self, folder: Path) -> None:
        self._paths = [str(folder / name) for name in (DATABASE, f"{DATABASE}-wal")]
        self._opened = [_identity(path) for path in self._paths]

    def check(self) -> None:
        """Raise unless it is.

        Raises:
            Replaced: what was written since it was last looked at is in neither.
        """
        found = [_identity(path) for path in self._paths]
        opened, self._opened = self._opened, found
        # The log may have come after the database was opened.
        if found[0] is None or any(
            was not in (None, now) for was, now in zip(opened, found, strict=True)
        ):
            raise Replaced(
                "it was deleted, or replaced, while it was in use",
                hint="run it again: what the old one held is asked anew, and what came in last is "
                "kept in a new one",
            )


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def present(folder: Path) -> bool:
    """Return whether a database stands in ``folder``.

    Raises:
        StorageError: what stands there is none of our making and is not opened: a link (whoever
            planted it chooses what we read and write), or a rollback journal (SQLite would play it
            back, and delete whatever file it names).
    """
    found = False
    for suffix in ("-journal", "-shm", "-wal", ""):  # made in the order "", -wal: looked at last
        name = DATABASE + suffix
        try:
            mode = (folder / name).lstat().st_mode
        except FileNotFoundError:
            if suffix == "" and found:
                raise StorageError(f"it has a {DATABASE}-wal, but no {DATABASE}") from None
            continue
        if not stat.S_ISREG(mode):
            raise StorageError(f"{name} in it is no plain file")
        if suffix == "-journal":
            raise StorageError(f"{name} in it was left by another program")
        found = found or suffix != "-shm"
    return found


def is_writable(folder: Path) -> bool:
    """Return whether replies can be kept in ``folder``, which exists."""
    places = [folder, *(p for p in (folder / DATABASE,) if p.exists())]
    effective = os.access in os.supports_effective_ids
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)
