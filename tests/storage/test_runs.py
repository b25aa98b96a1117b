"""Records of runs: never two in one folder, never half a line, never a secret."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from judgekit.errors import InputError, StorageError, UnknownName
from judgekit.running.secrets import Secrets, remember
from judgekit.storage.runs import RunRecorder
from judgekit.storage.runs_read import old_runs, prompt_elsewhere, prune_runs, read_runs, rows_of

NOW = datetime(2026, 11, 30, 9, 12, 33, tzinfo=UTC)
TALLY = {
    "items": 2,
    "judged": 1,
    "unjudged": {"unreadable": 1},
    "asked": 2,
    "cached": 0,
    "failed": 0,
    "cost_usd": None,
    "unpriced": 2,
    "tokens_in": 10,
    "tokens_out": 5,
    "seconds": 1.5,
}


def row(item: str = "a", **more: Any) -> dict[str, Any]:
    """Return a row as small as rows get."""
    return {"item": item, "criterion": "tone", "replicate": 0, "status": "judged", **more}


def record(folder: Path, rows: list[dict[str, Any]], now: datetime = NOW, **about: Any) -> str:
    """Record a run that went well and return its id."""
    with RunRecorder(folder, command="calibrate", now=now, about={"judge": "t", **about}) as run:
        run.write(rows)
        run.finish("done", TALLY)
    return run.id


def test_what_a_run_leaves(tmp_path: Path) -> None:
    """A folder named by the time, a description from the start, one line for each row."""
    folder = tmp_path / ".judgekit" / "runs"
    with RunRecorder(folder, command="score", now=NOW, about={"judge": "tone", "x": 1}) as run:
        begun = json.loads((run.folder / "run.json").read_text())
        run.write([row("a"), row("b")])
        run.write([row("c")])
        during = (run.folder / "judgments.jsonl").read_text()
        run.finish("done", TALLY)
    ended = json.loads((folder / "2026-11-30T09-12-33" / "run.json").read_text())

    assert run.id == "2026-11-30T09-12-33"
    assert (begun["format"], begun["id"], begun["command"]) == ("judgekit.run/1", run.id, "score")
    assert (begun["state"], begun["ended_at"], begun["tally"]) == ("running", None, None)
    assert (begun["judge"], begun["x"]) == ("tone", 1)
    assert [json.loads(line)["item"] for line in during.splitlines()] == ["a", "b", "c"]
    assert (ended["state"], ended["tally"]) == ("done", TALLY)
    assert datetime.fromisoformat(ended["ended_at"]) > NOW
    assert datetime.fromisoformat(ended["started_at"]) == NOW


def test_only_the_owner_may_look(tmp_path: Path) -> None:
    """Prompts may be private."""
    name = record(tmp_path / "runs", [row()])

    for folder in (tmp_path / "runs", tmp_path / "runs" / name):
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in ("judgments.jsonl", "run.json"):
        assert (tmp_path / "runs" / name / file).stat().st_mode & 0o777 == 0o600


MANY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from judgekit.storage.runs import RunRecorder
now = datetime(2026, 11, 30, 9, 12, 33, tzinfo=UTC)
for _ in range(5):
    with RunRecorder(Path(sys.argv[1]), command="try", now=now, about={}) as run:
        run.write([{"item": sys.argv[2], "status": "judged"}])
        run.finish("done", None)
    print(run.id)
"""


def test_four_processes_in_one_second(tmp_path: Path) -> None:
    """Never the same folder; the first of a second needs no number."""
    command = [sys.executable, "-c", MANY, str(tmp_path / "runs")]
    ends = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(4)
    ]
    ids = [name for end in ends for name in end.communicate(timeout=60)[0].split()]

    assert len(set(ids)) == 20
    assert "2026-11-30T09-12-33" in ids
    assert all(len(list(rows_of(run))) == 1 for run in read_runs(tmp_path / "runs").runs)


SLEEPER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from judgekit.storage.runs import RunRecorder
now = datetime(2026, 11, 30, 9, 12, 33, tzinfo=UTC)
with RunRecorder(Path(sys.argv[1]), command="calibrate", now=now, about={"judge": "t"}) as run:
    print("begun", flush=True)
    while True:
        run.write({"item": f"i{n}", "status": "judged", "raw": "x" * 500} for n in range(400))
"""


def test_killed_is_told_from_running(tmp_path: Path) -> None:
    """By the lock that dies with the process; no line but the last can be torn."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.1)
    before = read_runs(tmp_path).find("last").state
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    process.stdout.close()
    run = read_runs(tmp_path).find("last")
    rows = rows_of(run)
    read = sum(1 for _ in rows)

    assert (before, run.state) == ("running", "killed")
    assert read >= 400
    assert read >= rows.count() - 1
    assert len(rows.problems) <= 1


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (StorageError("the disk"), "failed"),
        (KeyboardInterrupt(), "stopped"),
        (asyncio.CancelledError(), "stopped"),
        (None, "failed"),
    ],
)
def test_a_run_without_an_end(tmp_path: Path, error: BaseException | None, state: str) -> None:
    """What was written stays, and the state says how it went; the error goes on."""

    def broken() -> None:
        with RunRecorder(tmp_path, command="try", now=NOW, about={}) as run:
            run.write([row()])
            if error is not None:
                raise error

    if error is None:
        broken()
    else:
        with pytest.raises(type(error)):
            broken()
    run = read_runs(tmp_path).find("last")

    assert run.state == state
    assert len(list(rows_of(run))) == 1


def test_what_json_cannot_hold(tmp_path: Path) -> None:
    """Half a surrogate pair comes back as it was; what is no finite number is null."""
    odd = row(
        "\ud83d", raw="half \ud83d of it", value=float("nan"), big=2**70, probabilities=(0.5,)
    )
    name = record(tmp_path, [odd, row("b", value=float("inf"))])
    first, second = rows_of(read_runs(tmp_path).find(name))
    (again,) = rows_of(read_runs(tmp_path).find(name), "\ud83d")

    assert first == again
    assert (first["item"], first["raw"], first["big"]) == ("\ud83d", "half \ud83d of it", 2**70)
    assert first["probabilities"] == [0.5]
    assert first["value"] is None
    assert second["value"] is None


def test_secrets_stay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In no form, in no field; numbers and everything else stay what they were."""
    key, other, digits = "pläntéd/kéy+0123456789", 'quote"d\\secret', "12345678"
    monkeypatch.setenv("PLANTED_API_KEY", key)
    monkeypatch.setenv("ODD_PASSWORD", digits)
    remember(other)
    coded = b64encode(key.encode()).decode()
    said = f"{key} {other} {digits} {coded}"
    name = record(tmp_path, [row(said, raw=[{said: said}], value=0.12345678)], told=said)
    run = read_runs(tmp_path).find(name)
    (back,) = rows_of(run)
    kept = "".join(path.read_text() for path in run.folder.iterdir())

    for secret in (key, coded, json.dumps(key)[1:-1], json.dumps(other)[1:-1]):
        assert secret not in kept
    assert back["item"] == "*** *** *** ***"
    assert back["raw"] == [{"*** *** *** ***": "*** *** *** ***"}]
    assert back["value"] == 0.12345678
    assert run.about["told"] == "*** *** *** ***"


def test_a_line_costs_little(tmp_path: Path) -> None:
    """Not much more than to turn the row into JSON: no row is looked at one by one."""
    rows = [row(f"i{n}", raw="because " * 20, request="f" * 64) for n in range(500)]

    def bare() -> None:
        data = bytearray()
        for one in rows:
            data += orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE)

    def cpu(function: Any) -> float:
        start = time.process_time()
        for _ in range(20):
            function()
        return (time.process_time() - start) / 10_000

    with RunRecorder(tmp_path, command="try", now=NOW, about={}) as run:
        times = [(cpu(lambda: run.write(rows)), cpu(bare)) for _ in range(5)]

    assert min(t for t, _ in times) < 10 * min(t for _, t in times) + 3e-6


def test_a_million_rows_need_no_memory(tmp_path: Path) -> None:
    """Writing and reading hold a small part at a time."""
    rows = (row(f"i{n}", raw="x" * 300) for n in range(20_000))
    tracemalloc.start()
    with RunRecorder(tmp_path, command="try", now=NOW, about={}) as run:
        run.write(rows)
    read = sum(1 for _ in rows_of(read_runs(tmp_path).find("last")))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert read == 20_000
    assert (run.folder / "judgments.jsonl").stat().st_size > 7_000_000
    assert peak < 4_000_000


def test_wrong_use(tmp_path: Path) -> None:
    """A time without a zone, a row after the end, a folder that cannot be."""
    with pytest.raises(InputError, match="time zone"):
        RunRecorder(tmp_path, command="try", now=datetime(2026, 1, 1), about={})  # noqa: DTZ001
    with RunRecorder(tmp_path, command="try", now=NOW, about={}) as run:
        run.finish("done", None)
    with pytest.raises(StorageError, match="has ended"):
        run.write([row()])
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StorageError, match="cannot be written"),
        RunRecorder(tmp_path / "file", command="try", now=NOW, about={}),
    ):
        pass


def test_finding_a_run(tmp_path: Path) -> None:
    """By id, by the only beginning, or the last; else a message that helps."""
    with pytest.raises(InputError, match="no record of any run"):
        read_runs(tmp_path / "none").find("last")
    ids = [record(tmp_path, [], NOW + timedelta(days=day // 11)) for day in range(12)]
    runs = read_runs(tmp_path)

    assert [run.id for run in runs.runs] == ids[::-1]
    assert runs.find("last").id == ids[-1]
    assert runs.find(ids[0]).id == ids[0]  # although others begin so
    assert runs.find("2026-12").id == ids[-1]
    with pytest.raises(InputError, match="11 runs begin with") as several:
        runs.find("2026-11")
    assert ids[10] in str(several.value.hint)
    with pytest.raises(UnknownName) as unknown:
        runs.find("2026-12-01T09-12-34")
    assert unknown.value.hint == f"Did you mean {ids[-1]!r}?"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be used"),
        ("[1]", "not what judgekit writes"),
        ('{"format": "judgekit.run/9"}', "upgrade judgekit"),
        ('{"format": "judgekit.run/1"}', "id: field required"),
        ('{"format": "judgekit.run/1", "seconds": NaN}', "NaN"),
        (None, "it is missing"),
    ],
)
def test_a_broken_description_is_named(tmp_path: Path, text: str | None, why: str) -> None:
    """And its rows are read all the same."""
    name = record(tmp_path, [row("a"), row("b")])
    path = tmp_path / name / "run.json"
    path.unlink()
    if text is not None:
        path.write_text(text)
    run = read_runs(tmp_path).find("last")

    assert why in str(run.problem)
    assert run.state == "unknown"
    assert [r["item"] for r in rows_of(run)] == ["a", "b"]


def test_broken_rows_are_named(tmp_path: Path) -> None:
    """A cut line at the end, and lines that are no rows; the others are read."""
    name = record(tmp_path, [row("a")])
    path = tmp_path / name / "judgments.jsonl"
    good = path.read_bytes()
    path.write_bytes(good + b"[1]\n\xff\n" + b'{"item": 1, "status": "x"}\n' * 4 + good + good[:20])
    rows = rows_of(read_runs(tmp_path).find(name))

    assert [r["item"] for r in rows] == ["a", "a"]
    assert rows.problems[0].endswith("judgments.jsonl:2 is not a row")
    assert len(rows.problems) == 6
    assert rows.problems[-1] == "2 more lines of it are no rows"
    path.write_bytes(good + good[:20])
    assert len(list(rows)) == 1
    assert rows.problems[0].endswith("judgments.jsonl:2 was cut short while it was written")
    path.unlink()
    assert list(rows) == []
    assert rows.problems[0].endswith("is missing")


def test_what_else_stands_there_is_named(tmp_path: Path) -> None:
    """Foreign files and folders, links and pipes are no runs and do no harm."""
    name = record(tmp_path, [])
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "2026-11-30T09-12-34").mkdir()
    (tmp_path / "2026-11-30T09-12-35").symlink_to(tmp_path / name)
    (tmp_path / "2026-11-31T09-12-35").mkdir()
    pipe = tmp_path / "2026-11-30T09-12-36"
    pipe.mkdir()
    for file in ("run.json", "judgments.jsonl"):
        os.mkfifo(pipe / file)
    found = read_runs(tmp_path)

    assert [run.id for run in found.runs] == [pipe.name, name]
    assert len(found.foreign) == 4
    assert "missing" in str(found.runs[0].problem)
    assert list(rows_of(found.runs[0])) == []
    assert prompt_elsewhere(found.runs, "k") is None


def test_the_prompt_of_a_cached_answer(tmp_path: Path) -> None:
    """Stands in the newest run that really made the call."""
    asked = record(tmp_path, [row(request="k1", prompt=["old"])])
    record(tmp_path, [row(request="k1", cached=True), row(request="k2", prompt=["k1"])])
    runs = read_runs(tmp_path).runs
    found = prompt_elsewhere(runs, "k1")

    assert found is not None
    assert (found[0].id, found[1]["prompt"]) == (asked, ["old"])
    assert prompt_elsewhere(runs, "k3") is None


def test_pruning(tmp_path: Path) -> None:
    """Takes what is old and ours: no run that is going, no file that judgekit did not write."""
    now = datetime.now(UTC)  # noqa: TID251
    old = record(tmp_path, [row()], now - timedelta(days=40))
    mine = record(tmp_path, [row()], now - timedelta(days=50))
    (tmp_path / mine / "notes.txt").write_text("mine")
    for name in (old, mine):
        path = tmp_path / name / "run.json"
        about = json.loads(path.read_text())
        path.write_text(json.dumps(about | {"ended_at": about["started_at"]}))
    new = record(tmp_path, [row()], now)
    with RunRecorder(tmp_path, command="try", now=now - timedelta(days=60), about={}) as going:
        gone = [run.id for run in old_runs(read_runs(tmp_path), now, timedelta(days=30))]
        assert len(read_runs(tmp_path).runs) == 4
        prune_runs(old_runs(read_runs(tmp_path), now, timedelta(days=30)))
        going.finish("done", None)

    assert set(gone) == {old, mine}
    assert {path.name for path in tmp_path.iterdir()} == {new, going.id, mine}
    assert [path.name for path in (tmp_path / mine).iterdir()] == ["notes.txt"]


def test_what_was_remembered_stays_a_secret() -> None:
    """For everyone who hides anything afterwards."""
    remember("a-key-nobody-else-knows", None, "")

    assert Secrets().hide_values("<a-key-nobody-else-knows>") == "<***>"
