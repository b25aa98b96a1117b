"""When to ask again, and how long to wait before."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from judgekit.errors import ModelCallError


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
        give_up_after: Requests in a row that end for a reason every other will meet, after which
            the rest of the run is not asked; 0 never stops. See ``breaker.Breaker``.
        rate_limited_attempts: Most calls for one request, those that failed otherwise among them,
            as long as the last one was only put off by a rate limit: it cost nothing, and the
            limits of a minute take a minute to pass.
        sleep: Waits; for tests.
        draw: Draws a number between two; for tests.
    """

    attempts: int = 4
    base_s: float = 0.5
    cap_s: float = 30.0
    longest_wait_s: float = 120.0
    give_up_after: int = 5
    rate_limited_attempts: int = 8
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    draw: Callable[[float, float], float] = random.uniform

    @property
    def most_calls(self) -> int:
        """The most calls that one request can lead to."""
        return max(self.attempts, self.rate_limited_attempts)

    def wait_before(self, attempt: int, failure: ModelCallError) -> float | None:
        """Return the seconds to wait before attempt number ``attempt``; None gives up."""
        limited = failure.cause == "rate_limit"
        if not failure.transient or attempt > (self.most_calls if limited else self.attempts):
            return None
        asked = failure.retry_after
        if asked is None:
            return self.draw(0, min(self.cap_s, self.base_s * 2 ** (attempt - 2)))
        if asked > self.longest_wait_s:
            return None
        # Not all at the same moment, and never too early.
        return asked + self.draw(0, self.base_s)
