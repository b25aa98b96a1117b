"""A cache that is broken, in one row or as a whole: named, and never taken for a reply."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.running.cache import ReplyCache
from tests.running.cachefolder import KEY, REPLY, execute, insert, key

DOORS = {
    "get": lambda cache: cache.get(KEY),
    "put": lambda cache: cache.put(KEY, REPLY),
    "add": lambda cache: cache.add_many([(KEY, REPLY)]),
    "forget": lambda cache: cache.forget([KEY]),
    "stats": lambda cache: cache.stats(),
    "prune": lambda cache: cache.prune(older_than_s=0, now=2e9),
    "export": lambda cache: list(cache.export_lines()),
}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no JSON", "not JSON"),
        ("{}", "not a reply"),
        ("[]", "not a reply"),
        ('"text"', "not a reply"),
        ('{"text": 5}', "field 'text' does not hold what it should"),
        ('{"text": null}', "field 'text' does not hold what it should"),
        ('{"text": "x", "tokens_in": -1}', "field 'tokens_in' does not hold what it should"),
        ('{"text": "x", "tokens_in": true}', "field 'tokens_in' does not hold what it should"),
        ('{"text": "x", "finish": null}', "field 'finish' does not hold what it should"),
        ('{"text": "x", "cost_usd": -0.5}', "field 'cost_usd' does not hold what it should"),
        ('{"text": "x", "cost_usd": NaN}', "not JSON"),
        ('{"text": "x", "cost_usd": 1e999}', "not JSON"),
        ('{"text": "x", "left_out": "seed"}', "field 'left_out' does not hold what it should"),
        ('{"text": "x", "adjusted": [[1, 2]]}', "field 'adjusted' does not hold what it should"),
        ('{"text": "x", "logprobs": [["a", 1]]}', "field 'logprobs' does not hold what it should"),
        ("[" * 100_000, "not JSON"),
        (b'{"text": "bytes"}', "not plain text"),
        (5, "not plain text"),
        (None, "not plain text"),
    ],
    ids=lambda v: str(v)[:20],
)
def test_a_spoilt_row_is_set_aside_and_overwritten(
    cache: ReplyCache, value: object, why: str
) -> None:
    """A miss that is named once; statistics count it; the next answer takes its place."""
    cache.put("other", REPLY)
    insert(cache, KEY, value)

    for _ in range(3):
        assert cache.get_many([KEY, "other"]) == {"other": REPLY}
    assert cache.set_aside == {KEY: why}
    assert cache.stats()[:3:2] == (1, 1)
    assert cache.stats().set_aside == ((KEY, why),)
    cache.put(KEY, REPLY)
    assert cache.get(KEY) == REPLY


@pytest.mark.parametrize(
    "columns",
    [{"expire_time": 1.0}, {"expire_time": 9e9}, {"mode": 4}, {"mode": None}, {"filename": ""}],
    ids=str,
)
def test_a_row_with_other_columns_than_ours_is_set_aside(
    cache: ReplyCache, columns: dict[str, object]
) -> None:
    """To diskcache it is gone at some time, a pickle, or a file; then it must be no reply to us."""
    cache.put("other", REPLY)
    insert(cache, KEY, '{"text":"x"}', **columns)

    assert cache.get(KEY) is None
    assert cache.set_aside == {KEY: "not plain text"}
    assert cache.add_many([(KEY, REPLY)]) == {}
    assert cache.get(KEY) == REPLY


def test_text_that_is_not_utf8_is_one_bad_row(cache: ReplyCache) -> None:
    """sqlite3 would raise for the whole query."""
    cache.put("other", REPLY)
    insert(cache, KEY, "x")
    execute(cache.folder, "UPDATE Cache SET value = CAST(x'ff7b' AS TEXT) WHERE key = ?", KEY)
    insert(cache, "y", "x")
    execute(cache.folder, "UPDATE Cache SET key = CAST(x'ff7b' AS TEXT) WHERE key = 'y'")

    assert cache.get_many([KEY, "other"]) == {"other": REPLY}
    assert cache.stats().unusable == 2
    assert cache.prune(now=2e9).unusable == 2
    assert cache.get("other") == REPLY


def broken(tmp_path: Path, content: bytes) -> ReplyCache:
    """Return a cache whose database holds these bytes."""
    cache = ReplyCache(tmp_path / "broken")
    cache.folder.mkdir(parents=True)
    (cache.folder / "cache.db").write_bytes(content)
    return cache


def whole(tmp_path: Path, count: int) -> bytes:
    """Return the bytes of a good database."""
    with ReplyCache(tmp_path / "whole") as cache:
        cache.put_many((key(n), REPLY) for n in range(count))
    return (cache.folder / "cache.db").read_bytes()


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("what", ["garbage", "nothing", "half a header", "first page", "half"])
def test_a_file_that_is_no_database_is_one_clear_error(
    tmp_path: Path, what: str, door: object
) -> None:
    """It names the folder and the way out. Nothing is thrown away: perhaps it can be mended."""
    good = whole(tmp_path, 300)
    content = {
        "garbage": b"garbage " * 1000,
        "nothing": b"",
        "half a header": good[:50],
        "first page": good[:4096],
        "half": good[: len(good) // 8192 * 4096],
    }[what]
    cache = broken(tmp_path, content)

    with pytest.raises(StorageError) as caught:
        door(cache)  # type: ignore[operator]

    assert str(cache.folder) in str(caught.value)
    assert f"mv {cache.folder} {cache.folder}.broken" in (caught.value.hint or "")
    assert (cache.folder / "cache.db").read_bytes() == content


def test_some_damaged_pages_are_one_clear_error(tmp_path: Path) -> None:
    """Not a miss, which would be paid for again. What can be read is read."""
    good = whole(tmp_path, 3000)
    middle = len(good) // 4096 // 2 * 4096
    cache = broken(tmp_path, good[:middle] + b"\xa5" * 40_960 + good[middle + 40_960 :])
    problems = []

    found = {}
    for n in range(3000):
        try:
            found |= cache.get_many([key(n)])
        except StorageError as problem:
            problems.append(problem)

    assert problems
    assert len(found) + len(problems) == 3000
    assert set(found.values()) == {REPLY}
    assert "it is damaged: database disk image is malformed" in str(problems[0])
    assert str(cache.folder) in str(problems[0])
    assert ".recover" in (problems[0].hint or "")
    for name in ("stats", "export"):
        with pytest.raises(StorageError, match="damaged"):
            DOORS[name](cache)


def test_the_way_out_works(tmp_path: Path) -> None:
    """The folder moved away, a new one is made."""
    cache = broken(tmp_path, b"garbage " * 1000)
    with pytest.raises(StorageError) as caught:
        cache.put(KEY, REPLY)
    command = (caught.value.hint or "").split(": ")[1].split(";")[0]

    assert os.system(command) == 0  # noqa: S605  (what the hint says, word for word)

    assert cache.put(KEY, REPLY)
    assert cache.get(KEY) == REPLY
