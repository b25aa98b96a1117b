"""What a run of a judge has come to so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.running.prices import Price, price_of
from judgekit.running.progress import Answer

NOT_NAMED = "(not named)"
"""The model of a reply that names none."""

PriceOf = Callable[[str], Price | None]
"""Returns what a model costs, or None."""


@dataclass(slots=True)
class Counts:
    """What a run has come to so far.

    Every request is one of three: ``cached``, ``asked`` or ``not_asked``.

    Attributes:
        judged: Items with a level or "not applicable", criterion by criterion added up.
        unjudged: The others, by cause.
        asked: Requests for which calls were made; ``failed``: those of them without reply.
        cached: Requests answered by the cache.
        not_asked: Requests without reply for which no call was made: the money or the time was
            over, there was no key, the provider was down.
        cost_usd: What replies with a known price cost.
        unpriced: Calls whose cost is not known: replies without a price, and calls that timed
            out, which may have been paid for.
        tokens_in: Prompt tokens of fresh replies, where known; ``tokens_out`` likewise.
        replies: criterion -> model as the endpoint names it -> replies.
        left_out: Parameters that some reply's model did not take.
        set_aside: Rows of the cache that could not be used: key and why.
        price: Returns what a model costs, or None.
    """

    judged: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    cached: int = 0
    failed: int = 0
    not_asked: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    replies: dict[str, Counter[str]] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    set_aside: dict[str, str] = field(default_factory=dict)
    price: PriceOf = price_of

    def answer(self, criterion: str, answer: Answer) -> None:
        """Count one answer."""
        _, reply, _, cached, attempts = answer
        if reply is None:
            if attempts:
                self.asked += 1
                self.failed += 1
                self.unpriced += failed_cost(answer, self.price) is None
            else:
                self.not_asked += 1
            return
        self.replies[criterion][reply.served or NOT_NAMED] += 1
        if reply.left_out:
            self.left_out.update(reply.left_out)
        if cached:
            self.cached += 1
            return
        self.asked += 1
        self.tokens_in += reply.tokens_in or 0
        self.tokens_out += reply.tokens_out or 0
        if reply.cost_usd is None:
            self.unpriced += 1
        else:
            self.cost_usd += reply.cost_usd

    def outcome(self, outcome: Judgment | Unjudged) -> None:
        """Count what became of an item."""
        if isinstance(outcome, Unjudged):
            self.unjudged[outcome.cause] += 1
        else:
            self.judged += 1


def failed_cost(answer: Answer, price: PriceOf) -> float | None:
    """Return what a request without reply cost in US dollars; None when nobody knows.

    A call that was refused costs nothing. One that timed out may have been answered, and paid
    for, after nobody listened any more.

    Args:
        answer: How the request ended.
        price: Returns what a model costs, or None.
    """
    if not answer.attempts or answer.failure is None or answer.failure.cause != "timeout":
        return 0.0
    known = price(answer.request.model)
    return 0.0 if known is not None and known.free else None
