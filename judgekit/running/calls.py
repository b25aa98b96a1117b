"""One request to its end: paced, within the budget, asked again where that makes sense."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from judgekit.errors import JudgekitError, ModelCallError
from judgekit.judging.reading.finish import ends_whole, was_cut
from judgekit.judging.request import Ask, ModelReply, ModelRequest
from judgekit.running.breaker import Breaker
from judgekit.running.budget import Budget, Meter, Reservation
from judgekit.running.claims import Flight
from judgekit.running.limits import Deadline, Limits
from judgekit.running.model import ChatModel
from judgekit.running.prices import Price, request_tokens
from judgekit.running.progress import Answer
from judgekit.running.retry import RetryPolicy
from judgekit.running.secrets import Secrets
from judgekit.running.throttle import Place, Throttle
from judgekit.running.timeouts import Timeouts

T = TypeVar("T")
N = TypeVar("N", int, float)

ROOM = ("max_tokens", "max_completion_tokens")
"""Parameters that say how long a reply may be."""

REPLY_ROOM = 256
"""Tokens a reply is expected to take, where the tokens of a minute are limited."""


LOOK_AGAIN_S = 0.05
"""How long a request that another run is asking is left alone."""

_DAY_S = 86_400
_TOO_LATE = ModelCallError("not asked, since the run's time is over", cause="timeout")
_ELSEWHERE = ModelCallError("another run is asking it", cause="elsewhere")


@dataclass(slots=True)
class _Gates:
    """What stands in front of one endpoint."""

    throttle: Throttle
    breaker: Breaker
    meter: Meter | None


class Caller:
    """Answers requests by calling a model; holds what all calls of a run share.

    Args:
        model: The model.
        limits: Concurrency, rates and timeouts.
        retry: How failed calls are repeated.
        max_cost_usd: Most that the calls may cost; None for no limit.
        price: Returns what a model costs, or None.
        flight: Knows what other runs ask and have answered; None where there are none.
    """

    def __init__(
        self,
        model: ChatModel,
        limits: Limits,
        retry: RetryPolicy,
        *,
        max_cost_usd: float | None = None,
        price: Callable[[str], Price | None] | None = None,
        flight: Flight | None = None,
    ) -> None:
        self._flight = flight
        self._model, self._limits, self._retry = model, limits, retry
        self._gates: dict[tuple[str, str | None], _Gates] = {}
        self._budget = None if max_cost_usd is None else Budget(max_cost_usd, price)
        self._deadline = Deadline(limits.run_timeout_s)
        self._timeouts = Timeouts()

    async def answer(self, ask: Ask) -> Answer:
        """Ask until there is a reply, or no further call makes sense.

        A reply that its token budget cut short is asked for once more with twice the room; the
        longer reply counts, and what both cost.

        Raises:
            InputError: there is a budget, and the price of the model is not known.
        """
        request = ask.build()
        first = await self._answer(ask, request)
        reply = first.reply
        if reply is None or not was_cut(reply.finish) or ends_whole(reply.text):
            return first
        longer = _with_double_room(request)
        if longer is None:
            return first
        second = await self._answer(ask, longer)
        attempts = first.attempts + second.attempts
        if second.reply is None:
            return first._replace(attempts=attempts)
        return second._replace(reply=_both(reply, second.reply, longer), attempts=attempts)

    async def _answer(self, ask: Ask, request: ModelRequest) -> Answer:
        """Ask, and again where the policy says so."""
        gates, flight = self._gates_of(request), self._flight
        attempts, met = 0, None
        while True:
            stop = self._stop(gates)
            if stop is not None:
                return Answer(ask, failure=_no_more(met, stop), attempts=attempts)
            made, outcome = await self._attempt(ask.key, request, gates)
            attempts += made
            if isinstance(outcome, ModelReply):
                if made:
                    gates.breaker.record(None)
                return Answer(ask, outcome, cached=not made, attempts=attempts)
            if flight is not None:
                flight.leave(ask.key)
            if outcome is _ELSEWHERE:
                await asyncio.sleep(self._deadline.left(LOOK_AGAIN_S))
                continue
            if not made:
                return Answer(ask, failure=_no_more(met, outcome), attempts=attempts)
            wait = self._retry.wait_before(attempts + 1, outcome)
            if wait is None:
                gates.breaker.record(outcome)
                return Answer(ask, failure=self._too_long(outcome), attempts=attempts)
            met = outcome
            await self._retry.sleep(self._deadline.left(wait))

    def _too_long(self, failure: ModelCallError) -> ModelCallError:
        """Say of a failure that asks for a longer wait than a run waits, that nobody waited."""
        asked, most = failure.retry_after, self._retry.longest_wait_s
        if asked is None or asked <= most:
            return failure
        wait = f"{asked:,.0f} s" if asked < _DAY_S else "more than a day"
        return ModelCallError(
            f"{failure.message}; it asks to wait {wait}, and a run waits {most:g} s at most",
            cause=failure.cause,
            retry_after=asked,
            hint=f"run it again in {wait}: what was answered is kept",
        )

    async def _attempt(
        self, key: str, request: ModelRequest, gates: _Gates
    ) -> tuple[bool, ModelReply | ModelCallError]:
        """Wait for one's turn and make one call; return whether it was made, and what came.

        Without a call there is a reply where another run had it meanwhile.
        """
        meter, throttle = gates.meter, gates.throttle
        tokens = 0
        if meter is not None or throttle.counts_tokens:
            tokens = request_tokens(request)
        held: Reservation | None = None
        place: Place | None = None
        made, outcome = False, None
        try:
            # Money first: who waits for it must not stand in the way of calls that have theirs.
            if meter is not None:
                held = meter.try_reserve(tokens) or await self._in_time(meter.reserve(tokens))
                if held is None:
                    return False, self._stop(gates) or meter.failure
            room = tokens + REPLY_ROOM
            place = throttle.try_enter(room) or await self._in_time(throttle.enter(room))
            failure = self._stop(gates)
            if failure is not None or place is None:
                return False, failure or _TOO_LATE
            if self._flight is not None:
                if not self._flight.take(key, patience=self._limits.timeout_s):
                    return False, _ELSEWHERE
                kept = self._flight.known(key)
                if kept is not None:
                    return False, kept
            made = True
            outcome = await self._call(request)
            made = not isinstance(outcome, ModelCallError) or outcome.asked
            return made, outcome
        finally:
            if place is not None:
                _leave(throttle, place, outcome)
            if meter is not None and held is not None:
                _pay(meter, held, outcome) if made else meter.release(held)

    async def _in_time(self, waiting: Coroutine[Any, Any, T]) -> T | None:
        """Wait for something, but no longer than the run may take; None when that is over."""
        if self._limits.run_timeout_s is None:
            return await waiting
        try:
            async with asyncio.timeout(self._deadline.left(self._limits.run_timeout_s)):
                return await waiting
        except TimeoutError:
            return None

    async def _call(self, request: ModelRequest) -> ModelReply | ModelCallError:
        """Make one call; whatever goes wrong with it becomes a ModelCallError."""
        seconds = self._deadline.left(self._limits.timeout_s)
        try:
            return await self._timeouts.within(
                seconds, self._model.complete(request, timeout=seconds)
            )
        except ModelCallError as failure:
            return failure
        except JudgekitError:
            raise
        except TimeoutError:
            return self._deadline.given_up or ModelCallError(
                f"{request.model}: no answer within {seconds:g} s", cause="timeout", transient=True
            )
        except Exception as error:  # noqa: BLE001  (a client may raise anything)
            said = Secrets().hide(f"{type(error).__name__} in the client: {error}")
            return ModelCallError(f"{request.model}: {said}", cause="bad_request")

    def _stop(self, gates: _Gates) -> ModelCallError | None:
        """Return what requests fail with from now on; None while they may be asked."""
        return gates.breaker.failure or self._deadline.failure

    def _gates_of(self, request: ModelRequest) -> _Gates:
        endpoint = (request.model, request.api_base)
        if endpoint not in self._gates:
            retry, limits = self._retry, self._limits
            self._gates[endpoint] = _Gates(
                Throttle(limits, sleep=retry.sleep, longest_pause_s=retry.longest_wait_s),
                Breaker(
                    retry.give_up_after,
                    concurrency=limits.concurrency,
                    longest_wait_s=retry.longest_wait_s,
                ),
                None if self._budget is None else self._budget.meter(request.model),
            )
        return self._gates[endpoint]


def _no_more(met: ModelCallError | None, stop: ModelCallError) -> ModelCallError:
    """Return what a request fails with that is asked no more: what its last call met, if any."""
    if met is None:
        return stop
    said = f"{met.message}; the run ended before it could be asked again"
    return ModelCallError(said, cause=met.cause, hint=stop.hint)


def _leave(throttle: Throttle, place: Place, outcome: ModelReply | ModelCallError | None) -> None:
    """Say at the gate how a call ended; None is one that was not made or given up."""
    used = None
    if isinstance(outcome, ModelReply) and throttle.counts_tokens and outcome.tokens_in is not None:
        used = outcome.tokens_in + (outcome.tokens_out or 0)
    failure = outcome if isinstance(outcome, ModelCallError) else None
    throttle.leave(place, used, failure)


def _pay(meter: Meter, held: Reservation, outcome: ModelReply | ModelCallError | None) -> None:
    """Count what a call cost; one that timed out or was given up may have been paid for."""
    if isinstance(outcome, ModelReply):
        meter.settle(held, outcome.cost_usd, outcome.tokens_out)
    elif outcome is None or outcome.cause == "timeout":
        meter.settle(held)
    else:
        meter.release(held)


def _with_double_room(request: ModelRequest) -> ModelRequest | None:
    """Return the request with twice the room for its reply; None where it states no room."""
    wider = {
        name: value * 2
        for name, value in request.parameters.items()
        if name in ROOM and isinstance(value, int)
    }
    return replace(request, parameters={**request.parameters, **wider}) if wider else None


def _both(first: ModelReply, second: ModelReply, asked: ModelRequest) -> ModelReply:
    """Return the second reply, saying what it took: another room, and what both calls used."""

    def sum_of(*amounts: N | None) -> N | None:
        return None if None in amounts else sum(amounts)  # type: ignore[arg-type]

    known = dict(second.adjusted)
    room = {
        name: known.get(name, value) for name, value in asked.parameters.items() if name in ROOM
    }
    return second._replace(
        cost_usd=sum_of(first.cost_usd, second.cost_usd),
        tokens_in=sum_of(first.tokens_in, second.tokens_in),
        tokens_out=sum_of(first.tokens_out, second.tokens_out),
        tokens_cached=sum_of(first.tokens_cached, second.tokens_cached),
        tokens_reasoning=sum_of(first.tokens_reasoning, second.tokens_reasoning),
        latency_s=sum_of(first.latency_s, second.latency_s),
        adjusted=tuple(sorted({**known, **room}.items())),
    )
