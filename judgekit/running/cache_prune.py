"""Taking out of the cache what is of no use and what is old."""

from __future__ import annotations

import sqlite3
from array import array
from functools import partial
from typing import NamedTuple

from judgekit.running import cache_rows as sql
from judgekit.running.cache_db import Database
from judgekit.running.cache_rubbish import bad_rows, reason


class Pruned(NamedTuple):
    """What pruning did.

    Attributes:
        removed: Rows that were taken out, unusable ones included.
        freed_bytes: By how much the files became smaller.
        left: Rows that are still there.
        unusable: How many of those taken out were no replies.
    """

    removed: int
    freed_bytes: int
    left: int
    unusable: int


def prune(
    database: Database, *, older_than_s: float | None, max_bytes: int | None, now: float
) -> Pruned:
    """Take out what is of no use, then what is too old, then the oldest until the rest fits.

    All of it happens in one step: nobody sees it half done. Replies that others keep meanwhile
    are safe.

    Args:
        database: The cache.
        older_than_s: Take out replies kept more than so many seconds ago.
        max_bytes: Take out the oldest replies until the database takes no more room than this.
        now: Seconds since 1970.
    """
    bad = [found.row for found in bad_rows(database)]
    if database.read(_count) is None:
        return Pruned(0, 0, 0, 0)
    before = database.size()
    since = None if older_than_s is None else now - older_than_s
    change = partial(_take_out, bad=bad, since=since, max_bytes=max_bytes)
    removed, useless, left = database.write(change)
    database.shrink()
    return Pruned(removed, max(0, before - database.size()), left, useless)


def _count(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT COUNT(*) FROM Cache").fetchone()
    return int(count)


def _take_out(
    connection: sqlite3.Connection, bad: list[int], since: float | None, max_bytes: int | None
) -> tuple[int, int, int]:
    useless = removed = sum(_is_bad(connection, row) and _delete(connection, [row]) for row in bad)
    if since is not None:
        removed += connection.execute(sql.OUTDATED, (since,)).rowcount
    if max_bytes is not None:
        removed += _shorten(connection, max_bytes)
    return removed, useless, _count(connection)


def _is_bad(connection: sqlite3.Connection, row: int) -> bool:
    """Look again: since it was read, someone may have put a reply in its place."""
    found = connection.execute(sql.SCAN_ONE, (row,)).fetchone()
    return found is not None and reason(found[0]) is not None


def _shorten(connection: sqlite3.Connection, max_bytes: int) -> int:
    """Take out the oldest rows until the pages in use fit; return how many."""
    rows, sizes = array("q"), array("q")
    for row, size in connection.execute(sql.OLDEST):
        rows.append(row)
        sizes.append(size)
    done = 0
    while done < len(rows) and (excess := _in_use(connection) - max_bytes) > 0:
        # Freeing half of the excess cannot free too much, and a few rounds end it.
        end, room = done, excess // 2
        while end < len(rows) and (end == done or room > 0):
            room -= sizes[end]
            end += 1
        _delete(connection, rows[done:end].tolist())
        done = end
    return done


def _in_use(connection: sqlite3.Connection) -> int:
    def pragma(name: str) -> int:
        (value,) = connection.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")


def _delete(connection: sqlite3.Connection, rows: list[int]) -> int:
    deleted = connection.executemany("DELETE FROM Cache WHERE rowid = ?", [(r,) for r in rows])
    return deleted.rowcount
