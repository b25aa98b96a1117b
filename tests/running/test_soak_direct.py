"""Five thousand requests to an endpoint where everything goes wrong, on the direct lane."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from judgekit.judging.request import Ask
from judgekit.running.cache import ReplyCache
from judgekit.running.direct import DirectModel
from judgekit.running.engine import Answer, answer_stream
from judgekit.running.retry import RetryPolicy
from judgekit.testing import FAULTS, StubServer
from tests.running.helpers import how, question

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
COUNT = 5000
ENDING = ("401", "403", "404", "quota")
"""Faults that rightly end a run early; they have tests of their own."""
KINDS = [name for name in FAULTS if name not in ENDING]
POLICY = RetryPolicy(attempts=4, base_s=0.01, rate_limited_attempts=4)


def asks(base: str, count: int) -> Iterator[Ask]:
    """Yield requests one by one, as a file of items would."""
    for number in range(count):
        request = question(number, base)
        yield Ask(request.key, lambda r=request: r, number)  # type: ignore[misc]


class End(NamedTuple):
    """How a request ended, and no more: what grows in memory is then the runner's own."""

    attempts: int
    cached: bool
    cause: str | None
    finish: str | None


def end_of(answer: Answer) -> End:
    """Return what is remembered of an answer."""
    assert (answer.reply is None) != (answer.failure is None)
    cause = answer.failure.cause if answer.failure else None
    return End(answer.attempts, answer.cached, cause, answer.reply and answer.reply.finish)


async def run(
    base: str, cache: ReplyCache, seen: dict[int, End], *, patience: float = 60.0
) -> list[int]:
    """Answer everything; return the memory in use at each tenth."""
    held: list[int] = []
    settings = how(concurrency=64, timeout=patience, retry=POLICY)
    stream = answer_stream(
        asks(base, COUNT), open_model=DirectModel, cache=cache, settings=settings
    )
    async for batch in stream:
        for answer in batch:
            place = answer.ask.place
            assert place not in seen, "answered twice"
            seen[place] = end_of(answer)
            if len(seen) % (COUNT // 10) == 0:
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0])
    return held


def test_thirty_percent_faults_of_every_kind(stub: StubServer, cache: ReplyCache) -> None:
    """It ends, the tally adds up, nothing is asked more often than the rule allows."""
    stub.configure(
        faults=dict.fromkeys(KINDS, 0.3 / len(KINDS)), retry_after=0.05, hang_s=30, latency_ms=2
    )
    seen: dict[int, End] = {}
    tracemalloc.start()
    try:
        held = asyncio.run(run(stub.base_url, cache, seen, patience=1.0))
    finally:
        tracemalloc.stop()

    assert set(stub.stats.errors) == set(KINDS)
    assert sorted(seen) == list(range(COUNT))
    # A reply that its room cut short is asked for once more, with retries of its own.
    assert max(a.attempts for a in seen.values()) <= 2 * POLICY.attempts
    # On a busy machine a call may run out of time before the server has seen it.
    made = sum(a.attempts for a in seen.values())
    assert stub.stats.requests <= made <= stub.stats.requests + 100
    assert {a.cause for a in seen.values() if a.cause} <= {
        *("bad_request", "context_length", "server", "timeout", "connection", "rate_limit"),
        "overloaded",
    }
    assert sum(a.cause is None for a in seen.values()) >= cache.stats().entries >= 0.9 * COUNT
    # Failures are remembered, so that an equal request is not asked again; nothing else is.
    failed = sum(a.cause is not None or a.finish == "length" for a in seen.values())
    assert held[-1] - held[1] < 400 * COUNT + 8000 * failed


@pytest.mark.long
def test_what_failed_is_all_that_a_second_run_asks(stub: StubServer, cache: ReplyCache) -> None:
    """Complaint 55: judge again only what failed."""
    stub.configure(faults={"500": 0.3, "reset": 0.2}, latency_ms=1)
    first: dict[int, End] = {}
    asyncio.run(run(stub.base_url, cache, first))
    lacking = {number for number, end in first.items() if end.cause}
    stub.configure(faults={})
    stub.reset()

    second: dict[int, End] = {}
    asyncio.run(run(stub.base_url, cache, second))

    assert {number for number, end in second.items() if not end.cached} == lacking
    assert stub.stats.requests == len(lacking) > 0
    assert not any(end.cause for end in second.values())
