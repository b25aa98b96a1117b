"""A cache folder that someone else wrote: nothing runs, nothing outside is touched."""

from __future__ import annotations

import contextlib
import os
import pickle
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import diskcache
import pytest

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.running.textdisk import TextDisk
from tests.running.cachefolder import KEY, REPLY, execute, insert, key


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.proof,))


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """Return the file that tells that a payload has run."""
    return tmp_path / "proof"


@pytest.fixture
def planted(cache: ReplyCache, proof: Path) -> ReplyCache:
    """Return a cache with pickles in every place: as a value, in a file, as a key."""
    evil = pickle.dumps(Payload(proof))
    cache.put(KEY, REPLY)
    (cache.folder / "evil.val").write_bytes(evil)
    insert(cache, "inline", evil, mode=4)
    insert(cache, "in-file", None, mode=4, filename="evil.val")
    insert(cache, evil, "text", raw=0)
    return cache


def use(cache: ReplyCache) -> None:
    """Do everything one can do with a cache."""
    names = ["inline", "in-file", KEY, key(1)]
    cache.get_many(names)
    cache.stats()
    cache.put_many((name, REPLY) for name in names)
    cache.add_many((name, ModelReply("other")) for name in names)
    list(cache.export_lines())
    cache.import_lines([])
    cache.forget([key(1)])
    cache.prune(older_than_s=0, max_bytes=0, now=2e9)


def test_a_planted_pickle_never_runs(planted: ReplyCache, proof: Path) -> None:
    """CVE-2025-69872: it is a miss that is named, and the next answer takes its place."""
    names = ["inline", "in-file", KEY]

    assert planted.get_many(names) == {KEY: REPLY}
    assert planted.set_aside == dict.fromkeys(("inline", "in-file"), "not plain text")
    assert planted.put_many([(name, REPLY) for name in names]) == 3
    assert planted.get_many(names) == dict.fromkeys(names, REPLY)
    use(planted)
    assert not proof.exists()


def test_no_door_of_diskcache_leads_to_a_pickle(planted: ReplyCache, proof: Path) -> None:
    """Whoever opens the folder with our Disk is safe too, whichever method they call."""
    with diskcache.Cache(str(planted.folder), disk=TextDisk) as opened:
        doors: list[Callable[[], object]] = [
            lambda: opened["inline"],
            lambda: opened["in-file"],
            lambda: opened.get("inline", read=True),
            lambda: opened.pop("in-file"),
            lambda: list(opened),
            lambda: list(opened.iterkeys()),
            opened.peekitem,
        ]
        for door in doors:
            with contextlib.suppress(StorageError, KeyError):  # diskcache takes some for a miss
                assert door() in (None, KEY, [KEY])
        for name, value in [(("a", "tuple"), "x"), ("x", {"a": "dict"}), ("x", b"bytes")]:
            with pytest.raises(StorageError):
                opened.set(name, value)

    assert not proof.exists()


def test_the_test_would_see_the_payload(tmp_path: Path, proof: Path) -> None:
    """The Disk of diskcache's own does run it."""
    with diskcache.Cache(str(tmp_path / "plain")) as opened:
        opened["x"] = Payload(proof)
        opened.get("x")

    assert proof.exists()


@pytest.mark.parametrize("mode", [2, 3, 4])
def test_a_row_cannot_name_a_file_to_read_or_delete(cache: ReplyCache, mode: int) -> None:
    """On its own, diskcache reads it, and deletes it when the row is replaced or removed."""
    victim = cache.folder.parent / "victim"
    cache.put("other", REPLY)
    victim.write_text('{"text": "secret"}')
    names = [key(n) for n in range(4)]
    for name, filename in zip(names, ["../victim", str(victim)] * 2, strict=True):
        insert(cache, name, None, mode=mode, filename=filename)

    assert cache.get_many(names) == {}
    cache.put(names[0], REPLY)
    cache.add_many([(names[1], REPLY)])
    cache.forget([names[2]])
    assert cache.get_many(names) == {names[0]: REPLY, names[1]: REPLY}
    use(cache)
    assert victim.read_text() == '{"text": "secret"}'


@pytest.mark.parametrize(
    "setting",
    [
        ("_directory", "{elsewhere}"),
        ("disk__directory", "{elsewhere}"),
        ("disk", "tests.running.test_cache_hostile:Payload"),
        ("sqlite_journal_mode", "delete"),
        ("sqlite_temp_store_directory", "'{elsewhere}'"),
        ("eviction_policy", "least-recently-used"),
        ("size_limit", 0),
    ],
    ids=lambda setting: str(setting[0]),
)
def test_settings_in_the_folder_are_not_obeyed(
    cache: ReplyCache, tmp_path: Path, setting: tuple[str, object]
) -> None:
    """On its own, diskcache sets whatever attribute of itself a row names, its folder as well."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cache.put(KEY, REPLY)
    cache.close()
    name, value = setting
    value = value.format(elsewhere=elsewhere) if isinstance(value, str) else value
    execute(cache.folder, "INSERT OR REPLACE INTO Settings VALUES (?, ?)", name, value)

    cache.put_many((key(n), REPLY) for n in range(30))

    assert cache.stats().entries == 31
    use(cache)
    assert list(elsewhere.iterdir()) == []


def test_the_test_would_see_a_setting_obeyed(cache: ReplyCache, tmp_path: Path) -> None:
    """Opened by diskcache, the folder sends it elsewhere."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cache.put(KEY, REPLY)
    setting = "INSERT INTO Settings VALUES ('_directory', ?)"
    execute(cache.folder, setting, str(elsewhere))

    with diskcache.Cache(str(cache.folder), disk=TextDisk), contextlib.suppress(Exception):
        pass

    assert list(elsewhere.iterdir()) != []


FOREIGN = {
    "trigger": "CREATE TRIGGER evil AFTER INSERT ON Cache BEGIN DELETE FROM Cache; END",
    "temporary result": "CREATE VIEW evil AS SELECT * FROM Cache",
    "index": "CREATE INDEX evil ON Cache(abs(rowid))",
    "table": "CREATE TABLE evil (x)",
    "virtual table": "CREATE VIRTUAL TABLE evil USING fts5(x)",
}


@pytest.mark.parametrize("sql", FOREIGN.values(), ids=FOREIGN)
def test_a_schema_with_something_added_is_refused(cache: ReplyCache, sql: str) -> None:
    """Triggers of someone else would run within our transactions."""
    cache.put(KEY, REPLY)
    cache.close()
    execute(cache.folder, sql)

    for door in (lambda: cache.get(KEY), lambda: cache.put(KEY, REPLY), cache.stats):
        with pytest.raises(StorageError, match=r"it holds .*evil") as caught:
            door()
        assert "mv " in (caught.value.hint or "")


REPLACED = {
    "view for table": [
        "ALTER TABLE Cache RENAME TO Hidden",
        "CREATE VIEW Cache AS SELECT 0 AS rowid, * FROM Hidden",
    ],
    "trigger changed": [
        "DROP TRIGGER Settings_count_insert",
        "CREATE TRIGGER Settings_count_insert AFTER INSERT ON Cache BEGIN DELETE FROM Cache; END",
    ],
    "trigger missing": ["DROP TRIGGER Settings_count_insert"],
    "table missing": ["DROP TABLE Cache"],
    "computed column": ["ALTER TABLE Cache ADD COLUMN evil AS (zeroblob(1000000000))"],
    "index missing": ["DROP INDEX Cache_key_raw"],
}


@pytest.mark.parametrize("statements", REPLACED.values(), ids=REPLACED)
def test_a_schema_with_something_changed_is_refused(
    cache: ReplyCache, statements: list[str]
) -> None:
    """A view in place of the table could say anything, and computes what it likes."""
    cache.put(KEY, REPLY)
    cache.close()
    for sql in statements:
        execute(cache.folder, sql)

    for door in (lambda: cache.get(KEY), lambda: cache.put(KEY, REPLY), cache.stats):
        with pytest.raises(StorageError, match="not as judgekit makes it"):
            door()


@pytest.mark.parametrize("name", ["cache.db", "cache.db-wal", "cache.db-shm"])
def test_a_link_in_place_of_a_file_is_refused(cache: ReplyCache, tmp_path: Path, name: str) -> None:
    """It would let others choose which database of ours is read, written and pruned."""
    cache.put(KEY, REPLY)
    cache.close()
    with ReplyCache(tmp_path / "victim") as victim:
        victim.put(KEY, ModelReply("precious"))
    place = cache.folder / name
    place.unlink(missing_ok=True)
    place.symlink_to(victim.folder / "cache.db")
    before = (victim.folder / "cache.db").read_bytes()

    for door in (lambda: cache.get(KEY), lambda: cache.put(KEY, REPLY), cache.stats):
        with pytest.raises(StorageError, match=f"{name} in it is no plain file"):
            door()
    assert (victim.folder / "cache.db").read_bytes() == before


def test_a_pipe_in_place_of_a_file_is_refused(cache: ReplyCache) -> None:
    """Opening it would wait for ever."""
    cache.folder.mkdir(parents=True)
    os.mkfifo(cache.folder / "cache.db")

    with pytest.raises(StorageError, match="no plain file"):
        cache.get(KEY)


def test_notes_without_a_database_are_refused(cache: ReplyCache) -> None:
    """SQLite would play a stranger's left-over log back into the database we are about to make."""
    cache.put(KEY, ModelReply("theirs"))
    log = (cache.folder / "cache.db-wal").read_bytes()
    cache.close()
    (cache.folder / "cache.db").unlink()
    (cache.folder / "cache.db-wal").write_bytes(log)

    with pytest.raises(StorageError, match=r"cache\.db-wal, but no cache\.db"):
        cache.put(KEY, REPLY)


def plant_journal(folder: Path, victim: Path) -> None:
    """Write a journal that tells SQLite to delete a file once it has been played back."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    pages = (folder / "cache.db").stat().st_size // 4096
    head = magic + struct.pack(">IIIII", 0, 0, pages, 512, 4096)
    tail = struct.pack(">I", 0x40000000 // 4096 + 1) + name
    tail += struct.pack(">II", len(name), sum(name)) + magic
    (folder / "cache.db-journal").write_bytes(head.ljust(512, b"\0") + tail)


def test_a_journal_that_names_a_file_to_delete_is_refused(
    cache: ReplyCache, tmp_path: Path
) -> None:
    """SQLite obeys it, wherever the file is."""
    victim = tmp_path / "victim"
    cache.put(KEY, REPLY)
    cache.close()
    victim.write_text("precious")
    plant_journal(cache.folder, victim)

    for door in (lambda: cache.get(KEY), lambda: cache.put(KEY, REPLY), cache.stats):
        with pytest.raises(StorageError, match="left by another program"):
            door()

    assert victim.read_text() == "precious"
    with closing(sqlite3.connect(cache.folder / "cache.db")) as opened:  # the test would see it
        opened.execute("SELECT COUNT(*) FROM Cache").fetchall()
    assert not victim.exists()


def test_a_key_cannot_speak_to_the_terminal(cache: ReplyCache) -> None:
    """Names of rows are printed."""
    cache.put(KEY, REPLY)
    insert(cache, "\x1b]0;owned\x07" + "x" * 1000, 5)

    ((name, why),) = cache.stats().set_aside

    assert (name[:8], why) == ("\\x1b]0;o", "not plain text")
    assert name.isprintable()
    assert len(name) < 100
