import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from judgekit.stats import Estimate, Pairs, Undefined, critical
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.spread import paired_t, pitman_morgan, spread_ratio
from tests.stats.strategies import unhurried

VALUES = [1.0, 2.0, 3.0, 4.0, 5.0]


def some(n: int, seed: int = 1) -> Pairs:
    """A judge that keeps to the middle."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 5, n)
    return Pairs(human, np.round(2 + 0.6 * (human - 2) + rng.normal(size=n) * 0.4).astype(int), 5)


def ratio(pairs: Pairs) -> Estimate:
    """The ratio, where there must be one."""
    found = spread_ratio(pairs, VALUES)
    assert isinstance(found, Estimate)
    return found


def test_ratio_by_hand() -> None:
    """Human 1 3 5 1 and judge 2 3 4 3: standard deviations sqrt(11)/2 and sqrt(1/2)."""
    found = ratio(Pairs(np.array([0, 2, 4, 0]), np.array([1, 2, 3, 2]), 5))

    assert found.value == pytest.approx(math.sqrt(0.5) / math.sqrt(11 / 4))
    assert found.method == "spread_ratio/log_t"


def test_the_interval_is_symmetric_in_the_logarithm() -> None:
    """SE from the influence values (x^2 - y^2) / 2, t with n - 1 degrees of freedom."""
    pairs = some(50)
    found = ratio(pairs)
    x, y = stats.zscore(pairs.judge), stats.zscore(pairs.human)
    half = critical(0.95, 49) * math.sqrt((((x**2 - y**2) / 2) ** 2).mean() / 49)

    assert math.log(found.high / found.value) == pytest.approx(half)
    assert math.log(found.value / found.low) == pytest.approx(half)
    assert found.high < 1


def test_a_perfect_judge_has_an_interval() -> None:
    """20 of 20: the mean, or the farthest level, for as many as Wilson's limit of 0 of 20."""
    codes = np.arange(20) % 5
    found = ratio(Pairs(codes, codes, 5))
    reach = wilson_bounds(0, 20, critical(0.95))[1]

    # variance 2, the ends are 2 from the mean
    assert found.value == pytest.approx(1)
    assert found.low == pytest.approx(math.sqrt(1 - reach))
    assert found.high == pytest.approx(math.sqrt(1 - reach + reach * 2))


def test_swapped_sides_turn_the_ratio() -> None:
    """Judge over human is one over human over judge."""
    pairs = some(40)
    here, there = ratio(pairs), ratio(Pairs(pairs.judge, pairs.human, 5))

    assert (there.low, there.value, there.high) == pytest.approx(
        (1 / here.high, 1 / here.value, 1 / here.low)
    )


def test_clusters_widen_it() -> None:
    """Four copies in a cluster are worth one; nine clusters are too few."""
    plain = some(40)
    four = Pairs(plain.human.repeat(4), plain.judge.repeat(4), 5, clusters=np.arange(40).repeat(4))
    found = ratio(four)

    assert (found.low, found.high) == pytest.approx((ratio(plain).low, ratio(plain).high), abs=0.02)
    few = spread_ratio(four.subset(four.clusters < 9), VALUES)  # type: ignore[operator]
    assert isinstance(few, Undefined)
    assert few.reason == "too_few_clusters"


def test_ratio_undefined() -> None:
    """Nothing, and a side of one level."""
    none = Pairs(np.zeros(0, int), np.zeros(0, int), 5)
    constant = Pairs(np.arange(10) % 5, np.full(10, 2), 5)
    method = "spread_ratio/log_t"

    assert spread_ratio(none, VALUES) == Undefined("empty", 0, method, 0)
    assert spread_ratio(constant, VALUES) == Undefined("zero_variance", 10, method, 10)


def test_skewed_levels_keep_their_interval() -> None:
    """Nine in ten on one level, three in ten wrong: about 95% hold the true ratio."""
    rng, k = np.random.default_rng(8), 5
    table = np.zeros((k, k))
    for i, share in enumerate([0.025] * 4 + [0.9]):
        table[i, i] += 0.7 * share
        table[i, max(0, i - 1)] += 0.15 * share
        table[i, min(k - 1, i + 1)] += 0.15 * share
    v = np.array(VALUES)
    spreads = [math.sqrt(m @ v**2 - (m @ v) ** 2) for m in (table.sum(axis=0), table.sum(axis=1))]
    truth, held = spreads[0] / spreads[1], []
    for cells in rng.choice(k * k, size=(400, 150), p=table.ravel()):
        found = ratio(Pairs(cells // k, cells % k, k))
        held.append(found.low <= truth <= found.high)

    assert np.mean(held) >= 0.92


def test_paired_t_is_scipys() -> None:
    """Statistic and p-value."""
    rng = np.random.default_rng(2)
    for n in (2, 5, 80):
        x, y = rng.normal(size=(2, n))
        found, expected = paired_t(x, y), stats.ttest_rel(x, y)
        assert not isinstance(found, Undefined)

        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
        assert (found.df, found.n) == (n - 1, n)


def test_pitman_morgan_is_the_correlation_of_sum_and_difference() -> None:
    """Statistic and p-value, by scipy's test of that correlation."""
    rng = np.random.default_rng(3)
    for n in (3, 10, 80):
        x, y = rng.normal(size=n), 2 * rng.normal(size=n)
        found, expected = pitman_morgan(x, y), stats.pearsonr(x + y, x - y)
        assert not isinstance(found, Undefined)

        assert found.p == pytest.approx(expected.pvalue)
        assert math.copysign(1, found.statistic) == math.copysign(1, expected.statistic)


def test_nothing_to_test() -> None:
    """Too few, no differences, or a constant one."""
    assert paired_t([1.0], [2.0]) == Undefined("too_few_items", 1, "paired_t")
    assert paired_t([1.0, 2, 3], [2.0, 3, 4]) == Undefined("zero_variance", 3, "paired_t")
    assert pitman_morgan([1.0, 2], [2.0, 1]) == Undefined("too_few_items", 2, "pitman_morgan")
    for x in ([2.0, 3, 4], [1.0, 2, 3], [-1.0, -2, -3]):
        found = pitman_morgan([1.0, 2, 3], x)
        assert found == Undefined("zero_variance", 3, "pitman_morgan")
    with pytest.raises(ValueError, match="finite"):
        paired_t([1.0, math.nan], [1.0, 2])
    with pytest.raises(ValueError, match="as many"):
        pitman_morgan([1.0, 2], [1.0])


def test_a_certain_difference_is_no_division_by_zero() -> None:
    """One side exactly twice the other: the sum and the difference lie on a line."""
    found = pitman_morgan([2.0, 4, 6, 9], [1.0, 2, 3, 4.5])
    assert not isinstance(found, Undefined)

    assert found.p == pytest.approx(0, abs=1e-12)
    assert found.statistic > 1e6


@given(st.integers(0, 2**32 - 1))
@unhurried
def test_swapping_turns_the_statistics(seed: int) -> None:
    """Two-sided: the p-value stays."""
    x, y = np.random.default_rng(seed).normal(size=(2, 12))
    for test in (paired_t, pitman_morgan):
        here, there = test(x, y), test(y, x)
        assert not isinstance(here, Undefined)
        assert not isinstance(there, Undefined)
        assert (there.statistic, there.p) == pytest.approx((-here.statistic, here.p))
