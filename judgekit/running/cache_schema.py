"""The schema of a reply cache's database: made once, whole, by diskcache, and held to the word.

It has to be the one of diskcache 5.6.3: no trigger, view or index of anybody else's. diskcache
itself never opens a folder it did not just make, since it obeys the settings it finds there.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from judgekit.errors import StorageError
from judgekit.running.cache_files import DATABASE

SETTINGS: dict[str, Any] = {
    "eviction_policy": "none",  # a paid reply that vanishes changes what a second run says
    "size_limit": 2**62,
    "cull_limit": 0,
    "statistics": 0,
    "tag_index": 0,
    "sqlite_auto_vacuum": 1,  # room that pruning frees goes back to the disk
    "sqlite_mmap_size": 0,  # mapping the file saves no time here and costs 64 MB
    "sqlite_journal_mode": "wal",
    "sqlite_synchronous": 1,
}

SCHEMA = frozenset(
    line.strip()
    for line in """
CREATE TABLE Settings ( key TEXT NOT NULL UNIQUE, value)
sqlite_autoindex_Settings_1
CREATE TABLE Cache ( rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL, \
expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB, \
size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB)
CREATE UNIQUE INDEX Cache_key_raw ON Cache(key, raw)
CREATE INDEX Cache_expire_time ON Cache (expire_time)
CREATE TRIGGER Settings_count_insert AFTER INSERT ON Cache FOR EACH ROW BEGIN \
UPDATE Settings SET value = value + 1 WHERE key = "count"; END
CREATE TRIGGER Settings_count_delete AFTER DELETE ON Cache FOR EACH ROW BEGIN \
UPDATE Settings SET value = value - 1 WHERE key = "count"; END
CREATE TRIGGER Settings_size_insert AFTER INSERT ON Cache FOR EACH ROW BEGIN \
UPDATE Settings SET value = value + NEW.size WHERE key = "size"; END
CREATE TRIGGER Settings_size_update AFTER UPDATE ON Cache FOR EACH ROW BEGIN \
UPDATE Settings SET value = value + NEW.size - OLD.size WHERE key = "size"; END
CREATE TRIGGER Settings_size_delete AFTER DELETE ON Cache FOR EACH ROW BEGIN \
UPDATE Settings SET value = value - OLD.size WHERE key = "size"; END
""".strip().splitlines()
)
"""What diskcache 5.6.3 makes of an empty folder with our settings, word for word."""


class OtherSchema(StorageError):
    """The database is one that the installed diskcache makes, but not one we know the inside of."""


def create(folder: Path) -> None:
    """Let diskcache make an empty database, and put it into ``folder`` in one step.

    Others see it whole or not at all; where one of them was first, theirs stays.
    """
    import tempfile

    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as made:
        _make(made)
        new, place = Path(made, DATABASE), folder / DATABASE
        try:
            os.link(new, place)
        except FileExistsError:
            pass
        except OSError:  # no hard links on this disk
            if not place.exists():
                new.rename(place)


def check_schema(connection: sqlite3.Connection) -> None:
    """Hold the schema of an open database to the one we know.

    Raises:
        OtherSchema: it is another, which the installed diskcache makes.
        StorageError: it is nobody's that we know; names what is in it and should not be.
    """
    schema = schema_of(connection)
    if schema == SCHEMA:
        return
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        _make(made)
        fresh = sqlite3.connect(Path(made, DATABASE))
        try:
            same = schema == schema_of(fresh) and _settings(connection) <= _settings(fresh)
        finally:
            fresh.close()
    if same:
        raise OtherSchema("its database was made by a diskcache that judgekit knows too little of")
    if not schema:
        raise StorageError("its database is empty, without as much as a table")
    strange, lacking = sorted(schema - SCHEMA), sorted(SCHEMA - schema)
    what = f"holds {strange[0][:60]!r}" if strange else f"lacks {lacking[0]!r}"
    raise StorageError(f"its database is not as judgekit makes it: it {what}")


def schema_of(connection: sqlite3.Connection) -> frozenset[str]:
    """Return the words of the database's schema; statistics of ANALYZE do no harm."""
    rows = connection.execute("SELECT COALESCE(sql, name), name FROM sqlite_master")
    return frozenset(text for text, name in rows if not name.startswith("sqlite_stat"))


def _settings(connection: sqlite3.Connection) -> set[str]:
    return {key for (key,) in connection.execute("SELECT key FROM Settings")}


def _make(folder: str) -> None:
    import diskcache

    from judgekit.running.textdisk import TextDisk

    diskcache.Cache(folder, disk=TextDisk, **SETTINGS).close()
