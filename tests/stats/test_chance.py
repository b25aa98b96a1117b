from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Undefined, identity, kappa, linear, quadratic
from judgekit.stats.arrays import FloatArray
from judgekit.stats.chance import (
    bennett_s,
    bennett_s_of,
    gwet_ac1,
    gwet_ac1_of,
    gwet_ac2,
    gwet_ac2_of,
    pabak,
    pabak_of,
    scott_pi,
    scott_pi_of,
)
from tests.stats.rating_strategies import brisk, number, same
from tests.stats.strategies import tables, weighted_tables

PLAIN: list[Callable[[FloatArray], float | Undefined]] = [scott_pi, bennett_s, pabak, gwet_ac1]


def test_worked_example() -> None:
    """Ten items, two levels, unequal margins."""
    # T = 4 1   r = .5 .5, c = .6 .4, pi = .55 .45, p_o = .7
    #     2 3   Scott: p_e = .3025 + .2025 = .505    (.7 - .505) / .495
    #           S: (.7 - .5) / .5 = .4 = 2 * .7 - 1
    #           AC1: p_e = 2 * .55 * .45 = .495      (.7 - .495) / .505
    table = np.array([[4.0, 1], [2, 3]])

    assert scott_pi(table) == pytest.approx(0.195 / 0.495)
    assert bennett_s(table) == pytest.approx(0.4)
    assert pabak(table) == pytest.approx(0.4)
    assert gwet_ac1(table) == pytest.approx(0.205 / 0.505)


def test_worked_weighted_example() -> None:
    """Four items on three levels with linear weights 1, 1/2, 0."""
    # pairs 00 01 11 22: p_o = 3.5 / 4 = .875, pi = 3/8 3/8 1/4
    # sum of w = 3 + 4 / 2 = 5; pi' w pi = 9/64 + 9/64 + 4/64 + 9/64 + 6/64 = 37/64
    table, w = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], linear([1, 2, 3])

    assert scott_pi(table, w) == pytest.approx((0.875 - 37 / 64) / (27 / 64))
    assert bennett_s(table, w) == pytest.approx((0.875 - 5 / 9) / (4 / 9))
    # sum of pi (1 - pi) = 15/64 + 15/64 + 12/64 = 42/64; p_e = 5/6 * 42/64 = 35/64
    assert gwet_ac2(table, w) == pytest.approx((0.875 - 35 / 64) / (29 / 64))


def test_a_rare_level_never_met() -> None:
    """Kappa and pi are below 0, AC1 and S near 1: the second level was never recognised."""
    table = np.array([[118.0, 5], [2, 0]])

    assert number(scott_pi(table)) < 0
    assert number(gwet_ac1(table)) > 0.94
    assert number(bennett_s(table)) > 0.88


@pytest.mark.parametrize(
    ("table", "pi", "others"),
    [
        pytest.param([[0, 0], [0, 0]], "empty", "empty", id="nothing"),
        pytest.param([[6, 0], [0, 0]], "single_category", 1.0, id="both-constant-same"),
        pytest.param([[0, 6], [0, 0]], -1.0, -1.0, id="both-constant-different"),
        pytest.param([[1, 0], [0, 0]], "single_category", 1.0, id="one-pair"),
        pytest.param([[0, 1], [0, 0]], "single_category", -1.0, id="one-disagreeing-pair"),
        pytest.param([[3]], "single_category", "single_category", id="one-level"),
    ],
)
def test_degenerate_tables(table: list[list[int]], pi: float | str, others: float | str) -> None:
    """One level used by all: pi has no value, S and AC1 are 1 on a scale of two levels."""

    def outcome(value: float | Undefined) -> float | str:
        return value.reason if isinstance(value, Undefined) else value

    assert outcome(scott_pi(table)) == pi
    for statistic in (bennett_s, gwet_ac1):
        assert outcome(statistic(table)) == others


def test_undefined_counts_its_pairs() -> None:
    """No value, but how many pairs it would have rested on."""
    assert scott_pi([[6, 0], [0, 0]]) == Undefined("single_category", 6, "scott_pi")
    assert pabak(np.zeros((2, 2))) == Undefined("empty", 0, "pabak")


@pytest.mark.parametrize("statistic", PLAIN)
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "square"),
        ([[1, -2], [3, 4]], "negative count"),
        ([[1, float("inf")], [3, 4]], "finite"),
    ],
)
def test_tables_are_checked(
    statistic: Callable[[object], float | Undefined], table: list[list[float]], message: str
) -> None:
    """What is no table of counts is an error."""
    with pytest.raises(ValueError, match=message):
        statistic(table)


@pytest.mark.parametrize("statistic", [scott_pi, bennett_s, gwet_ac2])
def test_weights_are_checked(statistic: Callable[..., float | Undefined]) -> None:
    """Weights of another scale are an error."""
    with pytest.raises(ValueError, match="the weights are"):
        statistic([[1, 2], [3, 4]], np.eye(3))


@given(tables())
@brisk
def test_identity_weights_are_no_weights(table: FloatArray) -> None:
    """Each weighted coefficient is the plain one under identity weights."""
    same_level = identity(table.shape[0])

    assert same(scott_pi(table, same_level), scott_pi(table))
    assert same(bennett_s(table, same_level), bennett_s(table))
    assert same(gwet_ac2(table, same_level), gwet_ac1(table))


@given(tables(max_k=2))
@brisk
def test_two_levels_have_one_value(table: FloatArray) -> None:
    """With two levels the weights do not matter, and S is PABAK."""
    for statistic in (scott_pi, bennett_s, gwet_ac2):
        values = [statistic(table, w) for w in (identity(2), linear([0, 1]), quadratic([0, 1]))]

        assert same(values[0], values[1])
        assert same(values[0], values[2])
    assert same(bennett_s(table), pabak(table))


@given(tables(), st.integers(0, 2**32 - 1))
@brisk
def test_unordered_levels_have_no_names(table: FloatArray, seed: int) -> None:
    """Relabelling both raters alike changes nothing."""
    order = np.random.default_rng(seed).permutation(table.shape[0])
    for statistic in PLAIN:
        assert same(statistic(table[np.ix_(order, order)]), statistic(table))


@given(weighted_tables())
@brisk
def test_raters_may_swap(drawn: tuple[FloatArray, FloatArray]) -> None:
    """Each is the same from both sides."""
    table, w = drawn
    for statistic in PLAIN:
        assert same(statistic(table.T), statistic(table))
    for weighted in (scott_pi, bennett_s, gwet_ac2):
        assert same(weighted(table.T, w), weighted(table, w))


@given(weighted_tables())
@brisk
def test_pi_is_never_above_kappa(drawn: tuple[FloatArray, FloatArray]) -> None:
    """One pooled margin leaves more to chance than two."""
    assert number(scott_pi(*drawn)) <= number(kappa(*drawn)) + 1e-12


@given(tables())
@brisk
def test_equal_margins_make_pi_kappa(table: FloatArray) -> None:
    """A symmetric table has one margin, and one coefficient."""
    both = table + table.T

    assert scott_pi(both) == pytest.approx(number(kappa(both, identity(len(both)))), abs=1e-9)


@given(tables(max_k=4))
@brisk
def test_an_unused_unordered_level(table: FloatArray) -> None:
    """A nominal level nobody used: pi stays; S and AC1 move unless agreement is perfect."""
    k = table.shape[0]
    wider = np.zeros((k + 1, k + 1))
    wider[:k, :k] = table
    perfect = np.trace(table) == table.sum()

    assert same(scott_pi(wider), scott_pi(table))
    for statistic in (bennett_s, gwet_ac1):
        before, after = number(statistic(table)), number(statistic(wider))
        assert after == pytest.approx(1) if perfect else after > before


@given(st.lists(tables(min_k=3, max_k=3), min_size=1, max_size=4))
@brisk
def test_a_stack_is_its_tables(stack: list[FloatArray]) -> None:
    """Many tables at once give what each gives alone, of counts as of shares."""
    w = quadratic([1, 2, 5])
    counts = np.stack(stack)
    shares = counts / counts.sum(axis=(1, 2), keepdims=True)
    for tables_ in (counts, shares):
        for found, expected in (
            (scott_pi_of(tables_, w), [scott_pi(t, w) for t in stack]),
            (bennett_s_of(tables_, w), [bennett_s(t, w) for t in stack]),
            (gwet_ac2_of(tables_, w), [gwet_ac2(t, w) for t in stack]),
            (gwet_ac1_of(tables_), [gwet_ac1(t) for t in stack]),
            (pabak_of(tables_), [pabak(t) for t in stack]),
        ):
            assert found == pytest.approx([number(one) for one in expected], abs=1e-12)


def test_a_stack_marks_what_has_no_value() -> None:
    """Nan in the table's place, without a warning, and only there."""
    stack = np.array([[[6.0, 0], [0, 0]], [[0, 0], [0, 0]], [[4, 1], [2, 3]]])

    assert list(np.isnan(scott_pi_of(stack))) == [True, True, False]
    for twin in (bennett_s_of, pabak_of, gwet_ac1_of):
        assert list(np.isnan(twin(stack))) == [False, True, False]
