"""The SQL of the reply cache, on the table that diskcache 5.6.3 makes.

A row is written with exactly the columns diskcache would give it, so that its triggers, and
programs that read the folder through it, stay right.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

CHUNK = 500
"""How many keys one query takes."""
LAST = 10**11
"""The last second since 1970 that is taken for a time, some 3,000 years ahead."""
_USABLE = "mode = 1 AND filename IS NULL AND expire_time IS NULL AND typeof(value) = 'text'"
_TEXT = f"CASE WHEN {_USABLE} THEN value END"
_DATED = f"(typeof(store_time) IN ('real', 'integer') AND store_time BETWEEN 0 AND {LAST})"
# Without INDEXED BY, SQLite takes the index of expire_time from 8 keys on, and reads every row.
SELECT = f"SELECT key, {_TEXT} FROM Cache INDEXED BY Cache_key_raw WHERE raw = 1 AND key IN ({{}})"  # noqa: S608
_INTO = (
    "INSERT INTO Cache(key, raw, store_time, expire_time, access_time, access_count, tag, size,"
    " mode, filename, value) VALUES "
)
ADD = "(?, 1, ?, NULL, ?, 0, NULL, 0, 1, NULL, ?)"
KEEP_THEIRS = " ON CONFLICT(key, raw) DO NOTHING"
REPLACE = (
    f"{_INTO}(?1, 1, ?2, NULL, ?2, 0, NULL, 0, 1, NULL, ?3) ON CONFLICT(key, raw) DO "
    "UPDATE SET store_time = ?2, expire_time = NULL, access_time = ?2, access_count = 0,"
    " tag = NULL, size = 0, mode = 1, filename = NULL, value = ?3"
)
_AT_ONCE = 50
"""How many rows one statement adds."""
# A key that is no text is never asked for; what stands under it is of no use either.
_REPLY = f"CASE WHEN raw = 1 AND typeof(key) = 'text' AND {_USABLE} THEN value END"
SCAN = f"SELECT rowid, key, {_REPLY} FROM Cache WHERE rowid >= ? ORDER BY rowid LIMIT 500"  # noqa: S608
SCAN_ONE = f"SELECT {_REPLY} FROM Cache WHERE rowid = ?"  # noqa: S608
IN_ORDER = (
    f"SELECT key, CASE WHEN {_DATED} THEN store_time ELSE 0.0 END, {_TEXT}"  # noqa: S608
    " FROM Cache INDEXED BY Cache_key_raw"
    " WHERE key > CAST(? AS TEXT) AND raw = 1 AND typeof(key) = 'text' ORDER BY key LIMIT 500"
)
_TIME = f"CASE WHEN {_DATED} THEN store_time END"
DELETE = "DELETE FROM Cache WHERE key = ? AND raw = 1"
SPAN = f"SELECT COUNT(*), MIN({_TIME}), MAX({_TIME}) FROM Cache"  # noqa: S608
OUTDATED = f"DELETE FROM Cache WHERE NOT {_DATED} OR store_time < ?"  # noqa: S608
# With each row, about what it takes in the table and in the index.
OLDEST = (
    "SELECT rowid, COALESCE(length(CAST(value AS BLOB)), 0) + 2 * length(key) + 100 FROM Cache"  # noqa: S608
    f" ORDER BY {_DATED}, store_time, rowid"
)
Row = tuple[str, float, str]
"""Key, when it was kept (seconds since 1970), text."""
Found = tuple[bytes, bytes | None]
"""Key and text; None for a row that is no plain text."""


class Rows(Protocol):
    """Texts by key, within one transaction."""

    def texts(self, keys: Sequence[str]) -> list[Found]:
        """Return what stands under ``keys``."""
        ...

    def replace(self, rows: Sequence[Row]) -> None:
        """Keep texts; what stood under their keys is gone."""
        ...

    def keep_theirs(self, rows: Sequence[Row]) -> list[Found]:
        """Keep the texts under whose key there is nothing; return what stands under the others."""
        ...

    def delete(self, keys: Sequence[str]) -> None:
        """Take out what stands under ``keys``."""
        ...


def texts(connection: sqlite3.Connection, keys: Sequence[str]) -> list[Found]:
    """Return what stands under ``keys`` in the table itself."""
    return connection.execute(_selecting(len(keys)), keys).fetchall()


@lru_cache(CHUNK)
def _selecting(count: int) -> str:
    return SELECT.format(",".join("?" * count))


@lru_cache(_AT_ONCE)
def _adding(count: int) -> str:
    """Return the statement that keeps so many texts under whose key there is nothing.

    One for all of them: whenever SQLite is at work, the other threads are, and each change of
    hands between them costs more than a row.
    """
    return _INTO + ",".join([ADD] * count) + KEEP_THEIRS


class TableRows:
    """Rows of the table itself.

    Args:
        connection: An open one that returns text as bytes.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def texts(self, keys: Sequence[str]) -> list[Found]:
        """Return what stands under ``keys``."""
        return texts(self._connection, keys)

    def replace(self, rows: Sequence[Row]) -> None:
        """Keep texts; what stood under their keys is gone."""
        self._connection.executemany(REPLACE, rows)

    def keep_theirs(self, rows: Sequence[Row]) -> list[Found]:
        """Keep the texts under whose key there is nothing; return what stands under the others."""
        added = 0
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            values = [v for key, kept_at, text in some for v in (key, kept_at, kept_at, text)]
            added += self._connection.execute(_adding(len(some)), values).rowcount
        if added == len(rows):
            return []
        (last,) = self._connection.execute("SELECT MAX(rowid) FROM Cache").fetchone()
        last -= added  # what was added stands last
        found: list[Found] = []
        for start in range(0, len(rows), CHUNK):
            keys = [key for key, *_ in rows[start : start + CHUNK]]
            query = f"{_selecting(len(keys))} AND +rowid <= ?"
            found += self._connection.execute(query, (*keys, last)).fetchall()
        return found

    def delete(self, keys: Sequence[str]) -> None:
        """Take out what stands under ``keys``."""
        self._connection.executemany(DELETE, [(key,) for key in keys])
