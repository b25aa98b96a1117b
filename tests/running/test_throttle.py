"""Who enters when, and how many in a minute. All of it in virtual time."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.running.limits import Limits
from judgekit.running.throttle import MINUTE_S, Throttle
from tests.running.virtual import now, run
from tests.timing import cpu_seconds


def throttle(**limits: int | None) -> Throttle:
    """Return a throttle on the running loop's time."""
    return Throttle(Limits(**limits), clock=now, draw=random.Random(1).uniform)  # type: ignore[arg-type]


def test_without_limits_in_reach_entering_waits_for_nothing() -> None:
    """And only as many are in flight as may be."""

    async def main() -> None:
        gate = throttle(concurrency=2)
        first, second = gate.try_enter(), gate.try_enter()
        assert first is not None
        assert second is not None
        assert gate.try_enter() is None
        gate.leave(first)
        assert gate.in_flight == 1
        assert gate.try_enter() is not None

    run(main())


def test_the_first_to_come_is_the_first_to_enter() -> None:
    """Nobody slips in between somebody who leaves and somebody who waits."""
    order: list[int] = []

    async def call(gate: Throttle, number: int) -> None:
        place = await gate.enter()
        order.append(number)
        await asyncio.sleep(1)
        gate.leave(place)

    async def main() -> None:
        gate = throttle(concurrency=1)
        tasks = [asyncio.create_task(call(gate, n)) for n in range(20)]
        await asyncio.sleep(0.5)
        assert gate.try_enter() is None
        await asyncio.gather(*tasks)
        assert now() == pytest.approx(20)

    run(main())
    assert order == list(range(20))


def test_nobody_enters_before_those_who_wait() -> None:
    """Not even in the moment between a call that ends and the first in line who hears of it."""

    async def main() -> None:
        gate = throttle(concurrency=1)
        held = gate.try_enter()
        assert held is not None
        waiting = asyncio.create_task(gate.enter())
        await asyncio.sleep(1)
        later = asyncio.create_task(gate.enter())
        gate.leave(held)
        assert gate.try_enter() is None
        place = await waiting
        assert not later.done()
        gate.leave(place)
        gate.leave(await later)

    run(main())


def test_who_is_cancelled_leaves_nothing_behind() -> None:
    """First in line, further back, or just when its turn has come: the others all enter."""

    async def main() -> None:
        gate = throttle(concurrency=1)
        held = gate.try_enter()
        assert held is not None
        waiting = [asyncio.create_task(gate.enter()) for _ in range(6)]
        await asyncio.sleep(1)
        waiting[0].cancel()
        waiting[3].cancel()
        await asyncio.sleep(1)
        gate.leave(held)
        waiting[1].cancel()  # its bell has rung, and it has not moved yet
        entered = 0
        for task in (waiting[2], waiting[4], waiting[5]):
            gate.leave(await task)
            entered += 1
        assert entered == 3
        assert gate.in_flight == 0
        assert gate.try_enter() is not None

    run(main())


def most_in_a_minute(began: list[tuple[float, int]]) -> tuple[int, int]:
    """Return the most calls and the most tokens in any span of 60 s, both ends included."""
    most = tokens = 0
    for start, _ in began:
        within = [t for at, t in began if start <= at <= start + 60]
        most, tokens = max(most, len(within)), max(tokens, sum(within))
    return most, tokens


@given(
    calls=st.lists(
        st.tuples(
            st.floats(0, 200),
            st.integers(1, 400),
            st.floats(0.01, 90),
            st.sampled_from([None, 0.3, 1.0]),
        ),
        min_size=1,
        max_size=60,
    ),
    requests=st.none() | st.integers(1, 12),
    tokens=st.none() | st.integers(400, 1500),
    concurrency=st.integers(1, 20),
)
@settings(max_examples=150, deadline=None)
def test_no_minute_has_more_than_its_limits(
    calls: list[tuple[float, int, float, float | None]],
    requests: int | None,
    tokens: int | None,
    concurrency: int,
) -> None:
    """In whatever pattern calls come, last and fail; and all of them get through."""
    began: list[tuple[float, int]] = []

    async def call(
        gate: Throttle, at: float, estimate: int, lasts: float, share: float | None
    ) -> None:
        await asyncio.sleep(at)
        place = await gate.enter(estimate)
        used = None if share is None else round(estimate * share)
        began.append((now(), estimate if used is None else used))
        await asyncio.sleep(lasts)
        gate.leave(place, used)

    async def main() -> None:
        gate = throttle(
            concurrency=concurrency, requests_per_minute=requests, tokens_per_minute=tokens
        )
        await asyncio.gather(*(call(gate, *args) for args in calls))
        assert gate.in_flight == 0

    run(main())
    most, spent = most_in_a_minute(began)
    assert len(began) == len(calls)
    assert requests is None or most <= requests
    assert tokens is None or spent <= tokens


def test_limits_are_used_to_the_full() -> None:
    """600 calls at 60 a minute take ten spans, hardly longer."""

    async def call(gate: Throttle) -> None:
        place = await gate.enter()
        await asyncio.sleep(0.1)
        gate.leave(place)

    async def main() -> float:
        gate = throttle(concurrency=16, requests_per_minute=60)
        await asyncio.gather(*(call(gate) for _ in range(600)))
        return now()

    assert 9 * MINUTE_S <= run(main()) < 9 * MINUTE_S + 2


def test_the_real_number_of_tokens_takes_the_place_of_the_estimate() -> None:
    """Fewer than thought make room at once; more than thought take it away."""

    async def main() -> None:
        gate = throttle(tokens_per_minute=1000)
        first = gate.try_enter(600)
        assert first is not None
        assert gate.try_enter(600) is None
        waiting = asyncio.create_task(gate.enter(600))
        await asyncio.sleep(1)
        gate.leave(first, tokens_used=100)
        second = await waiting
        assert now() == pytest.approx(1)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1  # what would have rung a minute later is gone
        gate.leave(second, tokens_used=950)
        third = await gate.enter(1)
        assert now() == pytest.approx(MINUTE_S)
        gate.leave(third)

    run(main())


def test_what_was_counted_is_taken_off_again() -> None:
    """The real number, once; and nothing more for a call that ends after its minute."""

    async def main() -> None:
        gate = throttle(tokens_per_minute=1000)
        short, long = gate.try_enter(500), gate.try_enter(500)
        assert short is not None
        assert long is not None
        gate.leave(short, tokens_used=100)
        await asyncio.sleep(2 * MINUTE_S)
        assert gate.try_enter(600) is not None  # both are gone
        gate.leave(long, tokens_used=10)
        assert gate.try_enter(401) is None
        assert gate.try_enter(400) is not None

    run(main())


def test_a_call_of_more_than_a_minutes_tokens_goes_alone() -> None:
    """Else it would wait for ever."""

    async def main() -> None:
        gate = throttle(tokens_per_minute=100)
        gate.leave(await gate.enter(1))
        gate.leave(await gate.enter(5000))
        assert now() == pytest.approx(MINUTE_S)
        gate.leave(await gate.enter(1))
        assert now() == pytest.approx(2 * MINUTE_S)

    run(main())


def test_when_nothing_limits_a_call_costs_next_to_nothing() -> None:
    """A few millionths of a second for entering and leaving, also with limits far away."""
    for limits in (Limits(), Limits(requests_per_minute=10**9, tokens_per_minute=10**12)):
        gate = Throttle(limits)

        def one(gate: Throttle = gate) -> None:
            place = gate.try_enter(500)
            assert place is not None
            gate.leave(place, 480)

        assert cpu_seconds(one, times=2000, rounds=5) < 30e-6
