"""What a model, an endpoint, a file or a name says is shown, and never steers the terminal."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judgekit.testing import StubError, StubServer
from tests.e2e.house import BINARY, House, Result, echo, spread

HOSTILE = "good\x1b[2J\x1b]0;pwn\x07\u202eevil\u2066\x9b31m\x7f\x08"
"""It clears the screen, renames the window, and turns the direction of writing around."""
NAME = HOSTILE.replace("/", "")
SHOWN = r"\x1b[2J"
STEERING = re.compile("[^\n\t\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\U0010ffff]")
LEVELS = ["rude", "cold", "polite", "friendly"]
COLOURED = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def hostile(house: House) -> Iterator[House]:
    """Return a project whose judge gives hostile reasons, for an item with a hostile name."""
    reply = json.dumps({"reason": f"{HOSTILE} für 好 👩‍🚀 می‌خواهم", "level": "cold"})
    with StubServer(reply=lambda _: reply) as server:
        house.server = server
        house.judge()
        house.write("items.jsonl", json.dumps(item(NAME)) + "\n")
        yield house


def item(name: str, output: str = "answer 1 is cold") -> dict[str, str]:
    """Return an item."""
    return {"id": name, "input": "question", "output": output}


def told(result: Result, code: int | None = 0) -> str:
    """Return what a command printed, once it is known to steer nothing and to hide nothing."""
    assert code is None or result.code == code, result.out + result.err
    text = result.out + result.err
    assert STEERING.findall(text) == []
    assert SHOWN in text
    return text


def told_exactly(result: Result, code: int | None = 0) -> None:
    """See that JSON steers nothing either, and that who reads it gets the very text."""
    assert code is None or result.code == code, result.out + result.err
    assert STEERING.findall(result.out) == []
    assert any(HOSTILE in text for text in texts(result.json))


def texts(document: object) -> Iterator[str]:
    """Yield every text of a JSON document."""
    if isinstance(document, dict):
        document = [*document, *document.values()]
    if isinstance(document, list):
        for part in document:
            yield from texts(part)
    elif isinstance(document, str):
        yield document


def test_try(hostile: House) -> None:
    """A reason and the name of an item; letters, joiners and emoji stay as they are."""
    said = told(hostile.run("try", "tone", "items.jsonl"))
    told_exactly(hostile.run("try", "tone", "items.jsonl", "--json"))

    assert "für 好 👩‍🚀 می‌خواهم" in " ".join(said.split())
    assert r"good\x1b[2J\x1b]0;pwn\x07\u202eevil\u2066\x9b31m\x7f\x08" in said
    assert max(map(len, said.splitlines())) <= 80


def test_try_writes_the_very_text(hostile: House) -> None:
    """A file of rows has the reason as it is."""
    told(hostile.run("try", "tone", "items.jsonl", "--out", f"{NAME}.jsonl"))
    row = json.loads((hostile.root / f"{NAME}.jsonl").read_text(encoding="utf-8"))

    assert row["item_id"] == NAME
    assert row["reason"].startswith(HOSTILE)


def refusing() -> StubServer:
    """Return an endpoint whose error messages are hostile."""

    def reply(_: dict) -> str:
        raise StubError(401, message=f"no such key: {HOSTILE}")

    return StubServer(reply=reply)


@pytest.mark.parametrize("lane", ["direct", "litellm"])
@pytest.mark.parametrize("command", ["try", "calibrate"])
def test_what_an_endpoint_says(house: House, lane: str, command: str) -> None:
    """Of either lane, where a command ends by it."""
    with refusing() as server:
        house.server = server
        house.judge()
        house.labels(spread(LEVELS, 12))
        house.items(["cold"])
        files = ["items.jsonl"] if command == "try" else []
        ask = (command, "tone", *files, "--transport", lane)
        told(house.run(*ask), 4)
        document = house.run(*ask, "--json")
        assert STEERING.findall(document.out) == []
        if command == "try":
            told_exactly(document, 4)


def test_runs(hostile: House) -> None:
    """What a record holds: names of items, judges and models, reasons, prompts, replies."""
    hostile.run("try", "tone", "items.jsonl")
    run = hostile.run("runs", "list", "--json").json["runs"][0]["id"]
    (about,) = hostile.root.rglob("run.json")
    kept = json.loads(about.read_text(encoding="utf-8"))
    about.write_text(json.dumps({**kept, "judge": NAME, "command": NAME, "model": NAME}))

    for arguments in (["list"], ["show", run], ["show", run, NAME]):
        told(hostile.run("runs", *arguments))
        told_exactly(hostile.run("runs", *arguments, "--json"))
    told(hostile.run("runs", "show", run, f"{NAME}?"), 2)
    told(hostile.run("runs", "show", NAME), 2)


def test_runs_without_a_judgment(house: House) -> None:
    """Answers told one by one, and streamed as JSON."""
    house.judge(api_key_env="NO_SUCH_KEY")
    house.write("items.jsonl", json.dumps(item(NAME)) + "\n")
    house.run("try", "tone", "items.jsonl")

    told(house.run("runs", "show", "last", "--unjudged"))
    told_exactly(house.run("runs", "show", "last", "--unjudged", "--json"))


@pytest.fixture
def measured(house: House) -> House:
    """Return a certified recorded judge; raters, slices, files and the judge have bad names."""
    house.judge(BINARY, "grounded")
    levels = [i % 2 for i in range(120)]
    topic = [NAME if i % 3 else "other" for i in range(120)]
    house.labels(levels, f"{NAME}.csv", topic=topic, said=levels)
    place = house.root / f"{NAME}.csv"
    rows = list(csv.reader(place.read_text(encoding="utf-8").splitlines()))
    other = [[*row[:3], NAME, *row[4:]] for row in rows[1:]]
    with place.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([*rows, *other])
    rows_of_judge = [
        {"item_id": f"item-{i:03}", "level": v if i % 20 else 1 - v, "judge": NAME}
        for i, v in enumerate(levels)
    ]
    house.write("j.jsonl", "".join(json.dumps(row) + "\n" for row in rows_of_judge))
    return house


ASK = ("rubrics/grounded.jinja", "--judgments", "j.jsonl")


def test_calibrate_score_and_certificates(measured: House) -> None:
    """Names in the files that were read, and the names of these files."""
    labels = ("--labels", f"{NAME}.csv")
    slices = ("--slice", "topic", "--sampling", "random")
    told(measured.run("calibrate", *ASK, *labels, *slices))
    told_exactly(measured.run("calibrate", *ASK, *labels, *slices, "--json"))

    told(measured.run("score", *ASK, "--out", f"{NAME}.jsonl"))
    told_exactly(measured.run("score", *ASK, "--out", f"{NAME}.jsonl", "--json"))
    told(measured.run("score", *ASK, "--labels", NAME), 2)
    (certificate,) = measured.root.glob("certificates/*.json")
    name = certificate.name
    told(measured.run("certificate", "show", f"certificates/{name}"))
    told_exactly(measured.run("certificate", "show", f"certificates/{name}", "--json"))
    told(measured.run("certificate", "verify", NAME), 2)
    judgments = measured.root / "j.jsonl"
    judgments.write_text(judgments.read_text().replace('"judge": "good', '"judge": "bad'))
    told(measured.run("score", *ASK), 3)
    told_exactly(measured.run("score", *ASK, "--json"), 3)


def test_status(house: House) -> None:
    """The name of a judge may hold what no control character is."""
    house.judge()
    config = house.root / "judgekit.toml"
    config.write_text(
        config.read_text().replace("judges.tone", 'judges."good\\u202eevil\\u009b31m"')
    )
    said = house.run("status")
    document = house.run("status", "--json")

    assert r"good\u202eevil\x9b31m, tone: not fit to score" in said.out
    assert STEERING.findall(said.out + said.err + document.out) == []
    assert document.json["judges"][0]["judge"] == "good\u202eevil\x9b31m"


def test_agreement_split_and_plan(measured: House) -> None:
    """Columns, levels and options that are wrong in a bad way."""
    table = f"{NAME}.csv"
    columns = ("--judge", "said", "--human", "level", "--levels", "0,1", "--rater-column", "rater")
    told(measured.run("agreement", table, *columns, "--slice", "topic"))
    told(measured.run("agreement", table, "--judge", NAME, *columns[2:]), 2)
    told(measured.run("split", table, "--out", f"{NAME}-2.csv"))
    told(measured.run("plan", "--looks", NAME), 2)
    told(measured.run("plan", f"--{NAME}"), 2)


def test_cache(hostile: House) -> None:
    """The folder that the cache stands in, and files that are no exports."""
    root = hostile.root / NAME
    root.mkdir()
    for name in ("judgekit.toml", "items.jsonl", "rubrics"):
        (hostile.root / name).rename(root / name)
    (root / "below").mkdir()
    inside = replace(hostile, root=root)
    below = replace(hostile, root=root / "below")
    inside.run("try", "tone", "items.jsonl")
    (root / f"{NAME}.jsonl").write_text("no JSON\n")

    told(below.run("cache", "stats"))
    told_exactly(below.run("cache", "stats", "--json"))
    told(below.run("cache", "prune", "--unusable"))
    told(inside.run("cache", "import", f"{NAME}.jsonl"), 2)
    told(inside.run("cache", "prune", "--older-than", NAME), 2)
    exported = inside.run("cache", "export", "-").out
    assert STEERING.findall(exported) == []
    (root / "replies.jsonl").write_text(exported)
    assert "1 was there already" in inside.run("cache", "import", "replies.jsonl").out


def test_lint(house: House) -> None:
    """A file name, and what stands in the file."""
    bad = BINARY.replace("question:", f"{json.dumps(NAME)}: x\n    question:")
    house.write(f"rubrics/{NAME}.jinja", bad)

    told(house.run("lint"), 1)
    told_exactly(house.run("lint", "--json"), 1)
    told(house.run("lint", f"{NAME}.jinja"), 2)


def test_preview(hostile: House) -> None:
    """The text of an item, and its name."""
    hostile.write("items.jsonl", json.dumps(item(NAME, f"text {HOSTILE}")) + "\n")

    told(hostile.run("preview", "tone", "--items", "items.jsonl"))
    told_exactly(hostile.run("preview", "tone", "--items", "items.jsonl", "--json"))
    told(hostile.run("preview", "tone", NAME + "?", "--items", "items.jsonl"), 2)


def test_batch(house: House) -> None:
    """What a provider says of requests that failed, and the name of a batch."""
    with refusing() as server:
        house.server = server
        house.judge(model="openai/gpt-4.1-mini")
        house.items(spread(LEVELS, 3))
        assert house.run("batch", "submit", "tone", "items.jsonl").code == 0
        told(house.run("batch", "collect", "--wait", "--poll", "0.01"), 4)
        told_exactly(house.run("batch", "status", "--json"), None)
        told(house.run("batch", "status"), None)
        told(house.run("batch", "cancel", NAME), 2)


def test_a_terminal_with_colours(hostile: House) -> None:
    """On a real one, the colours are the program's own, and nothing else is."""
    hostile.labels(spread(["cold", "rude"], 12))
    judge = ("tone", "--model", "openai/\u202eevil")
    said = on_a_terminal(hostile.root, "stdout", "try", *judge, "items.jsonl")
    report = on_a_terminal(hostile.root, "stdout", "calibrate", *judge)
    bar = on_a_terminal(hostile.root, "stderr", "calibrate", *judge, "--refresh")

    assert SHOWN in said
    assert not COLOURED.search(said)
    assert COLOURED.search(report)
    for printed in (said, report):
        assert STEERING.findall(COLOURED.sub("", printed).replace("\r\n", "\n")) == []
    assert "Judging with" in bar
    assert not re.search("\x1b]|\x1b\\[2J|[\x07\x7f-\x9f\u202e\u2066]", bar)


def on_a_terminal(root: Path, stream: str, *arguments: str) -> str:
    """Run a command one of whose streams is a terminal; return what it printed there."""
    here, there = pty.openpty()
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"}
    command = [sys.executable, "-m", "judgekit", *arguments]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: there}
    said = b""
    with subprocess.Popen(command, cwd=root, env=env, **streams) as process:
        os.close(there)
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(here, 65_536):
                said += part
    os.close(here)
    assert process.returncode in (0, 1)
    return said.decode()


def test_the_record_stays_exact(hostile: House) -> None:
    """What is escaped on the screen is not escaped in what is kept."""
    hostile.run("try", "tone", "items.jsonl")
    row = hostile.run("runs", "show", "last", NAME, "--json").json["judgments"][0]

    assert (row["item"], row["reason"][: len(HOSTILE)]) == (NAME, HOSTILE)


def test_half_a_character(house: House) -> None:
    """Half a surrogate pair is shown as its escape, and other scripts beside it as they are."""
    with StubServer(reply=echo()) as server:
        house.server = server
        house.judge()
        house.write("items.jsonl", json.dumps(item("a\ud83dé")) + "\n")
        said = house.run("try", "tone", "items.jsonl")

    assert STEERING.findall(said.out + said.err) == []
