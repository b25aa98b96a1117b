"""``judgekit cache``: counting, pruning, and carrying replies from one machine to another."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat
from pathlib import Path

import pytest

from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.testing import StubServer
from tests.e2e.house import House, echo
from tests.running.cachefolder import insert, key
from tests.running.helpers import wait_until


@pytest.fixture
def filled(house: House) -> House:
    """Return a project with 40 replies in its cache, the first of them of long ago."""
    with ReplyCache(house.root / ".judgekit" / "cache") as cache:
        cache.put_many((key(n), ModelReply(f"reply {n}", "stop")) for n in range(1, 40))
        insert(cache, key(0), '{"finish":"stop","text":"reply 0"}', store_time=1.5e9)
    return house


def spoil(house: House, count: int = 1) -> None:
    """Plant rows that are no replies."""
    with ReplyCache(house.root / ".judgekit" / "cache") as cache:
        for n in range(count):
            insert(cache, key(f"bad {n}"), "no JSON")


def test_stats(filled: House) -> None:
    """How many, how much room, since when."""
    result = filled.run("cache", "stats")
    document = filled.run("cache", "stats", "--json").json

    assert result.code == 0
    assert re.match(r"\.judgekit/cache: 40 replies, [\d,]+ kB, kept 2017-07-14 to 20", result.out)
    assert document["format"] == "judgekit.cache/1"
    assert (document["folder"], document["entries"]) == (".judgekit/cache", 40)
    assert (document["unusable"], document["set_aside"]) == (0, [])
    assert document["bytes"] > 10_000
    assert document["oldest"] == 1.5e9


def test_stats_of_nothing(house: House) -> None:
    """No folder is made for it."""
    assert house.run("cache", "stats").out == ".judgekit/cache: 0 replies, 0 bytes\n"
    assert not (house.root / ".judgekit").exists()


def test_rows_that_are_no_replies_are_named(filled: House) -> None:
    """The first few, why, and the command that removes them, which works."""
    spoil(filled, 8)

    result = filled.run("cache", "stats")
    document = filled.run("cache", "stats", "--json").json

    assert "8 rows cannot be used; their requests are asked anew:" in result.out
    assert f"  {key('bad 0')}: not JSON\n" in result.out
    assert "  and 3 more\n" in result.out
    assert document["set_aside"][0] == {"key": key("bad 0"), "why": "not JSON"}
    command = re.search(r"^Next    judgekit (.*)$", result.out, re.MULTILINE)
    assert command is not None
    done = filled.run(*command[1].split())
    assert done.out.startswith(".judgekit/cache: 8 removed (8 of them unusable), 40 left, ")
    assert "cannot be used" not in filled.run("cache", "stats").out


def test_prune(filled: House) -> None:
    """By age, by size, and what is of no use either way."""
    spoil(filled)

    document = filled.run("cache", "prune", "--older-than", "30d", "--json").json
    assert document["format"] == "judgekit.cache/1"
    assert (document["removed"], document["unusable"], document["left"]) == (2, 1, 39)
    assert document["freed_bytes"] >= 0
    result = filled.run("cache", "prune", "--max-size", "1KB")
    assert result.code == 0
    assert result.out.startswith(".judgekit/cache: 39 removed (0 of them unusable), 0 left, ")


def test_prune_must_be_told_what(filled: House) -> None:
    """Nothing is removed by default."""
    result = filled.run("cache", "prune")

    assert result.code == 2
    assert "nothing says what to remove" in result.err
    assert "--older-than 30d" in result.err
    assert filled.run("cache", "stats", "--json").json["entries"] == 40


@pytest.mark.parametrize(
    ("option", "said"),
    [
        *[("--older-than", said) for said in ("30", "d", "-3d", "3 years", "١d", "1e5d", "")],
        *[("--max-size", said) for said in ("-1", "MB", "5 apples", "1e9", "inf", "9" * 400)],
    ],
)
def test_a_measure_that_is_none(filled: House, option: str, said: str) -> None:
    """One clear error with examples; nothing is removed."""
    result = filled.run("cache", "prune", f"{option}={said}", "--json")

    assert result.code == 2
    assert repr(said) in result.json["message"]
    assert "for example" in result.json["hint"]
    assert filled.run("cache", "stats", "--json").json["entries"] == 40


@pytest.mark.parametrize(
    ("said", "left"),
    [("0s", 0), ("90m", 39), ("12h", 39), ("1.5 D", 39), ("2w", 39), ("99999d", 40)],
)
def test_durations(filled: House, said: str, left: int) -> None:
    """Of every unit, in either case."""
    assert filled.run("cache", "prune", "--older-than", said, "--json").json["left"] == left


@pytest.mark.parametrize(
    ("said", "left"),
    [("0", 0), ("1kb", 0), ("10000000", 40), ("1.5GiB", 40), ("500 MB", 40), ("1TB", 40)],
)
def test_sizes(filled: House, said: str, left: int) -> None:
    """Of every unit, in either case, or plain bytes."""
    assert filled.run("cache", "prune", "--max-size", said, "--json").json["left"] == left


def test_export_and_import(filled: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Complaint 55: what one machine paid for, another has, and asks only for the rest."""
    spoil(filled)
    elsewhere = House(tmp_path_factory.mktemp("elsewhere"))
    there = elsewhere.root / "replies.jsonl"

    result = filled.run("cache", "export", str(there), "--json")

    assert result.json["exported"] == 40
    assert result.json["set_aside"] == 1
    assert len(there.read_text().splitlines()) == 40
    first = elsewhere.run("cache", "import", "replies.jsonl", "--json").json
    assert (first["format"], first["added"], first["known"]) == ("judgekit.cache/1", 40, 0)
    again = elsewhere.run("cache", "import", "replies.jsonl")
    assert again.out == ".judgekit/cache: 0 replies added, 40 were there already\n"
    with ReplyCache(elsewhere.root / ".judgekit" / "cache") as cache:
        assert cache.get(key(7)) == ModelReply("reply 7", "stop")


def test_a_run_is_carried_from_one_machine_to_another(
    served: House, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Complaint 55: the second machine asks nothing."""
    assert served.run("calibrate", "tone").code == 0
    assert served.server is not None
    asked = served.server.stats.requests
    elsewhere = House(tmp_path_factory.mktemp("elsewhere"), server=served.server)
    elsewhere.judge()
    elsewhere.write("labels.csv", (served.root / "labels.csv").read_text())
    served.run("cache", "export", str(elsewhere.root / "replies.jsonl"))
    elsewhere.run("cache", "import", "replies.jsonl")

    result = elsewhere.run("calibrate", "tone", "--json")

    assert result.code == 0
    assert result.json["calls"] == {"asked": 0, "cached": 60, "failed": 0, "not_asked": 0}
    assert served.server.stats.requests == asked


def test_only_what_is_new(filled: House) -> None:
    """Kept since so long ago."""
    assert filled.run("cache", "export", "-", "--since", "7d").out.count("\n") == 39
    assert filled.run("cache", "export", "-").out.count("\n") == 40
    assert filled.run("cache", "export", "new.jsonl", "--since", "yesterday").code == 2


def test_standard_output_and_input(filled: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a pipe; remarks go to stderr."""
    spoil(filled)
    export = filled.spawn("cache", "export", "-")
    out, err = export.communicate(timeout=60)
    assert (export.returncode, err) == (0, "1 row is no reply and was left out\n")
    assert len([json.loads(line) for line in out.splitlines()]) == 40
    filled.run("cache", "prune", "--older-than", "30d")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(out.encode())))
    document = filled.run("cache", "import", "-", "--json").json
    assert (document["added"], document["known"]) == (1, 39)
    assert filled.run("cache", "export", "-", "--json").code == 2


def test_lines_that_are_no_replies_are_named(filled: House) -> None:
    """The others are kept; it ends with 1, so that a pipeline notices."""
    filled.run("cache", "export", "all.jsonl")
    good = (filled.root / "all.jsonl").read_text()
    filled.write("some.jsonl", "no JSON\n" + good + "{}\n" * 20)
    filled.run("cache", "prune", "--max-size", "0")

    result = filled.run("cache", "import", "some.jsonl")

    assert result.code == 1
    assert ".judgekit/cache: 40 replies added, 0 were there already" in result.out
    assert "21 lines are no replies and were left out:" in result.out
    assert "  some.jsonl:1: not JSON\n" in result.out
    assert "  some.jsonl:42: its format is not 'judgekit.reply/1'\n" in result.out
    assert "  and 11 more\n" in result.out
    document = filled.run("cache", "import", "some.jsonl", "--json").json
    assert len(document["refused"]) == 21
    assert document["refused"][0] == {"line": 1, "why": "not JSON"}


def test_another_file_altogether(served: House) -> None:
    """Bad input: nothing done."""
    result = served.run("cache", "import", "labels.csv", "--json")

    assert result.code == 2
    assert (result.json["file"], result.json["line"]) == ("labels.csv", 1)
    assert "no line of it is a reply" in result.json["message"]
    assert served.run("cache", "import", "absent.jsonl").code == 2
    assert served.run("cache", "import", ".").code == 2
    assert not (served.root / ".judgekit").exists()


def test_an_export_is_whole_or_not_there(filled: House) -> None:
    """An old one stays until the new one is complete; nothing is left lying about."""
    assert filled.run("cache", "export", "all.jsonl").code == 0
    old = (filled.root / "all.jsonl").read_bytes()
    database = filled.root / ".judgekit" / "cache" / "replies-v1" / "cache.db"
    good = database.read_bytes()
    database.write_bytes(good[: len(good) // 2])

    result = filled.run("cache", "export", "all.jsonl")

    assert result.code == 2
    assert "damaged" in result.err
    assert (filled.root / "all.jsonl").read_bytes() == old
    database.write_bytes(good)
    assert filled.run("cache", "export", "all.jsonl").code == 0
    assert len((filled.root / "all.jsonl").read_text().splitlines()) == 40
    assert {path.name for path in filled.root.iterdir()} == {".judgekit", "all.jsonl"}


def test_a_file_without_any_reply_is_no_import(filled: House) -> None:
    """Whether it has lines or not; a cache of nothing would look like one brought in."""
    for text in ("", "\n\n", "no JSON\n"):
        filled.write("nothing.jsonl", text)
        result = filled.run("cache", "import", "nothing.jsonl", "--json")
        assert (result.code, result.json["file"]) == (2, "nothing.jsonl")
        assert "cache export" in result.json["hint"]


@pytest.mark.slow
def test_a_cache_deleted_during_a_run_ends_it(house: House) -> None:
    """Nothing paid for vanishes without a word: what came last is kept, and so is what follows."""
    with StubServer(reply=echo(), latency_ms=50) as server:
        house.server = server
        house.judge(concurrency=4)
        house.items(["friendly"] * 200)
        process = house.spawn("try", "tone", "items.jsonl")
        wait_until(lambda: server.stats.answered >= 20, 60)
        shutil.rmtree(house.root / ".judgekit" / "cache")
        _, err = process.communicate(timeout=30)
        asked = server.stats.answered
        kept = house.run("cache", "stats", "--json").json["entries"]
        again = house.run("try", "tone", "items.jsonl", "--json")

    assert process.returncode == 2
    assert "it was deleted, or replaced, while it was in use" in err
    assert asked < 100
    assert kept > 0
    assert sum(row["cached"] for row in again.json["items"]) == kept
    assert house.run("cache", "stats", "--json").json["entries"] == 200


def test_where_an_export_may_not_go(filled: House) -> None:
    """Over the cache itself, a folder, or nowhere."""
    for place in (".judgekit/cache/replies-v1/cache.db", ".judgekit", "absent/all.jsonl"):
        assert filled.run("cache", "export", place).code == 2
    assert filled.run("cache", "stats", "--json").json["entries"] == 40


def test_a_pipe_is_written_to_and_stays_a_pipe(filled: House) -> None:
    """So is a device; neither is replaced by a file."""
    pipe = filled.root / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    assert filled.run("cache", "export", "pipe").code == 0

    assert os.read(reader, 100_000).count(b"\n") == 40
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_damaged_cache_is_one_clear_error(filled: House) -> None:
    """With the way out; in JSON, too."""
    database = filled.root / ".judgekit" / "cache" / "replies-v1" / "cache.db"
    database.write_bytes(b"garbage " * 1000)

    for command in (("stats",), ("prune", "--unusable"), ("export", "-"), ("import", os.devnull)):
        result = filled.run("cache", *command)
        if command[0] != "import":
            assert result.code == 2
            assert "replies-v1' cannot be used: it is damaged" in result.err
            assert "replies-v1.broken" in result.err
    document = filled.run("cache", "stats", "--json").json
    assert (document["format"], document["kind"]) == ("judgekit.error/1", "storage")
    assert Path(database).read_bytes() == b"garbage " * 1000
