"""What judging one item takes, in calls and money."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judgekit.judging.judge import Judge, Member
from judgekit.reports.preview import all_criteria_text, item_cost, item_cost_text
from judgekit.running.prices import REPLY_TOKENS, Price
from tests.e2e.house import RUBRIC
from tests.rubric.make import usable

JUDGE = Judge("tone", usable(RUBRIC), "openai/m")
TONE = JUDGE.rubric.criteria[0]
PRICES = {"openai/m": Price(1e-6, 2e-6), "a/x": Price(3e-6, 0.0), "b/free": Price(0.0, 0.0)}
PAIRS = (
    RUBRIC.partition("    scale: ordinal")[0].replace("[input, output]", "[output_a, output_b]")
    + """    scale: pairwise
    levels:
      - {value: A, definition: The first is friendlier.}
      - {value: B, definition: The second is friendlier.}
---
"""
)


def test_one_call() -> None:
    """Prompt and expected reply, at the price that is told."""
    cost = item_cost(JUDGE, TONE, 1000, PRICES.get)

    assert (cost.calls, cost.unpriced) == (1, 0)
    assert cost.cost_usd == pytest.approx(1000 * 1e-6 + REPLY_TOKENS * 2e-6)
    assert item_cost_text(cost) == "1 call an item, about 0.0012 USD"


def test_every_member_and_replicate_is_paid_for() -> None:
    """Each at its own price; what nobody knows is said."""
    panel = replace(JUDGE, panel=(Member(model="openai/m"), Member(model="a/x")), replicates=3)
    cost = item_cost(panel, TONE, 1000, PRICES.get)
    unknown = item_cost(replace(panel, panel=(*panel.panel, Member(model="c/z"))), TONE, 9, {}.get)
    partly = item_cost(
        replace(panel, panel=(Member(model="a/x"), Member(model="c/z"))), TONE, 1000, PRICES.get
    )

    assert cost.cost_usd == pytest.approx(3 * (0.001 + REPLY_TOKENS * 2e-6 + 0.003))
    assert item_cost_text(cost) == "6 calls an item (2 models, 3 replicates), about 0.01 USD"
    assert item_cost_text(unknown) == "9 calls an item (3 models, 3 replicates), price unknown"
    assert item_cost_text(partly).endswith(", about 0.009 USD and 3 of unknown price")


def test_pairs_are_shown_in_both_orders() -> None:
    """Twice, unless they are taken as given."""
    judge = Judge("which", usable(PAIRS), "b/free")
    criterion = judge.rubric.criteria[0]
    both = item_cost(judge, criterion, 10, PRICES.get)
    given = item_cost(replace(judge, orders="given"), criterion, 10, PRICES.get)

    assert item_cost_text(both) == "2 calls an item (2 orders), no cost"
    assert item_cost_text(given) == "1 call an item, no cost"


def test_all_criteria_together() -> None:
    """The calls and the money of one item."""
    one = item_cost(JUDGE, TONE, 1000, PRICES.get)

    assert all_criteria_text([one, one]) == "All 2 criteria: 2 calls an item, about 0.0025 USD."
    nobody = item_cost(JUDGE, TONE, 1000, {}.get)
    told = "All 2 criteria: 2 calls an item, about 0.0012 USD and 1 of unknown price."
    assert all_criteria_text([one, nobody]) == told
