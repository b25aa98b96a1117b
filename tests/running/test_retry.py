"""When failed calls are repeated, and how long after."""

from __future__ import annotations

import random

import pytest

from judgekit.running.retry import RetryPolicy
from tests.running.virtual import failed


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


@pytest.mark.parametrize("cause", ["server", "timeout", "connection"])
def test_attempts_are_counted(cause: str) -> None:
    """Four calls in all, by default."""
    policy = RetryPolicy()

    assert policy.wait_before(4, failed(cause)) is not None
    assert policy.wait_before(5, failed(cause)) is None


def test_a_rate_limit_puts_off_longer_than_a_fault() -> None:
    """Complaint 55: it cost nothing and passes within the minute; eight calls by default."""
    policy = RetryPolicy()

    assert policy.wait_before(8, failed("rate_limit")) is not None
    assert policy.wait_before(9, failed("rate_limit")) is None
    assert policy.wait_before(6, failed("server")) is None
    assert policy.most_calls == 8
    assert RetryPolicy(attempts=12).wait_before(12, failed("rate_limit")) is not None


@pytest.mark.parametrize(
    "cause", ["authentication", "not_found", "quota", "context_length", "bad_request"]
)
def test_permanent_failures_are_not_repeated(cause: str) -> None:
    """Asking again would be answered alike."""
    assert RetryPolicy().wait_before(2, failed(cause)) is None


def test_a_content_filter_is_never_repeated() -> None:
    """Complaint 18: it is no rate limit; a filtered prompt is filtered again, even as a 429."""
    assert RetryPolicy().wait_before(2, failed("filtered", retry_after=1)) is None


def test_retry_after_is_the_shortest_wait() -> None:
    """A little more than asked, never less, though our own wait would be shorter or longer."""
    policy = RetryPolicy(draw=random.Random(1).uniform)

    waits = [policy.wait_before(2, failed("rate_limit", retry_after=50)) for _ in range(50)]

    assert all(wait is not None and 50 <= wait <= 50.5 for wait in waits)


def test_a_retry_after_beyond_the_longest_wait_gives_up() -> None:
    """Asking earlier than told would only be refused again."""
    assert RetryPolicy(longest_wait_s=60).wait_before(2, failed(retry_after=61)) is None
