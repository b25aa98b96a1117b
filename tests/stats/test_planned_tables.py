import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import multivariate_normal, norm

from judgekit.stats import identity, kappa, linear, quadratic
from judgekit.stats.arrays import FloatArray
from judgekit.stats.planned_tables import (
    best_match,
    correlation_for,
    cut_normal,
    margins,
    mixed_table,
    ordered_table,
)
from tests.stats.strategies import unhurried

UNEVEN = [0.1, 0.2, 0.3, 0.25, 0.15]
OTHER = [0.15, 0.2, 0.2, 0.25, 0.2]


def shares(k: int) -> st.SearchStrategy[list[float]]:
    """Shares of k levels, none of them rarer than about 1%."""
    whole = st.lists(st.integers(1, 60), min_size=k, max_size=k)
    return whole.map(lambda counts: [n / sum(counts) for n in counts])


@given(st.data())
@unhurried
def test_a_mixed_table_has_the_margins_and_the_kappa(data: st.DataObject) -> None:
    """Whatever the margins, every kappa from 0 to the most they allow is reached."""
    k = data.draw(st.integers(2, 5))
    r, c = data.draw(shares(k)), data.draw(shares(k))
    most = kappa(1e9 * best_match(r, c), identity(k))
    wanted = data.draw(st.floats(0, 1)) * most

    table = mixed_table(wanted, r, c)

    assert np.allclose(table.sum(axis=1), r)
    assert np.allclose(table.sum(axis=0), c)
    assert kappa(1e9 * table, identity(k)) == pytest.approx(wanted, abs=1e-9)


@given(st.data())
@settings(unhurried, max_examples=30)
def test_an_ordered_table_has_the_margins_and_the_kappa(data: st.DataObject) -> None:
    """The same for levels in order, under each scheme of weights."""
    k = data.draw(st.integers(2, 5))
    r, c = data.draw(shares(k)), data.draw(shares(k))
    weights = data.draw(st.sampled_from([identity(k), linear(range(k)), quadratic(range(k))]))
    # All or nothing can agree less at correlation 1 than below it, where the margins differ.
    most = max(kappa(1e9 * cut_normal(x, r, c), weights) for x in (0.5, 0.8, 1.0))
    wanted = data.draw(st.floats(0, 0.999)) * most

    table = ordered_table(wanted, weights, r, c)

    assert np.allclose(table.sum(axis=1), r, atol=1e-6)
    assert np.allclose(table.sum(axis=0), c, atol=1e-6)
    assert kappa(1e9 * table, weights) == pytest.approx(wanted, abs=1e-6)


@given(shares(2), shares(2), st.floats(0, 0.999))
@settings(unhurried, max_examples=50)
def test_with_two_levels_both_families_are_one(r: list[float], c: list[float], part: float) -> None:
    """Margins and kappa leave no room in a two-by-two table."""
    wanted = part * kappa(1e9 * best_match(r, c), identity(2))

    both = mixed_table(wanted, r, c), ordered_table(wanted, identity(2), r, c)

    assert np.allclose(*both, atol=1e-7)


@pytest.mark.parametrize("correlation", [-0.9, -0.3, 0.0, 0.3, 0.8, 0.95, 0.999])
def test_the_cut_normal_is_scipys(correlation: float) -> None:
    """Every cell against SciPy's bivariate normal."""
    inner = [norm.ppf(np.cumsum(p)[:-1]) for p in (UNEVEN, OTHER)]
    edges = [np.concatenate([[-9.0], cuts, [9.0]]) for cuts in inner]
    both = multivariate_normal(cov=[[1, correlation], [correlation, 1]])
    below = np.array([[both.cdf([x, y]) for y in edges[1]] for x in edges[0]])

    expected = np.diff(np.diff(below, axis=0), axis=1)

    assert np.allclose(cut_normal(correlation, UNEVEN, OTHER), expected, atol=1e-6)


def most_possible(r: list[float], c: list[float], weights: FloatArray) -> float:
    """The largest observed agreement of any table with these margins, by linear programming."""
    k = len(r)
    rows = [np.repeat(np.arange(k) == i, k) for i in range(k)]
    columns = [np.tile(np.arange(k) == j, k) for j in range(k)]
    found = linprog(-weights.ravel(), A_eq=np.array([*rows, *columns]), b_eq=[*r, *c])
    return -float(found.fun)


def test_no_table_agrees_more_than_the_best_match() -> None:
    """Linear programming finds nothing better, with and without an order of the levels."""
    same = float((best_match(UNEVEN, OTHER) * identity(5)).sum())
    close = float((cut_normal(1.0, UNEVEN, OTHER) * quadratic(range(5))).sum())

    assert same == pytest.approx(most_possible(UNEVEN, OTHER, identity(5)))
    assert close == pytest.approx(most_possible(UNEVEN, OTHER, quadratic(range(5))))


def test_a_correlation_of_one_is_the_diagonal() -> None:
    """With like margins perfect agreement is reached, and is asked for at no less than 1."""
    assert np.allclose(cut_normal(1.0, UNEVEN), np.diag(UNEVEN))
    assert correlation_for(1.0, quadratic(range(5)), UNEVEN) == 1.0
    assert np.allclose(mixed_table(1.0, UNEVEN), np.diag(UNEVEN))


def test_all_or_nothing_may_be_best_short_of_the_closest_match() -> None:
    """A judge two levels too harsh, without any noise, seldom says the very same level."""
    r, c, weights = np.array([1, 1, 2, 2, 5]) / 11, np.array([5, 4, 6, 6, 6]) / 27, identity(5)
    at_one, best = (kappa(1e9 * cut_normal(x, r, c), weights) for x in (1.0, 0.9))

    assert best > at_one
    found = correlation_for(best, weights, r, c)
    assert found < 1
    assert kappa(1e9 * cut_normal(found, r, c), weights) == pytest.approx(best, abs=1e-6)


def test_independence() -> None:
    """Kappa 0 is the product of the margins."""
    chance = np.outer(UNEVEN, OTHER)

    assert np.allclose(mixed_table(0.0, UNEVEN, OTHER), chance)
    assert np.allclose(cut_normal(0.0, UNEVEN, OTHER), chance)
    assert np.allclose(ordered_table(0.0, linear(range(5)), UNEVEN, OTHER), chance, atol=1e-9)


def test_worse_than_chance() -> None:
    """A little below 0 there still is a table."""
    table = mixed_table(-0.2, [0.5, 0.5])

    assert kappa(1e9 * table, identity(2)) == pytest.approx(-0.2)
    assert math.isclose(correlation_for(-0.2, identity(2), [0.5, 0.5]), -math.sin(0.1 * math.pi))


def test_an_unused_level() -> None:
    """A level nobody uses keeps its empty row and column."""
    table = ordered_table(0.8, quadratic(range(3)), [0.2, 0.0, 0.8])

    assert np.allclose(table[1], 0)
    assert np.allclose(table[:, 1], 0)
    assert kappa(1e9 * table, quadratic(range(3))) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("human", "judge", "why"),
    [
        ([1.0], None, "two levels or more"),
        ([0.5, 0.6], None, "add up to 1.1"),
        ([1.5, -0.5], None, "negative"),
        ([np.nan, 1.0], None, "not finite"),
        ([0.5, 0.5], [0.2, 0.3, 0.5], "human has 2 levels, judge has 3"),
        ([1.0, 0.0], None, "one and the same level"),
    ],
)
def test_what_are_no_shares(human: list[float], judge: list[float] | None, why: str) -> None:
    """Each is named."""
    with pytest.raises(ValueError, match=why):
        margins(human, judge)


@pytest.mark.parametrize("value", [0.81, 1.0, float("nan")])
def test_a_kappa_the_margins_do_not_allow(value: float) -> None:
    """The most they allow is told: 30% and 40% of one level, kappa 0.78 at most."""
    for table in (
        lambda: mixed_table(value, [0.3, 0.7], [0.4, 0.6]),
        lambda: ordered_table(value, identity(2), [0.3, 0.7], [0.4, 0.6]),
    ):
        with pytest.raises(ValueError, match=r"allow kappa 0\.78\d* at most"):
            table()


def test_a_kappa_too_low() -> None:
    """At 90/10 disagreement has a limit too."""
    for table in (
        lambda: mixed_table(-0.5, [0.1, 0.9]),
        lambda: ordered_table(-0.5, identity(2), [0.1, 0.9]),
    ):
        with pytest.raises(ValueError, match="too low"):
            table()
    with pytest.raises(ValueError, match="between -1 and 1"):
        cut_normal(1.5, [0.5, 0.5])
