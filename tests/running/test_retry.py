"""When failed calls are repeated, and when a run stops asking."""

from __future__ import annotations

import random

import pytest

from judgekit.errors import ModelCallError
from judgekit.running.retry import Circuit, RetryPolicy


def failed(cause: str = "server", **more: float) -> ModelCallError:
    """Return a failure that may pass, or one that will not."""
    permanent = cause in ("authentication", "not_found", "quota", "bad_request", "context_length")
    return ModelCallError("it failed", cause=cause, transient=not permanent, **more)  # type: ignore[arg-type]


def test_the_wait_doubles_up_to_the_cap_with_full_jitter() -> None:
    """0.5, 1, 2, 4 ... seconds at most, and anything from 0 on."""
    longest = RetryPolicy(attempts=20, draw=lambda low, high: high)
    shortest = RetryPolicy(attempts=20, draw=lambda low, high: low)

    assert [longest.wait_before(n, failed()) for n in range(2, 10)] == [
        *(0.5, 1, 2, 4, 8, 16, 30, 30)
    ]
    assert {shortest.wait_before(n, failed()) for n in range(2, 10)} == {0}


def test_waits_differ() -> None:
    """Workers that failed together do not come back together."""
    policy = RetryPolicy(draw=random.Random(1).uniform)

    assert len({policy.wait_before(2, failed()) for _ in range(10)}) == 10


def test_attempts_are_counted() -> None:
    """Four calls in all, by default."""
    policy = RetryPolicy()

    assert policy.wait_before(4, failed()) is not None
    assert policy.wait_before(5, failed()) is None


@pytest.mark.parametrize("cause", ["authentication", "not_found", "quota", "context_length"])
def test_permanent_failures_are_not_repeated(cause: str) -> None:
    """Asking again would be answered alike."""
    assert RetryPolicy().wait_before(2, failed(cause)) is None


def test_retry_after_is_the_shortest_wait() -> None:
    """A little more than asked, never less, though our own wait would be shorter or longer."""
    policy = RetryPolicy(draw=random.Random(1).uniform)

    waits = [policy.wait_before(2, failed("rate_limit", retry_after=50)) for _ in range(50)]

    assert all(wait is not None and 50 <= wait <= 50.5 for wait in waits)


def test_a_retry_after_beyond_the_longest_wait_gives_up() -> None:
    """Asking earlier than told would only be refused again."""
    assert RetryPolicy(longest_wait_s=60).wait_before(2, failed(retry_after=61)) is None


@pytest.mark.parametrize("cause", ["authentication", "not_found", "quota", "connection"])
def test_the_circuit_opens_when_nothing_ever_worked(cause: str) -> None:
    """And says why, with the cause of the failures."""
    circuit = Circuit(3)
    for _ in range(2):
        circuit.record(failed(cause))
    assert circuit.failure is None

    circuit.record(failed(cause))

    assert circuit.failure is not None
    assert circuit.failure.cause == cause
    assert "3 requests in a row" in circuit.failure.message


@pytest.mark.parametrize("cause", ["server", "timeout", "rate_limit", "bad_request"])
def test_failures_that_may_concern_one_item_never_open_it(cause: str) -> None:
    """Five long items at the start say nothing of the sixth."""
    circuit = Circuit(3)
    for _ in range(50):
        circuit.record(failed(cause))

    assert circuit.failure is None


def test_a_success_closes_it() -> None:
    """Only failures in a row count."""
    circuit = Circuit(2)
    circuit.record(failed("quota"))
    circuit.record(None)
    circuit.record(failed("quota"))
    assert circuit.failure is None

    circuit.record(failed("quota"))

    assert circuit.failure is not None


def test_an_outage_in_the_middle_does_not_open_it() -> None:
    """A line that worked may work again in a minute."""
    circuit = Circuit(2)
    circuit.record(None)
    for _ in range(50):
        circuit.record(failed("connection"))

    assert circuit.failure is None


def test_it_can_be_switched_off() -> None:
    """give_up_after=0 asks everything."""
    circuit = Circuit(0)
    for _ in range(50):
        circuit.record(failed("quota"))

    assert circuit.failure is None
