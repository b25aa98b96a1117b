"""The reply cache: what goes in comes back, in a form that lasts."""

from __future__ import annotations

import os
from pathlib import Path

import diskcache
import pytest

from judgekit.errors import InputError, StorageError
from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.running.cache import ReplyCache, is_complete
from judgekit.running.cache_rows import IN_ORDER, SELECT
from judgekit.running.cache_schema import SCHEMA, SETTINGS
from judgekit.running.textdisk import TextDisk
from judgekit.testing import check_cache
from tests.running.cachefolder import KEY, REPLY, execute, insert, key, schema

COLUMNS = (
    "key, raw, store_time, expire_time, access_time, access_count, tag, size, mode, filename, value"
)
WHOLE = ModelReply(
    "é",
    "stop",
    "I won't",
    "let me think",
    "m-1",
    *(3, 4, 0.5, 1.25),
    left_out=("seed",),
    adjusted=(("max_tokens", 800),),
    notes=("system_in_user",),
    tokens_cached=2,
    tokens_reasoning=1,
    logprobs=(("é", -0.5, (("e", -1.0),)),),
)
STORED = (
    '{"adjusted":[["max_tokens",800]],"cost_usd":0.5,"finish":"stop","latency_s":1.25,'
    '"left_out":["seed"],"logprobs":[["é",-0.5,[["e",-1.0]]]],"notes":["system_in_user"],'
    '"reasoning":"let me think","refusal":"I won\'t","served":"m-1","text":"é","tokens_cached":2,'
    '"tokens_in":3,"tokens_out":4,"tokens_reasoning":1}'
)


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
        (ModelReply('{"level": "good"}', finish="length"), True),
        (ModelReply('so: {"level": "good"}\n```  ', finish="length"), True),
        (ModelReply('{"level": "good"} and', finish="length"), False),
        (ModelReply('{"level": "good"}', finish="error"), False),
    ],
)
def test_what_is_kept(cache: ReplyCache, reply: ModelReply, kept: bool) -> None:  # noqa: FBT001
    """Complaint 55: complete replies, readable or not; what gave no answer is asked again."""
    assert is_complete(reply) == kept
    assert cache.put(KEY, reply) == kept
    assert cache.get(KEY) == (reply if kept else None)


def test_a_request_that_differs_in_anything_has_a_reply_of_its_own(cache: ReplyCache) -> None:
    """Complaint 51: model, temperature, token budget, schema, endpoint, text and replicate."""
    said = (Message("user", "Is it polite?"),)
    first = ModelRequest("openai/a", said, {"temperature": 0, "max_tokens": 100})
    others = [
        ModelRequest("openai/b", said, first.parameters),
        ModelRequest("openai/a", said, {"temperature": 1, "max_tokens": 100}),
        ModelRequest("openai/a", said, {"temperature": 0, "max_tokens": 200}),
        ModelRequest("openai/a", said, {**first.parameters, "tool_choice": "none"}),
        ModelRequest("openai/a", said, first.parameters, schema={"type": "object"}),
        ModelRequest("openai/a", said, first.parameters, api_base="http://127.0.0.1:1"),
        ModelRequest("openai/a", said, first.parameters, replicate=1),
        ModelRequest("openai/a", (Message("system", "Is it polite?"),), first.parameters),
    ]
    cache.put(first.key, ModelReply("yes"))

    assert cache.get_many([other.key for other in others]) == {}
    cache.put_many((other.key, ModelReply(f"no {n}")) for n, other in enumerate(others))
    assert cache.get(first.key) == ModelReply("yes")
    assert len(cache.get_many([first.key, *(other.key for other in others)])) == 9


def test_the_reply_is_kept_whole(cache: ReplyCache) -> None:
    """Complaint 56: the raw text, the thinking, and who served it, as they came."""
    raw = "<think>\x00half a pair: \ud83d \u2028</think>\r\n```json\n{'level': good}"
    reply = WHOLE._replace(text=raw, reasoning=raw, refusal=raw, logprobs=None)

    cache.put(KEY, reply)

    assert cache.get(KEY) == reply


def test_an_unknown_cost_stays_unknown_and_free_stays_free(cache: ReplyCache) -> None:
    """Complaint 54: neither becomes the other on the way through the disk."""
    cache.put_many([("a" * 64, ModelReply("x")), ("b" * 64, ModelReply("x", cost_usd=0.0))])

    found = cache.get_many(["a" * 64, "b" * 64])

    assert (found["a" * 64].cost_usd, found["b" * 64].cost_usd) == (None, 0.0)


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

    settings = dict(execute(cache.folder, "SELECT key, value FROM Settings"))
    assert settings["eviction_policy"] == "none"
    assert settings["cull_limit"] == 0


def test_the_row_of_a_reply(cache: ReplyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Golden: the stored form of version 1. To change it is to start a new format."""
    monkeypatch.setattr("judgekit.running.cache.time.time", lambda: 1_800_000_000.25)
    cache.put(KEY, WHOLE)

    assert execute(cache.folder, f"SELECT {COLUMNS} FROM Cache") == [  # noqa: S608
        (KEY, 1, 1_800_000_000.25, None, 1_800_000_000.25, 0, None, 0, 1, None, STORED)
    ]


def test_the_row_is_the_one_diskcache_would_write(cache: ReplyCache, tmp_path: Path) -> None:
    """First written, then replaced; its counters are right too."""
    with diskcache.Cache(str(tmp_path / "theirs"), disk=TextDisk, **SETTINGS) as theirs:
        for text in ("first", STORED):
            theirs.set(KEY, text)
    for reply in (ModelReply("first"), WHOLE):
        cache.put(KEY, reply)
    cache.add_many([(key("another"), REPLY)])
    cache.forget([key("another")])

    dateless = COLUMNS.replace("store_time", "typeof(store_time)")
    query = f"SELECT {dateless.replace('access_time', 'store_time = access_time')} FROM Cache"  # noqa: S608
    assert execute(cache.folder, query) == execute(tmp_path / "theirs", query)
    counters = "SELECT * FROM Settings ORDER BY key"
    assert execute(cache.folder, counters) == execute(tmp_path / "theirs", counters)
    assert schema(cache.folder) == schema(tmp_path / "theirs")


def test_diskcache_reads_what_we_write_and_the_other_way_round(cache: ReplyCache) -> None:
    """Its count of entries, its check, and its values."""
    cache.put_many([(KEY, REPLY), ("b" * 64, WHOLE)])
    with diskcache.Cache(str(cache.folder), disk=TextDisk, **SETTINGS) as opened:
        assert len(opened) == 2
        assert opened.check() == []
        assert opened["b" * 64] == STORED
        opened["c" * 64] = STORED

    assert cache.get("c" * 64) == WHOLE


OLD_ROW = "INSERT INTO Cache VALUES (1, ?, 1, 1.5e9, NULL, 1.5e9, 0, NULL, 0, 1, NULL, ?)"
OLD_TEXT = (
    '{"cost_usd":0.5,"finish":"stop","latency_s":1e-07,"left_out":["seed"],"reasoning":"think",'
    '"refusal":"no","served":"m-1","text":"\\u00e9 \\ud83d","tokens_in":3,"tokens_out":4}'
)


def test_a_cache_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Made as version 0.1.0 made it: diskcache opens the folder itself and stores fewer fields."""
    folder = tmp_path / "replies-v1"
    earlier = {name: value for name, value in SETTINGS.items() if name != "sqlite_auto_vacuum"}
    diskcache.Cache(str(folder), timeout=60, disk=TextDisk, **earlier).close()
    execute(folder, OLD_ROW, KEY, OLD_TEXT)
    whole = ModelReply("é \ud83d", "stop", "no", "think", "m-1", 3, 4, 0.5, 1e-7, ("seed",))

    with ReplyCache(tmp_path) as cache:
        assert cache.get(KEY) == whole
        cache.put("b" * 64, REPLY)
        assert cache.stats().entries == 2
        assert cache.set_aside == {}


def test_the_schema_is_the_one_that_is_known(cache: ReplyCache) -> None:
    """Golden: diskcache 5.6.3. What it makes beyond this is read through its own door."""
    cache.put(KEY, REPLY)

    assert {sql or name for name, sql in schema(cache.folder)} == SCHEMA


def test_a_long_reply_stays_inside_the_database(cache: ReplyCache) -> None:
    """Left to itself, diskcache would move it to a file, which our reader does not follow."""
    long = ModelReply("x" * 3_000_000)
    cache.put(KEY, long)

    assert cache.get(KEY) == long
    assert not [path for path in cache.folder.iterdir() if "cache.db" not in path.name]


def test_stats(cache: ReplyCache) -> None:
    """Entries, bytes, when they were kept, and rows that are no replies."""
    assert cache.stats()[:3] == (0, 0, 0)
    assert not cache.folder.exists()
    cache.put_many([(key(n), REPLY) for n in range(1200)])
    insert(cache, b"pickled", b"x", raw=0, mode=4)
    insert(cache, KEY, "no JSON")

    found = cache.stats()

    assert (found.entries, found.unusable) == (1200, 2)
    assert found.bytes > 100_000
    assert found.set_aside == (("pickled", "not plain text"), (KEY, "not JSON"))
    assert found.oldest == 1.0
    assert (found.newest or 0) > 1_700_000_000


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    """For example because a file is in the way."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError, match="file/replies-v1"):
        ReplyCache(tmp_path / "file").put(KEY, REPLY)


def test_a_folder_name_that_diskcache_would_expand_is_refused(tmp_path: Path) -> None:
    """It would write in one place and we would read in another."""
    with pytest.raises(InputError):
        ReplyCache(tmp_path / "$HOME")


def test_a_folder_name_with_every_awkward_character(tmp_path: Path) -> None:
    """None of them is taken for a part of an address."""
    root = tmp_path / "a ?mode=memory&x=%41#é'\";"

    with ReplyCache(root) as cache:
        cache.put(KEY, REPLY)

    assert (root / "replies-v1" / "cache.db").is_file()
    with ReplyCache(root) as cache:
        assert cache.get(KEY) == REPLY


def test_many_keys_at_once(cache: ReplyCache) -> None:
    """More than one query takes."""
    keys = [key(n) for n in range(1234)]
    cache.put_many((key, ModelReply(key)) for key in keys)

    found = cache.get_many([*keys, "absent"])

    assert found == {key: ModelReply(key) for key in keys}
    assert cache.add_many((key, REPLY) for key in keys) == found


@pytest.mark.parametrize(
    ("query", "values"),
    [
        (SELECT.format(",".join("?" * 500)), [key(n) for n in range(500)]),
        (f"{SELECT.format(','.join('?' * 500))} AND +rowid <= ?", [key(n) for n in range(501)]),
        (IN_ORDER, ["a"]),
    ],
)
def test_the_index_of_keys_is_used(cache: ReplyCache, query: str, values: list[str]) -> None:
    """SQLite may prefer to read every row, with many keys, or told that the index is useless."""
    cache.put_many((key(n), REPLY) for n in range(50))
    execute(cache.folder, "ANALYZE")
    useless = "UPDATE sqlite_stat1 SET stat = '1000000 1000000 1000000' WHERE idx = ?"
    execute(cache.folder, useless, "Cache_key_raw")

    plan = [row[-1] for row in execute(cache.folder, f"EXPLAIN QUERY PLAN {query}", *values)]

    assert len(plan) == 1
    assert plan[0].startswith("SEARCH Cache USING INDEX Cache_key_raw (key")
    with ReplyCache(cache.folder.parent) as another:
        assert another.get(key(1)) == REPLY  # statistics are no change of the schema


def test_what_is_there_already_stands(cache: ReplyCache) -> None:
    """Also when it says the same: whoever asked must learn that another did, too."""
    cache.put_many([("a" * 64, REPLY), ("b" * 64, ModelReply("theirs"))])
    insert(cache, "c" * 64, "no JSON")
    insert(cache, "d" * 64, b"\x80", mode=4)
    ours = dict.fromkeys(("a" * 64, "b" * 64, "c" * 64, "d" * 64, "e" * 64), REPLY)

    others = cache.add_many([*ours.items(), ("f" * 64, ModelReply("cut", finish="length"))])

    assert others == {"a" * 64: REPLY, "b" * 64: ModelReply("theirs")}
    assert cache.get_many([*ours, "f" * 64]) == ours | others


def test_a_closed_cache_opens_again(cache: ReplyCache) -> None:
    """Closing is letting go of files, no more."""
    cache.put(KEY, REPLY)
    cache.close()

    assert cache.get(KEY) == REPLY


def test_what_is_forgotten_is_asked_anew(cache: ReplyCache) -> None:
    """A missing folder is not made for it."""
    cache.forget([KEY])
    assert not cache.folder.exists()
    cache.put_many([(KEY, REPLY), ("b" * 64, REPLY)])

    cache.forget([KEY, "absent"])

    assert cache.get_many([KEY, "b" * 64]) == {"b" * 64: REPLY}


def test_a_forked_process_opens_files_of_its_own(cache: ReplyCache) -> None:
    """SQLite's locks do not survive a fork; a child that used its parent's files would break."""
    cache.put(KEY, REPLY)
    cache.get(KEY)
    theirs = cache._database._reader, cache._database._writer
    child = os.fork()
    if child == 0:
        kept = cache.get(KEY) == REPLY and cache.put("b" * 64, REPLY)
        kept &= cache._database._reader not in theirs and cache._database._writer not in theirs
        cache.close()
        os._exit(0 if kept else 1)

    assert os.waitpid(child, 0)[1] == 0
    assert cache.get_many([KEY, "b" * 64]) == {KEY: REPLY, "b" * 64: REPLY}
    cache.put("c" * 64, REPLY)
    assert cache.stats().entries == 3
