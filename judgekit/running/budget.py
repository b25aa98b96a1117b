"""What a run may cost: every call is paid for out of what is set aside before it is made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from judgekit.errors import InputError, ModelCallError
from judgekit.running.line import Line
from judgekit.running.prices import REPLY_TOKENS, Price, price_of

FIRST_CALLS = 4
"""Most calls in flight to a model of which no reply has told yet how long they are."""

_START = 2
"""For how many replies the length stands that is expected before there are any."""
_ROUNDING = 1e-12


class Reservation(NamedTuple):
    """What is set aside for one call; always true.

    Attributes:
        prompt_usd: About what the prompt costs.
        token_usd: What each token of the reply costs; its length is the mean of all replies.
    """

    prompt_usd: float
    token_usd: float


class Budget:
    """The most that the calls of a run may cost, over all its models. Belongs to one event loop.

    Spent, set aside for calls in flight and the next call's estimate together never exceed the
    maximum; it can be exceeded by what the calls in flight cost more than estimated.

    Args:
        max_cost_usd: The maximum, in US dollars; 0 asks only what is free.
        price: Tells what a model costs; None when that is not known.

    Raises:
        InputError: the maximum is not a number from 0 on.
    """

    def __init__(
        self, max_cost_usd: float, price: Callable[[str], Price | None] | None = None
    ) -> None:
        if not (math.isfinite(max_cost_usd) and max_cost_usd >= 0):
            raise InputError(f"--max-cost is {max_cost_usd!r}; it must be a number from 0 on")
        self.max_cost_usd = max_cost_usd
        self._price = price or price_of
        self._meters: dict[str, Meter] = {}
        self.line = Line()
        self.spent_usd = 0.0
        """What calls have cost; by estimate where nobody knows better."""
        self.unpriced = 0
        """Calls whose real cost is not known."""

    def meter(self, model: str) -> Meter:
        """Return what counts the calls to one model; the same for the same model.

        Raises:
            InputError: its price is not known.
        """
        if model not in self._meters:
            price = self._price(model)
            if price is None and not self.max_cost_usd:
                price = Price(math.inf, math.inf)  # unknown is more than nothing
            if price is None:
                raise InputError(
                    f"the price of {model!r} is not known, so --max-cost cannot be kept",
                    hint="write price = { input = 0.40, output = 1.60 } (US dollars per million "
                    "tokens) into judgekit.toml, or leave --max-cost out",
                )
            self._meters[model] = Meter(self, price)
        return self._meters[model]

    @property
    def reserved_usd(self) -> float:
        """What is set aside for calls in flight."""
        return sum([meter.reserved_usd for meter in self._meters.values()])

    @property
    def in_flight(self) -> int:
        """How many calls money is set aside for."""
        return sum(meter.in_flight for meter in self._meters.values())

    def has(self, cost_usd: float) -> bool:
        """Whether so much is left."""
        wanted = self.spent_usd + self.reserved_usd + cost_usd
        return not cost_usd or wanted <= self.max_cost_usd + _ROUNDING

    @property
    def failure(self) -> ModelCallError:
        """What a request fails with when nothing could be set aside for it."""
        return ModelCallError(
            f"not asked, since the next call could exceed the budget of {self.max_cost_usd:g} USD "
            f"({self.spent_usd:.4g} USD spent so far)",
            cause="budget",
            hint="run again with a higher budget; what was answered is kept",
        )


class Meter:
    """The calls to one model, paid for out of a budget.

    Args:
        budget: The budget.
        price: What the model costs.
    """

    def __init__(self, budget: Budget, price: Price) -> None:
        self._budget, self._price = budget, price
        self._prompts_usd = self._token_usd = 0.0
        self._replies, self._tokens = 0, 0
        self.reply_tokens = float(REPLY_TOKENS)
        """About how many tokens a reply has: the mean of those that came, once some did."""
        self.in_flight = 0
        """Calls for which something is set aside."""

    @property
    def reserved_usd(self) -> float:
        """What is set aside for the calls in flight, by what is known of replies now."""
        return self._prompts_usd + self.reply_tokens * self._token_usd

    @property
    def failure(self) -> ModelCallError:
        """What a request fails with when nothing could be set aside for it."""
        return self._budget.failure

    def try_reserve(self, tokens_in: int) -> Reservation | None:
        """Set aside what a call may cost; None when that has to wait, or is too much (``reserve``).

        Args:
            tokens_in: About how many tokens the prompt has (``prices.request_tokens``).
        """
        return None if self._budget.line else self._take(tokens_in)

    async def reserve(self, tokens_in: int) -> Reservation | None:
        """Set aside what a call may cost, if need be once calls in flight turn out cheaper.

        None when the budget does not allow it, and no call in flight can change that. Until the
        first reply tells how long replies are, a few calls are in flight and the others wait.
        """
        taken = await self._budget.line.wait(
            lambda: self._take(tokens_in) or (None if self._budget.in_flight else _NEVER),
            lambda: None,
        )
        return None if taken is _NEVER else taken

    def settle(
        self,
        reservation: Reservation,
        cost_usd: float | None = None,
        tokens_out: int | None = None,
    ) -> None:
        """Count a call that was or may have been paid for: a reply, or a timeout.

        Args:
            reservation: What was set aside for it.
            cost_usd: What it cost; None counts the estimate, and the call as unpriced.
            tokens_out: How many tokens the reply had, where that is known.
        """
        if tokens_out:
            self._replies += 1
            self._tokens += tokens_out
            self.reply_tokens = (_START * REPLY_TOKENS + self._tokens) / (_START + self._replies)
        if cost_usd is None:
            self._budget.unpriced += 1
            cost_usd = reservation.prompt_usd + self.reply_tokens * reservation.token_usd
        self._budget.spent_usd += cost_usd
        self.release(reservation)

    def release(self, reservation: Reservation) -> None:
        """Take back what was set aside for a call that cost nothing: it failed, or was not made."""
        self.in_flight -= 1
        self._prompts_usd -= reservation.prompt_usd
        self._token_usd -= reservation.token_usd
        if not self.in_flight:
            self._prompts_usd = self._token_usd = 0.0  # without what rounding left
        if self._budget.line:
            self._budget.line.ring()

    def _take(self, tokens_in: int) -> Reservation | None:
        price = self._price.at(tokens_in)
        if not self._replies and self.in_flight >= FIRST_CALLS and not price.free:
            return None
        wanted = Reservation(tokens_in * price.input, price.output)
        if not self._budget.has(wanted.prompt_usd + self.reply_tokens * price.output):
            return None
        self.in_flight += 1
        self._prompts_usd += wanted.prompt_usd
        self._token_usd += wanted.token_usd
        return wanted


_NEVER = Reservation(math.inf, math.inf)
