"""Many at once on one folder: processes, threads, and those who may only read."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running import cache_db
from judgekit.running.cache import ReplyCache
from tests.running.cachefolder import KEY, REPLY, execute, key

NOBODY = 65_534
PROCESS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from judgekit.judging.request import ModelReply
from tests.running.cachefolder import key
from judgekit.running.cache import ReplyCache
cache, me = ReplyCache(sys.argv[1]), sys.argv[2]
def work(thread):
    for n in range(40):
        own = key(f"{me} {thread} {n}")
        shared = key(f"shared {n}")
        cache.put(own, ModelReply(f"{me} {n}"))
        there = cache.add_many([(shared, ModelReply(f"by {me}")), (own, ModelReply("no"))])
        assert there[own] == ModelReply(f"{me} {n}")
        stands = cache.get(shared)
        assert there.get(shared, ModelReply(f"by {me}")) == stands
        seen.append((shared, stands))
seen = []
with ThreadPoolExecutor(3) as threads:
    list(threads.map(work, range(3)))
assert cache.get_many(dict(seen)) == dict(seen)  # it is never replaced again
assert not cache.set_aside
cache.close()
"""
BUSY = """
import sys, time
from judgekit.running.cache import ReplyCache
cache = ReplyCache(sys.argv[1])
lines = []
for _ in range(15):
    lines = list(cache.export_lines())
    cache.prune(older_than_s=3600, max_bytes=10**9, now=time.time())
    cache.import_lines(lines)
    cache.stats()
    cache.close()
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process of its own."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, text=True, stderr=subprocess.PIPE)


@pytest.mark.slow
def test_four_processes_with_threads_lose_nothing(tmp_path: Path) -> None:
    """All start at once on a folder that is not there; two more prune, export and import."""
    processes = [start(PROCESS, tmp_path, f"p{n}") for n in range(4)]
    processes += [start(BUSY, tmp_path) for _ in range(2)]
    for process in processes:
        _, said = process.communicate(timeout=120)
        assert (process.returncode, said) == (0, "")

    cache = ReplyCache(tmp_path)
    keys = [key(f"p{p} {t} {n}") for p in range(4) for t in range(3) for n in range(40)]
    assert len(cache.get_many(keys)) == 480
    assert cache.stats()[:3:2] == (520, 0)
    assert execute(cache.folder, "PRAGMA integrity_check") == [("ok",)]
    assert execute(cache.folder, "SELECT value FROM Settings WHERE key = 'count'") == [(520,)]
    cache.close()
    assert sorted(p.name for p in cache.folder.iterdir()) == ["cache.db", "cache.db-asking"]


def test_threads_that_open_a_new_folder_together(tmp_path: Path) -> None:
    """The database is made once, and seen whole or not at all."""
    caches = [ReplyCache(tmp_path) for _ in range(8)]
    together = threading.Barrier(8)

    def work(n: int) -> None:
        together.wait()
        assert caches[n].get(KEY) in (None, REPLY)
        caches[n].put_many([(KEY, REPLY), (key(n), REPLY)])
        assert caches[n].get(KEY) == REPLY

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    for cache in caches:
        cache.close()

    assert ReplyCache(tmp_path).stats().entries == 9


def test_one_that_is_being_made_is_not_there_yet(cache: ReplyCache) -> None:
    """A reader never meets a database without its table."""
    cache.folder.mkdir(parents=True)
    (cache.folder / ".new-abc").mkdir()

    assert cache.get(KEY) is None
    assert cache.stats().entries == 0


def test_a_disk_without_links(cache: ReplyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is then moved into its place."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)

    assert cache.put(KEY, REPLY)
    assert cache.get(KEY) == REPLY


@contextmanager
def locked(cache: ReplyCache) -> Iterator[Callable[[], None]]:
    """Hold the database as a process in the middle of writing does; yield what lets go."""
    connection = sqlite3.connect(cache.folder / "cache.db", check_same_thread=False)
    with closing(connection):
        connection.execute("BEGIN IMMEDIATE")
        yield connection.rollback


def test_a_lock_is_waited_for(cache: ReplyCache) -> None:
    """Reading goes on meanwhile."""
    cache.put(KEY, REPLY)

    with locked(cache) as let_go, ThreadPoolExecutor(1) as thread:
        putting = thread.submit(cache.put, "b" * 64, REPLY)
        assert cache.get(KEY) == REPLY
        assert not putting.done()
        let_go()
        assert putting.result(timeout=20)


def test_a_lock_that_is_never_let_go_is_one_clear_error(
    cache: ReplyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a minute; nobody is told that a database is locked."""
    monkeypatch.setattr(cache_db, "LOCK_WAIT_S", 0.2)
    cache.put(KEY, REPLY)

    with locked(cache), pytest.raises(StorageError, match="another process") as caught:
        cache.put("b" * 64, REPLY)

    assert "database is locked" not in str(caught.value)
    assert caught.value.hint
    assert cache.put("b" * 64, REPLY)


@pytest.fixture
def readonly(cache: ReplyCache) -> Iterator[ReplyCache]:
    """Return a cache with one reply, in a folder we may only read, as on a shared disk in CI."""
    cache.put(KEY, REPLY)
    cache.close()
    with forbidden(cache.folder):
        yield cache
        cache.close()


@contextmanager
def forbidden(folder: Path) -> Iterator[None]:
    """Forbid writing; root, whom no mode stops, becomes nobody."""
    import diskcache  # noqa: F401  (nobody may not be able to read the packages)

    root = os.geteuid() == 0
    opened = [p for p in (folder, *folder.parents) if root and not p.stat().st_mode & 0o001]
    for path in opened:
        path.chmod(0o755)
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in (folder, *folder.iterdir()):
            path.chmod(0o700 if path.is_dir() else 0o600)


def test_a_folder_that_may_only_be_read_is_read(readonly: ReplyCache) -> None:
    """A run in which everything is cached needs no more."""
    assert readonly.get(KEY) == REPLY
    assert readonly.stats().entries == 1
    assert len(list(readonly.export_lines())) == 1
    assert sorted(p.name for p in readonly.folder.iterdir()) == ["cache.db", "cache.db-asking"]


@pytest.mark.parametrize(
    "change",
    [
        lambda cache: cache.put("b" * 64, REPLY),
        lambda cache: cache.put_many(()),
        lambda cache: cache.add_many([("b" * 64, REPLY)]),
        lambda cache: cache.forget([KEY]),
        lambda cache: cache.prune(older_than_s=0, now=2e9),
    ],
    ids=["put", "nothing", "add", "forget", "prune"],
)
def test_writing_to_it_is_one_clear_error(
    readonly: ReplyCache, change: Callable[[ReplyCache], object]
) -> None:
    """Also of nothing at all, which is how a run finds out before it pays."""
    with pytest.raises(StorageError, match="it is read-only, so nothing can be kept") as caught:
        change(readonly)

    assert "paths.cache" in (caught.value.hint or "")
    assert readonly.get(KEY) == REPLY


def test_what_others_write_to_it_is_seen(cache: ReplyCache) -> None:
    """It is opened without locks, so every look makes sure that nothing moved underneath."""
    cache.put_many((key(n), REPLY) for n in range(500))
    cache.close()
    reader, writer = ReplyCache(cache.folder.parent), ReplyCache(cache.folder.parent)
    with forbidden(cache.folder):
        assert reader.get(key(1)) == REPLY
    writer.put(key(1), ModelReply("changed"))
    writer.prune(now=2e9)  # which takes the log back into the file
    with forbidden(cache.folder):
        assert reader.get(key(1)) == ModelReply("changed")
        assert len(reader.get_many(key(n) for n in range(500))) == 500
    writer.close()
    reader.close()


def test_a_log_that_cannot_be_read_is_one_clear_error(cache: ReplyCache, tmp_path: Path) -> None:
    """A copy of a folder in the middle of writing, without SQLite's index of the log."""
    cache.put(KEY, REPLY)
    copied = tmp_path / "copy" / "replies-v1"
    copied.mkdir(parents=True)
    for name in ("cache.db", "cache.db-wal"):
        (copied / name).write_bytes((cache.folder / name).read_bytes())
    copy = ReplyCache(copied.parent)

    with forbidden(copied), pytest.raises(StorageError, match="cannot be used") as caught:
        copy.get(KEY)

    assert "where it may be written" in (caught.value.hint or "")
    assert copy.get(KEY) == REPLY
    copy.close()
