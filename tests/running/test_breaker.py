"""When a run stops asking, and when it does not."""

from __future__ import annotations

import heapq
import random

import pytest

from judgekit.errors import ModelCallError
from judgekit.running.breaker import Breaker
from tests.running.virtual import failed


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def recorded(breaker: Breaker, cause: str | None, times: int, **more: float) -> Breaker:
    """Have so many requests end in one way."""
    for _ in range(times):
        breaker.record(None if cause is None else failed(cause, **more))
    return breaker


@pytest.mark.parametrize("cause", ["authentication", "not_found", "quota", "connection"])
def test_it_opens_when_nothing_ever_worked(cause: str) -> None:
    """At once, and it says why, with the cause of the failures."""
    breaker = recorded(Breaker(3), cause, 2)
    assert breaker.failure is None

    recorded(breaker, cause, 1)

    assert breaker.failure is not None
    assert breaker.failure.cause == cause
    assert breaker.failure.message == "not asked, since 3 requests in a row failed: it failed"
    assert not breaker.failure.transient


def test_the_way_out_is_the_last_failures_own() -> None:
    """What mends one request mends them all."""
    breaker = Breaker(1)
    breaker.record(ModelCallError("no key", cause="authentication", hint="set it"))

    assert breaker.failure is not None
    assert breaker.failure.hint == "set it"


def test_a_success_begins_the_count_anew() -> None:
    """Only failures in a row count."""
    breaker = recorded(Breaker(2), "quota", 1)
    recorded(recorded(breaker, None, 1), "quota", 1)
    assert breaker.failure is None

    recorded(breaker, "quota", 1)

    assert breaker.failure is not None


@pytest.mark.parametrize("cause", ["bad_request", "context_length", "filtered", "budget"])
def test_failures_that_concern_one_item_never_open_it(cause: str) -> None:
    """Five long items at the start say nothing of the sixth."""
    clock = Clock()
    breaker = recorded(Breaker(3, clock=clock), cause, 50)
    clock.now += 3600

    assert recorded(breaker, cause, 50).failure is None


@pytest.mark.parametrize("cause", ["server", "timeout", "connection", "overloaded"])
def test_a_provider_that_goes_down_in_the_middle_ends_the_run(cause: str) -> None:
    """Eight requests in a row, their attempts used up, and no success for ten seconds."""
    clock = Clock()
    breaker = recorded(Breaker(clock=clock), None, 100)
    clock.now += 30

    assert recorded(breaker, cause, 7).failure is None
    assert recorded(breaker, cause, 1).failure is not None

    assert breaker.failure is not None
    assert breaker.failure.message == (
        "not asked, since the last 8 requests all failed: it failed; the provider seems to be down"
    )
    assert breaker.failure.hint == "run again later: what was answered is kept"
    assert breaker.failure.cause == cause


def test_a_blink_does_not_end_a_run() -> None:
    """Sixty requests that fail together within a few seconds are one event."""
    clock = Clock()
    breaker = recorded(Breaker(clock=clock), None, 1)
    clock.now += 9

    assert recorded(breaker, "connection", 60).failure is None
    recorded(breaker, None, 1)
    clock.now += 9
    assert recorded(breaker, "connection", 60).failure is None


@pytest.mark.parametrize("answer", ["bad_request", "filtered", "context_length"])
def test_an_answer_of_any_kind_shows_that_the_provider_is_up(answer: str) -> None:
    """A prompt that is too long was read by somebody."""
    clock = Clock()
    breaker = Breaker(clock=clock)
    clock.now += 60
    recorded(recorded(breaker, "server", 7), answer, 1)

    assert recorded(breaker, "server", 7).failure is None


def test_with_many_in_flight_more_have_to_fail() -> None:
    """Of 1,024 the last to end may well be a dozen that failed."""
    clock = Clock()
    breaker = Breaker(concurrency=1024, clock=clock)
    clock.now += 60

    assert recorded(breaker, "server", 127).failure is None
    assert recorded(breaker, "server", 1).failure is not None


def test_rate_limits_alone_slow_down_and_do_not_end() -> None:
    """Complaint 55: not within five minutes; then it is said what to do."""
    clock = Clock()
    breaker = Breaker(clock=clock)
    clock.now += 290
    assert recorded(breaker, "rate_limit", 50, retry_after=20).failure is None

    clock.now += 20
    recorded(breaker, "rate_limit", 1, retry_after=20)

    assert breaker.failure is not None
    assert breaker.failure.cause == "rate_limit"
    assert breaker.failure.message.startswith(
        "not asked, since for 5 minutes there were rate limits only"
    )
    assert "requests_per_minute" in (breaker.failure.hint or "")


def test_a_rate_limit_for_hours_ends_the_run() -> None:
    """A day's allowance that is used up comes back tomorrow."""
    breaker = recorded(Breaker(5), "rate_limit", 4, retry_after=3600.0)
    assert breaker.failure is None

    assert recorded(breaker, "rate_limit", 1, retry_after=3600.0).failure is not None


def test_it_can_be_switched_off() -> None:
    """give_up_after=0 asks everything."""
    clock = Clock()
    breaker = Breaker(0, clock=clock)
    clock.now += 3600

    for cause in ("quota", "connection", "server", "rate_limit"):
        assert recorded(breaker, cause, 50).failure is None


def test_what_opened_it_stays_said() -> None:
    """Requests that were in flight and fail later do not change the reason."""
    breaker = recorded(Breaker(2), "quota", 2)
    said = breaker.failure

    assert recorded(breaker, "not_found", 9).failure is said


def chance_of_a_row(length: int, trials: int, chance: float) -> float:
    """Return the chance of ``length`` failures in a row among ``trials``, each independent."""
    running = [1.0] + [0.0] * (length - 1)
    done = 0.0
    for _ in range(trials):
        done += running[-1] * chance
        running = [sum(running) * (1 - chance), *(p * chance for p in running[:-1])]
    return done


def test_a_third_of_all_calls_failing_does_not_open_it() -> None:
    """Of 5,000 requests with four calls each: by chance less than once in a million runs."""
    assert chance_of_a_row(2, 2, 0.5) == 0.25
    assert chance_of_a_row(2, 3, 0.5) == 0.375

    assert chance_of_a_row(8, 5000, 0.3**4) < 1e-12
    # connections that fail before anything ever worked
    assert (0.3**4) ** 5 < 1e-10


@pytest.mark.parametrize("concurrency", [1, 64, 512])
def test_a_run_with_faults_goes_to_its_end(concurrency: int) -> None:
    """Requests that fail take longest, so that they end together; a simulation of that."""
    rng = random.Random(concurrency)
    for _ in range(6):
        clock = Clock()
        breaker = Breaker(concurrency=concurrency, clock=clock)
        left = 5000
        flying: list[tuple[float, int]] = []
        while left or flying:
            while left and len(flying) < concurrency:
                left -= 1
                calls = next((n for n in range(1, 5) if rng.random() >= 0.3), 5)
                # a fault is a hang now and then, and each further call comes after a wait
                lasts = 0.02 + sum(rng.choice([0.02, 0.02, 30.0]) + n for n in range(calls - 1))
                heapq.heappush(flying, (clock.now + lasts, calls))
            clock.now, calls = heapq.heappop(flying)
            breaker.record(failed("server") if calls == 5 else None)
            assert breaker.failure is None
