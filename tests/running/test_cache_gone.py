"""A cache that is deleted or replaced under the one who writes to it: nothing is lost unsaid."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running import cache_schema
from judgekit.running.cache import ReplyCache
from judgekit.running.writer import CacheWriter
from tests.running.cachefolder import KEY, REPLY, key

GONE = "it was deleted, or replaced, while it was in use"


def deleted(folder: Path) -> None:
    """Delete the whole folder."""
    shutil.rmtree(folder)


def moved(folder: Path) -> None:
    """Move it somewhere else."""
    folder.rename(folder.with_name("moved"))


def replaced(folder: Path) -> None:
    """Put another in its place."""
    shutil.rmtree(folder)
    with ReplyCache(folder.parent) as another:
        another.put(key("theirs"), REPLY)


def without_log(folder: Path) -> None:
    """Delete what is not yet in the database itself."""
    (folder / "cache.db-wal").unlink()


@pytest.mark.parametrize("happens", [deleted, moved, replaced, without_log])
def test_what_was_written_into_nothing_is_told(cache: ReplyCache, happens: object) -> None:
    """One clear error with the way out; said again, it is kept where it will be found."""
    cache.put(key("before"), REPLY)
    assert cache.get(key("before")) == REPLY
    happens(cache.folder)  # type: ignore[operator]

    with pytest.raises(StorageError, match=GONE) as told:
        cache.put(KEY, REPLY)
    cache.put(KEY, REPLY)

    assert str(cache.folder) in str(told.value)
    assert "run it again" in (told.value.hint or "")
    assert cache.get(KEY) == REPLY
    with ReplyCache(cache.folder.parent) as another:
        assert another.get(KEY) == REPLY
        assert happens is not replaced or another.get(key("theirs")) == REPLY


def test_so_it_is_for_a_database_of_another_form(
    cache: ReplyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is written to through diskcache's own door."""
    monkeypatch.setattr(cache_schema, "SCHEMA", frozenset({"CREATE TABLE Cache (another form)"}))
    cache.put(key("before"), REPLY)
    cache.put(key("again"), REPLY)
    deleted(cache.folder)

    with pytest.raises(StorageError, match=GONE):
        cache.put(KEY, REPLY)
    cache.put(KEY, REPLY)

    with ReplyCache(cache.folder.parent) as another:
        assert another.get(KEY) == REPLY


def test_others_who_come_and_go_are_no_reason(cache: ReplyCache) -> None:
    """They open and close the files, fold the log into the database, make it smaller."""
    for n in range(5):
        cache.put(key(n), REPLY)
        with ReplyCache(cache.folder.parent) as another:
            another.put(key(f"theirs {n}"), REPLY)
            another.prune(max_bytes=10_000_000, now=2e9)
        with sqlite3.connect(cache.folder / "cache.db") as plain:
            plain.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        plain.close()

    assert cache.stats().entries == 10


def test_a_run_keeps_what_it_paid_for_last(cache: ReplyCache) -> None:
    """Everyone who waits is told, so the run ends; the replies are in the new database."""

    async def main() -> list[object]:
        writer = CacheWriter(cache)
        await writer.put(key("before"), REPLY)
        deleted(cache.folder)
        puts = (writer.put(key(n), ModelReply(f"reply {n}")) for n in range(3))
        outcomes = await asyncio.gather(*puts, return_exceptions=True)
        await writer.aclose()
        return list(outcomes)

    outcomes = asyncio.run(main())

    assert [type(outcome).__mro__[1] for outcome in outcomes] == [StorageError] * 3
    with ReplyCache(cache.folder.parent) as another:
        kept = another.get_many(key(n) for n in range(3))
    assert kept == {key(n): ModelReply(f"reply {n}") for n in range(3)}


def test_a_full_disk_has_its_way_out(cache: ReplyCache) -> None:
    """SQLite's own word for it; what was kept stays."""
    cache.put(KEY, REPLY)
    writer = cache._database._writer
    assert writer is not None
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StorageError, match="full") as told:
        cache.put(key(1), ModelReply("x" * 100_000))

    assert "make room on the disk" in (told.value.hint or "")
    assert cache.get(KEY) == REPLY


@pytest.mark.parametrize("place", ["cache", "cache/replies-v1"])
def test_a_file_in_the_place_of_the_folder(tmp_path: Path, place: str) -> None:
    """It is named, and the setting that goes round it; SQLite's names are not."""
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("mine")

    for door in (lambda c: c.put(KEY, REPLY), lambda c: c.get(KEY)):
        with pytest.raises(StorageError, match=f"{place}' is a file") as told:
            door(ReplyCache(tmp_path / "cache"))
        assert "paths.cache in judgekit.toml" in (told.value.hint or "")
        assert "journal" not in str(told.value)
    assert (tmp_path / place).read_text() == "mine"
