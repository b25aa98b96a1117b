"""Putting replies on disk from within an event loop: on disk before anybody goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.running.writer import CacheWriter
from tests.running.cachefolder import KEY, REPLY, execute, key


class Watched(ReplyCache):
    """Notes its transactions; waits in each for a gate to open."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.batches: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()

    def add_now(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply] | None:
        """Leave it to the thread, which may wait."""
        return None

    def add_many(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply]:
        """Keep them once the gate is open."""
        batch = dict(entries)
        self.gate.wait()
        self.batches.append(list(batch))
        return super().add_many(batch.items())


def test_a_reply_is_on_disk_when_put_returns(cache: ReplyCache) -> None:
    """Seen by another process, at that moment."""

    async def main() -> None:
        writer = CacheWriter(cache)
        for n in range(20):
            assert await writer.put(key(n), REPLY) is REPLY
            with ReplyCache(cache.folder.parent) as another:
                assert another.get(key(n)) == REPLY
        await writer.aclose()

    asyncio.run(main())


def test_a_turn_of_the_loop_is_one_transaction(tmp_path: Path) -> None:
    """What comes in while one runs goes together into the next, whatever turn it came in."""
    cache = Watched(tmp_path)

    async def main() -> None:
        writer = CacheWriter(cache)
        await asyncio.gather(*(writer.put(key(n), REPLY) for n in range(64)))
        assert [len(batch) for batch in cache.batches] == [64]
        cache.gate.clear()
        puts = []
        for n in range(100, 110):
            puts.append(asyncio.create_task(writer.put(key(n), REPLY)))
            await asyncio.sleep(0.001)
        assert not any(put.done() for put in puts)
        cache.gate.set()
        await asyncio.gather(*puts)
        await writer.aclose()

    asyncio.run(main())
    assert len(cache.batches) <= 3  # the first of the ten may be on its way before the rest
    assert cache.stats().entries == 74
    cache.close()


def test_a_cache_that_is_free_is_written_in_the_loop(
    cache: ReplyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No thread is woken: what comes in within a few turns is one transaction."""
    batches: list[int] = []

    def add(entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply] | None:
        batches.append(len(some := list(entries)))
        return ReplyCache.add_now(cache, some)

    monkeypatch.setattr(cache, "add_now", add)

    async def later(writer: CacheWriter, name: int) -> None:
        await asyncio.sleep(0)
        await writer.put(key(name), REPLY)

    async def main() -> None:
        writer = CacheWriter(cache)
        work = [writer.put(key(1), REPLY), later(writer, 2), writer.put(key(3), REPLY)]
        await asyncio.gather(*work)
        assert not writer._thread._threads
        await writer.aclose()

    asyncio.run(main())
    assert batches == [3]
    assert cache.stats().entries == 3


def test_another_process_that_writes_holds_up_no_loop(cache: ReplyCache) -> None:
    """The thread waits for it; calls in flight go on meanwhile."""

    async def main() -> None:
        writer = CacheWriter(cache)
        await writer.put(key("before"), REPLY)
        with closing(sqlite3.connect(cache.folder / "cache.db", isolation_level=None)) as theirs:
            theirs.execute("BEGIN IMMEDIATE")
            put = asyncio.create_task(writer.put(KEY, REPLY))
            longest = 0.0
            for _ in range(20):
                before = time.perf_counter()
                await asyncio.sleep(0.01)
                longest = max(longest, time.perf_counter() - before)
            assert not put.done()
            theirs.execute("COMMIT")
        assert await asyncio.wait_for(put, 10) is REPLY
        await writer.aclose()
        assert longest < 1

    asyncio.run(main())
    assert cache.get(KEY) == REPLY


def test_the_log_is_folded_in_by_the_thread(cache: ReplyCache) -> None:
    """It stays short however much is written, and the loop never waits for the disk."""
    log, sizes = cache.folder / "cache.db-wal", []

    async def main() -> None:
        writer = CacheWriter(cache)
        for start in range(0, 6_000, 20):
            await asyncio.gather(*(writer.put(key(start + n), REPLY) for n in range(20)))
            if start in (2_000, 5_980):
                sizes.append(log.stat().st_size)
        assert writer._thread._threads
        await writer.aclose()

    asyncio.run(main())
    assert cache.stats().entries == 6_000
    assert sizes[1] < 1.5 * sizes[0]


def test_what_another_process_has_kept_stands(cache: ReplyCache) -> None:
    """Also when it says the same, word for word: whoever asked must know that another did."""
    with ReplyCache(cache.folder.parent) as another:
        another.put_many([(key(1), ModelReply("theirs")), (key(2), REPLY)])

    async def main() -> list[ModelReply]:
        writer = CacheWriter(cache)
        stands = await asyncio.gather(*(writer.put(key(n), REPLY) for n in (1, 2, 3)))
        await writer.aclose()
        return stands

    stands = asyncio.run(main())
    assert stands == [ModelReply("theirs"), REPLY, REPLY]
    assert [reply is REPLY for reply in stands] == [False, False, True]
    assert cache.get(key(1)) == ModelReply("theirs")


def test_asked_anew_it_takes_its_place(cache: ReplyCache) -> None:
    """When that is what is wanted."""
    cache.put(KEY, ModelReply("old"))

    async def main() -> None:
        writer = CacheWriter(cache, replace=True)
        assert await writer.put(KEY, REPLY) is REPLY
        await writer.aclose()

    asyncio.run(main())
    assert cache.get(KEY) == REPLY


def test_a_cache_that_cannot_be_written_is_known_before_anything_is_paid(tmp_path: Path) -> None:
    """A file is in the way."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError):
        CacheWriter(ReplyCache(tmp_path / "file"))


def test_trouble_with_the_disk_reaches_everyone_who_waits(tmp_path: Path) -> None:
    """One error for all, whoever meets it first; the writer still ends."""

    class Full(ReplyCache):
        def add_now(self, entries: object) -> dict[str, ModelReply] | None:
            raise StorageError("the disk is full")

        def add_many(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply]:
            raise StorageError("the disk is full")

    async def main() -> list[object]:
        writer = CacheWriter(Full(tmp_path))
        puts = [writer.put(key(n), REPLY) for n in range(3)]
        outcomes = await asyncio.gather(*puts, return_exceptions=True)
        await writer.aclose()
        return list(outcomes)

    assert [type(outcome) for outcome in asyncio.run(main())] == [StorageError] * 3


def test_one_reply_that_cannot_be_kept_spoils_no_other(cache: ReplyCache) -> None:
    """A client's mistake is not everybody's."""

    async def main() -> list[object]:
        writer = CacheWriter(cache)
        replies = [REPLY, ModelReply("x", cost_usd=float("nan")), REPLY]
        puts = [writer.put(key(n), reply) for n, reply in enumerate(replies)]
        outcomes = await asyncio.gather(*puts, return_exceptions=True)
        await writer.aclose()
        return list(outcomes)

    outcomes = asyncio.run(main())
    assert [type(outcome) for outcome in outcomes] == [ModelReply, ValueError, ModelReply]
    assert cache.stats().entries == 2


def test_closing_writes_what_is_left(tmp_path: Path) -> None:
    """Also for workers that were cancelled meanwhile: it was paid for."""
    cache = Watched(tmp_path)

    async def main() -> None:
        writer = CacheWriter(cache)
        cache.gate.clear()
        puts = [asyncio.create_task(writer.put(key(n), REPLY)) for n in range(3)]
        await asyncio.sleep(0.01)
        puts += [asyncio.create_task(writer.put(key(n), REPLY)) for n in range(3, 6)]
        await asyncio.sleep(0)
        for put in puts:
            put.cancel()
        cache.gate.set()
        await asyncio.gather(*puts, return_exceptions=True)
        await writer.aclose()

    asyncio.run(main())
    assert cache.stats().entries == 6
    assert not [thread for thread in threading.enumerate() if "judgekit-cache" in thread.name]
    cache.close()


def test_closing_right_after_a_put(cache: ReplyCache) -> None:
    """Before the loop had a turn to hand it over."""

    async def main() -> None:
        writer = CacheWriter(cache)
        put = asyncio.create_task(writer.put(KEY, REPLY))
        await asyncio.sleep(0)
        await writer.aclose()
        assert put.done()

    asyncio.run(main())
    assert cache.get(KEY) == REPLY


def test_a_reply_that_comes_as_the_thread_comes_to_rest(cache: ReplyCache) -> None:
    """The thread has looked and found nothing, but the loop does not know yet."""

    async def main() -> None:
        writer = CacheWriter(cache)
        writer._at_work = True
        put = asyncio.create_task(writer.put(KEY, REPLY))
        await asyncio.sleep(0.01)
        assert not put.done()
        writer._rest(asyncio.get_running_loop())
        assert await asyncio.wait_for(put, 10) is REPLY
        await writer.aclose()

    asyncio.run(main())


def test_a_writer_without_work_ends(cache: ReplyCache) -> None:
    """At once, and its thread with it."""

    async def main() -> None:
        await CacheWriter(cache).aclose()

    asyncio.run(asyncio.wait_for(main(), 10))

    assert not [t for t in threading.enumerate() if t.name.startswith("judgekit-cache")]


class InMemory:
    """A cache of someone else's, with no more than it must have."""

    def __init__(self) -> None:
        self.kept: dict[str, ModelReply] = {}

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return what is there."""
        return {key: self.kept[key] for key in keys if key in self.kept}

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep all."""
        added = dict(entries)
        self.kept.update(added)
        return len(added)

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_cache_without_add_many_will_do() -> None:
    """The contract asks for three methods."""
    cache = InMemory()
    cache.kept[key(1)] = ModelReply("theirs")

    async def main() -> list[ModelReply]:
        writer = CacheWriter(cache)
        stands = await asyncio.gather(*(writer.put(key(n), REPLY) for n in (1, 2)))
        await writer.aclose()
        return stands

    assert asyncio.run(main()) == [ModelReply("theirs"), REPLY]
    assert cache.kept[key(1)] == ModelReply("theirs")


PUTTING = """
import asyncio, os, sys
from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.running.writer import CacheWriter
from tests.running.cachefolder import key
async def work(writer, numbers):
    for n in numbers:
        await writer.put(key(n), ModelReply(f"reply {n}"))
        os.write(1, b"%d\\n" % n)
async def main():
    writer, numbers = CacheWriter(ReplyCache(sys.argv[1])), iter(range(10**9))
    await asyncio.gather(*(work(writer, numbers) for _ in range(16)))
asyncio.run(main())
"""


def test_what_put_returned_survives_a_kill(tmp_path: Path) -> None:
    """At random moments, all on one folder; the next one goes on with what is there."""
    acknowledged: set[int] = set()
    for moment in (0.05, 0.11, 0.02):
        process = subprocess.Popen(
            [sys.executable, "-c", PUTTING, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        said = process.stdout.readline()  # it has begun
        time.sleep(moment)
        os.kill(process.pid, signal.SIGKILL)
        said += process.communicate()[0]
        acknowledged |= {int(number) for number in said.split()}

        with ReplyCache(tmp_path) as cache:
            found = cache.get_many(key(n) for n in acknowledged)
            assert found == {key(n): ModelReply(f"reply {n}") for n in acknowledged}
            assert cache.stats().unusable == 0
    assert execute(tmp_path / "replies-v1", "PRAGMA integrity_check") == [("ok",)]
    assert len(acknowledged) > 50
