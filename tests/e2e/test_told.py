"""What a command tells of its calls: asked, failed, cached, not asked, and what is not known."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import House, echo

NO_KEY = {
    "model": "openai/gpt-4.1-mini",
    "api_base": "http://127.0.0.1:9/v1",
    "api_key_env": "NO_SUCH_KEY",
}
PRICE = "price = { input = 0.4, output = 1.6 }\n"


def last(house: House) -> dict[str, Any]:
    """Return the document of the newest run."""
    return house.run("runs", "show", "last", "--json").json


def adds_up(calls: dict[str, Any], total: int) -> bool:
    """Tell whether every request is one of three."""
    return calls["asked"] + calls["cached"] + calls["not_asked"] == total


def settings(house: House, more: str) -> None:
    """Add keys to the judge."""
    with (house.root / "judgekit.toml").open("a") as file:
        file.write(more)


def spoil(house: House, rows: int) -> None:
    """Make some rows of the cache unusable."""
    path = house.root / ".judgekit" / "cache" / "replies-v1" / "cache.db"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE Cache SET value = 'no JSON' WHERE rowid <= ?", (rows,))
    connection.close()


def test_what_the_budget_did_not_allow_was_not_asked(served: House) -> None:
    """Neither asked nor failed, in every place that tells of it, and the parts add up."""
    settings(served, PRICE)
    done = served.run("calibrate", "tone", "--max-cost", "0.0004")
    run = last(served)
    tally, answers = run["tally"], run["answers"]
    listed = served.run("runs", "list").out
    shown = served.run("runs", "show", "last").out

    assert done.code == 4
    assert tally["asked"] >= 1
    assert (tally["failed"], answers["failed"]) == (0, 0)
    assert adds_up(tally, 60)
    assert adds_up(answers, 60)
    told = f"{tally['asked']} asked, 0 cached, {tally['not_asked']} not asked"
    assert done.err == f"note: requests: {told}\n      judgekit runs show {run['id']} --unjudged\n"
    assert told in " ".join(listed.split())
    assert f"calls       {told}\n" in shown
    again = served.run("calibrate", "tone", "--max-cost", "0.0004", "--json")
    assert again.err == ""


def test_without_the_key_nothing_is_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is paid."""
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    house.judge(**NO_KEY)
    house.items(["cold"] * 8)
    done = house.run("try", "tone", "items.jsonl")

    assert done.code == 4
    assert "note: requests: 0 asked, 0 cached, 8 not asked\n" in done.err
    assert "0 asked, 0 cached, 8 not asked; no call, no cost" in house.run("runs", "list").out
    assert "cost        no call, no cost" in house.run("runs", "show", "last").out


@pytest.mark.parametrize(
    ("variable", "model"),
    [
        ("OPENAI_API_KEY", "openai/gpt-4.1-mini"),
        ("ANTHROPIC_API_KEY", "anthropic/claude-3-5-haiku-latest"),
    ],
)
def test_without_the_usual_key_nothing_is_asked(
    house: House, monkeypatch: pytest.MonkeyPatch, variable: str, model: str
) -> None:
    """No call is counted, each item says why, and the JSON document adds up as well."""
    monkeypatch.delenv(variable, raising=False)
    house.judge(model=model)
    house.labels(["cold"] * 8)
    done = house.run("calibrate", "tone", "--json")
    run = last(house)

    assert done.code == 4
    assert done.json["calls"] == {"asked": 0, "cached": 0, "failed": 0, "not_asked": 8}
    assert (run["answers"]["asked"], run["answers"]["not_asked"]) == (0, 8)
    told = " ".join(house.run("runs", "show", "last", "--unjudged").out.split())
    assert told.count("no API key is set") == 8


def test_offline_and_time_over_is_not_asked(served: House) -> None:
    """Whatever the reason is."""
    served.items(["cold"] * 5)
    served.run("try", "tone", "items.jsonl", "--offline")
    offline = last(served)["answers"]
    served.server.configure(latency_ms=400)
    served.run("try", "tone", "items.jsonl", "--max-time", "0.2", "--concurrency", "1")
    late = last(served)

    assert (offline["asked"], offline["failed"], offline["not_asked"]) == (0, 0, 5)
    assert (late["tally"]["asked"], late["tally"]["failed"]) == (1, 1)
    assert adds_up(late["tally"], 5)
    assert adds_up(late["answers"], 5)


def test_complaint_54_a_call_that_timed_out_has_an_unknown_cost(house: House) -> None:
    """It may have been paid for: never 0, beside what is known, in lists, runs and stories."""
    with StubServer(reply=echo(), faults={"hang": 1.0}, hang_s=20) as server:
        house.server = server
        house.judge()
        settings(house, PRICE)
        house.items(["cold"])
        house.run("try", "tone", "items.jsonl", "--max-time", "0.5")
        nothing = house.run("runs", "list").out + house.run("runs", "show", "last").out
        story = house.run("runs", "show", "last", "new-000").out
        server.configure(faults={"hang": 0.5}, hang_s=20)
        house.items([("rude", "cold")[i % 2] for i in range(12)])
        house.run("try", "tone", "items.jsonl", "--max-time", "0.7")
        run = last(house)
        listed = house.run("runs", "list", "--limit", "1").out
        shown = house.run("runs", "show", "last").out

    assert "0.00 USD" not in nothing
    assert "1 asked (1 failed), 0 cached; cost unknown" in nothing
    assert "cost        unknown\n" in nothing
    assert "cost unknown: it timed out, and may have been paid for" in " ".join(story.split())
    failed = run["answers"]["failed"]
    assert 0 < failed < 12
    assert run["answers"]["unpriced"] == run["tally"]["unpriced"] == failed
    assert run["tally"]["cost_usd"] is None
    assert run["tally"]["known_usd"] == pytest.approx(run["answers"]["cost_usd"])
    assert f"USD and {failed} of unknown cost" in " ".join(listed.split())
    assert f"USD and {failed} of unknown cost" in shown


@pytest.mark.parametrize(("rows", "said"), [(1, "1 cached reply could"), (7, "7 cached replies")])
def test_replies_that_could_not_be_used_are_told(served: House, rows: int, said: str) -> None:
    """At the end of the run and in its record, with the way to see them."""
    served.run("calibrate", "tone", "--json")
    spoil(served, rows)
    done = served.run("calibrate", "tone")
    run = last(served)
    shown = " ".join(served.run("runs", "show", "last").out.split())

    assert f"note: {said}" in done.err
    assert f"asked again\n      judgekit runs show {run['id']}\n" in done.err
    assert (run["tally"]["set_aside"], run["tally"]["asked"]) == (rows, rows)
    assert [row["why"] for row in run["tally"]["set_aside_rows"]] == ["not JSON"] * min(rows, 5)
    assert f"set aside {said}" in shown
    assert ("and 2 more" in shown) == (rows == 7)
    assert served.run("calibrate", "tone").err == ""


def test_the_lane_is_in_the_record(served: House) -> None:
    """The one taken, beside what was asked for."""
    served.items(["cold"])
    for chosen, told in (((), "auto: direct"), (("--transport", "direct"), "direct")):
        served.run("try", "tone", "items.jsonl", *chosen)
        assert last(served)["lanes"] == ["direct"]
        assert f"openai/stub-2025-01-01 ({told})\n" in served.run("runs", "show", "last").out


def preview(house: House, *arguments: str) -> tuple[str, Any]:
    """Return what preview prints last, in one line, and its document."""
    text = house.run("preview", *arguments).out
    assert max(map(len, text.splitlines()[-3:])) <= 80
    return " ".join(text.split()), house.run("preview", *arguments, "--json").json


def test_preview_tells_every_call_and_their_cost(house: House) -> None:
    """Members, orders and replicates: the price of one call is not that of an item."""
    house.judge(model="openai/gpt-4.1-mini")
    one, (once,) = preview(house, "tone")
    panel = 'panel = ["openai/gpt-4.1-mini", "openai/no-such-model"]\nreplicates = 3\n'
    settings(house, f'[judges.two]\nrubric = "rubrics/tone.jinja"\n{panel}')
    many, (twice,) = preview(house, "two")
    settings(house, f'[judges.mine]\nrubric = "rubrics/tone.jinja"\nmodel = "openai/x"\n{PRICE}')
    stated, (mine,) = preview(house, "mine")

    assert "1 call an item, about 0." in one
    assert once["calls_per_item"] == 1
    assert once["item_cost_usd"] == once["cost_usd"] > 0
    assert "6 calls an item (2 models, 3 replicates), about 0." in many
    assert "USD and 3 of unknown price" in many
    assert (twice["calls_per_item"], twice["item_cost_usd"]) == (6, None)
    assert "1 call an item, about 0." in stated
    assert mine["item_cost_usd"] > 0


def test_a_member_has_its_own_price(house: House) -> None:
    """A price of a member is that of the model, the judge's is for the others."""
    with StubServer(reply=echo()) as server:
        house.server = server
        house.judge()
        cheap = "{ model = 'openai/a', price = { input = 0, output = 0 } }"
        settings(house, f"panel = [{cheap}, 'openai/b', 'openai/c']\norders = 'given'\n{PRICE}")
        text = (house.root / "judgekit.toml").read_text()
        house.write("judgekit.toml", text.replace('model = "openai/stub-2025-01-01"\n', ""))
        house.items(["cold"])
        done = house.run("try", "tone", "items.jsonl", "--max-cost", "1")
        rows = house.run("runs", "show", "last", "new-000", "--json").json["judgments"]

    assert done.code == 0
    costs = {row["model"]: row["cost_usd"] for row in rows}
    assert costs["openai/a"] == 0
    assert costs["openai/b"] > 0
    assert costs["openai/c"] > 0


@pytest.mark.parametrize("command", ["try", "calibrate"])
def test_only_options_of_the_command_are_advised(house: House, command: str) -> None:
    """An items file that lacks a column: try has no --items to name another with."""
    house.judge(model="openai/gpt-4.1-mini")
    if command == "try":
        house.write("items.jsonl", '{"id": "a", "input": "q", "answer": "x"}\n')
        done = house.run("try", "tone", "items.jsonl")
    else:
        house.write("labels.csv", "item_id,input,rater,level\na,q,ann,cold\n")
        done = house.run("calibrate", "tone")

    assert done.code == 2
    assert "Rename the column here or the input in the rubric" in " ".join(done.err.split())
    assert ("--items" in done.err) == (command == "calibrate")


def process(house: House, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command whose reader will go."""
    command = [sys.executable, "-m", "judgekit", *arguments]
    env = {**os.environ, "COLUMNS": "80"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=house.root, env=env, stdout=pipe, stderr=pipe)


@pytest.mark.parametrize(
    "arguments", [("runs", "show", "last", "--unjudged"), ("runs", "list", "--json"), ("--help",)]
)
def test_a_reader_that_goes_ends_it_quietly(house: House, arguments: tuple[str, ...]) -> None:
    """With the status of SIGPIPE and without a word, however little was printed."""
    house.judge(**NO_KEY)
    house.items(["cold"] * 300)
    house.run("try", "tone", "items.jsonl", "--json")
    command = process(house, *arguments)
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.close()
    said = command.stderr.read()
    command.stderr.close()

    assert (command.wait(timeout=60), said) == (141, b"")


def test_runs_prune_takes_every_unit(house: House) -> None:
    """The same ages as the cache, with the same words for what is none."""
    house.judge(**NO_KEY)
    house.items(["cold"])
    house.run("try", "tone", "items.jsonl")
    for age in ("90m", "1.5 D", "2w", "12h", "9" * 15 + "w"):
        assert house.run("runs", "prune", "--older-than", age).out == "0 runs taken out, 1 kept.\n"
    texts = [house.run(of, "prune", "--older-than", "soon").err for of in ("runs", "cache")]

    assert texts[0] == texts[1]
    assert "--older-than 'soon' is not a duration" in texts[0]
    assert house.run("runs", "prune", "--older-than", "0s").out.startswith("1 run taken out, 0 ")


def test_one_is_no_plural(house: House, tmp_path: Path) -> None:
    """One reply, one row, one line."""
    with StubServer(reply=echo()) as server:
        house.server = server
        house.judge()
        house.items(["cold"])
        house.run("try", "tone", "items.jsonl")
    file = tmp_path / "replies.jsonl"
    exported = house.run("cache", "export", str(file)).out
    stats = house.run("cache", "stats").out
    house.write("bad.jsonl", "no JSON\n" + file.read_text())
    imported = house.run("cache", "import", "bad.jsonl").out
    spoil(house, 1)
    spoilt = house.run("cache", "stats").out

    assert exported == f"{file}: 1 reply\n"
    assert stats.startswith(".judgekit/cache: 1 reply, ")
    assert "0 replies added, 1 was there already\n1 line is no reply and was left out:" in imported
    assert "1 row cannot be used; its request is asked anew:" in spoilt
    assert json.loads(file.read_text())["key"]
