"""The database of a reply cache, opened when it is needed and shared by the threads of a process.

One connection reads, one writes; each is used by one thread at a time. Whatever the disk or the
database says comes out as one StorageError that names the folder and the way out.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from judgekit.errors import StorageError
from judgekit.running.cache_files import DATABASE, Replaced, Standing, is_writable, present
from judgekit.running.cache_schema import check_schema, create
from judgekit.running.cache_trouble import explained
from judgekit.running.presence import Presence

T = TypeVar("T")
P = ParamSpec("P")
LOCK_WAIT_S = 60.0
"""How long to wait for another process that is writing."""
CHECKPOINT_WAIT_S = 5.0
CHECKPOINT_AFTER = 2_000
"""Changes (of rows, and of diskcache's counters with them) after which the log is folded in."""
_PAGES_KIB = 16_384
_FORKED: list[object] = []
"""Connections of a parent process. A child must not use them, nor close them."""


class Busy(Exception):
    """It would take waiting: another process is writing, or the log has to be folded in."""


class Database:
    """The database in one folder.

    Args:
        folder: Where it stands, or will.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reading, self._writing = threading.Lock(), threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._snapshot: tuple[object, ...] | None = None
        self._standing: Standing | None = None
        self._folded = 0
        """Changes made when the log was last folded in."""
        self._process = os.getpid()
        self.presence: Presence | None = None

    def read(
        self, ask: Callable[Concatenate[sqlite3.Connection, P], T], *what: P.args, **also: P.kwargs
    ) -> T | None:
        """Return what ``ask`` finds; None when there is no database yet. Text comes as bytes."""
        try:
            with self._reading:
                while (reader := self._open_reader()) is not None:
                    try:
                        found = ask(reader, *what, **also)
                    except sqlite3.DatabaseError:
                        if self._is_current():
                            raise
                    else:
                        if self._is_current():
                            return found
                    self._close_reader()  # others may write, and did so meanwhile: once more
                return None
        except (OSError, sqlite3.Error) as error:  # not `trouble`: this is the hot path
            raise explained(error, self.folder, LOCK_WAIT_S) from error

    def write(self, change: Callable[[sqlite3.Connection], T], *, wait: bool = True) -> T:
        """Make a change, all of it or none, and return what ``change`` does.

        Args:
            change: Makes it.
            wait: Wait for another process that is writing, and for the disk from time to time.

        Raises:
            Busy: without ``wait``, and nothing was done.
            Replaced: it was made in a database that is not in the folder any more; made again, it
                goes to the one that is.
        """
        if not self._writing.acquire(blocking=wait):
            raise Busy
        try:
            with self.trouble():
                return self._write(change, wait=wait)
        finally:
            self._writing.release()

    def _write(self, change: Callable[[sqlite3.Connection], T], *, wait: bool) -> T:
        writer = self._open_writer()
        full = writer.total_changes - self._folded >= CHECKPOINT_AFTER
        if wait:
            patiently(lambda: writer.execute("BEGIN IMMEDIATE"))
        elif full or not _begins(writer):
            raise Busy
        try:
            done = change(writer)
            writer.execute("COMMIT")
        except BaseException:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise
        self._check_standing()
        if full:
            with contextlib.suppress(sqlite3.Error):  # the change is made all the same
                writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._folded = writer.total_changes
        return done

    def ready(self) -> None:
        """Make sure that replies can be kept.

        Raises:
            StorageError: they cannot.
        """
        with self.trouble(), self._writing:
            self._open_writer()

    def shrink(self) -> None:
        """Give room that is not used any more back to the disk."""
        with self.trouble(), self._writing:
            writer = self._open_writer()
            try:
                writer.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_S * 1000:.0f}")
                if writer.execute("PRAGMA auto_vacuum").fetchone() == (0,):
                    writer.execute("VACUUM")
                # Readers hold it up; those who close the database later do the rest.
                writer.execute(f"PRAGMA busy_timeout = {CHECKPOINT_WAIT_S * 1000:.0f}")
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                writer.execute("PRAGMA busy_timeout = 0")

    def size(self) -> int:
        """Return the bytes that the database takes on disk."""
        total = 0
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                total += (self.folder / (DATABASE + suffix)).lstat().st_size
        return total

    def close(self) -> None:
        """Let go of the files; used again, they are opened again."""
        with self._reading:
            self._close_reader()
        with self._writing:
            self._close_writer()

    def _close_writer(self) -> None:
        if self._writer is not None and self._process == os.getpid():
            self._writer.close()
        self._writer = self._standing = None
        if self.presence is not None:
            self.presence.close()

    def _check_standing(self) -> None:
        """Let go of a database that is not the one in the folder any more.

        Raises:
            Replaced: it is not.
        """
        try:
            if self._standing is not None:
                self._standing.check()
        except Replaced:
            self._close_writer()
            with self._reading:
                self._close_reader()
            raise

    def _close_reader(self) -> None:
        if self._reader is not None and self._process == os.getpid():
            self._reader.close()
        self._reader = self._snapshot = None

    def _open_reader(self) -> sqlite3.Connection | None:
        self._after_fork()
        if self._reader is None:
            if not present(self.folder):
                return None
            if is_writable(self.folder):
                reader = self._connect("mode=rw")
            else:
                reader = self._connect(self._read_only())
            reader.execute("PRAGMA query_only = ON")
            self._reader = reader
        return self._reader

    def _read_only(self) -> str:
        """Return how to open it where nothing can be written, not even SQLite's own notes."""
        state = self._state()
        if state[-1]:  # a writer is at work, and its notes are there
            return "mode=ro"
        self._snapshot = state
        return "mode=ro&immutable=1"

    def _is_current(self) -> bool:
        return self._snapshot is None or self._snapshot == self._state()

    def _state(self) -> tuple[object, ...]:
        """Return what changes when someone else writes."""
        found = (self.folder / DATABASE).stat()
        try:
            pending = (self.folder / f"{DATABASE}-wal").stat().st_size
        except FileNotFoundError:
            pending = 0
        return (found.st_ino, found.st_size, found.st_mtime_ns, pending)

    def _open_writer(self) -> sqlite3.Connection:
        self._after_fork()
        if self._writer is None:
            _make_folder(self.folder)
            if not is_writable(self.folder):
                raise StorageError(
                    "it is read-only, so nothing can be kept in it",
                    hint="what is in it can be read; to ask a model, set another folder: "
                    "paths.cache in judgekit.toml",
                )
            if not present(self.folder):
                create(self.folder)
            writer = self._connect("mode=rw")
            patiently(lambda: writer.execute("PRAGMA journal_mode = WAL").fetchall())
            writer.execute("PRAGMA synchronous = NORMAL")
            # Whether to wait, for a lock or for the disk, is for each change to say.
            writer.execute("PRAGMA busy_timeout = 0")
            writer.execute("PRAGMA wal_autocheckpoint = 0")
            self._folded = 0
            self._writer, self._standing = writer, Standing(self.folder)
            self.presence = Presence(self.folder)
        return self._writer

    def _connect(self, how: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{(self.folder / DATABASE).as_uri()}?{how}",
            uri=True,
            timeout=LOCK_WAIT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            # Should anybody change the schema later, no function with side effects runs.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute(f"PRAGMA cache_size = -{_PAGES_KIB}")
            patiently(lambda: check_schema(connection))
        except BaseException:
            connection.close()
            raise
        connection.text_factory = bytes  # text that is not UTF-8 is one bad row, no exception
        return connection

    def _after_fork(self) -> None:
        if self._process != os.getpid():
            _FORKED.append((self._reader, self._writer))
            self._reader = self._writer = self._snapshot = self._standing = self.presence = None
            self._process = os.getpid()

    @contextlib.contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn whatever goes wrong into one error that names the folder and the way out."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise explained(error, self.folder, LOCK_WAIT_S) from error


def patiently(attempt: Callable[[], object]) -> None:
    """Do what SQLite does not always wait for: try until nobody else is in the way."""
    end = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            attempt()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.005)
        else:
            return


def _begins(writer: sqlite3.Connection) -> bool:
    """Begin a change if nobody else is making one."""
    try:
        writer.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _make_folder(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        with contextlib.suppress(OSError):  # someone else's folder, or a read-only disk
            folder.chmod(0o700)
