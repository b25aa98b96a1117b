"""``judgekit runs``: what each run asked, got and cost, down to one answer."""

from __future__ import annotations

import json
import re
import shutil
import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judgekit.storage.runs import RunRecorder
from judgekit.storage.runs_read import read_runs, rows_of
from judgekit.testing import StubServer
from tests.e2e.house import House, echo, spread
from tests.running.helpers import wait_until

LEVELS = ["rude", "cold", "polite", "friendly"]
NOW = datetime(2026, 11, 30, 9, 12, 33, tzinfo=UTC)


def runs_of(house: House) -> Path:
    """Return the folder of run records."""
    return house.root / ".judgekit" / "runs"


def rows(house: House, name: str = "last", item: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of a run."""
    return list(rows_of(read_runs(runs_of(house)).find(name), item))


def about(house: House, name: str = "last") -> dict[str, Any]:
    """Return what is said of a run."""
    return read_runs(runs_of(house)).find(name).about


def made_up(house: House, n: int = 4, *, judge: str = "tone") -> None:
    """Record a run of ``n`` answers, every other one unjudged."""

    def each() -> Iterator[dict[str, Any]]:
        for i in range(n):
            row = {"item": f"item-{i:03}", "criterion": "tone", "replicate": 0, "request": f"k{i}"}
            if i % 2:
                yield row | {"status": "unjudged", "cause": "unreadable", "raw": "dunno \ud83d"}
            else:
                yield row | {"status": "judged", "level": "cold", "value": 2, "raw": "cold"}

    with RunRecorder(runs_of(house), command="try", now=NOW, about={"judge": judge}) as run:
        run.write(each())


def test_a_run_leaves_its_record(served: House) -> None:
    """A row for each answer with its request, model, usage and latency; the tally adds up."""
    served.run("calibrate", "tone", "--json")
    kept, said = rows(served), about(served)
    tally = said["tally"]

    assert (said["command"], said["judge"], said["state"]) == ("calibrate", "tone", "done")
    assert len(kept) == 60
    assert len({row["request"] for row in kept}) == 60
    for row in kept:
        assert re.fullmatch("[0-9a-f]{64}", row["request"])
        assert (row["model"], row["served"]) == ("openai/stub-2025-01-01", "stub-2025-01-01")
        assert (row["cached"], row["attempts"], row["status"]) == (False, 1, "judged")
        assert row["tokens_in"] > 0
        assert row["latency_s"] > 0
        assert "cost_usd" not in row  # nobody knows what the stub costs
    assert tally["items"] == tally["judged"] + sum(tally["unjudged"].values()) == 60
    assert (tally["asked"], tally["cached"], tally["failed"]) == (60, 0, 0)
    assert (tally["cost_usd"], tally["unpriced"]) == (None, 60)
    assert tally["tokens_in"] == sum(row["tokens_in"] for row in kept)


def test_complaint_56_the_prompt_and_the_reply_are_kept_and_linked(served: House) -> None:
    """What a run shows of an item is what the server received and said."""
    served.run("calibrate", "tone", "--json")
    (sent,) = (
        json.loads(r.body) for r in served.server.received if "reply 7 is" in r.body.decode()
    )
    shown = served.run("runs", "show", "last", "item-007", "--json").json["judgments"][0]
    again = served.run("calibrate", "tone", "--json")
    text = served.run("runs", "show", "last", "item-007").out
    cached = served.run("runs", "show", "last", "item-007", "--json").json["judgments"][0]

    assert again.json["calls"]["asked"] == 0
    assert shown["messages"] == sent["messages"]
    assert json.loads(shown["raw"]) == {"reason": "as it says", "level": "friendly"}
    assert shown["asked_in"] is None
    assert (cached["cached"], cached["raw"]) == (True, shown["raw"])
    assert cached["messages"] == sent["messages"]
    assert cached["request"] == shown["request"]
    assert f"asked in run {cached['asked_in']}" in text
    assert "reply 7 is friendly" in text
    assert shown["request"] in text


def test_what_goes_wrong_is_told(house: House) -> None:
    """Unjudged by cause, one by one where asked; the failed ones with their attempts."""
    with StubServer(reply=echo(), faults={"malformed": 0.2, "refusal": 0.2, "400": 0.2}) as server:
        house.server = server
        house.judge()
        with (house.root / "judgekit.toml").open("a") as file:
            file.write("[judges.tone.params]\nseed = 7\n")
        server.configure(refuses=("seed",))
        house.labels(spread(LEVELS, 60))
        found = house.run("calibrate", "tone", "--json").json["criteria"][0]["tally"]
    shown = house.run("runs", "show", "last", "--json").json
    listed = house.run("runs", "show", "last", "--unjudged", "--json").json["judgments"]
    refused = house.run("runs", "show", "last", "--cause", "refused").out
    text = house.run("runs", "show", "last").out

    assert shown["tally"]["unjudged"] == shown["answers"]["unjudged"] == found["unjudged"]
    assert len(listed) == sum(found["unjudged"].values())
    assert {row["cause"] for row in listed} == set(found["unjudged"])
    assert len(re.findall(r"(?m)^item-", refused)) == found["unjudged"]["refused"]
    assert shown["answers"]["left_out"] == {
        "seed": shown["answers"]["asked"] - shown["answers"]["failed"]
    }
    assert "left out    seed" in text
    assert "cost        unknown" in text
    assert max(map(len, text.split("\n"))) <= 80


def test_no_number_over_items(served: House) -> None:
    """An uncertified judge's run gives levels of single items and counts of answers, no more."""
    served.items(["friendly"] * 12 + ["rude"] * 8)
    served.run("try", "tone", "items.jsonl")
    told = ""
    for arguments in (("list",), ("show", "last"), ("show", "last", "--unjudged")):
        for extra in ((), ("--json",)):
            result = served.run("runs", *arguments, *extra)
            assert result.code == 0
            told += result.out + result.err

    told = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.-]+", "", told)  # it may be the 12th
    assert not re.search(r"(?<![\w.])(0?\.60*|60(\.0+)?\s?%|2\.80*|12|8)(?![\w.])", told)
    assert not re.search(r'"(level|value)"', told)
    assert "friendly" not in re.sub(r'(?s)"shared".*?\n \}', "", told)


def test_listing(house: House) -> None:
    """Newest first, of one judge, the newest few; two lines each, on 80 columns."""
    house.judge()
    made_up(house, judge="a" * 60)
    made_up(house)
    made_up(house)
    (runs_of(house) / "notes.txt").write_text("mine")
    (runs_of(house) / "2026-11-30T09-12-33-2" / "run.json").write_text("{")
    every = house.run("runs", "list", "--json").json
    ours = house.run("runs", "list", "--json", "--judge", "tone").json["runs"]
    newest = house.run("runs", "list", "--json", "--limit", "1").json["runs"]
    text = house.run("runs", "list")

    ids = [f"2026-11-30T09-12-33{n}" for n in ("-3", "-2", "")]
    assert every["format"] == "judgekit.runs/1"
    assert [run["id"] for run in every["runs"]] == ids
    assert [run["state"] for run in every["runs"]] == ["failed", "unknown", "failed"]
    assert [run["recorded"] for run in every["runs"]] == [4, 4, 4]
    assert len(every["problems"]) == 2
    assert [run["id"] for run in ours] == [ids[0]]
    assert [run["id"] for run in newest] == [ids[0]]
    assert len(text.out.splitlines()) == 6
    assert max(map(len, text.out.split("\n"))) <= 80
    assert "notes.txt is no record of a run" in text.err
    assert "run.json cannot be used" in text.err


def test_nothing_to_show(house: House) -> None:
    """Exit 2 with a way out, or an empty list."""
    house.judge()
    assert house.run("runs", "list").out == "No record of any run.\n"
    assert house.run("runs", "list", "--json").json["runs"] == []
    assert house.run("runs", "show", "last").code == 2
    made_up(house)
    for arguments, hint in (
        (("2026-11-30T09-12-34",), "Did you mean '2026-11-30T09-12-33'?"),
        (("../../etc",), "judgekit runs list"),
        (("last", "item-01"), "Did you mean 'item-001'?"),
        (("last", "zzz"), "judgekit runs show 2026-11-30T09-12-33"),
        (("last", "--cause", "unredable"), "Did you mean 'unreadable'?"),
    ):
        result = house.run("runs", "show", *arguments)
        assert result.code == 2
        assert hint in " ".join(result.err.split())
        assert house.run("runs", "show", *arguments, "--json").json["format"] == "judgekit.error/1"


def test_filters(house: House) -> None:
    """Of one item, of one cause; half a surrogate pair is no trouble."""
    house.judge()
    made_up(house)

    assert house.run("runs", "show", "last", "item-000", "--unjudged").out.startswith("No such")
    assert house.run("runs", "show", "last", "--cause", "refused").out == "None of that cause.\n"
    unjudged = house.run("runs", "show", "last", "--unjudged")
    assert unjudged.out.splitlines() == [f"item-00{i}, tone: unjudged (unreadable)" for i in (1, 3)]
    story = house.run("runs", "show", "2026-11", "item-001")
    assert "dunno \\ud83d" in story.out
    assert "in no record" in story.out
    found = house.run("runs", "show", "last", "item-001", "--json").json["judgments"]
    assert found[0]["raw"] == "dunno \ud83d"
    streamed = house.run("runs", "show", "last", "--unjudged", "--json").json
    assert [row["item"] for row in streamed["judgments"]] == ["item-001", "item-003"]
    assert streamed["problems"] == []


def test_a_line_cut_short_is_named(house: House) -> None:
    """And the rest is shown."""
    house.judge()
    made_up(house)
    path = runs_of(house) / "2026-11-30T09-12-33" / "judgments.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    text = house.run("runs", "show", "last")
    document = house.run("runs", "show", "last", "--unjudged", "--json").json

    assert "3 answers recorded" in text.out
    assert ":4 was cut short while it was written" in text.err
    assert ":4 was cut short" in document["problems"][0]


def test_pruning(house: House) -> None:
    """By the age of the run's end."""
    house.judge()
    made_up(house)

    assert house.run("runs", "prune", "--older-than", "soon").code == 2
    assert house.run("runs", "prune", "--older-than", "1d").out == "0 runs taken out, 1 kept.\n"
    assert house.run("runs", "prune", "--older-than", "0h", "--json").json["kept"] == 0
    assert list(runs_of(house).iterdir()) == []


def test_pruning_names_what_goes(house: House) -> None:
    """The first few; and only says so where that is asked for."""
    house.judge()
    for _ in range(7):
        made_up(house, 1)
    names = [run["id"] for run in house.run("runs", "list", "--json").json["runs"]]

    told = house.run("runs", "prune", "--older-than", "0d", "--dry-run").out
    assert len(list(runs_of(house).iterdir())) == 7
    done = house.run("runs", "prune", "--older-than", "0d")

    named = [f"  {name}" for name in names[:5]]
    assert told.splitlines() == ["7 runs would be taken out, 0 kept.", *named, "  and 2 more"]
    assert done.out.splitlines() == ["7 runs taken out, 0 kept.", *named, "  and 2 more"]
    assert list(runs_of(house).iterdir()) == []


def test_a_record_that_cannot_be_taken_out(house: House) -> None:
    """As on a read-only disk: one clear error, no bug."""
    house.judge()
    made_up(house)
    (runs_of(house) / "2026-11-30T09-12-33" / "judgments.jsonl").unlink()
    (runs_of(house) / "2026-11-30T09-12-33" / "judgments.jsonl").mkdir()

    done = house.run("runs", "prune", "--older-than", "0d")

    assert done.code == 2
    assert done.err.startswith(".judgekit/runs/2026-11-30T09-12-33: this record cannot be taken")


def test_a_run_that_failed_accounts_for_what_it_did(served: House) -> None:
    """Offline, with one reply missing: what was a miss is no answer."""
    served.items(["friendly"] * 3)
    served.run("try", "tone", "items.jsonl")
    served.items(["friendly"] * 4)

    assert served.run("try", "tone", "items.jsonl", "--offline").code == 4

    listed = served.run("runs", "list", "--limit", "1").out
    assert "failed" in listed
    assert "3 judged, 1 not; 0 asked, 3 cached, 1 not asked" in " ".join(listed.split())


def test_a_record_deleted_meanwhile_ends_the_run(house: House) -> None:
    """Rows written into nothing are not silently lost; the replies are kept."""
    with StubServer(reply=echo(), latency_ms=50) as server:
        house.server = server
        house.judge(concurrency=4)
        house.items(["friendly"] * 200)
        process = house.spawn("try", "tone", "items.jsonl")
        wait_until(lambda: server.stats.answered >= 20, 60)
        shutil.rmtree(runs_of(house))
        _, err = process.communicate(timeout=30)
        asked = server.stats.answered

    assert process.returncode == 2
    assert "the record of this run was deleted while it was being written" in err
    assert not runs_of(house).exists()
    assert asked < 200
    assert house.run("cache", "stats", "--json").json["entries"] >= 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "state"), [(signal.SIGKILL, "killed"), (signal.SIGINT, "stopped")]
)
def test_a_run_that_is_stopped(house: House, sent: signal.Signals, state: str) -> None:
    """The record says so, holds what was answered, and the next run goes on."""
    with StubServer(reply=echo(), latency_ms=50) as server:
        house.server = server
        house.judge(concurrency=4)
        house.labels(spread(LEVELS, 150))
        process = house.spawn("calibrate", "tone")
        deadline = time.monotonic() + 60
        while server.stats.answered < 20 and time.monotonic() < deadline:
            time.sleep(0.02)
        during = house.run("runs", "list", "--json").json["runs"][0]["state"]
        process.send_signal(sent)
        process.communicate(timeout=30)
        ended = house.run("runs", "list", "--json").json["runs"][0]
        text = house.run("runs", "show", "last").out
        server.configure(latency_ms=0)
        again = house.run("calibrate", "tone", "--json").json

    assert (during, ended["state"]) == ("running", state)
    recorded = ended["recorded"] if state == "killed" else ended["tally"]["judged"]
    assert recorded >= 16
    assert "run it again" in text
    assert again["calls"]["cached"] >= recorded
    assert again["verdict"] == "calibrated"
