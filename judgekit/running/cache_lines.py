"""Replies as lines of JSON, to carry a cache from one machine to another."""

from __future__ import annotations

import codecs
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from judgekit.running import cache_rows as sql
from judgekit.running.cache_db import Database
from judgekit.running.cache_line import Line, read_line, written_line
from judgekit.running.stored import UnusableEntry

BATCH = 500


class Refused(NamedTuple):
    """A line that is no reply: its number, from 1, and why."""

    line: int
    why: str


class Imported(NamedTuple):
    """What importing did.

    Attributes:
        added: Replies that were not there yet.
        known: Replies whose key had one already; what was there stands.
        refused: Lines that are no replies.
    """

    added: int
    known: int
    refused: list[Refused]


def export_lines(
    database: Database, since: float | None, set_aside: Callable[[bytes, str], None]
) -> Iterator[str]:
    """Return every reply as a line of JSON, in the order of the keys.

    Args:
        database: The cache; it is read a few hundred rows at a time.
        since: Only replies kept at this time or later, in seconds since 1970.
        set_aside: Called with key and reason for each row that is no reply.
    """
    key = b""
    while rows := database.read(_page, key):
        for key, stored_at, text in rows:
            if since is not None and stored_at < since:
                continue
            try:
                yield written_line(key, stored_at, text)
            except UnusableEntry as problem:
                set_aside(key, str(problem))


def _page(connection: sqlite3.Connection, after: bytes) -> list[tuple[bytes, float, bytes | None]]:
    return connection.execute(sql.IN_ORDER, (after,)).fetchall()


def import_lines(lines: Iterable[bytes | str], add: Callable[[list[Line]], int]) -> Imported:
    """Keep the replies that ``lines`` hold; what is no reply is named and left out.

    Args:
        lines: As ``export_lines`` writes them. Blank ones are passed over.
        add: Keeps some replies and returns how many of them were not there yet.
    """
    refused: list[Refused] = []
    batch: dict[str, Line] = {}
    added = seen = 0
    for number, text in _numbered(lines):
        try:
            line = read_line(text)
        except UnusableEntry as problem:
            refused.append(Refused(number, str(problem)))
            continue
        seen += 1
        batch.setdefault(line.key, line)
        if len(batch) == BATCH:
            added += add(list(batch.values()))
            batch = {}
    if batch:
        added += add(list(batch.values()))
    return Imported(added, seen - added, refused)


def _numbered(lines: Iterable[bytes | str]) -> Iterator[tuple[int, bytes | str]]:
    """Return the lines that are not blank; a mark of the byte order is no text."""
    for number, text in enumerate(lines, 1):
        mark = codecs.BOM_UTF8 if isinstance(text, bytes) else "\ufeff"
        said = text.removeprefix(mark) if number == 1 else text  # type: ignore[arg-type]
        if said.strip():
            yield number, said
