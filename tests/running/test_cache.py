"""The reply cache: nothing is lost, nothing is unpickled, several processes may share it."""

from __future__ import annotations

import contextlib
import gc
import pickle
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import diskcache
import pytest

from judgekit.errors import InputError, StorageError
from judgekit.judging.request import ModelReply
from judgekit.running.cache import SELECT, ReplyCache, is_complete
from judgekit.running.textdisk import TextDisk
from judgekit.testing import check_cache

KEY = "k" * 64
REPLY = ModelReply('{"level": "good"}', finish="stop")


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.proof,))


def rows(cache: ReplyCache, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Do something to the database behind the cache's back."""
    with sqlite3.connect(cache.folder / "cache.db") as connection:
        found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def insert(cache: ReplyCache, key: object, value: object, **columns: object) -> None:
    """Put a row there, as someone with access to the folder could."""
    rows(cache, "DELETE FROM Cache WHERE key = ?", key)
    named = {"key": key, "value": value, "raw": 1, "mode": 1, "size": 0, **columns}
    marks = ",".join("?" * len(named))
    rows(cache, f"INSERT INTO Cache ({','.join(named)}) VALUES ({marks})", *named.values())  # noqa: S608


def test_it_keeps_the_contract(cache: ReplyCache) -> None:
    """The check that users run on their own caches."""
    check_cache(cache, reopen=lambda: ReplyCache(cache.folder.parent))


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        (ModelReply("utter nonsense", finish="stop"), True),
        (ModelReply("", refusal="I won't"), True),
        (ModelReply("", finish="content_filter"), True),
        (ModelReply(" \n\t", finish="stop"), False),
        (ModelReply("", reasoning="all my tokens went into thinking"), False),
        (ModelReply('{"reason": "cut off he', finish="length"), False),
        (ModelReply('{"level": "good"}', finish="length"), False),
    ],
)
def test_what_is_kept(cache: ReplyCache, reply: ModelReply, kept: bool) -> None:  # noqa: FBT001
    """Design rule 14: complete replies, readable or not; empty and truncated are asked again."""
    assert is_complete(reply) == kept
    assert cache.put(KEY, reply) == kept
    assert cache.get(KEY) == (reply if kept else None)


def test_the_folder_is_private_and_carries_its_format(cache: ReplyCache) -> None:
    """Others may not read replies; another format would be another folder."""
    cache.put(KEY, REPLY)

    assert cache.folder.name == "replies-v1"
    assert cache.folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_left_open_is_closed_to_others(cache: ReplyCache) -> None:
    """For example one that was unpacked from an archive."""
    cache.folder.mkdir(parents=True, mode=0o755)

    cache.put(KEY, REPLY)

    assert cache.folder.stat().st_mode & 0o777 == 0o700


def test_nothing_is_ever_evicted(cache: ReplyCache) -> None:
    """A paid reply that vanishes changes what a second run says."""
    cache.put(KEY, REPLY)

    settings = dict(rows(cache, "SELECT key, value FROM Settings"))
    assert settings["eviction_policy"] == "none"
    assert settings["cull_limit"] == 0


def test_a_reply_is_one_row_of_canonical_json(cache: ReplyCache) -> None:
    """Golden: the stored form of version 1. To change it is to start a new format."""
    reply = ModelReply("é", "stop", tokens_in=3, cost_usd=0.5, left_out=("seed",))
    cache.put(KEY, reply)

    assert rows(cache, "SELECT key, raw, mode, filename, value FROM Cache") == [
        (
            KEY,
            1,
            1,
            None,
            '{"cost_usd":0.5,"finish":"stop","left_out":["seed"],"text":"é","tokens_in":3}',
        )
    ]


def test_a_long_reply_stays_inside_the_database(cache: ReplyCache) -> None:
    """Left to itself, diskcache would move it to a file, which our reader does not follow."""
    long = ModelReply("x" * 3_000_000)
    cache.put(KEY, long)

    assert cache.get(KEY) == long


def test_stats(cache: ReplyCache) -> None:
    """Entries, bytes, and rows that are no replies."""
    assert cache.stats() == (0, 0, 0)
    cache.put_many([(str(n), REPLY) for n in range(3)])
    insert(cache, b"pickled", b"x", raw=0, mode=4)

    entries, size, unusable = cache.stats()

    assert (entries, unusable) == (3, 1)
    assert size > 1000


def test_a_planted_pickle_never_runs(cache: ReplyCache, tmp_path: Path) -> None:
    """CVE-2025-69872: as a value in the row, in a file, and as a key."""
    proof = tmp_path / "proof"
    evil = pickle.dumps(Payload(proof))
    cache.put(KEY, REPLY)
    (cache.folder / "evil.val").write_bytes(evil)
    insert(cache, "inline", evil, mode=4)
    insert(cache, "in-file", None, mode=4, filename="evil.val")
    insert(cache, evil, "text", raw=0)
    names = ["inline", "in-file", KEY]

    assert cache.get_many(names) == {KEY: REPLY}
    assert set(cache.set_aside) == {"inline", "in-file"}
    cache.stats()
    assert cache.put_many([(name, REPLY) for name in names]) == 3
    assert cache.get_many(names) == dict.fromkeys(names, REPLY)
    assert not proof.exists()


def test_no_door_of_diskcache_leads_to_a_pickle(cache: ReplyCache, tmp_path: Path) -> None:
    """Whoever opens the folder with our Disk is safe too, whichever method they call."""
    proof = tmp_path / "proof"
    evil = pickle.dumps(Payload(proof))
    cache.put(KEY, REPLY)
    (cache.folder / "evil.val").write_bytes(evil)
    insert(cache, "inline", evil, mode=4)
    insert(cache, "in-file", None, mode=4, filename="evil.val")
    insert(cache, evil, "text", raw=0)
    with diskcache.Cache(str(cache.folder), disk=TextDisk) as opened:
        doors = [
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
        for key, value in [(("a", "tuple"), "x"), ("x", {"a": "dict"}), ("x", b"bytes")]:
            with pytest.raises(StorageError):
                opened.set(key, value)

    assert not proof.exists()


def test_the_test_would_see_the_payload(tmp_path: Path) -> None:
    """The Disk of diskcache's own does run it."""
    proof = tmp_path / "proof"
    with diskcache.Cache(str(tmp_path / "plain")) as opened:
        opened["x"] = Payload(proof)
        opened.get("x")

    assert proof.exists()


def test_a_row_cannot_name_a_file_to_read_or_delete(cache: ReplyCache, tmp_path: Path) -> None:
    """On its own, diskcache deletes the file of a row that is replaced."""
    victim = tmp_path / "victim"
    victim.write_text('{"text": "secret"}')
    cache.put("other", REPLY)
    insert(cache, KEY, None, mode=3, filename="../../victim")

    assert cache.get(KEY) is None
    cache.put(KEY, REPLY)

    assert cache.get(KEY) == REPLY
    assert victim.exists()


@pytest.mark.parametrize(
    "value",
    [
        "no JSON",
        "{}",
        "[]",
        '"text"',
        '{"text": 5}',
        '{"text": "x", "tokens_in": -1}',
        '{"text": "x", "cost_usd": NaN}',
        '{"text": "x", "cost_usd": 1e999}',
        '{"text": "x", "left_out": "seed"}',
        "[" * 100_000,
        b'{"text": "bytes"}',
        5,
    ],
    ids=lambda v: str(v)[:20],
)
def test_a_spoilt_row_is_set_aside_and_overwritten(cache: ReplyCache, value: object) -> None:
    """A miss that is named; the next answer takes its place."""
    cache.put("other", REPLY)
    insert(cache, KEY, value)

    assert cache.get_many([KEY, "other"]) == {"other": REPLY}
    assert list(cache.set_aside) == [KEY]
    cache.put(KEY, REPLY)
    assert cache.get(KEY) == REPLY


def test_text_that_is_not_utf8_is_one_bad_row(cache: ReplyCache) -> None:
    """sqlite3 would raise for the whole query."""
    cache.put("other", REPLY)
    insert(cache, KEY, "x")
    rows(cache, "UPDATE Cache SET value = CAST(x'ff7b' AS TEXT) WHERE key = ?", KEY)

    assert cache.get_many([KEY, "other"]) == {"other": REPLY}


@pytest.mark.filterwarnings("ignore:unclosed database")  # diskcache leaves it open when it fails
def test_a_file_that_is_no_database_is_one_clear_error(cache: ReplyCache) -> None:
    """It is not thrown away: perhaps it can be mended."""
    cache.folder.mkdir(parents=True)
    (cache.folder / "cache.db").write_bytes(b"garbage " * 1000)

    with pytest.raises(StorageError) as caught:
        cache.get(KEY)

    assert str(cache.folder) in str(caught.value)
    assert "move" in (caught.value.hint or "")
    with pytest.raises(StorageError):
        cache.put(KEY, REPLY)
    gc.collect()


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    """For example because a file is in the way."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError):
        ReplyCache(tmp_path / "file").put(KEY, REPLY)


def test_a_folder_name_that_diskcache_would_expand_is_refused(tmp_path: Path) -> None:
    """It would write in one place and we would read in another."""
    with pytest.raises(InputError):
        ReplyCache(tmp_path / "$HOME")


def test_many_keys_at_once(cache: ReplyCache) -> None:
    """More than one query takes; the index is used (a scan would be quadratic)."""
    keys = [f"{n:064x}" for n in range(1234)]
    cache.put_many((key, ModelReply(key)) for key in keys)

    found = cache.get_many([*keys, "absent"])

    assert found == {key: ModelReply(key) for key in keys}
    query = SELECT.format(",".join("?" * 500))
    plan = rows(cache, f"EXPLAIN QUERY PLAN {query}", *keys[:500])
    assert "Cache_key_raw" in str(plan)


def test_a_closed_cache_opens_again(cache: ReplyCache) -> None:
    """Closing is letting go of files, no more."""
    cache.put(KEY, REPLY)
    cache.close()

    assert cache.get(KEY) == REPLY


WRITER = """
import sys
from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
cache, me = ReplyCache(sys.argv[1]), sys.argv[2]
for n in range(100):
    cache.put(f"{me}-{n}", ModelReply(f"{me} {n}"))
    cache.put(f"shared-{n}", ModelReply(f"shared {n}"))
    assert cache.get(f"{me}-{n}") == ModelReply(f"{me} {n}")
assert not cache.set_aside
"""


def test_four_processes_on_one_folder_lose_nothing(tmp_path: Path) -> None:
    """All start at once on a folder that does not exist yet."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, f"w{n}"]) for n in range(4)]
    assert [writer.wait(timeout=60) for writer in writers] == [0] * 4

    cache = ReplyCache(tmp_path)
    keys = [f"w{w}-{n}" for w in range(4) for n in range(100)]
    assert len(cache.get_many(keys)) == 400
    assert cache.stats().entries == 500
    cache.close()
