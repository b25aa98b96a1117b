"""When to ask again, how long to wait, and when to stop asking altogether."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from judgekit.errors import ModelCallError

HOPELESS = frozenset({"authentication", "not_found", "quota"})
"""Permanent failures that every other request will meet too."""

DOWN = HOPELESS | {"connection"}
"""The same, for a run that has had no reply yet."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How failed calls are repeated. Permanent failures never are.

    The wait before another attempt is drawn between 0 and ``base_s * 2**n``, at most ``cap_s``
    (full jitter). When the provider says how long to wait, it is that long and a little more; when
    it asks for more than ``longest_wait_s``, the call is given up at once.

    Attributes:
        attempts: Most calls for one request.
        base_s: The first wait is at most this long.
        cap_s: No wait of our own choosing is longer.
        longest_wait_s: The longest Retry-After that is honoured.
        give_up_after: Failures in a row, without a success, after which the rest of the run is not
            asked; 0 never stops. Counts failures that concern every request alike: a key or model
            that is not accepted, no credit left and, before the first success, an endpoint that
            cannot be reached.
        sleep: Waits; for tests.
        draw: Draws a number between two; for tests.
    """

    attempts: int = 4
    base_s: float = 0.5
    cap_s: float = 30.0
    longest_wait_s: float = 120.0
    give_up_after: int = 5
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    draw: Callable[[float, float], float] = random.uniform

    def wait_before(self, attempt: int, failure: ModelCallError) -> float | None:
        """Return the seconds to wait before attempt number ``attempt``; None gives up."""
        if not failure.transient or attempt > self.attempts:
            return None
        asked = failure.retry_after
        if asked is None:
            return self.draw(0, min(self.cap_s, self.base_s * 2 ** (attempt - 2)))
        if asked > self.longest_wait_s:
            return None
        # Not all at the same moment, and never too early.
        return asked + self.draw(0, self.base_s)


class Circuit:
    """Stops a run whose calls all fail for a reason that will not go away."""

    def __init__(self, limit: int) -> None:
        self._limit, self._in_a_row, self._any_success = limit, 0, False
        self._last: ModelCallError | None = None

    def record(self, failure: ModelCallError | None) -> None:
        """Take note of how a request ended."""
        if failure is None:
            self._in_a_row, self._any_success = 0, True
        elif failure.cause in (HOPELESS if self._any_success else DOWN):
            self._in_a_row += 1
            self._last = failure

    @property
    def failure(self) -> ModelCallError | None:
        """What every further request fails with; None while asking still makes sense."""
        if not self._limit or self._in_a_row < self._limit or self._last is None:
            return None
        return ModelCallError(
            f"not asked, since {self._in_a_row} requests in a row failed: {self._last.message}",
            cause=self._last.cause,
            hint=self._last.hint,
        )
