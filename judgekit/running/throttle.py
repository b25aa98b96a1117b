"""Holding back: as many calls as an endpoint takes, and no more a minute than it allows."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable

from judgekit.errors import ModelCallError
from judgekit.running.limits import Clock, Limits
from judgekit.running.line import Line, Sleep

MINUTE_S = 61.0
"""The span in which no more than a minute's worth is begun: calls do not travel equally fast."""

LONGEST_PAUSE_S = 120.0
"""The longest Retry-After that is waited for."""

_REFUSED = frozenset({"rate_limit", "overloaded"})
_FIRST_PAUSE_S, _OWN_PAUSE_S = 0.5, 30.0
"""The first and the longest pause of our own choosing."""
_SPREAD, _LONGEST_SPREAD_S = 0.1, 1.0
"""Over which share of a pause the calls after it are spread, at most so long."""
_ROUNDS_TO_FULL = 32
"""About how many rounds of calls without a refusal raise the number in flight from 1 to all."""


class Place:
    """One call in flight; ``Throttle.leave`` takes it back."""

    __slots__ = ("began", "counted", "round", "tokens")

    def __init__(self, tokens: int, round_: int, began: float) -> None:
        self.tokens, self.round, self.began = tokens, round_, began
        self.counted = True


class Throttle:
    """The gate in front of one endpoint; every call passes it, a repeated one again.

    How many calls may be in flight follows what the endpoint says. A refusal (a rate limit, an
    overload) halves it; calls that were begun before it say nothing new, so 64 refusals at once
    halve it once. Successes raise it again, by a share of the whole for each round of calls. It is
    never below 1 and never above ``limits.concurrency``.

    A refusal with a Retry-After holds back every call until then, since each would meet it too.
    Refusals without one hold back ever longer as long as nothing but refusals comes. Calls then
    begin spread over a moment, not all at once.

    It belongs to one event loop.

    Args:
        limits: The limits.
        clock: Tells the time; for tests.
        sleep: Waits; for tests.
        draw: Draws a number between two; for tests.
        longest_pause_s: A longer Retry-After is not waited for: the request it answers fails.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        draw: Callable[[float, float], float] = random.uniform,
        longest_pause_s: float = LONGEST_PAUSE_S,
    ) -> None:
        self._clock, self._draw, self._longest_pause = clock, draw, longest_pause_s
        self._requests, self._tokens = limits.requests_per_minute, limits.tokens_per_minute
        self._by_minute = self._requests is not None or self._tokens is not None
        self._line = Line(sleep)
        self._most = self._limit = float(limits.concurrency)
        self.concurrency_now = limits.concurrency
        """The most calls in flight that are allowed now."""
        self.in_flight = 0
        """Calls begun and not ended."""
        self._round = self._in_vain = 0
        self._recent: deque[Place] = deque()
        self._recent_tokens = 0
        self._not_before = self._gap = 0.0
        self._to_spread = 0

    @property
    def counts_tokens(self) -> bool:
        """Whether the tokens of a call matter here."""
        return self._tokens is not None

    def try_enter(self, tokens: int = 0) -> Place | None:
        """Begin a call if that may be done at once; None when it has to wait (``enter``).

        Args:
            tokens: About how many tokens the prompt and the reply will have. A call of more than
                a minute's tokens is begun when nothing else was in that minute.
        """
        return None if self._line else self._begin(tokens)

    async def enter(self, tokens: int = 0) -> Place:
        """Wait for one's turn and begin a call. Cancelling it leaves nothing behind."""
        return await self._line.wait(lambda: self._begin(tokens), lambda: self._delay(tokens))

    def leave(
        self,
        place: Place,
        tokens_used: int | None = None,
        failure: ModelCallError | None = None,
    ) -> None:
        """End a call, whichever way it ended; once for each place.

        Args:
            place: What ``enter`` gave.
            tokens_used: What the prompt and the reply really had; None when nobody knows.
            failure: Why there is no reply; None for a reply.
        """
        if failure is None:
            if place.round == self._round:
                self._in_vain = 0
                if self._limit < self._most:
                    self._raise()
        elif failure.cause in _REFUSED or failure.retry_after is not None:
            self._refused(place, failure.retry_after)
        self.in_flight -= 1
        if tokens_used is not None and place.counted and self._by_minute:
            self._recent_tokens += tokens_used - place.tokens
            place.tokens = tokens_used
        if self._line:
            self._line.ring()

    def _begin(self, tokens: int) -> Place | None:
        if self.in_flight >= self.concurrency_now:
            return None
        now = 0.0
        if self._not_before or self._by_minute:
            now = self._clock()
            if now < self._not_before or (self._by_minute and not self._fits(tokens, now)):
                return None
            self._space_out(now)
        place = Place(tokens, self._round, now)
        if self._by_minute:
            self._recent.append(place)
            self._recent_tokens += tokens
        self.in_flight += 1
        return place

    def _fits(self, tokens: int, now: float) -> bool:
        """Whether a call is within the minute's limits."""
        recent = self._recent
        while recent and recent[0].began <= now - MINUTE_S:
            gone = recent.popleft()
            gone.counted = False
            self._recent_tokens -= gone.tokens
        if self._requests is not None and len(recent) >= self._requests:
            return False
        return self._tokens is None or self._recent_tokens + tokens <= self._tokens or not recent

    def _delay(self, tokens: int) -> float | None:
        """Return the seconds until a call may begin; None when one in flight has to end first."""
        if self.in_flight >= self.concurrency_now:
            return None
        until, left = self._not_before, self._recent_tokens
        surplus = 0 if self._requests is None else len(self._recent) - self._requests + 1
        for number, place in enumerate(self._recent):
            if number >= surplus and (self._tokens is None or left + tokens <= self._tokens):
                break
            until = max(until, place.began + MINUTE_S)
            left -= place.tokens
        return until - self._clock()

    def _raise(self) -> None:
        """Allow a little more, after a success."""
        step = max(1.0, self._most / _ROUNDS_TO_FULL)
        self._limit = min(self._most, self._limit + step / self._limit)
        self.concurrency_now = int(self._limit)

    def _refused(self, place: Place, retry_after: float | None) -> None:
        """Allow half, if that is news, and hold everybody back."""
        news = place.round == self._round
        if news:
            self._limit = max(1.0, min(self._limit, self.in_flight) / 2)
            self.concurrency_now = int(self._limit)
            self._round += 1
            self._in_vain += 1
        if retry_after is None:
            if news and self._in_vain > 1:
                self._pause(min(_OWN_PAUSE_S, _FIRST_PAUSE_S * 2 ** (self._in_vain - 2)))
        elif retry_after <= self._longest_pause:
            self._pause(retry_after)

    def _pause(self, seconds: float) -> None:
        until = self._clock() + seconds
        if until > self._not_before:
            self._to_spread = self.concurrency_now
            self._gap = min(_LONGEST_SPREAD_S, _SPREAD * seconds) / self._to_spread
            self._not_before = until + self._draw(0, self._gap)

    def _space_out(self, now: float) -> None:
        """Let the next call wait a moment as long as calls begin anew after a pause."""
        self._not_before = 0.0
        if self._to_spread:
            self._to_spread -= 1
            self._not_before = now + self._draw(0, 2 * self._gap)
