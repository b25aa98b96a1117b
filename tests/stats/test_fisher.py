import math

import numpy as np
import pytest
from scipy import stats

from judgekit.stats import Estimate, Pairs, Undefined, critical
from judgekit.stats.fisher import (
    CONCORDANCE,
    PRODUCT_MOMENT,
    RANKS,
    Spread,
    fisher,
    pull_of_correlation,
    standardised,
)
from judgekit.stats.proportions import wilson_bounds


def units(n: int, **more: object) -> Pairs:
    """Nothing in particular, n times."""
    return Pairs(np.zeros(n, int), np.zeros(n, int), 1, **more)  # type: ignore[arg-type]


def interval(r: float, n: int, spread: Spread) -> Estimate:
    """The interval of r, where there must be one."""
    found = fisher(r, np.linspace(-1, 1, n), units(n), spread, name="r")
    assert isinstance(found, Estimate)
    return found


def test_pearson_is_scipys() -> None:
    """Value ± z / sqrt(n - 3) in atanh, as scipy has it."""
    rng = np.random.default_rng(1)
    for n in (5, 30, 200):
        x = rng.normal(size=n)
        known = stats.pearsonr(x, x + rng.normal(size=n))
        found = interval(float(known.statistic), n, PRODUCT_MOMENT)
        expected = known.confidence_interval(0.95)

        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(
    ("spread", "error"),
    [
        (RANKS, math.sqrt((1 + 0.6**2 / 2) / 37)),
        (CONCORDANCE, math.sqrt(0.437 / 36)),
        (Spread(lambda r: r * r, 10), math.sqrt(0.36 / 30)),
    ],
)
def test_other_spreads(spread: Spread, error: float) -> None:
    """0.6 from 40 pairs."""
    found = interval(0.6, 40, spread)
    half = critical(0.95) * error

    assert math.atanh(found.high) - math.atanh(0.6) == pytest.approx(half)
    assert math.atanh(0.6) - math.atanh(found.low) == pytest.approx(half)


@pytest.mark.parametrize("r", [1.0, -1.0])
def test_a_perfect_correlation_has_an_interval(r: float) -> None:
    """As if Wilson's limit of 0 of 20 had nothing to do with each other."""
    found, reach = interval(r, 20, RANKS), wilson_bounds(0, 20, critical(0.95))[1]

    assert sorted((abs(found.low), abs(found.high))) == pytest.approx([1 - reach, 1])
    assert found.low < found.high


def test_too_little() -> None:
    """Three pairs carry no interval; nine clusters neither."""
    assert fisher(0.5, np.ones(3), units(3), PRODUCT_MOMENT, name="r") == Undefined(
        "too_few_items", 3, "r/fisher", 3
    )
    nine = units(18, clusters=np.arange(18) // 2)
    found = fisher(0.5, np.linspace(-1, 1, 18), nine, PRODUCT_MOMENT, name="r")
    assert isinstance(found, Undefined)
    assert found.reason == "too_few_clusters"


def test_copies_are_worth_one() -> None:
    """Four copies of each pair in a cluster: n over the design effect, t quantile."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 25))
    pull = pull_of_correlation(x, y, None).repeat(4)
    pairs = units(100, clusters=np.arange(25).repeat(4))
    found = fisher(0.3, pull, pairs, PRODUCT_MOMENT, name="r")
    assert isinstance(found, Estimate)
    half = critical(0.95, 24) / math.sqrt(100 / (4 * 25 / 24) - 3)

    assert math.atanh(found.high) - math.atanh(0.3) == pytest.approx(half)


def test_pull_is_the_slope() -> None:
    """A little more of one pair moves the correlation by its influence."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 12))
    pull, step = pull_of_correlation(x, y, None), 1e-6
    for i in range(12):
        weight = np.full(12, (1 - step) / 12)
        weight[i] += step
        a, b = standardised(x, weight), standardised(y, weight)
        moved = float(np.average(a * b, weights=weight))

        slope = (moved - np.corrcoef(x, y)[0, 1]) / step
        assert slope == pytest.approx(pull[i], abs=1e-4)


def test_equal_numbers_have_no_spread() -> None:
    """Rounding is no variance."""
    assert not standardised(np.full(7, 0.1), None).any()
    assert standardised(np.array([1.0, 3.0]), None) == pytest.approx([-1, 1])
