"""What judging one item takes: every call that a judge makes about it, and their cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from judgekit.judging.judge import Judge
from judgekit.reports.amounts import dollars
from judgekit.reports.words import count
from judgekit.rubric.model import Criterion
from judgekit.running.prices import REPLY_TOKENS, Price


class ItemCost(NamedTuple):
    """What one item takes, on one criterion.

    Attributes:
        members: Models that are asked.
        orders: Orders that a pair is shown in; 1 for what is no pair.
        replicates: How often each of them is asked.
        each_usd: About what one call costs, member by member; None where the price is not known.
    """

    members: int
    orders: int
    replicates: int
    each_usd: tuple[float | None, ...]

    @property
    def calls(self) -> int:
        """Return the calls for one item."""
        return self.members * self.orders * self.replicates

    @property
    def unpriced(self) -> int:
        """Return how many of them have no known price."""
        return self.each_usd.count(None) * self.orders * self.replicates

    @property
    def cost_usd(self) -> float:
        """Return about what those with a known price cost."""
        known = sum(cost for cost in self.each_usd if cost is not None)
        return known * self.orders * self.replicates


def item_cost(
    judge: Judge, criterion: Criterion, tokens: int, price: Callable[[str], Price | None]
) -> ItemCost:
    """Return what judging an item takes.

    Args:
        judge: The judge.
        criterion: What it is judged on.
        tokens: About how many tokens its prompt has.
        price: Returns what a model costs, or None.
    """
    prices = [price(member.model) for member in judge.members]
    each = tuple(None if p is None else p.expected(tokens, REPLY_TOKENS) for p in prices)
    members, replicates = len(judge.members), judge.replicates
    orders = len(judge.places(criterion)) // (members * replicates)
    return ItemCost(members, orders, replicates, each)


def item_cost_text(cost: ItemCost) -> str:
    """Return ``6 calls an item (3 models, 2 replicates), about 0.0012 USD``."""
    of = [
        count(n, what)
        for n, what in (
            (cost.members, "model"),
            (cost.orders, "order"),
            (cost.replicates, "replicate"),
        )
        if n > 1
    ]
    made = f" ({', '.join(of)})" if of else ""
    return f"{count(cost.calls, 'call')} an item{made}, {_usd([cost])}"


def all_criteria_text(costs: Sequence[ItemCost]) -> str:
    """Return what one item takes on all criteria together."""
    calls = count(sum(cost.calls for cost in costs), "call")
    return f"All {count(len(costs), 'criterion', 'criteria')}: {calls} an item, {_usd(costs)}."


def _usd(costs: Sequence[ItemCost]) -> str:
    total = sum(cost.cost_usd for cost in costs)
    unpriced = sum(cost.unpriced for cost in costs)
    known = f"about {dollars(total)}" if total else "no cost"
    if not unpriced:
        return known
    return f"{known} and {unpriced:,} of unknown price" if total else "price unknown"
