"""The reply cache: what was paid for is kept, for good, and read as text only.

Replies stand in diskcache's SQLite database under the key of their request. Writing goes through
diskcache; reading is one SELECT for many keys on a connection of our own, which is several times
cheaper and never comes near diskcache's unpickling. A row that is not plain text, or not a reply,
is set aside: named in ``set_aside``, treated as a miss, and overwritten by the next answer.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

from judgekit.errors import InputError, StorageError
from judgekit.judging.request import ModelReply
from judgekit.running.stored import UnusableEntry, decode, encode

FORMAT = "replies-v1"
"""Part of the path: a folder of another format is another folder, never misread."""

CHUNK = 500
LOCK_WAIT_S = 60.0
SELECT = "SELECT key, mode, filename, typeof(value), value FROM Cache WHERE raw = 1 AND key IN ({})"
SETTINGS: dict[str, Any] = {
    "eviction_policy": "none",  # a paid reply that vanishes changes what a second run says
    "size_limit": 2**62,
    "cull_limit": 0,
    "statistics": 0,
    "tag_index": 0,
    "sqlite_mmap_size": 0,  # mapping the file saves no time here and costs 64 MB
    "sqlite_journal_mode": "wal",
    "sqlite_synchronous": 1,
}


class CacheStats(NamedTuple):
    """What the cache holds.

    Attributes:
        entries: Replies.
        bytes: Size of the folder's files.
        unusable: Rows that are no replies.
    """

    entries: int
    bytes: int
    unusable: int


def is_complete(reply: ModelReply) -> bool:
    """Whether a reply is worth keeping: an empty or truncated one is asked for again."""
    if reply.finish == "length":
        return False
    said_something = bool(reply.text.strip() or reply.refusal)
    return said_something or reply.finish == "content_filter"


class ReplyCache:
    """Replies by request key, in a folder that several processes may share.

    Args:
        root: The cache folder; replies go to ``root/replies-v1``, readable by the owner only.

    Attributes:
        folder: Where the replies stand.
        set_aside: Rows met so far that could not be used: key and why.
    """

    def __init__(self, root: Path | str) -> None:
        self.folder = Path(root).absolute() / FORMAT
        if os.path.expandvars(self.folder) != str(self.folder):
            # diskcache would expand it, and write where we do not read.
            raise InputError(f"the cache folder {str(self.folder)!r} has a variable in its name")
        self.set_aside: dict[str, str] = {}
        self._reading = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._has_table = False
        self._opening = threading.Lock()
        self._writer: Any = None

    def get(self, key: str) -> ModelReply | None:
        """Return the reply kept under ``key``, or None."""
        return self.get_many((key,)).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return the replies kept under those of ``keys`` that have one."""
        found: dict[str, ModelReply] = {}
        remaining = iter(keys)
        while chunk := tuple(islice(remaining, CHUNK)):
            for key, mode, filename, kind, value in self._rows(chunk):
                try:
                    if mode != 1 or filename is not None or kind != b"text":
                        raise UnusableEntry("not plain text")  # noqa: TRY301
                    found[key.decode()] = decode(value)
                except UnusableEntry as problem:
                    self.set_aside[key.decode(errors="replace")] = str(problem)
        return found

    def put(self, key: str, reply: ModelReply) -> bool:
        """Keep ``reply`` and return True; return False for a reply that is not complete."""
        return self.put_many(((key, reply),)) == 1

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep the complete ones of ``entries``, all in one transaction; return how many."""
        texts = [(key, encode(reply)) for key, reply in entries if is_complete(reply)]
        if not texts:
            return 0
        with self._disk_trouble():
            writer = self._open_writer()
            with writer.transact():
                for key, text in texts:
                    writer.set(key, text)
        return len(texts)

    def forget(self, keys: Iterable[str]) -> None:
        """Take the replies under these keys out, so that they are asked anew."""
        if not self._exists():
            return
        with self._disk_trouble():
            writer = self._open_writer()
            with writer.transact():
                for key in keys:
                    writer.delete(key)

    def stats(self) -> CacheStats:
        """Count what is there."""
        if not self._exists():
            return CacheStats(0, 0, 0)
        usable = "raw = 1 AND mode = 1 AND filename IS NULL AND typeof(value) = 'text'"
        with self._disk_trouble(), self._reading:
            reader = self._open_reader()
            (rows,) = reader.execute("SELECT COUNT(*) FROM Cache").fetchone()
            (entries,) = reader.execute(f"SELECT COUNT(*) FROM Cache WHERE {usable}").fetchone()  # noqa: S608
        size = sum(f.stat().st_size for f in self.folder.rglob("*") if f.is_file())
        return CacheStats(entries, size, rows - entries)

    def close(self) -> None:
        """Close the files that this thread uses; used again, the cache opens them again."""
        with self._reading:
            if self._reader is not None:
                self._reader.close()
            self._reader, self._has_table = None, False
        if self._writer is not None:
            self._writer.close()  # diskcache has a connection for each thread

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, keys: tuple[str, ...]) -> list[tuple[bytes, int, object, bytes, bytes]]:
        if not self._exists():
            return []
        marks = ",".join("?" * len(keys))
        with self._disk_trouble(), self._reading:
            return self._open_reader().execute(SELECT.format(marks), keys).fetchall()

    def _exists(self) -> bool:
        """Whether there is a table to read; another process may be just about to make it."""
        if self._reader is None and not (self.folder / "cache.db").is_file():
            return False
        if not self._has_table:
            query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Cache'"
            with self._disk_trouble(), self._reading:
                self._has_table = self._open_reader().execute(query).fetchone() is not None
        return self._has_table

    def _open_reader(self) -> sqlite3.Connection:
        if self._reader is None:
            reader = sqlite3.connect(
                self.folder / "cache.db",
                timeout=LOCK_WAIT_S,
                isolation_level=None,
                check_same_thread=False,
            )
            reader.text_factory = bytes  # text that is not UTF-8 is one bad row, not an exception
            reader.execute("PRAGMA query_only = ON")
            reader.execute("PRAGMA trusted_schema = OFF")
            self._reader = reader
        return self._reader

    def _open_writer(self) -> Any:
        with self._opening:
            if self._writer is None:
                import diskcache

                from judgekit.running.textdisk import TextDisk

                self._make_folder()
                self._writer = diskcache.Cache(
                    str(self.folder), timeout=LOCK_WAIT_S, disk=TextDisk, **SETTINGS
                )
            return self._writer

    def _make_folder(self) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        if self.folder.stat().st_mode & 0o077:
            with contextlib.suppress(PermissionError):  # a folder of someone else's
                self.folder.chmod(0o700)

    @contextlib.contextmanager
    def _disk_trouble(self) -> Iterator[None]:
        """Turn whatever the disk or the database says into one error that names the folder."""
        try:
            yield
        except StorageError:
            raise
        except Exception as error:
            text = str(error) or type(error).__name__
            hint = "another process holds it" if type(error).__name__ == "Timeout" else None
            if isinstance(error, sqlite3.DatabaseError) and "not a database" in text:
                hint = f"move the folder away to start a new one: {self.folder}"
            message = f"the reply cache {os.fspath(self.folder)!r} cannot be used: {text}"
            raise StorageError(message, hint=hint) from error
