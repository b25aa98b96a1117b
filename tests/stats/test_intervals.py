import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.coverage import Design, population
from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    agreement,
    bounds,
    contingency,
    critical,
    identity,
    influence,
    kappa,
    wilson,
)
from judgekit.stats.any_score import influence_values, score_bounds
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.estimate import UndefinedReason
from judgekit.stats.intervals import MOST_GROUPS, Interval, table_estimate, unit_estimate
from judgekit.stats.resampling import Statistic
from tests.stats.strategies import clustered_pairs, pairs_of, unhurried, weighted_tables
from tests.stats.twins import (
    AGREEMENTS,
    absolute_error,
    bennett,
    concordance,
    gwet,
    kappa_twin,
    pearson,
    plain_kappa,
    raw,
    scott,
)
from tests.timing import cpu_seconds

LIKERT = np.array(
    [[8, 4, 1, 0, 0], [3, 11, 5, 1, 0], [0, 4, 16, 6, 1], [0, 1, 5, 15, 4], [0, 0, 1, 4, 10.0]]
)
EVERY: tuple[Interval, ...] = ("score", "jackknife", "percentile", "bca")
RESAMPLED = EVERY[1:]


def rng(seed: int = 1) -> np.random.Generator:
    """Dice with a fixed seed."""
    return np.random.default_rng(seed)


def estimate(pairs: Pairs, statistic: Statistic, interval: Interval = "score") -> Estimate:
    """The estimate, where there must be one."""
    found = table_estimate(pairs, statistic, name="it", interval=interval, rng=rng(), draws=4000)
    assert isinstance(found, Estimate), found
    return found


@given(weighted_tables())
@unhurried
def test_influence_is_the_formula(case: tuple[FloatArray, FloatArray]) -> None:
    """The differences of kappa are its influence values, in every cell that counts."""
    table, w = case
    expected = influence(table, w)
    assert not isinstance(expected, Undefined)
    value, pull = influence_values(table[None] / table.sum(), kappa_twin(w))
    used = table > 0

    assert value[0] == pytest.approx(kappa(table, w), abs=1e-12)
    np.testing.assert_allclose(pull[0][used], expected[used], rtol=1e-5, atol=1e-5)
    assert (pull[0][~used] == 0).all()


@given(weighted_tables(), st.floats(0.5, 4))
@unhurried
def test_score_of_kappa_is_path_score(case: tuple[FloatArray, FloatArray], z: float) -> None:
    """Numeric derivatives, the same interval."""
    table, w = case
    low, high = bounds(table[None], w, z=z)
    found = score_bounds(table / table.sum(), kappa_twin(w), z / math.sqrt(table.sum()))

    assert found == pytest.approx((low[0], high[0]), abs=1e-6)


@given(pairs=clustered_pairs(), weighted=st.booleans())
@unhurried
def test_score_estimate_of_kappa_is_agreement(pairs: Pairs, *, weighted: bool) -> None:
    """Clusters, weights, counts: the whole estimate is that of kappa."""
    weight = np.arange(1.0, len(pairs) + 1) if weighted else None
    pairs = Pairs(pairs.human, pairs.judge, pairs.k, clusters=pairs.clusters, weight=weight)
    w = identity(pairs.k)
    expected = agreement(pairs, w, method="it")
    assume(isinstance(expected, Estimate))
    assert isinstance(expected, Estimate)
    found = estimate(pairs, kappa_twin(w))

    assert found.method == "it/score"
    assert (found.n, found.pairs, found.clusters) == (expected.n, expected.pairs, expected.clusters)
    assert found.design_effect == pytest.approx(expected.design_effect, abs=1e-4)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-5)


def test_score_of_a_share_is_wilson() -> None:
    """Raw agreement moves along both paths as a plain proportion: Wilson's interval."""
    # The path down must hold the end: chance agreement .5 lies below Wilson's low.
    expected = wilson(17, 20)
    assert isinstance(expected, Estimate)
    found = estimate(pairs_of(np.array([[8, 2], [1, 9.0]])), raw)

    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-7)


@pytest.mark.parametrize("table", [[[20, 0], [0, 0]], [[19, 0], [0, 1]], [[10, 0], [0, 10]]])
def test_score_goes_on_past_independence(table: list[list[float]]) -> None:
    """All alike on one level: S = 2 p - 1 still has Wilson's low, 2 * 20 / (20 + z^2) - 1."""
    found = estimate(pairs_of(np.array(table)), bennett)

    expected = 40 / (20 + critical(0.95) ** 2) - 1
    assert (found.value, found.high) == (1, 1)
    # Where the path bends, chance agreement moves along; S does not care.
    assert found.low == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("statistic", AGREEMENTS)
@pytest.mark.parametrize("table", [np.diag([10, 10]), np.diag([18, 2]), np.diag([4, 3, 0, 1, 2])])
def test_perfect_agreement_is_no_point(statistic: Statistic, table: FloatArray) -> None:
    """No disagreement seen leaves room below, for every statistic."""
    found = estimate(pairs_of(table.astype(float)), statistic)

    assert (found.value, found.high) == (pytest.approx(1), pytest.approx(1))
    assert 0.05 < found.low < 0.9


def test_no_error_seen_is_no_proof() -> None:
    """An error is best when small: perfect agreement leaves room above, not below."""
    found = estimate(pairs_of(np.diag([10.0, 10])), absolute_error)

    # the mirror of Wilson for 0 of 20
    z2 = critical(0.95) ** 2
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(z2 / (20 + z2), abs=1e-6)


def test_a_shifted_judge_is_no_point() -> None:
    """A correlation of 1 away from the diagonal, where perfect agreement is no better."""
    table = np.zeros((4, 4))
    table[[0, 1, 2], [1, 2, 3]] = 8
    found = estimate(pairs_of(table), pearson)

    assert (found.value, found.high) == (pytest.approx(1), pytest.approx(1))
    assert 0.4 < found.low < 0.9


def test_a_statistic_beyond_its_best() -> None:
    """Where the table lies beyond perfect agreement, the upper end is z standard errors above."""
    # The cell in the corner holds .25 here, 0 at perfect agreement, .35 at independence.
    table = np.array([[5, 5], [1, 9.0]])

    def odd(stack: FloatArray) -> FloatArray:
        share: FloatArray = stack[:, 0, 1] / stack.sum(axis=(1, 2))
        return 1 - (share - 0.15) ** 2

    low, high = score_bounds(table / 20, odd, 0.4)
    value = float(odd(table[None])[0])
    slope = 2 * 0.1 * math.sqrt(0.25 * 0.75)

    assert low < value
    assert high == pytest.approx(value + 0.4 * slope, abs=1e-6)


@pytest.mark.parametrize("statistic", AGREEMENTS)
def test_every_interval_is_about_the_same(statistic: Statistic) -> None:
    """Four ways to 600 ordinary pairs."""
    pairs = pairs_of(LIKERT * 6)
    ends = np.array([[e.low, e.high] for e in (estimate(pairs, statistic, i) for i in EVERY)])
    value = estimate(pairs, statistic).value

    half = np.abs(ends[1:] - value).mean()
    np.testing.assert_allclose(ends[1:], ends[1:].mean(axis=0).repeat(3).reshape(2, 3).T, atol=0.01)
    # Mixing with independence overstates the spread of errors near the diagonal.
    assert (np.abs(ends[0] - value) >= 0.9 * half).all()
    assert (np.abs(ends[0] - value) <= 1.8 * half).all()


@pytest.mark.parametrize("interval", RESAMPLED)
def test_clusters_widen_every_interval(interval: Interval) -> None:
    """Each pair four times in its cluster: twice as wide as if they were independent."""
    once = pairs_of(LIKERT)
    human, judge = once.human.repeat(4), once.judge.repeat(4)
    clusters = np.arange(100).repeat(4)
    alone = estimate(once, plain_kappa(5), interval)
    together = estimate(Pairs(human, judge, 5, clusters=clusters), plain_kappa(5), interval)
    apart = estimate(Pairs(human, judge, 5), plain_kappa(5), interval)

    assert together.clusters == 100
    assert (together.n, together.pairs) == (400, 400)
    exact = 1e-9 if interval == "jackknife" else 0.01
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), abs=exact)
    assert (together.high - together.low) / (apart.high - apart.low) == pytest.approx(2, rel=0.06)


def test_jackknife_interval_by_hand() -> None:
    """Seven of ten: .7 ± t(9) sqrt(.21 / 9)."""
    found = estimate(pairs_of(np.array([[4, 1], [2, 3.0]])), raw, "jackknife")
    half = critical(0.95, 9) * math.sqrt(0.21 / 9)

    assert (found.low, found.high) == pytest.approx((0.7 - half, 0.7 + half))


@pytest.mark.parametrize("interval", RESAMPLED)
def test_intervals_that_would_be_a_point(interval: Interval) -> None:
    """Resampling twenty agreements gives twenty agreements: that is no interval."""
    found = table_estimate(
        pairs_of(np.diag([10.0, 10])), plain_kappa(2), name="it", interval=interval, rng=rng()
    )

    assert found == Undefined("zero_variance", 20, f"it/{interval}", 20)


@pytest.mark.parametrize("interval", RESAMPLED)
def test_a_statistic_that_hangs_by_one_pair(interval: Interval) -> None:
    """A third of the resamples miss the only pair of the second level."""
    pairs = pairs_of(np.array([[19.0, 0], [0, 1]]))
    found = table_estimate(pairs, plain_kappa(2), name="it", interval=interval, rng=rng())

    assert found == Undefined("too_few_items", 20, f"it/{interval}", 20)
    assert estimate(pairs, plain_kappa(2)).low < 0.5


@pytest.mark.parametrize(
    ("table", "statistic", "reason"),
    [
        ([[0, 0], [0, 0]], raw, "empty"),
        ([[1, 0], [0, 0]], raw, "too_few_items"),
        ([[6, 0], [0, 0]], plain_kappa(2), "single_category"),
        ([[6, 0], [0, 0]], pearson, "single_category"),
        ([[6, 3], [0, 0]], pearson, "zero_variance"),
    ],
)
@pytest.mark.parametrize("interval", EVERY)
def test_undefined(
    table: list[list[float]], statistic: Statistic, reason: UndefinedReason, interval: Interval
) -> None:
    """No pairs, one pair, one level, a constant side: a reason and never nan."""
    pairs = pairs_of(np.array(table))
    found = table_estimate(pairs, statistic, name="it", interval=interval, rng=rng())

    assert found == Undefined(reason, len(pairs), f"it/{interval}", len(pairs))


@pytest.mark.parametrize("interval", EVERY)
def test_nine_clusters_are_too_few(interval: Interval) -> None:
    """Nine cases of several outputs bear no interval; nor do nine items of several raters."""
    pairs = pairs_of(np.array([[9.0, 2], [3, 13]]))
    nine = np.arange(27) // 3
    for groups in ({"clusters": nine}, {"items": nine}):
        grouped = Pairs(pairs.human, pairs.judge, 2, **groups)
        found = table_estimate(grouped, raw, name="it", interval=interval, rng=rng())

        assert found == Undefined("too_few_clusters", grouped.n_items, f"it/{interval}", 27)


def test_a_bootstrap_needs_dice() -> None:
    """The room has none of its own."""
    for interval in ("percentile", "bca"):
        with pytest.raises(ValueError, match="needs an rng"):
            table_estimate(pairs_of(LIKERT), raw, name="it", interval=interval)
    with pytest.raises(ValueError, match="confidence"):
        table_estimate(pairs_of(LIKERT), raw, name="it", confidence=95)


@given(weighted_tables(), st.sampled_from([raw, bennett, scott, gwet, absolute_error]))
@unhurried
def test_an_estimate_holds_its_value(
    case: tuple[FloatArray, FloatArray], statistic: Statistic
) -> None:
    """Finite, in order, wider for more confidence; and no interval is a point from both sides."""
    pairs = pairs_of(case[0])
    found = [table_estimate(pairs, statistic, name="it", confidence=level) for level in (0.8, 0.95)]
    for one in found:
        assert isinstance(one, Estimate)
        assert math.isfinite(one.low)
        assert one.low <= one.value <= one.high
        assert one.high - one.low > 1e-6
    narrow, wide = found
    assert isinstance(narrow, Estimate)
    assert isinstance(wide, Estimate)
    assert wide.low <= narrow.low + 1e-7
    assert wide.high >= narrow.high - 1e-7


def test_one_estimate_is_fast() -> None:
    """Five levels, less than 20 ms (a busy machine is given three times that)."""
    pairs = pairs_of(LIKERT)

    assert cpu_seconds(lambda: table_estimate(pairs, plain_kappa(5), name="it"), rounds=9) < 0.06


@pytest.mark.long
@pytest.mark.parametrize("statistic", [gwet, concordance, absolute_error])
@pytest.mark.parametrize("margins", ["balanced", "90/10"])
def test_the_score_interval_covers(statistic: Statistic, margins: str) -> None:
    """Of 200 samples of 50 pairs on five levels at kappa .6, at least 95% less three errors."""
    shares, repeats = population(Design(5, margins, 0.6, 50)), 200
    truth = float(statistic(shares[None])[0])
    drawn = rng().multinomial(50, shares.ravel(), size=repeats).reshape(-1, 5, 5) / 50
    ends = [score_bounds(table, statistic, critical(0.95) / math.sqrt(50)) for table in drawn]
    covered = [low <= truth <= high for low, high in ends if not math.isnan(low)]

    assert len(covered) > 0.95 * repeats
    assert np.mean(covered) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / repeats)


def table_kappa(pairs: Pairs, chosen: IntArray) -> float | Undefined:
    """Kappa of the chosen pairs."""
    table = contingency(pairs.human[chosen], pairs.judge[chosen], pairs.k)
    return kappa(table, identity(pairs.k))


def test_unit_jackknife_is_the_table_jackknife() -> None:
    """A function of one table, left out unit by unit."""
    pairs = pairs_of(LIKERT)
    expected = estimate(pairs, plain_kappa(5), "jackknife")
    found = unit_estimate(100, partial(table_kappa, pairs), name="it")

    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.value == pytest.approx(expected.value)
    assert (found.n, found.method) == (100, "it/jackknife")


def test_unit_jackknife_of_clusters() -> None:
    """The same with clusters."""
    clusters = rng().permutation(np.arange(100) // 4)
    pairs = Pairs(pairs_of(LIKERT).human, pairs_of(LIKERT).judge, 5, clusters=clusters)
    expected = estimate(pairs, plain_kappa(5), "jackknife")
    found = unit_estimate(100, partial(table_kappa, pairs), name="it", clusters=clusters)

    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.clusters == 25


def test_many_units_are_left_out_in_groups() -> None:
    """Two thousand units make 200 groups; the width is about that of leaving out each."""
    pairs, calls = pairs_of(LIKERT * 20), []

    def watched(chosen: IntArray) -> float | Undefined:
        calls.append(chosen.size)
        assert (np.diff(chosen) > 0).all()
        return table_kappa(pairs, chosen)

    found = unit_estimate(2000, watched, name="it")
    again = unit_estimate(2000, partial(table_kappa, pairs), name="it")
    expected = estimate(pairs, plain_kappa(5), "jackknife")

    assert isinstance(found, Estimate)
    assert found == again
    assert calls == [2000, *[1990] * MOST_GROUPS]
    wide, known = found.high - found.low, expected.high - expected.low
    assert wide / known == pytest.approx(1, abs=0.15)


def test_no_spread_among_units_is_no_point() -> None:
    """Twenty agreements: the reach of Wilson's 0 of 20, towards a unit of full disagreement."""
    pairs = pairs_of(np.diag([10.0, 10]))
    unseen = (z2 := critical(0.95) ** 2) / (20 + z2)
    for span, low in (((-1.0, 1.0), 1 - 2 * unseen), ((-4.0, 1.0), 1 - 5 * unseen)):
        found = unit_estimate(20, partial(table_kappa, pairs), name="it", span=span)

        assert isinstance(found, Estimate)
        assert (found.low, found.high) == (pytest.approx(low), 1)


def test_the_upper_end_is_cut_off() -> None:
    """No agreement above 1."""
    pairs = pairs_of(np.array([[9.0, 0], [1, 5]]))
    free = unit_estimate(15, partial(table_kappa, pairs), name="it", span=(-9, 9))
    cut = unit_estimate(15, partial(table_kappa, pairs), name="it")

    assert isinstance(free, Estimate)
    assert isinstance(cut, Estimate)
    assert free.high > 1
    assert (cut.low, cut.high) == (free.low, 1)


def test_undefined_units() -> None:
    """Nothing, too few, or a value that is missing."""
    nine, lone = pairs_of(np.array([[9.0, 0], [1, 8]])), pairs_of(np.array([[9.0, 0], [0, 1]]))
    single = pairs_of(np.array([[5.0, 0], [0, 0]]))

    def run(pairs: Pairs, **more: IntArray) -> Estimate | Undefined:
        return unit_estimate(len(pairs), partial(table_kappa, pairs), name="it", **more)  # type: ignore[arg-type]

    assert unit_estimate(0, lambda _: 1.0, name="it") == Undefined("empty", 0, "it/jackknife")
    assert run(single) == Undefined("single_category", 5, "it/jackknife")
    assert run(lone) == Undefined("too_few_items", 10, "it/jackknife")
    few = Undefined("too_few_clusters", 18, "it/jackknife")
    assert run(nine, clusters=np.arange(18) // 2) == few
    assert unit_estimate(1, lambda _: 1.0, name="it") == Undefined(
        "too_few_items", 1, "it/jackknife"
    )
    with pytest.raises(ValueError, match="clusters has 3 codes"):
        run(nine, clusters=np.arange(3))
