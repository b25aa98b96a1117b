"""What the disk or the database of a reply cache says, told with the folder and the way out."""

from __future__ import annotations

import errno
import shlex
import sqlite3
from pathlib import Path

from judgekit.errors import StorageError, way_out

_SETTING = "paths.cache"
_KEPT = "run it again: what was answered until then is kept"


def explained(error: OSError | sqlite3.Error, folder: Path, waited_s: float) -> StorageError:
    """Return an error for people; one of a kind of ours stays of that kind.

    Args:
        error: What went wrong.
        folder: Where the database stands, or should.
        waited_s: How long another process was waited for.
    """
    kind = type(error) if isinstance(error, StorageError) else StorageError
    hint: str | None
    if isinstance(error, StorageError):
        text, hint = str(error), error.hint or _move_away(folder)
    elif isinstance(error, sqlite3.Error):
        text, hint = _of_sqlite(error, folder, waited_s)
    else:
        text, hint = _of_disk(error, folder)
    return kind(f"the reply cache {str(folder)!r} cannot be used: {text}", hint=hint)


def _of_sqlite(error: sqlite3.Error, folder: Path, waited_s: float) -> tuple[str, str | None]:
    text, hint = str(error) or type(error).__name__, None
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY:
            text = f"another process has kept it locked for {waited_s:g} s"
            hint = "wait for that process to end, or end it"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            text = f"it is damaged: {text}"
            hint = f"{_move_away(folder)}; `sqlite3 cache.db .recover` may save what is whole"
        case sqlite3.SQLITE_CANTOPEN:
            hint = "open it once where it may be written, so that its log is folded into it"
        case sqlite3.SQLITE_FULL:
            hint = way_out(OSError(errno.ENOSPC, text))
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            hint = way_out(OSError(errno.EROFS, text), _SETTING)
        case sqlite3.SQLITE_IOERR:
            hint = f"see whether the disk is full or was taken away, and {_KEPT}"
    return text, hint


def _of_disk(error: OSError, folder: Path) -> tuple[str, str | None]:
    place = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if isinstance(error, NotADirectoryError | FileExistsError) and not place.is_dir():
        return f"{str(place)!r} is a file", way_out(error, _SETTING)
    return error.strerror or str(error) or type(error).__name__, way_out(error, _SETTING)


def _move_away(folder: Path) -> str:
    old, new = shlex.quote(str(folder)), shlex.quote(f"{folder}.broken")
    return f"move it away to start a new one: mv {old} {new}"
