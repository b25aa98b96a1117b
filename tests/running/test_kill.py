"""Processes that die at any moment: what was answered before is not asked again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.running.cache import ReplyCache
from judgekit.running.engine import answer_all
from judgekit.testing import StubServer
from tests.running.helpers import DirectModel, questions, wait_until

pytestmark = pytest.mark.timeout(120)
COUNT, WORKERS = 500, 16
RUN = """
import asyncio, sys
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import answer_all
from judgekit.running.model import open_model
from tests.running.helpers import questions
root, base, lane = sys.argv[1:]
answers = asyncio.run(answer_all(
    questions(500, base),
    open_model=lambda: open_model("openai/stub", api_base=base, transport=lane),
    cache=ReplyCache(root),
))
assert all(a.reply for a in answers), [a.failure for a in answers if a.failure][:3]
"""


def start(root: Path, stub: StubServer, lane: str) -> subprocess.Popen[str]:
    """Start a run of 500 requests in a process of its own."""
    command = [sys.executable, "-c", RUN, str(root), stub.base_url, lane]
    return subprocess.Popen(command, text=True, stderr=subprocess.PIPE)


def kill_when(process: subprocess.Popen[str], stub: StubServer, requests: int) -> None:
    """Kill the process once the server has had so many requests, and see what it left."""
    wait_until(lambda: stub.stats.requests >= requests, seconds=60)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: stub.stats.in_flight == 0)


@pytest.mark.parametrize("lane", ["direct", pytest.param("litellm", marks=pytest.mark.long)])
def test_kill_9_loses_no_more_than_the_calls_in_flight(
    stub: StubServer, tmp_path: Path, lane: str
) -> None:
    """Killed at 20 random moments; the server counts what is asked twice."""
    stub.configure(latency_ms=20)
    moments = sorted(random.Random(lane).sample(range(20, 480), 20 if lane == "direct" else 2))

    for moment in moments:
        kill_when(start(tmp_path, stub, lane), stub, moment)
        cache = ReplyCache(tmp_path)
        kept = cache.stats()
        cache.close()
        assert kept.unusable == 0
        # What was answered and is not kept was still in someone's hands.
        assert stub.stats.distinct - kept.entries <= WORKERS
    before = stub.stats
    last = start(tmp_path, stub, lane)
    _, said = last.communicate(timeout=60)

    assert (last.returncode, said) == (0, "")
    assert stub.stats.distinct == COUNT
    assert stub.stats.requests - before.requests == COUNT - kept.entries
    assert stub.stats.duplicates <= WORKERS * len(moments)


def test_control_c_keeps_everything_answered(stub: StubServer, tmp_path: Path) -> None:
    """And ends at once."""
    stub.configure(latency_ms=20)
    process = start(tmp_path, stub, "direct")
    wait_until(lambda: stub.stats.requests >= 200)

    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)

    assert process.returncode != 0
    assert "KeyboardInterrupt" in said
    wait_until(lambda: stub.stats.in_flight == 0)
    asked = stub.stats.requests
    assert asked < COUNT
    cache = ReplyCache(tmp_path)
    assert asked - WORKERS <= cache.stats().entries <= asked
    asyncio.run(answer_all(questions(COUNT, stub.base_url), open_model=DirectModel, cache=cache))
    assert stub.stats.duplicates <= WORKERS
    cache.close()


@pytest.mark.parametrize("faults", [{}, {"429": 0.3}], ids=["quiet", "rate limits"])
def test_four_processes_share_the_work(
    stub: StubServer, tmp_path: Path, faults: dict[str, float]
) -> None:
    """All answers are kept, and nothing that was answered, or is in flight, is asked again."""
    stub.configure(latency_ms=20, faults=faults, retry_after=0.2)
    processes = [start(tmp_path, stub, "direct") for _ in range(4)]
    for process in processes:
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, "")

    cache = ReplyCache(tmp_path)
    assert cache.stats().entries == stub.stats.distinct == COUNT
    cache.close()
    assert stub.stats.answered - stub.stats.errors.get("429", 0) == COUNT
    asked = stub.stats.requests
    _, said = start(tmp_path, stub, "direct").communicate(timeout=60)
    assert stub.stats.requests == asked
