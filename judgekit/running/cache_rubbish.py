"""Rows of a reply cache that are of no use, and why."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from judgekit.running import cache_rows as sql
from judgekit.running.cache_db import Database
from judgekit.running.stored import UnusableEntry, decode

_FIRST_ROW, _LAST_ROW = -(2**63), 2**63 - 1


class BadRow(NamedTuple):
    """A row that is no reply: where it stands, its key as far as it can be shown, and why."""

    row: int
    key: str
    why: str


def bad_rows(database: Database) -> Iterator[BadRow]:
    """Read everything, a few hundred rows at a time, and return the rows that are no replies."""
    row = _FIRST_ROW
    while rows := database.read(_scan, row):
        for row, key, text in rows:
            why = reason(text)
            if why is not None:
                yield BadRow(row, shown(key), why)
        if row == _LAST_ROW:
            return
        row += 1


def reason(text: bytes | None) -> str | None:
    """Return why a row that holds ``text`` is no reply, or None when it is one."""
    if text is None:
        return "not plain text"
    try:
        decode(text)
    except UnusableEntry as problem:
        return str(problem)
    return None


def shown(key: object) -> str:
    """Return a key as it may be printed: whoever wrote it may have meant the terminal."""
    text = key.decode(errors="replace") if isinstance(key, bytes) else str(key)
    short = text if len(text) <= 64 else f"{text[:63]}…"
    return short if short.isprintable() else ascii(short)[1:-1]


def _scan(connection: sqlite3.Connection, row: int) -> list[tuple[int, object, bytes | None]]:
    return connection.execute(sql.SCAN, (row,)).fetchall()
