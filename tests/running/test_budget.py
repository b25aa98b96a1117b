"""What is set aside before a call, and what is counted after it."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.errors import InputError
from judgekit.running.budget import FIRST_CALLS, Budget, Meter
from judgekit.running.prices import NOTHING, REPLY_TOKENS, Price
from tests.running.virtual import now, run
from tests.timing import cpu_seconds

# A dollar for a million tokens of a prompt, ten for a million of a reply.
PRICE = Price(1e-6, 10e-6)
CALL = 1000 * 1e-6 + REPLY_TOKENS * 10e-6  # 0.0022: a prompt of 1,000 tokens, an ordinary reply


def metered(max_cost_usd: float, price: Price | None = PRICE) -> tuple[Budget, Meter]:
    """Return a budget, and the meter of its only model."""
    budget = Budget(max_cost_usd, lambda _: price)
    return budget, budget.meter("openai/judge")


def test_an_unknown_price_is_refused_before_any_call() -> None:
    """Complaint 54: unknown is not nothing; the error says how to tell the price."""
    budget = Budget(1, lambda _: None)

    with pytest.raises(InputError, match="the price of 'openai/stub' is not known, so --max-cost"):
        budget.meter("openai/stub")
    with pytest.raises(InputError) as caught:
        Budget(1).meter("openai/no-such-model")
    assert "price = { input = 0.40, output = 1.60 }" in (caught.value.hint or "")
    assert Budget(1).meter("openai/gpt-4.1-mini")


@pytest.mark.parametrize("maximum", [-0.01, float("nan"), float("inf")])
def test_a_maximum_is_a_number_from_0_on(maximum: float) -> None:
    """Anything else would be kept by accident."""
    with pytest.raises(InputError, match="--max-cost"):
        Budget(maximum)


def test_spent_and_set_aside_and_next_stay_within_the_maximum() -> None:
    """The calls in flight are paid for before the next is made."""
    budget, meter = metered(3.5 * CALL)

    held = [meter.try_reserve(1000) for _ in range(5)]

    assert [h is not None for h in held] == [True, True, True, False, False]
    assert budget.reserved_usd == pytest.approx(3 * CALL)
    assert held[0] is not None
    meter.settle(held[0], 0.5 * CALL, REPLY_TOKENS)
    assert budget.spent_usd == pytest.approx(0.5 * CALL)
    assert meter.try_reserve(1000) is not None
    assert meter.try_reserve(1000) is None


def test_a_budget_of_nothing_asks_only_what_is_free() -> None:
    """Local models cost nothing, however often they are asked."""
    assert metered(0)[1].try_reserve(1) is None
    budget, free = metered(0, NOTHING)
    for _ in range(100):
        held = free.try_reserve(10**6)
        assert held is not None
        free.settle(held, 0.0, 10**6)
    assert budget.spent_usd == 0


def test_replies_are_expected_to_be_as_long_as_those_that_came() -> None:
    """Complaint 13: a model that thinks takes ten times an ordinary reply, and that is learnt."""
    _, meter = metered(100)
    for _ in range(50):
        held = meter.try_reserve(0)
        assert held is not None
        meter.settle(held, 0.02, 2000)

    assert 1900 < meter.reply_tokens <= 2000
    meter.try_reserve(0)
    assert meter.reserved_usd == pytest.approx(meter.reply_tokens * 10e-6)


def test_what_is_learnt_counts_for_calls_in_flight_too() -> None:
    """They were set aside for by the same guess, and are as long."""
    budget, meter = metered(100)
    held = [meter.try_reserve(0) for _ in range(3)]
    before = budget.reserved_usd
    assert held[0] is not None

    meter.settle(held[0], 0.12, 12000)

    assert budget.reserved_usd > 10 * before * 2 / 3


def test_a_long_prompt_is_set_aside_for_at_its_own_price() -> None:
    """Where a longer prompt costs more by the token, its reply does too."""
    _, meter = metered(100, Price(1e-6, 2e-6, longer_than=1000, longer=Price(5e-6, 6e-6)))

    meter.try_reserve(1001)

    assert meter.reserved_usd == pytest.approx(1001 * 5e-6 + REPLY_TOKENS * 6e-6)


def test_a_cost_that_nobody_knows_is_the_estimate_and_is_counted() -> None:
    """Complaint 54: dropped or unknown is never 0."""
    budget, meter = metered(1)
    held = meter.try_reserve(1000)
    assert held is not None

    meter.settle(held)

    assert budget.spent_usd == pytest.approx(CALL)
    assert budget.unpriced == 1
    assert budget.reserved_usd == 0


def test_a_call_that_failed_gives_back_what_was_set_aside() -> None:
    """Complaint 47: outages do not burn the sample's money."""
    budget, meter = metered(CALL)
    for _ in range(10):
        held = meter.try_reserve(1000)
        assert held is not None
        meter.release(held)

    assert (budget.spent_usd, budget.reserved_usd, budget.unpriced) == (0, 0, 0)


def test_one_budget_for_all_models_of_a_panel() -> None:
    """What one model has spent another cannot."""
    budget = Budget(3 * CALL, lambda _: PRICE)
    first, second = budget.meter("a"), budget.meter("b")
    assert budget.meter("a") is first

    assert first.try_reserve(1000)
    assert first.try_reserve(1000)
    assert second.try_reserve(1000)
    assert second.try_reserve(1000) is None
    assert budget.in_flight == 3


def test_what_is_free_goes_on_when_all_is_spent() -> None:
    """A call that cost more than thought does not silence the local model of a panel."""
    budget = Budget(CALL, lambda model: NOTHING if model == "local/judge" else PRICE)
    paid, free = budget.meter("openai/judge"), budget.meter("local/judge")
    held = paid.try_reserve(1000)
    assert held is not None
    paid.settle(held, 2 * CALL, REPLY_TOKENS)

    assert paid.try_reserve(1) is None
    assert free.try_reserve(1000) is not None


def test_a_call_waits_for_what_others_give_back() -> None:
    """As long as calls in flight may turn out cheaper, a no is not the last word."""

    async def main() -> None:
        _, meter = metered(2 * CALL)
        first, second = meter.try_reserve(1000), meter.try_reserve(1000)
        assert first is not None
        assert second is not None
        waiting = [asyncio.create_task(meter.reserve(1000)) for _ in range(2)]
        await asyncio.sleep(1)
        meter.settle(first, CALL / 10, REPLY_TOKENS)
        await asyncio.sleep(1)
        assert not waiting[0].done()
        meter.settle(second, CALL / 10, REPLY_TOKENS)
        assert meter.try_reserve(1) is None  # somebody waits already
        third = await waiting[0]
        assert third is not None
        assert not waiting[1].done()
        meter.settle(third, 1.7 * CALL, REPLY_TOKENS)
        assert await waiting[1] is None  # nothing is in flight any more

    run(main())


def test_the_first_calls_show_how_long_replies_are() -> None:
    """Else 64 thinking replies would be in flight before the first one tells its length."""

    async def main() -> None:
        budget, meter = metered(1)
        held = [meter.try_reserve(10) for _ in range(64)]
        assert sum(h is not None for h in held) == FIRST_CALLS == budget.in_flight
        assert held[0] is not None
        waiting = [asyncio.create_task(meter.reserve(10)) for _ in range(60)]
        await asyncio.sleep(1)
        meter.settle(held[0], 0.01, 1000)
        assert all(await asyncio.gather(*waiting))

    run(main())


def test_who_is_cancelled_holds_nothing() -> None:
    """Neither money nor a turn."""

    async def main() -> None:
        budget, meter = metered(CALL)
        held = meter.try_reserve(1000)
        assert held is not None
        waiting = [asyncio.create_task(meter.reserve(1000)) for _ in range(3)]
        await asyncio.sleep(1)
        waiting[0].cancel()
        meter.release(held)
        waiting[1].cancel()
        assert await waiting[2] is not None
        assert budget.in_flight == 1

    run(main())


def test_the_refusal_says_what_was_spent() -> None:
    """And that a second run goes on from there."""
    budget, meter = metered(0.01)
    held = meter.try_reserve(1000)
    assert held is not None
    meter.settle(held, 0.0093, 100)

    assert budget.failure.cause == "budget"
    assert "the next call could exceed the budget of 0.01 USD" in budget.failure.message
    assert "0.0093 USD spent so far" in budget.failure.message


@given(
    maximum=st.floats(0.001, 0.5),
    lengths=st.lists(st.tuples(st.integers(1, 20_000), st.floats(0.2, 1)), max_size=60),
    workers=st.integers(1, 20),
    seed=st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_the_maximum_is_kept_when_estimates_are_not_too_low(
    maximum: float, lengths: list[tuple[int, float]], workers: int, seed: int
) -> None:
    """However calls come and go; and a run never stops while there is money for the next call."""
    rng = random.Random(seed)
    left = iter(lengths)
    refused: list[float] = []

    async def work(budget: Budget, meter: Meter) -> None:
        for tokens, share in left:
            held = meter.try_reserve(tokens) or await meter.reserve(tokens)
            assert budget.spent_usd + budget.reserved_usd <= maximum + 1e-9
            if held is None:
                refused.append(tokens * 1e-6 + meter.reply_tokens * 10e-6 + budget.spent_usd)
                continue
            await asyncio.sleep(rng.random())
            if rng.random() < 0.2:
                meter.release(held)
            else:
                meter.settle(held, share * (tokens * 1e-6 + REPLY_TOKENS * 10e-6), REPLY_TOKENS)

    async def main() -> None:
        budget, meter = metered(maximum)
        await asyncio.gather(*(work(budget, meter) for _ in range(workers)))
        assert budget.spent_usd <= maximum + 1e-9
        assert budget.in_flight == 0
        assert now() < 100

    run(main())
    assert all(needed > maximum - 1e-9 for needed in refused)


def test_setting_aside_costs_next_to_nothing() -> None:
    """A few millionths of a second a call."""
    _, meter = metered(1e6)

    def one() -> None:
        held = meter.try_reserve(1000)
        assert held is not None
        meter.settle(held, CALL, REPLY_TOKENS)

    assert cpu_seconds(one, times=2000, rounds=5) < 30e-6
