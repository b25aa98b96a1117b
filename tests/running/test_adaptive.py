"""How many calls are in flight follows what the endpoint says. All of it in virtual time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from itertools import pairwise

import pytest

from judgekit.running.limits import Limits
from judgekit.running.retry import RetryPolicy
from judgekit.running.throttle import Place, Throttle
from tests.running.virtual import failed, now, run


def throttle(concurrency: int) -> Throttle:
    """Return a throttle on the running loop's time."""
    return Throttle(Limits(concurrency), clock=now, draw=random.Random(1).uniform)


def enter_many(gate: Throttle, count: int) -> list[Place]:
    """Begin so many calls at once."""
    places = [place for _ in range(count) if (place := gate.try_enter()) is not None]
    assert len(places) == count
    return places


@pytest.mark.parametrize("cause", ["rate_limit", "overloaded"])
def test_64_refusals_at_once_halve_once(cause: str) -> None:
    """They are one answer to one situation; the next round's refusal is another."""

    async def main() -> None:
        gate = throttle(64)
        for place in enter_many(gate, 64):
            gate.leave(place, failure=failed(cause))
        assert gate.concurrency_now == 32
        for place in enter_many(gate, 32):
            gate.leave(place, failure=failed(cause))
        assert gate.concurrency_now == 16

    run(main())


def test_an_overload_is_told_by_its_retry_after() -> None:
    """503 with a Retry-After slows down; a mere server error, a timeout, a bad request do not."""

    async def main() -> None:
        gate = throttle(8)
        for cause in ("server", "timeout", "connection", "bad_request", "quota"):
            gate.leave(await gate.enter(), failure=failed(cause))
        assert gate.concurrency_now == 8
        enter_many(gate, 7)
        gate.leave(await gate.enter(), failure=failed("server", retry_after=1))
        assert gate.concurrency_now == 4

    run(main())


def test_it_never_falls_below_one_and_rises_slowly_again() -> None:
    """From 1 to 16 in some 16 rounds of calls, never above."""

    async def main() -> list[int]:
        gate = throttle(16)
        for _ in range(10):
            gate.leave(await gate.enter(), failure=failed("rate_limit"))
        seen = [gate.concurrency_now]
        for _ in range(20):
            count = gate.concurrency_now
            places = [await gate.enter() for _ in range(count)]
            for place in places:
                gate.leave(place)
            seen.append(gate.concurrency_now)
        return seen

    seen = run(main())
    assert seen[0] == 1
    assert all(later - sooner in (0, 1) for sooner, later in pairwise(seen))
    assert seen[15] >= 14
    assert seen[-1] == 16


def test_old_calls_do_not_raise_it() -> None:
    """Successes of calls begun before a refusal say nothing about what is allowed after it."""

    async def main() -> None:
        gate = throttle(64)
        places = enter_many(gate, 64)
        gate.leave(places[0], failure=failed("rate_limit"))
        for place in places[1:]:
            gate.leave(place)
        assert gate.concurrency_now == 32

    run(main())


def begin_times(gate: Throttle, count: int) -> list[asyncio.Task[float]]:
    """Have so many calls begin as soon as they may; return when they do."""

    async def call() -> float:
        place = await gate.enter()
        began = now()
        await asyncio.sleep(0.1)
        gate.leave(place)
        return began

    return [asyncio.create_task(call()) for _ in range(count)]


def test_a_retry_after_holds_back_everybody() -> None:
    """Complaint 55: nobody else runs into the wall, nobody too early, not all at one moment."""

    async def main() -> list[float]:
        gate = throttle(32)
        places = enter_many(gate, 32)
        gate.leave(places[0], failure=failed("rate_limit", retry_after=20))
        for place in places[1:]:
            gate.leave(place)
        assert gate.try_enter() is None
        return list(await asyncio.gather(*begin_times(gate, 16)))

    began = run(main())
    assert min(began) >= 20
    assert max(began) < 24
    assert len({round(at, 3) for at in began}) > 10


def test_the_longest_retry_after_counts() -> None:
    """A shorter one that comes later does not let anybody in earlier."""

    async def main() -> None:
        gate = throttle(4)
        places = enter_many(gate, 2)
        gate.leave(places[0], failure=failed("rate_limit", retry_after=30))
        gate.leave(places[1], failure=failed("rate_limit", retry_after=1))
        gate.leave(await gate.enter())
        assert 30 <= now() < 32

    run(main())


def test_a_retry_after_of_an_hour_is_not_waited_for() -> None:
    """The request fails, and the breaker ends the run; a run never looks as if it hung."""

    async def main() -> None:
        gate = throttle(4)
        gate.leave(await gate.enter(), failure=failed("rate_limit", retry_after=3600))
        assert gate.try_enter() is not None

    run(main())


def test_a_limit_that_nobody_told_is_found_and_kept() -> None:
    """Complaint 55: ten calls a minute, refusals without a Retry-After, and no call is lost."""
    policy = RetryPolicy(draw=random.Random(2).uniform)
    served: list[float] = []
    refused = 0

    async def item(gate: Throttle) -> int:
        nonlocal refused
        attempts = 0
        while True:
            attempts += 1
            place = await gate.enter()
            await asyncio.sleep(0.5)
            if sum(at > now() - 60 for at in served) < 10:
                served.append(now())
                gate.leave(place)
                return attempts
            refused += 1
            gate.leave(place, failure=failed("rate_limit"))
            wait = policy.wait_before(attempts + 1, failed("rate_limit"))
            assert wait is not None, "given up"
            await asyncio.sleep(wait)

    async def worker(gate: Throttle, items: Iterable[int]) -> None:
        for _ in items:
            await item(gate)

    async def main() -> float:
        gate, items = throttle(8), iter(range(60))
        await asyncio.gather(*(worker(gate, items) for _ in range(8)))
        return now()

    assert run(main()) < 8 * 60
    assert len(served) == 60
    assert refused < 80
