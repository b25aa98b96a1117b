import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    agreement,
    identity,
    kappa,
    quadratic,
    with_disagreeing,
)
from judgekit.stats.arrays import FloatArray
from judgekit.stats.prevalence import at_prevalence, kappa_at
from judgekit.stats.proportions import wilson_bounds
from tests.stats.strategies import pairs_of, unhurried, weighted_tables

# A judge that meets nine passes in ten and nine fails in ten.
NINE = np.array([[90.0, 10], [10, 90]])


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, which there must be."""
    assert isinstance(found, Estimate)
    return found


@pytest.mark.parametrize(("passes", "expected"), [(0.5, 0.80), (0.95, 0.4318), (0.05, 0.4318)])
def test_nine_in_ten_is_080_or_043(passes: float, expected: float) -> None:
    """TPR = TNR = 0.9: kappa 0.80 at 50/50 and 0.43 at 95/5."""
    found = estimate(kappa_at(pairs_of(NINE), identity(2), [1 - passes, passes]))

    assert found.value == pytest.approx(expected, abs=5e-5)
    assert found.low < expected < found.high


@given(weighted_tables())
@unhurried
def test_at_the_shares_the_labels_have_it_is_kappa(drawn: tuple[FloatArray, FloatArray]) -> None:
    """Nothing moves, and the interval holds the value."""
    table, weights = drawn
    shares = table.sum(axis=1) / table.sum()
    found = kappa_at(pairs_of(table), weights, shares)
    if isinstance(found, Undefined):
        assert found.reason == "single_category"
        return

    assert found.value == pytest.approx(kappa(table, weights))
    assert -1 <= found.low <= found.value <= found.high <= 1


def test_each_row_keeps_its_proportions() -> None:
    """Twice the weight of a level is twice its row."""
    moved = at_prevalence([[3, 1], [2, 2]], [0.2, 0.8])

    assert not isinstance(moved, Undefined)
    np.testing.assert_allclose(moved, [[0.15, 0.05], [0.4, 0.4]])


def test_with_two_levels_it_adds_up_wilsons_ends() -> None:
    """Each recall at its Wilson end moves kappa; the moves are squared and added."""
    table, s = np.array([[18.0, 2], [12, 68]]), np.array([0.3, 0.7])

    def at(fails: float, passes: float) -> float:
        shares = s[:, None] * np.array([[fails, 1 - fails], [1 - passes, passes]])
        found = kappa(shares * 1000, identity(2))
        assert not isinstance(found, Undefined)
        return found

    here = at(0.9, 0.85)
    (l1, u1), (l2, u2) = wilson_bounds(0.9, 20, 1.959964), wilson_bounds(0.85, 80, 1.959964)

    found = estimate(kappa_at(pairs_of(table), identity(2), s))

    below = math.hypot(here - at(l1, 0.85), here - at(0.9, l2))
    above = math.hypot(here - at(u1, 0.85), here - at(0.9, u2))
    assert found.low == pytest.approx(here - below, abs=1e-6)
    assert found.high == pytest.approx(here + above, abs=1e-6)


def test_unseen_errors_of_a_frequent_level_count() -> None:
    """Ten labels of a level of share 0.95, all met, leave much open; a thousand leave little."""
    few = pairs_of(np.array([[500.0, 0], [0, 10]]))
    many = pairs_of(np.array([[10.0, 0], [0, 1000]]))

    low = [estimate(kappa_at(p, identity(2), [0.05, 0.95])).low for p in (few, many)]

    assert low[0] < 0.3
    assert low[1] > 0.6


def test_a_level_without_labels_is_undefined() -> None:
    """Nothing tells what the judge answers to it; with share 0 it is no matter."""
    pairs = pairs_of(np.array([[9.0, 1, 0], [1, 9, 0], [0, 0, 0]]))

    found = kappa_at(pairs, identity(3), [0.4, 0.4, 0.2])

    assert isinstance(found, Undefined)
    assert (found.reason, found.n) == ("no_positive", 20)
    assert estimate(kappa_at(pairs, identity(3), [0.5, 0.5, 0])).value == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("pairs", "shares", "reason"),
    [
        (pairs_of(NINE), [0.0, 1.0], "single_category"),
        (pairs_of(np.zeros((2, 2))), [0.5, 0.5], "empty"),
        (pairs_of(NINE, clusters=np.arange(200) % 5), [0.5, 0.5], "too_few_clusters"),
    ],
)
def test_where_it_is_undefined(pairs: Pairs, shares: list[float], reason: str) -> None:
    """One level only, no pairs, few cases."""
    found = kappa_at(pairs, identity(2), shares)

    assert isinstance(found, Undefined)
    assert found.reason == reason


@pytest.mark.parametrize("shares", [[0.5], [0.5, 0.6], [1.2, -0.2], [float("nan"), 1.0]])
def test_shares_must_be_shares(shares: list[float]) -> None:
    """Another length, another sum, negative, not a number."""
    with pytest.raises(ValueError, match="shares"):
        kappa_at(pairs_of(NINE), identity(2), shares)


def test_copies_in_one_case_tell_nothing_new() -> None:
    """Each pair four times over in a case of its own: about the interval of the pairs."""
    once = pairs_of(np.array([[80.0, 20], [20, 80]]))
    times = Pairs(once.human.repeat(4), once.judge.repeat(4), 2, clusters=np.arange(200).repeat(4))

    alone, copied = (estimate(kappa_at(p, identity(2), [0.2, 0.8])) for p in (once, times))

    assert copied.design_effect == pytest.approx(4, rel=0.02)
    assert copied.low == pytest.approx(alone.low, abs=0.005)


def test_the_design_effect_is_that_of_the_recomputed_kappa() -> None:
    """Errors that come by cases: as much as leaving out a case at a time tells."""
    rng, G = np.random.default_rng(9), 1500
    cases, human = np.arange(4 * G) // 4, np.where(rng.random(4 * G) < 0.8, 0, 1)
    bad = np.where(rng.random(4 * G) < 0.6, rng.random(G)[cases], rng.random(4 * G)) < 0.2
    pairs = Pairs(human, np.where(bad, 1 - human, human), 2, clusters=cases)
    shares, rows = [0.3, 0.7], pairs.table()

    def at(table: FloatArray) -> float:
        moved = at_prevalence(table, shares)
        assert not isinstance(moved, Undefined)
        found = kappa(moved * 1e6, identity(2))
        assert not isinstance(found, Undefined)
        return found

    own = np.zeros((G, 2, 2))
    np.add.at(own, (cases, pairs.human, pairs.judge), 1)
    left_out = np.array([at(rows - one) for one in own])
    jackknife = (G - 1) / G * ((left_out - left_out.mean()) ** 2).sum()
    independent = 0.0
    for level in (0, 1):
        step = np.zeros((2, 2))
        step[level] = [1e-3, -1e-3]
        q, n = rows[level] / rows[level].sum(), rows[level].sum()
        slope = (at(rows + n * step) - at(rows - n * step)) / 2e-3
        independent += slope**2 * q.prod() / n

    found = estimate(kappa_at(pairs, identity(2), shares))

    assert found.design_effect == pytest.approx(jackknife / independent, rel=0.05)
    assert found.design_effect > 1.2


def test_sampling_weights_that_go_by_level_change_nothing() -> None:
    """The stated shares take the place of whatever the weights say of the levels."""
    plain = pairs_of(NINE)
    weighted = replace(plain, weight=np.where(plain.human == 0, 0.1, 1.9))

    found = [estimate(kappa_at(p, identity(2), [0.3, 0.7])) for p in (plain, weighted)]

    assert found[1].value == pytest.approx(found[0].value)


def test_answers_that_are_no_level_disagree() -> None:
    """The extra judge column keeps its share of each row."""
    human, judge = np.repeat([0, 1], 50), np.repeat([0, 2, 1, 2], [45, 5, 40, 10])
    pairs = Pairs(human, judge, 3, extra=1)

    found = estimate(kappa_at(pairs, with_disagreeing(identity(2), 1), [0.5, 0.5]))

    same = estimate(agreement(pairs, with_disagreeing(identity(2), 1)))
    assert found.value == pytest.approx(same.value)


def test_the_low_end_keeps_its_promise() -> None:
    """From balanced labels to 95/5: it lies above the truth in few of 600 samples."""
    rng, truth, failed, held = np.random.default_rng(5), 0.4318181818, 0, 0
    for _ in range(600):
        right = rng.binomial(40, 0.9, 2)
        table = np.array([[right[0], 40 - right[0]], [40 - right[1], right[1]]], dtype=float)
        found = estimate(kappa_at(pairs_of(table), identity(2), [0.05, 0.95]))
        failed += found.low > truth
        held += found.low <= truth <= found.high

    # 2.5% of 600 is 15; three standard errors are 11.5
    assert failed <= 26
    assert held >= 540


def test_more_levels_weigh_errors_by_distance() -> None:
    """Five levels with quadratic weights: rare far errors lower kappa where their level is rare."""
    table = 18 * np.eye(5) + np.roll(np.eye(5), 1, axis=1) + np.roll(np.eye(5), -1, axis=1)
    even = estimate(kappa_at(pairs_of(table), quadratic(range(5)), [0.2] * 5))
    heavy = estimate(kappa_at(pairs_of(table), quadratic(range(5)), [0.4, 0.05, 0.1, 0.05, 0.4]))

    assert even.value == pytest.approx(kappa(table, quadratic(range(5))))
    assert heavy.low < heavy.value < heavy.high < 1
