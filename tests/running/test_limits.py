"""Settings that make sense, and a run that ends in time."""

from __future__ import annotations

import pytest

from judgekit.errors import InputError
from judgekit.running.limits import Deadline, Limits


@pytest.mark.parametrize("name", ["concurrency", "requests_per_minute", "tokens_per_minute"])
def test_a_limit_lets_something_through(name: str) -> None:
    """Nothing at all would wait for ever."""
    Limits(**{name: 1})

    with pytest.raises(InputError, match=f"{name} is 0; it must be at least 1"):
        Limits(**{name: 0})


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan")])
@pytest.mark.parametrize("name", ["timeout_s", "run_timeout_s"])
def test_a_timeout_is_some_time(name: str, seconds: float) -> None:
    """NaN is none."""
    with pytest.raises(InputError, match=f"{name} is .*; it must be more than 0 seconds"):
        Limits(**{name: seconds})


def test_what_has_a_default_is_not_none() -> None:
    """Only the limits that may be left out may be None."""
    assert Limits().requests_per_minute is None
    with pytest.raises(InputError):
        Limits(concurrency=None)  # type: ignore[arg-type]


def test_a_run_ends_in_time() -> None:
    """Calls get what is left of it; then every request fails, and says how to go on."""
    now = 100.0
    deadline = Deadline(60, clock=lambda: now)
    assert deadline.left(120) == 60
    assert deadline.left(10) == 10
    assert deadline.failure is None

    now = 150.0
    assert deadline.left(120) == 10

    now = 160.0
    assert deadline.left(120) == 0
    assert deadline.failure is not None
    assert deadline.failure.cause == "timeout"
    assert not deadline.failure.transient
    assert deadline.failure.message == "not asked, since the run's time of 60 s is over"
    assert deadline.failure.hint == "run it again to go on: what was answered is kept"


def test_a_run_without_a_limit_takes_as_long_as_it_likes() -> None:
    """The clock is never asked."""
    deadline = Deadline(None)

    assert deadline.left(120) == 120
    assert deadline.failure is None
