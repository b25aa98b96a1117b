"""The interval of several raters' agreement: its parts, its ends, and how often it is right."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from judgekit.stats import Estimate, Undefined, critical, wilson
from judgekit.stats.alpha import krippendorff_alpha, krippendorff_alpha_estimate
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.raters import (
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    pairwise_agreement,
    raters_estimate,
)
from judgekit.stats.ratings import Ratings
from judgekit.stats.weights import quadratic
from tests.stats.rating_strategies import number

Point = Callable[[Ratings], float | Undefined]
Interval = Callable[[Ratings], Estimate | Undefined]

W = quadratic(range(4))
VALUES = [1.0, 2, 4, 8]


def spread_of(difference: Callable[[float, float], float], largest: float) -> Point:
    """Alpha's observed disagreement, pair by pair, as a share of the largest difference."""

    def observed(found: Ratings) -> float:
        total = 0.0
        for row in found.values:
            given = [VALUES[level] for level in row if level >= 0]
            total += sum(difference(a, b) for a in given for b in given) / (len(given) - 1)
        return total / float(found.sizes().sum()) / largest

    return observed


def ordinal_spread(found: Ratings) -> float:
    """The same with differences of mean ranks, which are those of the ratings at hand."""
    ranks = rankdata(found.values[found.values >= 0])
    rank = {int(c): r for c, r in zip(found.values[found.values >= 0], ranks, strict=True)}
    by_value = {VALUES[level]: r for level, r in rank.items()}
    largest = (max(ranks) - min(ranks)) ** 2
    return number(spread_of(lambda a, b: (by_value[a] - by_value[b]) ** 2, largest)(found))


def disputed(weights: FloatArray | None = None) -> Point:
    """The observed disagreement of the kappas."""
    return lambda found: 1 - number(pairwise_agreement(found, weights))


# Each coefficient, its observed disagreement, and its interval.
KINDS: dict[str, tuple[Point, Point, Interval]] = {
    "fleiss": (fleiss_kappa, disputed(), lambda r: raters_estimate(r, "fleiss_kappa")),
    "fleiss-weighted": (
        lambda r: fleiss_kappa(r, W),
        disputed(W),
        lambda r: raters_estimate(r, "fleiss_kappa", W),
    ),
    "conger": (conger_kappa, disputed(), lambda r: raters_estimate(r, "conger_kappa")),
    "free-margins": (
        brennan_prediger,
        disputed(),
        lambda r: raters_estimate(r, "brennan_prediger"),
    ),
    "ac1": (gwet_ac, disputed(), lambda r: raters_estimate(r, "gwet_ac1")),
    "ac2": (lambda r: gwet_ac(r, W), disputed(W), lambda r: raters_estimate(r, "gwet_ac2", W)),
    "alpha-nominal": (
        lambda r: krippendorff_alpha(r, "nominal"),
        spread_of(lambda a, b: float(a != b), 1),
        lambda r: krippendorff_alpha_estimate(r, "nominal"),
    ),
    "alpha-ordinal": (
        lambda r: krippendorff_alpha(r, "ordinal"),
        ordinal_spread,
        lambda r: krippendorff_alpha_estimate(r, "ordinal"),
    ),
    "alpha-interval": (
        lambda r: krippendorff_alpha(r, "interval", VALUES),
        spread_of(lambda a, b: (a - b) ** 2, 49),
        lambda r: krippendorff_alpha_estimate(r, "interval", VALUES),
    ),
    "alpha-ratio": (
        lambda r: krippendorff_alpha(r, "ratio", VALUES),
        spread_of(lambda a, b: ((a - b) / (a + b)) ** 2, (7 / 9) ** 2),
        lambda r: krippendorff_alpha_estimate(r, "ratio", VALUES),
    ),
}


def sample(n: int, seed: int = 5) -> Ratings:
    """Units of four levels, rated by two to four raters; every level is common."""
    rng = np.random.default_rng(seed)
    truth, own = rng.integers(0, 4, n), rng.integers(0, 4, (n, 4))
    values = np.where(rng.random((n, 4)) < 0.7, truth[:, None], own)
    values[rng.random((n, 4)) < 0.1] = -1
    found = Ratings(values, 4)
    return found.subset(found.sizes() > 1)


def squared_error(point: Point, found: Ratings, codes: IntArray) -> float:
    """The jackknife's, counting everything anew without each group."""
    left = [number(point(found.subset(codes != code))) for code in np.unique(codes)]
    G = len(left)
    return (G - 1) / G * sum((v - sum(left) / G) ** 2 for v in left)


def by_hand(kind: str, found: Ratings, codes: IntArray) -> tuple[float, float, float]:
    """Value and interval as the module describes them."""
    point, observed, _ = KINDS[kind]
    value, x = number(point(found)), number(observed(found))
    y = x / (1 - value)
    error = max(y * y * squared_error(point, found, codes), squared_error(observed, found, codes))
    t = critical(0.95, len(np.unique(codes)) - 1)
    least, most = wilson_bounds(x, x * (1 - x) / error, t)
    return value, 1 - most / y, 1 - least / y


@pytest.mark.parametrize("kind", KINDS)
def test_interval_is_its_definition(kind: str) -> None:
    """Leaving out by subtraction is leaving out; one unit at a time."""
    found = sample(40)
    estimate = KINDS[kind][2](found)
    assert isinstance(estimate, Estimate)

    assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
        by_hand(kind, found, np.arange(len(found))), abs=1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
def test_interval_of_clusters_is_its_definition(kind: str) -> None:
    """And one cluster at a time, of unequal sizes, where that spreads more."""
    found = sample(40)
    order = np.argsort(found.values.max(axis=1), kind="stable")
    codes = np.empty(len(found), dtype=np.int64)
    # Units of one highest level share clusters, so clusters are alike inside.
    codes[order] = np.minimum(np.arange(len(found)) // 3, 11)
    estimate = KINDS[kind][2](replace(found, clusters=codes))
    assert isinstance(estimate, Estimate)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
        by_hand(kind, found, codes), abs=1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
def test_copies_of_a_unit_say_nothing_new(kind: str) -> None:
    """Each unit four times, in 24 clusters: the interval of 24 units or so, not of 96."""
    few, interval = sample(24, seed=8), KINDS[kind][2]
    copied = Ratings(few.values.repeat(4, axis=0), 4, clusters=np.arange(len(few)).repeat(4))
    found, naive, honest = interval(copied), interval(replace(copied, clusters=None)), interval(few)
    assert isinstance(found, Estimate)
    assert isinstance(naive, Estimate)
    assert isinstance(honest, Estimate)

    assert (found.n, found.clusters, naive.clusters) == (naive.n, len(few), None)
    assert found.value == pytest.approx(naive.value)
    assert 3.5 < found.design_effect < 4.6
    assert found.high - found.low == pytest.approx(honest.high - honest.low, rel=0.1)
    assert found.high - found.low > 1.7 * (naive.high - naive.low)


def test_clusters_without_spread_count_as_units() -> None:
    """Each cluster one agreed and one disputed unit: its spread is 0, which tells nothing."""
    values, codes = np.repeat([[0, 0], [0, 1]], 30, axis=0), np.tile(np.arange(30), 2)
    found = raters_estimate(Ratings(values, 2, clusters=codes), "brennan_prediger")
    assert isinstance(found, Estimate)
    least, most = wilson_bounds(0.5, 30, critical(0.95, 29))

    assert found.design_effect == 2
    assert (found.low, found.high) == pytest.approx((1 - 2 * most, 1 - 2 * least))


def test_clusters_that_balance_keep_the_units_error() -> None:
    """Clusters that spread less than their units: luck, and no reason for a shorter interval."""
    values = np.repeat([[0, 0], [0, 1], [1, 1], [1, 0]], 15, axis=0)
    # Two agreed units and one disputed one, or one and two: never all alike.
    codes = np.tile(np.arange(15), 4)
    codes[-3:] = codes[:3]
    found = raters_estimate(Ratings(values, 2, clusters=codes), "brennan_prediger")
    assert isinstance(found, Estimate)
    t, x, n = critical(0.95, found.clusters - 1), 0.5, 60  # type: ignore[operator]
    least, most = wilson_bounds(x, n - 1, t)

    assert found.design_effect == 1
    assert (found.low, found.high) == pytest.approx((1 - 2 * most, 1 - 2 * least), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_unrated_units_leave_the_interval_alone(kind: str) -> None:
    """A unit nobody rated is no evidence."""
    found, interval = sample(20), KINDS[kind][2]
    wider = Ratings(np.vstack([found.values, np.full((9, 4), -1)]), 4)

    assert interval(wider) == interval(found)


def test_clusters_that_never_repeat_are_none() -> None:
    """Every unit its own case: as without clusters."""
    found = sample(30)
    alone = replace(found, clusters=np.arange(len(found)) * 7)

    assert raters_estimate(alone, "fleiss_kappa") == raters_estimate(found, "fleiss_kappa")


def test_too_few() -> None:
    """Nine clusters are too few, ten are not; one unit is too few."""
    found = sample(60)
    for groups in (9, 10):
        clustered = replace(found, clusters=np.arange(len(found)) % groups)
        outcomes = [interval(clustered) for *_, interval in KINDS.values()]
        assert all(isinstance(one, Undefined) == (groups == 9) for one in outcomes)
    assert isinstance(outcomes[0], Estimate)
    clustered = replace(found, clusters=np.arange(len(found)) % 9)
    assert raters_estimate(clustered, "gwet_ac1") == Undefined(
        "too_few_clusters", len(found), "gwet_ac1/jackknife_wilson", int(found.sizes().sum())
    )
    one = Ratings(np.array([[0, 1, 1], [1, -1, -1]]), 2)
    assert raters_estimate(one, "fleiss_kappa") == Undefined(
        "too_few_items", 1, "fleiss_kappa/jackknife_wilson", 3
    )


@pytest.mark.parametrize("kind", KINDS)
def test_perfect_agreement_is_no_single_point(kind: str) -> None:
    """20 units, no disagreement: as far down as Wilson's upper limit of 0 in 20."""
    found = Ratings(np.arange(20).repeat(3).reshape(20, 3) % 2 * 3, 4)
    estimate = KINDS[kind][2](found)
    limit = wilson(0, 20, df=19)
    assert isinstance(estimate, Estimate)
    assert isinstance(limit, Estimate)

    assert (estimate.value, estimate.high) == (1, 1)
    # Chance disagreement of the two ends, half and half; alpha's has n - 1 = 59 of 60 below.
    chance = {"ac1": 1 - 1 / 6, "free-margins": 1 - 1 / 4}.get(kind, 1 / 2)
    if kind == "ac2":
        chance = 1 - W.sum() / 12 / 2
    if kind.startswith("alpha"):
        chance *= 60 / 59
    assert estimate.low == pytest.approx(1 - limit.high / chance, abs=1e-9)


def test_one_level_for_all_has_an_interval_where_it_has_a_value() -> None:
    """AC1 of 30 units of one level is 1, down to Wilson's limit."""
    found = raters_estimate(Ratings(np.zeros((30, 2), dtype=int), 3), "gwet_ac1")
    limit = wilson(0, 30, df=29)
    assert isinstance(found, Estimate)
    assert isinstance(limit, Estimate)

    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(1 - limit.high)


def test_perfect_clusters_count_once() -> None:
    """40 perfect units in 20 clusters reach as far down as 20 units."""
    values = np.arange(20).repeat(2)[:, None].repeat(3, axis=1) % 2
    clustered = raters_estimate(
        Ratings(values, 2, clusters=np.arange(20).repeat(2)), "fleiss_kappa"
    )
    alone = raters_estimate(Ratings(values[::2], 2), "fleiss_kappa")
    assert isinstance(clustered, Estimate)
    assert isinstance(alone, Estimate)

    assert clustered.low == pytest.approx(alone.low)
    assert clustered.design_effect == pytest.approx(2)


@pytest.mark.parametrize(
    "odd", [pytest.param([1, 1], id="agreed"), pytest.param([0, 1], id="disputed")]
)
def test_one_unit_holds_the_other_level(odd: list[int]) -> None:
    """Without that unit there is no kappa, so nothing is known of the spread: a wide interval."""
    found = raters_estimate(Ratings(np.vstack([np.zeros((19, 2), int), odd]), 2), "fleiss_kappa")
    assert isinstance(found, Estimate)

    assert found.high - found.low > 1
    assert found.low < 0


def test_full_disagreement_is_no_single_point() -> None:
    """Always opposite: -1, and up from there."""
    found = raters_estimate(Ratings(np.tile([0, 1], (20, 1)), 2), "fleiss_kappa")
    assert isinstance(found, Estimate)

    assert (found.value, found.low) == (-1, -1)
    assert -0.8 < found.high < -0.5


def test_fewer_disagreements_never_lower_the_low_end() -> None:
    """0, 1, 2, ... disagreements of 50: the low end falls; the plain jackknife's rises at first."""
    lows = []
    for wrong in range(6):
        values = np.repeat([[0, 0], [1, 1]], 25, axis=0)
        values[20 : 20 + wrong, 0] = 1
        found = raters_estimate(Ratings(values, 2), "fleiss_kappa")
        assert isinstance(found, Estimate)
        lows.append(found.low)

    assert lows == sorted(lows, reverse=True)


def test_unequal_weights_widen() -> None:
    """Half the units stand for nine tenths: an interval of fewer units."""
    found = sample(60)
    uneven = replace(found, weight=np.resize([9.0, 1.0], len(found)))
    even = [raters_estimate(r, "fleiss_kappa") for r in (found, uneven)]
    assert isinstance(even[0], Estimate)
    assert isinstance(even[1], Estimate)

    assert even[1].high - even[1].low > 1.1 * (even[0].high - even[0].low)
    perfect = Ratings(np.arange(20).repeat(2).reshape(20, 2) % 2, 2)
    lows = [
        raters_estimate(replace(perfect, weight=weight), "fleiss_kappa")
        for weight in (None, np.resize([9.0, 9, 1, 1], 20))
    ]
    assert isinstance(lows[0], Estimate)
    assert isinstance(lows[1], Estimate)
    assert lows[1].low < lows[0].low


@pytest.mark.parametrize("kappa", [0.4, 0.8])
def test_the_low_end_keeps_its_promise(kappa: float) -> None:
    """Three raters, 50 units, nine in ten of one level: above the truth in 2.5%, not 10%."""
    rng, misses, samples = np.random.default_rng(7), [], 400
    for _ in range(samples):
        truth, own = rng.random(50) < 0.1, rng.random((50, 3)) < 0.1
        values = np.where(rng.random((50, 3)) < np.sqrt(kappa), truth[:, None], own)
        found = raters_estimate(Ratings(values.astype(int), 2), "fleiss_kappa")
        if isinstance(found, Estimate):
            misses.append((found.low > kappa, found.high < kappa))
    low, high = np.mean(misses, axis=0)

    assert low <= 0.025 + 2 * (0.025 * 0.975 / samples) ** 0.5
    assert high <= 0.08
