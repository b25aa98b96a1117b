from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judgekit.errors import UnknownName
from judgekit.stats import Estimate, Undefined, contingency, identity, kappa, linear, quadratic
from judgekit.stats.chance import bennett_s, gwet_ac1, gwet_ac2, scott_pi
from judgekit.stats.raters import (
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    pairwise_agreement,
    raters_estimate,
)
from judgekit.stats.ratings import Ratings
from tests.stats.rating_strategies import brisk, number, random_ratings, ratings, same

COEFFICIENTS = (fleiss_kappa, conger_kappa, brennan_prediger, gwet_ac, pairwise_agreement)
GAPS = Ratings(np.array([[0, 0, 1], [1, 1, -1], [0, -1, -1], [-1, -1, -1]]), 2)


def test_worked_example_with_gaps() -> None:
    """Units rated three times, twice, once and never, on two levels."""
    # own agreement: 2 / (3 * 2) = 1/3, and 1      p_o = 2/3
    # shares of level 0: 2/3, 0, 1                 pi = 5/9, 4/9
    assert pairwise_agreement(GAPS) == pytest.approx(2 / 3)
    # Fleiss: p_e = 41/81
    assert fleiss_kappa(GAPS) == pytest.approx((2 / 3 - 41 / 81) / (40 / 81))
    # AC1: p_e = 2 * 20/81; free margins: p_e = 1/2
    assert gwet_ac(GAPS) == pytest.approx((2 / 3 - 40 / 81) / (41 / 81))
    assert brennan_prediger(GAPS) == pytest.approx(1 / 3)
    # Conger: the raters' margins are 2/3 1/3, 1/2 1/2, 0 1
    # pairs: 1/3 + 1/6 = 1/2, 1/3, 1/2             p_e = 4/9
    assert conger_kappa(GAPS) == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


def test_worked_weighted_example() -> None:
    """Three levels, linear weights: half an agreement for neighbours."""
    # unit 0 1 1: pairs 1/2 1/2 1, own 2/3; unit 2 2 0: 1 0 0, own 1/3       p_o = 1/2
    found = Ratings(np.array([[0, 1, 1], [2, 2, 0]]), 3)

    assert pairwise_agreement(found, linear([1, 2, 3])) == pytest.approx(1 / 2)
    # sum of w = 5, q^2 = 9
    assert brennan_prediger(found, linear([1, 2, 3])) == pytest.approx((1 / 2 - 5 / 9) / (4 / 9))


@given(ratings(gaps=False, raters=(2, 2)))
@brisk
def test_two_raters_have_a_table(drawn: Ratings) -> None:
    """Two raters without gaps: Scott's pi, Cohen's kappa, Bennett's S, AC1 and AC2."""
    table = contingency(drawn.values[:, 0], drawn.values[:, 1], drawn.k)
    w = quadratic(range(drawn.k))

    for weights in (identity(drawn.k), w):
        assert same(fleiss_kappa(drawn, weights), scott_pi(table, weights))
        assert same(conger_kappa(drawn, weights), kappa(table, weights))
        assert same(brennan_prediger(drawn, weights), bennett_s(table, weights))
    assert same(gwet_ac(drawn), gwet_ac1(table))
    assert same(gwet_ac(drawn, w), gwet_ac2(table, w))


@given(ratings(), st.integers(0, 2**32 - 1))
@brisk
def test_nobody_has_a_name(drawn: Ratings, seed: int) -> None:
    """The order of units and raters, and the names of levels, change nothing."""
    rng = np.random.default_rng(seed)
    names = np.append(rng.permutation(drawn.k), -1)
    turned = Ratings(names[drawn.values], drawn.k)
    shuffled = Ratings(rng.permuted(drawn.values, axis=1), drawn.k)
    moved = Ratings(rng.permutation(rng.permutation(drawn.values), axis=1), drawn.k)
    for coefficient in COEFFICIENTS:
        assert same(coefficient(turned), coefficient(drawn))
        assert same(coefficient(moved), coefficient(drawn))
        if coefficient is not conger_kappa:
            assert same(coefficient(shuffled), coefficient(drawn))


@given(ratings(min_k=2))
@brisk
def test_an_unused_unordered_level(drawn: Ratings) -> None:
    """A nominal level nobody used: the kappas stay; AC1 and free margins rise, if they can."""
    wider = replace(drawn, k=drawn.k + 1)
    for coefficient in (fleiss_kappa, conger_kappa, pairwise_agreement):
        assert same(coefficient(wider), coefficient(drawn))
    assume(not isinstance(gwet_ac(drawn), Undefined))
    perfect = number(pairwise_agreement(drawn)) == 1
    for coefficient in (gwet_ac, brennan_prediger):
        before, after = number(coefficient(drawn)), number(coefficient(wider))
        assert after == pytest.approx(1) if perfect else after > before


@given(ratings())
@brisk
def test_units_rated_once_tell_of_levels_only(drawn: Ratings) -> None:
    """A unit with one rating leaves the observed agreement alone; an unrated one everything."""
    once, never = np.full((2, 1, drawn.raters), -1)
    once[0, 0] = 0
    for coefficient in COEFFICIENTS:
        wider = Ratings(np.vstack([drawn.values, never]), drawn.k)
        assert same(coefficient(wider), coefficient(drawn))
    wider = Ratings(np.vstack([drawn.values, once]), drawn.k)
    assert same(brennan_prediger(wider), brennan_prediger(drawn)) or not drawn.sizes().any()


@pytest.mark.parametrize(
    ("values", "reason", "n"),
    [
        pytest.param(np.zeros((0, 3), dtype=int), "empty", 0, id="no-units"),
        pytest.param([[-1, -1], [-1, -1]], "empty", 0, id="nothing-rated"),
        pytest.param([[0, -1], [-1, 1]], "too_few_raters", 0, id="nobody-twice"),
        pytest.param([[0], [1]], "too_few_raters", 0, id="one-rater"),
    ],
)
def test_too_little(values: object, reason: str, n: int) -> None:
    """No two ratings of a unit: no value, point or estimate."""
    found = Ratings(np.array(values), 2)
    for coefficient in COEFFICIENTS:
        value = coefficient(found)
        assert isinstance(value, Undefined)
        assert (value.reason, value.n) == (reason, n)
    assert raters_estimate(found, "fleiss_kappa") == fleiss_kappa(found)


def test_one_level_for_all() -> None:
    """Chance explains everything for the kappas; AC1 and free margins are 1."""
    found = Ratings(np.full((12, 3), 1), 2)

    assert fleiss_kappa(found) == Undefined("single_category", 12, "fleiss_kappa", 36)
    assert conger_kappa(found) == Undefined("single_category", 12, "conger_kappa", 36)
    assert gwet_ac(found) == brennan_prediger(found) == pairwise_agreement(found) == 1
    lonely = Ratings(np.zeros((12, 3), dtype=int), 1)
    assert isinstance(gwet_ac(lonely), Undefined)
    assert isinstance(brennan_prediger(lonely), Undefined)


def test_misuse_is_an_error() -> None:
    """Weights of another scale, unknown names, and margins of raters nobody knows."""
    with pytest.raises(ValueError, match="the scale has 2 levels"):
        fleiss_kappa(GAPS, identity(3))
    with pytest.raises(ValueError, match="which rater"):
        conger_kappa(Ratings.from_counts(GAPS.counts()))
    with pytest.raises(UnknownName, match="no agreement coefficient named 'fleis_kappa'"):
        raters_estimate(GAPS, "fleis_kappa")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="gwet_ac1 takes none"):
        raters_estimate(GAPS, "gwet_ac1", identity(2))
    with pytest.raises(ValueError, match="gwet_ac2 needs"):
        raters_estimate(GAPS, "gwet_ac2")
    with pytest.raises(ValueError, match="confidence"):
        raters_estimate(GAPS, "fleiss_kappa", confidence=1.5)


@pytest.mark.parametrize("drawn", random_ratings(1, 20), ids=lambda r: f"{len(r)}x{r.raters}")
def test_estimates_are_points_inside_their_intervals(drawn: Ratings) -> None:
    """Value of the point function, between the ends; counts of units and ratings."""
    w = linear(range(drawn.k))
    twice = drawn.sizes()[drawn.sizes() > 1]
    for name, value in (
        ("fleiss_kappa", fleiss_kappa(drawn)),
        ("conger_kappa", conger_kappa(drawn)),
        ("brennan_prediger", brennan_prediger(drawn)),
        ("gwet_ac1", gwet_ac(drawn)),
        ("pairwise_agreement", pairwise_agreement(drawn)),
        ("gwet_ac2", gwet_ac(drawn, w)),
    ):
        found = raters_estimate(drawn, name, w if name == "gwet_ac2" else None)  # type: ignore[arg-type]
        if isinstance(value, Undefined) or isinstance(found, Undefined):
            assert isinstance(found, Undefined)
            continue
        assert found.value == pytest.approx(value)
        assert min(-1, found.value) <= found.low <= found.value <= found.high <= 1
        assert (found.n, found.pairs) == (len(twice), twice.sum())
        assert found.method == f"{name}/jackknife_wilson"


def test_weights_repeat_units() -> None:
    """A unit of weight 2 counts like two units; only ratios matter."""
    values, times = random_ratings(2, 1)[0].values, np.arange(1, 4)
    values = values[: 3 * (len(values) // 3)]
    weight = np.resize(times, len(values))
    once = Ratings(values, 6, weight=weight * 0.3)
    repeated = Ratings(np.repeat(values, weight, axis=0), 6)
    for coefficient in COEFFICIENTS:
        assert same(coefficient(once), coefficient(repeated))


def test_a_hundred_thousand_units_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval costs a few passes over the ratings: no unit is left out by recounting."""
    calls = []
    counted = Ratings.counts
    monkeypatch.setattr(Ratings, "counts", lambda self: calls.append(1) or counted(self))
    rng = np.random.default_rng(3)
    found = Ratings(rng.integers(-1, 5, (100_000, 5)), 5)

    assert isinstance(raters_estimate(found, "conger_kappa"), Estimate)
    assert len(calls) <= 3
