"""Reaching into a cache folder behind the cache's back, as someone with access to it could."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache

REPLY = ModelReply('{"level": "good"}', finish="stop")


def key(name: object) -> str:
    """Return the key of a made-up request."""
    return sha256(str(name).encode()).hexdigest()


KEY = key("the question")


def execute(folder: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Run one statement in the database and return what it finds."""
    with closing(sqlite3.connect(folder / "cache.db")) as connection, connection:
        return connection.execute(sql, values).fetchall()


def insert(cache: ReplyCache, name: object, value: object, **columns: object) -> None:
    """Put a row there; what stood under its key is gone."""
    execute(cache.folder, "DELETE FROM Cache WHERE key = ?", name)
    row = {
        "key": name,
        "value": value,
        "raw": 1,
        "mode": 1,
        "size": 0,
        "store_time": 1.0,
        **columns,
    }
    marks = ",".join("?" * len(row))
    execute(cache.folder, f"INSERT INTO Cache ({','.join(row)}) VALUES ({marks})", *row.values())  # noqa: S608


def schema(folder: Path) -> list[tuple[Any, ...]]:
    """Return the schema of the database, in order."""
    return execute(folder, "SELECT name, sql FROM sqlite_master ORDER BY name")
