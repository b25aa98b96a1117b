"""When a run stops asking an endpoint altogether."""

from __future__ import annotations

import time

from judgekit.errors import ModelCallError
from judgekit.running.limits import Clock

HOPELESS = frozenset({"authentication", "not_found", "quota"})
"""Permanent failures that every other request will meet too."""

DOWN = frozenset({"connection", "server", "timeout", "overloaded"})
"""How requests fail when the provider is down; a few may fail so at any time."""

_LIMITED = "rate_limit"
_LATER = "run again later: what was answered is kept"


class Breaker:
    """Fails what has not been asked yet, once asking has no sense; one for each endpoint.

    It opens for good, when with no success in between, over all workers,

    * ``give_up_after`` requests ended for a reason that every other will meet: a key or model
      that is not accepted, no credit left, a Retry-After longer than a run waits and, before the
      first success, an address that cannot be reached;
    * ``down_after`` requests used up their attempts on an endpoint that is down (no connection,
      server errors, timeouts), and the last success is ``down_for_s`` old;
    * as many were given up that met rate limits alone, and it is ``limited_for_s`` old. While it
      is not, rate limits only slow a run down.

    A failure that concerns one request (it is too long, it is refused) is an answer as well: the
    provider is up.

    Args:
        give_up_after: See above; 0 never opens.
        down_after: See above. Where many are in flight, many may fail one after the other by
            chance, so at least an eighth of them has to.
        concurrency: Most calls in flight.
        down_for_s: See above.
        limited_for_s: See above.
        longest_wait_s: The longest Retry-After that is waited for.
        clock: Tells the time; for tests.
    """

    def __init__(
        self,
        give_up_after: int = 5,
        *,
        down_after: int = 8,
        concurrency: int = 16,
        down_for_s: float = 10.0,
        limited_for_s: float = 300.0,
        longest_wait_s: float = 120.0,
        clock: Clock = time.monotonic,
    ) -> None:
        self._give_up_after = give_up_after
        self._down_after = max(down_after, concurrency // 8)
        self._down_for, self._limited_for = down_for_s, limited_for_s
        self._longest_wait, self._clock = longest_wait_s, clock
        self._hopeless = self._down = self._limited = 0
        self._any_success = False
        self._last_success = clock()
        self.failure: ModelCallError | None = None
        """What every further request fails with; None while asking makes sense."""

    def record(self, failure: ModelCallError | None) -> None:
        """Take note of how a request ended, its attempts used up.

        Args:
            failure: Its last failure; None for a reply.
        """
        if failure is None:
            self._hopeless = self._down = self._limited = 0
            self._any_success = True
            self._last_success = self._clock()
        elif self.failure is None and self._give_up_after:
            self._count(failure)

    def _count(self, last: ModelCallError) -> None:
        if self._is_hopeless(last):
            self._hopeless += 1
            if self._hopeless >= self._give_up_after:
                many = f"{self._hopeless} requests in a row failed"
                self.failure = _not_asked(last, f"{many}: {last.message}", last.hint)
        if last.cause == _LIMITED:
            self._limited += 1
        elif last.cause in DOWN:
            self._down += 1
        else:
            self._down = self._limited = 0
        if self.failure is None:
            self._open_if_down(last)

    def _is_hopeless(self, last: ModelCallError) -> bool:
        if last.cause == "connection":
            return not self._any_success
        too_long = last.retry_after is not None and last.retry_after > self._longest_wait
        return last.cause in HOPELESS or too_long

    def _open_if_down(self, last: ModelCallError) -> None:
        quiet_s = self._clock() - self._last_success
        if self._down >= self._down_after and quiet_s >= self._down_for:
            many = f"the last {self._down + self._limited} requests all failed"
            said = f"{many}: {last.message}; the provider seems to be down"
            self.failure = _not_asked(last, said, _LATER)
        elif self._down + self._limited >= self._down_after and quiet_s >= self._limited_for:
            said = f"for {quiet_s / 60:.0f} minutes there were rate limits only: {last.message}"
            hint = f"ask for less at a time (concurrency, requests_per_minute), or {_LATER}"
            self.failure = _not_asked(last, said, hint)


def _not_asked(last: ModelCallError, why: str, hint: str | None) -> ModelCallError:
    return ModelCallError(f"not asked, since {why}", cause=last.cause, hint=hint)
