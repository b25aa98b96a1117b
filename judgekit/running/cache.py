"""The reply cache: what was paid for is kept, for good, and read as text only.

Replies stand in diskcache's SQLite database under the key of their request. diskcache makes the
database; we read and write its rows ourselves, many at a time, which is several times cheaper and
never comes near its unpickling. A row that is not plain text, or not a reply, is set aside: named
in ``set_aside``, treated as a miss, and overwritten by the next answer.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from judgekit.errors import InputError
from judgekit.judging.request import ModelReply
from judgekit.running import cache_rows as sql
from judgekit.running.cache_api import DiskcacheRows
from judgekit.running.cache_db import LOCK_WAIT_S, Busy, Database
from judgekit.running.cache_files import Replaced
from judgekit.running.cache_line import Line
from judgekit.running.cache_lines import Imported, Refused, export_lines, import_lines
from judgekit.running.cache_prune import Pruned, prune
from judgekit.running.cache_rows import CHUNK, Found, Rows, TableRows
from judgekit.running.cache_rubbish import bad_rows, shown
from judgekit.running.cache_schema import OtherSchema
from judgekit.running.claims import Claims
from judgekit.running.stored import UnusableEntry, decode, encode, is_complete

__all__ = ["CacheStats", "Imported", "Pruned", "Refused", "ReplyCache", "SetAside", "is_complete"]

T = TypeVar("T")

FORMAT = "replies-v1"
"""Part of the path: a folder of another format is another folder, never misread."""

NAMED = 5
"""How many unusable rows statistics name."""


class SetAside(NamedTuple):
    """A row that cannot be used."""

    key: str
    why: str


class CacheStats(NamedTuple):
    """What the cache holds.

    Attributes:
        entries: Replies.
        bytes: Size of the database on disk.
        unusable: Rows that are no replies.
        oldest: When the oldest reply was kept, in seconds since 1970; None without any.
        newest: When the newest was.
        set_aside: The first few of the unusable rows.
    """

    entries: int
    bytes: int
    unusable: int
    oldest: float | None = None
    newest: float | None = None
    set_aside: tuple[SetAside, ...] = ()


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
            # diskcache would expand it, and make the database where we do not look.
            raise InputError(f"the cache folder {str(self.folder)!r} has a variable in its name")
        self.set_aside: dict[str, str] = {}
        self._database = Database(self.folder)
        self._slow: DiskcacheRows | None = None

    def get(self, key: str) -> ModelReply | None:
        """Return the reply kept under ``key``, or None."""
        return self.get_many((key,)).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return the replies kept under those of ``keys`` that have one."""
        wanted = list(keys)
        if len(wanted) <= CHUNK:
            return self._decode(self._texts(wanted))
        found: dict[str, ModelReply] = {}
        for start in range(0, len(wanted), CHUNK):
            found |= self._decode(self._texts(wanted[start : start + CHUNK]))
        return found

    def put(self, key: str, reply: ModelReply) -> bool:
        """Keep ``reply`` and return True; return False for a reply that is not complete."""
        return self.put_many(((key, reply),)) == 1

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep the complete ones of ``entries``, all in one transaction; return how many.

        Without any entry it only makes sure that some could be kept.

        Raises:
            StorageError: nothing can be kept there.
        """
        now = time.time()
        rows = [(key, now, encode(reply)) for key, reply in entries if is_complete(reply)]
        if rows:
            self._change(lambda table: table.replace(rows))
        else:
            with contextlib.suppress(OtherSchema):  # which is written to in another way
                self._database.ready()
        return len(rows)

    def add_many(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply]:
        """Keep the complete ones of ``entries`` in one transaction; what is there stands.

        Returns:
            The replies that were there already, by key.
        """
        return self._add(_lines(entries))[1]

    def add_now(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply] | None:
        """Do what ``add_many`` does, or nothing and return None where it would take waiting."""
        try:
            return self._add(_lines(entries), wait=False)[1]
        except Busy:
            return None

    def forget(self, keys: Iterable[str]) -> None:
        """Take the replies under these keys out, so that they are asked anew."""
        gone = list(keys)
        if gone and self._texts(gone):
            self._change(lambda table: table.delete(gone))

    def stats(self) -> CacheStats:
        """Read everything that is there, and count it."""
        span = self._database.read(lambda reader: reader.execute(sql.SPAN).fetchone())
        if span is None:
            return CacheStats(0, 0, 0)
        rows, oldest, newest = span
        unusable, named = 0, []
        for found in bad_rows(self._database):
            unusable += 1
            if unusable <= NAMED:
                named.append(SetAside(found.key, found.why))
        size = self._database.size()
        return CacheStats(max(0, rows - unusable), size, unusable, oldest, newest, tuple(named))

    def prune(
        self, *, older_than_s: float | None = None, max_bytes: int | None = None, now: float
    ) -> Pruned:
        """Take out rows of no use, replies that are too old, then the oldest until the rest fits.

        All of it happens in one step: nobody sees it half done, and what others keep meanwhile
        stays.

        Args:
            older_than_s: Take out replies kept more than so many seconds before ``now``.
            max_bytes: Take out the oldest until the database takes no more bytes than this.
            now: Seconds since 1970.

        Raises:
            StorageError: the folder is read-only, or damaged.
        """
        return prune(self._database, older_than_s=older_than_s, max_bytes=max_bytes, now=now)

    def export_lines(self, since: float | None = None) -> Iterator[str]:
        """Return every reply as one line of JSON, in the order of the keys.

        Rows that are no replies are left out and named in ``set_aside``. A few hundred rows are
        read at a time; what others keep meanwhile may be among them or not.

        Args:
            since: Only replies kept at this time or later, in seconds since 1970.
        """
        return export_lines(self._database, since, self._note)

    def import_lines(self, lines: Iterable[bytes | str]) -> Imported:
        """Keep the replies of exported lines, with the time they were first kept.

        A reply that is there already stands. A line that is no reply is named, and left out.
        """
        return import_lines(lines, lambda batch: self._add(batch)[0])

    def others(self) -> bool:
        """Return whether others may have kept replies since this cache was first written to."""
        presence = self._database.presence
        return presence is None or presence.others()

    def claims(self) -> Claims:
        """Return what a run tells others with which requests it is asking."""
        return Claims(self.folder)

    def close(self) -> None:
        """Close the files; used again, the cache opens them again."""
        self._database.close()
        if self._slow is not None:
            self._slow.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _texts(self, keys: Sequence[str]) -> list[Found]:
        try:
            return self._database.read(sql.texts, keys) or []
        except OtherSchema:
            with self._database.trouble():
                return self._slowly().texts(keys)

    def _decode(self, rows: Iterable[Found]) -> dict[str, ModelReply]:
        found = {}
        for key, text in rows:
            try:
                if text is None:
                    raise UnusableEntry("not plain text")  # noqa: TRY301
                found[key.decode()] = decode(text)
            except UnusableEntry as problem:
                self._note(key, str(problem))
        return found

    def _note(self, key: bytes, why: str) -> None:
        self.set_aside[shown(key)] = why

    def _add(
        self, lines: Sequence[Line], *, wait: bool = True
    ) -> tuple[int, dict[str, ModelReply]]:
        """Keep what is not there yet; return how much that was, and what stands for the rest."""
        rows = {line.key: (line.key, line.stored_at, encode(line.reply)) for line in lines}

        def add(table: Rows) -> tuple[int, dict[str, ModelReply]]:
            there = table.keep_theirs(list(rows.values()))
            others = self._decode(there)
            spoilt = [rows[name] for key, _ in there if (name := key.decode()) not in others]
            table.replace(spoilt)
            return len(rows) - len(others), others

        return self._change(add, wait=wait) if rows else (0, {})

    def _change(self, change: Callable[[Rows], T], *, wait: bool = True) -> T:
        try:
            return self._database.write(lambda writer: change(TableRows(writer)), wait=wait)
        except OtherSchema:
            if not wait:
                raise Busy from None
            return self._change_slowly(change)

    def _change_slowly(self, change: Callable[[Rows], T]) -> T:
        slow = self._slowly()
        try:
            with self._database.trouble(), slow.transaction():
                return change(slow)
        except Replaced:
            slow.close()
            self._slow = None
            raise

    def _slowly(self) -> DiskcacheRows:
        if self._slow is None:
            self._slow = DiskcacheRows(self.folder, LOCK_WAIT_S)
        return self._slow


def _lines(entries: Iterable[tuple[str, ModelReply]]) -> list[Line]:
    now = time.time()
    return [Line(key, now, reply) for key, reply in entries if is_complete(reply)]
