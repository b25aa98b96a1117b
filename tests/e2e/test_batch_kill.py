"""Processes that die in the middle of a batch, and processes that meet over one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judgekit.running.cache import ReplyCache
from judgekit.storage.batches import BatchStore
from judgekit.testing import StubServer
from tests.e2e.house import House, spread

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]
SUBMIT = ["batch", "submit", "tone", "items.jsonl"]
COLLECT = ["batch", "collect", "--wait", "--poll", "0.01"]
TRY = ["try", "tone", "items.jsonl"]
ITEMS = 8
Runner = Callable[..., list[int]]


@pytest.fixture(scope="module")
def fork() -> Iterator[Runner]:
    """Return a function that runs command lines as forks of a process that has litellm."""
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.dying"],
        cwd=root,
        env=os.environ | {"OPENAI_API_KEY": "sk-of-the-test"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run(folder: Path, *commands: list[str], dies: int = 0) -> list[int]:
        assert process.stdin is not None
        assert process.stdout is not None
        told = {"folder": str(folder), "runs": commands, "dies": dies}
        process.stdin.write(json.dumps(told) + "\n")
        process.stdin.flush()
        codes: list[int] = json.loads(process.stdout.readline())
        return codes

    yield run
    process.communicate()


def project(root: Path, server: StubServer) -> House:
    """Return a project of its own, with items of its own."""
    house = House(root, server)
    root.mkdir()
    house.judge(model="openai/gpt-4.1-mini")
    house.items(spread(["rude", "cold", "polite", "friendly"], ITEMS))
    return house


def test_kill_9_at_any_step_of_a_submission_costs_no_second_batch(
    tmp_path: Path, server: StubServer, fork: Runner
) -> None:
    """Before and after every write and every step at the provider: one batch in the end."""
    for moment in range(1, 99):
        house = project(tmp_path / str(moment), server)
        (code,) = fork(house.root, SUBMIT, dies=moment)
        again = fork(house.root, SUBMIT)
        stats = server.batches.stats

        assert again == [0]
        assert stats.batches == moment, f"killed at {moment}: not one batch"
        assert stats.requests == moment * ITEMS
        names = {p.name.partition(".")[2] for p in (house.root / ".judgekit/batches").iterdir()}
        assert names == {"", "json", "places.jsonl"}, f"killed at {moment}: left behind"
        if code != -9:
            break
    assert (code, moment) == (0, 9)


def test_kill_9_at_any_step_of_collecting_loses_no_reply(
    tmp_path: Path, server: StubServer, fork: Runner
) -> None:
    """What was collected half is collected whole by the next, and no call is made for it."""
    server.batches.configure(step_s=1e-9)
    server.configure(faults={"empty": 0.3})
    submitted = project(tmp_path / "submitted", server)
    assert fork(submitted.root, SUBMIT) == [0]
    for moment in range(1, 99):
        root = tmp_path / str(moment)
        shutil.copytree(submitted.root, root)
        (code,) = fork(root, COLLECT, dies=moment)
        fork(root, COLLECT)
        (record,) = BatchStore(root / ".judgekit/batches").all()
        with ReplyCache(root / ".judgekit/cache") as cache:
            kept = cache.stats().entries

        assert (record.state, record.kept + record.lost) == ("collected", ITEMS)
        assert 0 < record.kept == kept < ITEMS, f"killed at {moment}: replies lost"
        assert len(BatchStore(root / ".judgekit/batches").troubles(record.id)) == record.lost
        if code != -9:
            break
    assert (code, moment) == (4, 7)
    assert server.batches.stats[:4] == (1, 1, ITEMS, ITEMS)


def test_four_processes_submit_one_batch(tmp_path: Path, server: StubServer, fork: Runner) -> None:
    """At the same moment: one submits, the others find it pending; four collect one outcome."""
    house = project(tmp_path / "four", server)

    assert fork(house.root, *[SUBMIT] * 4) == [0] * 4
    assert fork(house.root, *[COLLECT] * 4) == [0] * 4
    assert fork(house.root, *[TRY] * 4) == [0] * 4

    assert server.batches.stats[:4] == (1, 1, ITEMS, ITEMS)
    assert server.stats.requests == 0
