"""How hard an endpoint may be worked, and how long a call and a whole run may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields

from judgekit.errors import InputError, ModelCallError

_GO_ON = "run it again to go on: what was answered is kept"

Clock = Callable[[], float]
"""Tells the seconds since some moment, never going back."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is held back for, at one endpoint.

    Attributes:
        concurrency: Most calls in flight.
        requests_per_minute: Most calls begun in any minute; None is no limit.
        tokens_per_minute: Most tokens, prompt and reply, in any minute; None is no limit.
        timeout_s: Seconds after which one call is given up.
        run_timeout_s: Seconds after which nothing more is asked; None is no limit.

    Raises:
        InputError: one of them is no positive number.
    """

    concurrency: int = 16
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout_s: float = 120.0
    run_timeout_s: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            least, unit = (0, " seconds") if field.name.endswith("_s") else (1, "")
            if value is None or not value >= least or not value:  # NaN is no number
                words = "more than 0" if unit else "at least 1"
                raise InputError(f"{field.name} is {value!r}; it must be {words}{unit}")


class Deadline:
    """The moment at which a whole run has to end.

    Args:
        seconds: How long it may take from now on; None is as long as it likes.
        clock: Tells the time.
    """

    def __init__(self, seconds: float | None, clock: Clock = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._end = float("inf") if seconds is None else clock() + seconds

    def left(self, most: float) -> float:
        """Return the seconds that something may take which takes ``most`` at other times."""
        return most if self._seconds is None else max(0.0, min(most, self._end - self._clock()))

    @property
    def failure(self) -> ModelCallError | None:
        """What every request that was not asked fails with from now on; None while there is time.

        A call in flight when the time is over fails with :attr:`given_up`.
        """
        if self._seconds is None or self._clock() < self._end:
            return None
        return ModelCallError(
            f"not asked, since the run's time of {self._seconds:g} s is over",
            cause="timeout",
            hint=_GO_ON,
        )

    @property
    def given_up(self) -> ModelCallError | None:
        """What a call in flight fails with when the time is over; None while there is time."""
        if self.failure is None:
            return None
        return ModelCallError(
            f"given up, since the run's time of {self._seconds:g} s was over",
            cause="timeout",
            hint=_GO_ON,
        )
