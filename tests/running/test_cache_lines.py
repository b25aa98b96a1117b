"""Export and import: a cache carried from one machine to another."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.testing.checks import AWKWARD
from tests.running.cachefolder import KEY, REPLY, execute, insert, key

LINE = (
    f'{{"format":"judgekit.reply/1","key":"{KEY}","stored_at":1700000000.5,'
    '"reply":{"finish":"stop","text":"é"}}'
)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[ReplyCache]:
    """Return the cache of another machine."""
    with ReplyCache(tmp_path / "other") as opened:
        yield opened


def line(**changes: Any) -> str:
    """Return a line with something changed; None leaves it out."""
    values = json.loads(LINE) | changes
    return json.dumps({name: value for name, value in values.items() if value is not None})


def test_the_line_of_a_reply(cache: ReplyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Golden: what a cache of another version must be able to read."""
    monkeypatch.setattr("judgekit.running.cache.time.time", lambda: 1_700_000_000.5)
    cache.put(KEY, ModelReply("é", "stop"))

    assert list(cache.export_lines()) == [LINE]


def test_all_of_it_arrives(cache: ReplyCache, other: ReplyCache) -> None:
    """In the order of the keys, with the times, and once more changes nothing."""
    replies = {key(n): ModelReply(f"{AWKWARD} {n}", cost_usd=n / 7) for n in range(1_203)}
    cache.put_many(replies.items())

    lines = list(cache.export_lines())

    assert [json.loads(line)["key"] for line in lines] == sorted(replies)
    assert not any("\n" in line or "\r" in line for line in lines)
    assert other.import_lines(lines) == (1_203, 0, [])
    assert other.get_many(replies) == replies
    times = "SELECT key, store_time, access_time FROM Cache ORDER BY key"
    assert execute(other.folder, times) == execute(cache.folder, times)
    assert other.import_lines(line.encode() for line in lines) == (0, 1_203, [])
    assert list(other.export_lines()) == lines


def test_what_is_there_stands(other: ReplyCache) -> None:
    """Of two of one key in the file, the first."""
    other.put(KEY, REPLY)
    insert(other, key(1), "no JSON")
    lines = [LINE, line(key=key(1)), line(key=key(2)), line(key=key(2), reply={"text": "second"})]

    assert other.import_lines(lines) == (2, 2, [])

    assert other.get(KEY) == REPLY
    assert other.get_many([key(1), key(2)]) == dict.fromkeys(
        (key(1), key(2)), ModelReply("é", "stop")
    )


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("no JSON", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (LINE.encode("utf-16"), "not JSON"),
        ("[1]", "not a JSON object"),
        ("{}", "its format is not 'judgekit.reply/1'"),
        (line(format="judgekit.reply/2"), "its format is not 'judgekit.reply/1'"),
        (line(key="A" * 64), "its key is no sha256"),
        (line(key="../../etc/passwd"), "its key is no sha256"),
        (line(key=5), "its key is no sha256"),
        (line(key=f"{KEY}\n"), "its key is no sha256"),
        (line(key=None), "it lacks 'key'"),
        (line(stored_at="now"), "'stored_at' is no time"),
        (line(stored_at=-1), "'stored_at' is no time"),
        (line(stored_at=True), "'stored_at' is no time"),
        (line(stored_at=1e300), "'stored_at' is no time"),
        (line(reply=[]), "not a reply"),
        (line(reply={"text": 5}), "field 'text' does not hold what it should"),
        (line(reply={"text": "x", "py/object": "os.system"}), "field 'py/object' is not known"),
        (line(reply={"text": " "}), "the reply is empty or truncated, which is not kept"),
        (line(reply={"text": "x", "finish": "length"}), "the reply is empty or truncated, which"),
        (line(extra=1), "it has an unknown 'extra'"),
        (LINE.replace("1700000000.5", "NaN"), "not JSON"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_line_that_is_no_reply_is_named(other: ReplyCache, bad: str | bytes, why: str) -> None:
    """With its number, blank lines counted; the others are kept."""
    done = other.import_lines([LINE, "", bad, "  \n", line(key=key(2))])

    assert (done.added, done.known) == (2, 0)
    ((number, said),) = done.refused
    assert (number, said[: len(why)]) == (3, why)
    assert other.stats()[:3:2] == (2, 0)


def test_the_mark_at_the_beginning_of_a_file_is_no_text(other: ReplyCache) -> None:
    """Editors on Windows put it there."""
    assert other.import_lines([b"\xef\xbb\xbf" + LINE.encode() + b"\r\n"]).added == 1
    assert other.import_lines([f"\ufeff{LINE}\r\n"]).known == 1


def test_rows_that_are_no_replies_are_left_out_and_named(
    cache: ReplyCache, other: ReplyCache
) -> None:
    """So are keys that no request has, and a stored field that would break the line."""
    cache.put_many([(KEY, REPLY), ("no sha256", REPLY)])
    insert(cache, key(1), "no JSON")
    insert(cache, key(2), b"\x80", mode=4)
    insert(cache, b"blob", '{"text":"x"}')
    insert(cache, key(3), '{"text":\n"x",\n"later": [1, 2]}')

    lines = list(cache.export_lines())

    assert len(lines) == 2
    assert other.import_lines(lines) == (2, 0, [])
    assert other.get_many([KEY, key(3)]) == {KEY: REPLY, key(3): ModelReply("x")}
    assert cache.set_aside == {
        "no sha256": "its key is no sha256",
        key(1): "not JSON",
        key(2): "not plain text",
    }


def test_only_what_is_new(cache: ReplyCache) -> None:
    """Kept at that time or later."""
    cache.put_many([(KEY, REPLY), (key(1), REPLY)])
    insert(cache, key(2), '{"text":"x"}', store_time=1_000.0)

    assert len(list(cache.export_lines(since=1_000.0))) == 3
    assert len(list(cache.export_lines(since=1_000.5))) == 2


def test_pruning_in_the_middle_of_an_export(cache: ReplyCache) -> None:
    """What is gone is left out; the rest comes in order, once."""
    cache.put_many((key(n), REPLY) for n in range(2_000))
    lines = cache.export_lines()
    first = list(islice(lines, 100))

    cache.prune(older_than_s=0, now=2e9)
    cache.put(key("new"), REPLY)
    rest = list(lines)

    keys = [json.loads(line)["key"] for line in first + rest]
    assert keys == sorted(set(keys))
    assert len(keys) < 600


def test_memory_stays_flat(cache: ReplyCache, other: ReplyCache) -> None:
    """However many there are."""
    cache.put_many((key(n), ModelReply("x" * 2_000)) for n in range(4_000))
    cache.close()
    tracemalloc.start()

    other.import_lines(cache.export_lines())

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert other.stats().entries == 4_000
    assert peak < 5_000_000  # of 8


def test_nothing_to_export(cache: ReplyCache) -> None:
    """An absent folder is not made, also not by importing nothing."""
    assert list(cache.export_lines()) == []
    assert cache.import_lines([]) == (0, 0, [])
    assert cache.import_lines(["no JSON"]).refused == [(1, "not JSON")]
    assert not cache.folder.exists()


def test_a_full_disk_is_one_clear_error(other: ReplyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was imported until then is kept."""
    lines = (line(key=key(n)) for n in range(1_400))
    other.import_lines(islice(lines, 600))
    (pages,) = execute(other.folder, "PRAGMA page_count")[0]
    with other._database._writing:
        other._database._open_writer().execute(f"PRAGMA max_page_count = {pages + 3}")

    with pytest.raises(StorageError, match="full"):
        other.import_lines(lines)

    assert other.stats().entries == 600
