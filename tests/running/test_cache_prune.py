"""Pruning: what is of no use, what is old, and what is too much; in one step."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from judgekit.judging.request import ModelReply
from judgekit.running import cache_prune, cache_rubbish
from judgekit.running.cache import ReplyCache
from tests.running.cachefolder import KEY, REPLY, execute, insert, key

DAY = 86_400.0
NOW = 1_700_000_000.0


def fill(cache: ReplyCache, count: int, text: str = "x" * 500) -> list[str]:
    """Keep replies, the first one ``count`` days before now, the next a day later ..."""
    keys = [key(n) for n in range(count)]
    cache.put_many((name, ModelReply(text)) for name in keys)
    with closing(sqlite3.connect(cache.folder / "cache.db")) as connection, connection:
        connection.executemany(
            "UPDATE Cache SET store_time = ? WHERE key = ?",
            [(NOW - (count - n) * DAY, name) for n, name in enumerate(keys)],
        )
    return keys


def in_use(folder: Path) -> int:
    """Return the bytes of the pages that hold something."""
    ((size,), (free,), (pages,)) = (
        execute(folder, f"PRAGMA {name}")[0]
        for name in ("page_size", "freelist_count", "page_count")
    )
    return int(size * (pages - free))


def test_by_age(cache: ReplyCache) -> None:
    """Kept longer ago than asked; one kept exactly so long ago stays."""
    keys = fill(cache, 30)

    assert cache.prune(older_than_s=10 * DAY, now=NOW)[::2] == (20, 10)
    assert set(cache.get_many(keys)) == set(keys[20:])
    assert cache.prune(older_than_s=10 * DAY, now=NOW)[::2] == (0, 10)


def test_the_age_is_that_of_the_last_answer(cache: ReplyCache) -> None:
    """A reply asked for anew is new."""
    keys = fill(cache, 3)
    cache.put(keys[0], REPLY)

    cache.prune(older_than_s=2.5 * DAY, now=NOW)

    assert set(cache.get_many(keys)) == {keys[0], keys[1], keys[2]}
    cache.prune(older_than_s=1.5 * DAY, now=NOW)
    assert set(cache.get_many(keys)) == {keys[0], keys[2]}


@pytest.mark.parametrize("cap", [1_000_000, 400_000, 100_000])
@pytest.mark.parametrize("text", ["x" * 500, "x", "x" * 20_000])
def test_by_size(cache: ReplyCache, text: str, cap: int) -> None:
    """The oldest go until the rest fits; not many more than had to; the file really shrinks."""
    keys = fill(cache, 3_000 if len(text) < 10_000 else 60, text)
    before = in_use(cache.folder)

    done = cache.prune(max_bytes=cap, now=NOW)

    left = [name for name in keys if cache.get(name)]
    assert left == keys[done.removed :]
    assert done.left == len(left)
    size = (cache.folder / "cache.db").stat().st_size
    assert size <= max(cap, 40_960)
    if before > cap:
        assert size > 0.75 * cap - 40_960
        assert before - size <= done.freed_bytes
    else:
        assert done.removed == 0


def test_both_together(cache: ReplyCache) -> None:
    """First what is too old, then what is too much."""
    keys = fill(cache, 2_000)

    cache.prune(older_than_s=1_000 * DAY, max_bytes=10**9, now=NOW)
    assert cache.stats().entries == 1_000
    cache.prune(older_than_s=1_000 * DAY, max_bytes=0, now=NOW)
    assert cache.get_many(keys) == {}


def test_rows_of_no_use_go_whatever_is_asked(cache: ReplyCache) -> None:
    """They are counted, and no file of theirs is touched."""
    keys = fill(cache, 3)
    victim = cache.folder.parent / "victim"
    victim.write_text("precious")
    insert(cache, "pickle", b"\x80", mode=4)
    insert(cache, "file", None, mode=3, filename="../victim")
    insert(cache, KEY, "no JSON", store_time=NOW)
    insert(cache, b"blob", '{"text": "x"}')

    done = cache.prune(now=NOW)

    assert (done.removed, done.left, done.unusable) == (4, 3, 4)
    assert len(cache.get_many(keys)) == 3
    assert cache.stats().unusable == 0
    assert victim.exists()


@pytest.mark.parametrize("when", [None, "soon", b"\x01", -5.0, 1e300, float("inf")])
def test_a_row_without_a_time_is_the_oldest(cache: ReplyCache, when: object) -> None:
    """Nobody knows when it was kept."""
    keys = fill(cache, 3)
    insert(cache, KEY, '{"text":"x"}', store_time=when)

    assert cache.get(KEY) is not None
    assert cache.stats().oldest == NOW - 3 * DAY
    assert cache.prune(older_than_s=100 * DAY, now=NOW).removed == 1
    assert cache.get_many([KEY, *keys]).keys() == set(keys)


def test_a_row_answered_meanwhile_stays(cache: ReplyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking and removing, another process may put a reply in its place."""
    cache.put("other", REPLY)
    insert(cache, KEY, "no JSON")
    look = cache_rubbish.bad_rows

    def looking(database: object) -> list[object]:
        found = list(look(database))  # type: ignore[arg-type]
        with ReplyCache(cache.folder.parent) as another:
            another.put(KEY, REPLY)
        return list(found)

    monkeypatch.setattr(cache_prune, "bad_rows", looking)

    assert cache.prune(now=NOW).removed == 0
    assert cache.get(KEY) == REPLY


def test_nothing_to_prune(cache: ReplyCache) -> None:
    """An absent folder is not made."""
    assert cache.prune(older_than_s=0, max_bytes=0, now=NOW) == (0, 0, 0, 0)
    assert not cache.folder.exists()


def test_nobody_sees_it_half_done(cache: ReplyCache) -> None:
    """While it goes on, another reader sees all of the old or all of the new."""
    keys = fill(cache, 4_000, "x" * 100)
    seen: set[int] = set()
    done = threading.Event()

    def look() -> None:
        with ReplyCache(cache.folder.parent) as another:
            while not done.is_set():
                seen.add(len(another.get_many(keys[:500])))

    reader = threading.Thread(target=look)
    reader.start()
    time.sleep(0.05)
    cache.prune(older_than_s=3_000 * DAY, max_bytes=100_000, now=NOW)
    done.set()
    reader.join()

    assert seen <= {0, 500}
    assert cache.get_many(keys[:500]) == {}


def test_a_reader_does_not_stop_the_file_from_shrinking_for_good(
    cache: ReplyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With somebody reading, the room comes back when they have gone."""
    monkeypatch.setattr("judgekit.running.cache_db.CHECKPOINT_WAIT_S", 0.05)
    fill(cache, 2_000)
    with closing(sqlite3.connect(cache.folder / "cache.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM Cache").fetchall()
        assert cache.prune(max_bytes=0, now=NOW).left == 0
        assert cache.put(KEY, REPLY)
    cache.close()

    assert (cache.folder / "cache.db").stat().st_size < 100_000


def test_a_database_without_auto_vacuum_shrinks_too(cache: ReplyCache) -> None:
    """For example one that somebody made with the command line of SQLite."""
    fill(cache, 2_000)
    cache.close()
    for statement in ("PRAGMA journal_mode = delete", "VACUUM"):
        with closing(sqlite3.connect(cache.folder / "cache.db")) as connection:
            connection.execute("PRAGMA auto_vacuum = 0")
            connection.execute(statement)
    assert execute(cache.folder, "PRAGMA auto_vacuum") == [(0,)]

    cache.prune(max_bytes=200_000, now=NOW)

    assert (cache.folder / "cache.db").stat().st_size <= 200_000
    assert cache.stats().entries > 100
