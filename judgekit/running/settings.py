"""How a run asks; none of it changes what is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from judgekit.running.limits import Limits
from judgekit.running.prices import Price
from judgekit.running.progress import Progress
from judgekit.running.retry import RetryPolicy


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run asks; none of it changes what is asked.

    Attributes:
        limits: Concurrency, rates and timeouts.
        retry: How failed calls are repeated.
        max_cost_usd: Most that the calls of this run may cost, by estimate before each call. A
            model without a known price is refused then.
        price: Returns what a model costs, or None; by default what litellm's list says.
        offline: Make no call: a request the cache does not answer fails with cause ``offline``.
        refresh: Ask everything anew, and let the new replies take the place of those kept.
        progress: Called after each batch of answers.
        total: How many requests there will be, where that is known.
    """

    limits: Limits = field(default_factory=Limits)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    max_cost_usd: float | None = None
    price: Callable[[str], Price | None] | None = None
    offline: bool = False
    refresh: bool = False
    progress: Callable[[Progress], None] | None = None
    total: int | None = None
