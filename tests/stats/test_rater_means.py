"""Mean kappas and their differences, against loops that leave out one cluster at a time."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import kappa, kappa_and_variance
from judgekit.stats.path_score import path_score
from judgekit.stats.rater_means import kappa_gap, kappa_gaps, mean_kappa, mean_kappas
from judgekit.stats.rater_pairs import RaterPairs, rater_pairs
from judgekit.stats.ratings import Ratings
from judgekit.stats.table import contingency
from judgekit.stats.weights import identity, quadratic
from tests.stats.rated import said
from tests.stats.strategies import unhurried
from tests.timing import cpu_seconds


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def pairs_of(values: np.ndarray, W: FloatArray, cases: np.ndarray | None = None) -> RaterPairs:
    """All pairs of raters of these values."""
    return rater_pairs(Ratings(values, W.shape[0], cases), W)


def judge_of(found: RaterPairs) -> np.ndarray:
    """The pairs of the last rater, who plays the judge."""
    return found.with_rater(int(found.second.max()))


def plain(values: np.ndarray, keep: np.ndarray, W: FloatArray, *, judge: bool) -> float:
    """Mean kappa of the last rater's pairs, or of the others', weighted by shared items."""
    m, total, items = values.shape[1], 0.0, 0
    for a in range(m):
        for b in range(a + 1, m):
            both = keep & (values[:, a] >= 0) & (values[:, b] >= 0)
            if (b == m - 1) is judge:
                found = kappa(contingency(values[both, a], values[both, b], W.shape[0]), W)
                total += both.sum() * (found if isinstance(found, float) else 0.0)
                items += int(both.sum())
    return total / items


def plain_error(replicates: list[float]) -> float:
    """Jackknife standard error with two more clusters of the kind that moves the figure."""
    G, centre = len(replicates), sum(replicates) / len(replicates)
    e = [x - centre for x in replicates]
    seen = sum(x**2 for x in e)
    return math.sqrt((G - 1) / G * (seen + 2 * sum(x**4 for x in e) / seen))


def plain_reach(
    values: np.ndarray, W: FloatArray, error: float, G: int, *, judge: bool
) -> tuple[float, float]:
    """How far the path-score interval of the pooled table reaches below and above."""
    m, pooled = values.shape[1], np.zeros(W.shape)
    for a in range(m):
        for b in range(a + 1, m):
            both = (values[:, a] >= 0) & (values[:, b] >= 0)
            if (b == m - 1) is judge:
                pooled += contingency(values[both, a], values[both, b], W.shape[0])
    pooled, total = (pooled + pooled.T) / 2, pooled.sum()
    n_eff = min(total, float(kappa_and_variance(pooled / total, W)[1]) / error**2)
    found = estimate(path_score(pooled, W, design_effect=total / n_eff, df=G - 1))
    return found.value - found.low, found.high - found.value


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_loops(seed: int, size: int) -> None:
    """Value and interval of both means and of their difference, by leaving out case by case."""
    k, n = 2 + seed % 3, 75
    values, W = said(seed, 200, 4, k, 0.25), quadratic([float(v) for v in range(k)])
    shared = (values[:, :3] >= 0).sum(axis=1) >= 2
    values = values[shared & (values[:, 3] >= 0)][:n]
    cases, everything = np.arange(n) // size, np.ones(n, dtype=bool)
    G = n // size
    t = float(scipy_stats.t.ppf(0.975, G - 1))
    found = pairs_of(values, W, cases)
    judge = judge_of(found)

    means, reaches, jackknives = [], [], []
    for side in (True, False):
        value = plain(values, everything, W, judge=side)
        without = [plain(values, cases != g, W, judge=side) for g in range(G)]
        error = plain_error(without)
        below, above = plain_reach(values, W, error, G, judge=side)
        told = estimate(mean_kappa(found, judge if side else ~judge))
        assert told.value == pytest.approx(value)
        assert told.low == pytest.approx(value - max(below, t * error))
        assert told.high == pytest.approx(min(1.0, value + max(above, t * error)))
        assert told.clusters == (G if size > 1 else None)
        means.append(value)
        reaches.append((below, above))
        jackknives.append(np.array(without))

    gap, value = estimate(kappa_gap(found, judge, ~judge)), means[0] - means[1]
    reach = t * plain_error((jackknives[0] - jackknives[1]).tolist())
    rho = float(np.corrcoef(jackknives[0], jackknives[1])[0, 1])
    (la, ua), (lb, ub) = reaches
    assert gap.value == pytest.approx(value)
    assert gap.low == pytest.approx(
        value - max(reach, math.sqrt(la**2 + ub**2 - 2 * rho * la * ub))
    )
    assert gap.high == pytest.approx(
        value + max(reach, math.sqrt(ua**2 + lb**2 - 2 * rho * ua * lb))
    )
    assert gap.n == n


def test_complete_raters_are_the_plain_mean() -> None:
    """When everybody rated everything, the mean is that of the pairs' kappas (Light)."""
    found = pairs_of(said(5, 40, 5, 3, 0.0), identity(3))

    assert estimate(mean_kappa(found)).value == pytest.approx(found.kappa.mean())


def test_thin_pairs_count_little() -> None:
    """Two raters who share three items do not weigh like two who share sixty."""
    values = said(7, 60, 3, 2, 0.0)
    values[3:, 2] = -1
    found = pairs_of(values, identity(2))

    mean = estimate(mean_kappa(found)).value

    known = np.nan_to_num(found.kappa)
    weight = np.where(np.isnan(found.kappa), 0, found.shared)
    assert mean == pytest.approx((known * weight).sum() / weight.sum())
    assert abs(mean - found.kappa[0]) < 0.1


def test_p_value_of_a_difference() -> None:
    """The two-sided t-test of the jackknife, as SciPy's distribution has it."""
    values, W = said(1, 60, 4, 3, 0.0), identity(3)
    found = pairs_of(values, W)
    judge, keep = judge_of(found), np.arange(60)

    (gap,) = kappa_gaps(found, [(judge, ~judge)])

    without = [
        plain(values, keep != g, W, judge=True) - plain(values, keep != g, W, judge=False)
        for g in range(60)
    ]
    ratio = abs(estimate(gap.estimate).value) / plain_error(without)
    assert gap.p == pytest.approx(2 * float(scipy_stats.t.sf(ratio, 59)))


def test_perfect_agreement_is_no_point() -> None:
    """Nothing varied: the score interval at the number of items stands in, and keeps doubt."""
    level = np.arange(20) % 2
    found = pairs_of(np.repeat(level[:, None], 4, axis=1), identity(2))
    judge = judge_of(found)
    t19 = estimate(path_score([[10.0, 0], [0, 10]], identity(2), df=19))

    mean = estimate(mean_kappa(found, ~judge))
    gap = estimate(kappa_gap(found, judge, ~judge))
    (same,) = kappa_gaps(found, [(judge, ~judge)])

    assert (mean.value, mean.high) == (1.0, 1.0)
    assert mean.low == pytest.approx(t19.low)
    assert gap.value == 0
    assert gap.low == pytest.approx(t19.low - 1)
    assert gap.high == pytest.approx(1 - t19.low)
    assert same.p == 1


def test_ratings_that_are_no_level() -> None:
    """A judge whose unusable replies are one more category agrees with nobody there."""
    values = said(4, 50, 3, 2, 0.0)
    worse = values.copy()
    worse[::5, 2] = 2
    W = np.eye(3)

    good, bad = (
        estimate(kappa_gap(found, judge_of(found), ~judge_of(found)))
        for found in (pairs_of(values, W), pairs_of(worse, W))
    )

    assert bad.value < good.value


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full((20, 2), -1), "empty"),
        (np.array([[0, -1], [-1, 0]] * 10), "empty"),
        (np.zeros((20, 2), dtype=int), "single_category"),
        (np.array([[0, 0], [1, 1]] * 4 + [[1, -1]] * 10), "too_few_items"),
    ],
)
def test_undefined(values: np.ndarray, reason: str) -> None:
    """A reason for a mean, and the same for a difference with it on either side."""
    found = pairs_of(values, identity(2))
    every = np.ones(len(found), dtype=bool)

    mean, gap = mean_kappa(found), kappa_gap(found, every, every)

    assert isinstance(mean, Undefined)
    assert isinstance(gap, Undefined)
    assert mean.reason == gap.reason == reason
    assert (mean.method, gap.method) == (
        "mean_kappa/jackknife_score",
        "kappa_gap/jackknife_score",
    )
    assert kappa_gaps(found, [(every, ~every)])[0].p is None


def test_too_few_cases() -> None:
    """Forty items of nine cases: the cases are the units, and they are too few."""
    values, W = said(3, 40, 3, 2, 0.0), identity(2)

    few = mean_kappa(pairs_of(values, W, np.arange(40) % 9))

    assert isinstance(few, Undefined)
    assert (few.reason, few.n, few.pairs) == ("too_few_clusters", 40, 120)
    assert estimate(mean_kappa(pairs_of(values, W, np.arange(40) % 10))).clusters == 10


@settings(unhurried, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(0, 0.5))
def test_properties(seed: int, k: int, gaps: float) -> None:
    """An interval holds its value, stays in range, and ignores the order of items and raters."""
    values, W = said(seed, 30, 4, k, gaps), identity(k)
    rng = np.random.default_rng(seed)
    moved = values[rng.permutation(30)][:, [*rng.permutation(3), 3]]

    told = []
    for table in (values, moved):
        found = pairs_of(table, W)
        judge = judge_of(found)
        two = [mean_kappa(found, ~judge), kappa_gap(found, judge, ~judge)]
        told.append(two)
        for one in two:
            if isinstance(one, Estimate):
                assert one.low < one.value <= one.high
                assert one.low >= -2
                assert one.high <= 2
    for one, other in zip(*told, strict=True):
        assert isinstance(one, Estimate) == isinstance(other, Estimate)
        if isinstance(one, Estimate) and isinstance(other, Estimate):
            ends = [one.value, one.low, one.high]
            assert ends == pytest.approx([other.value, other.low, other.high])


def test_many_at_once_are_the_same() -> None:
    """Means and differences asked together are those asked alone."""
    found = pairs_of(said(2, 50, 4, 3, 0.2), quadratic([1.0, 2.0, 3.0]))
    masks = [found.with_rater(i) for i in range(4)]

    means, gaps = mean_kappas(found, masks), kappa_gaps(found, [(m, ~m) for m in masks])

    for mask, mean, gap in zip(masks, means, gaps, strict=True):
        alone, apart = mean_kappa(found, mask), kappa_gap(found, mask, ~mask)
        for one, other in ((mean, alone), (gap.estimate, apart)):
            expected = [estimate(other).value, estimate(other).low, estimate(other).high]
            assert [estimate(one).value, estimate(one).low, estimate(one).high] == pytest.approx(
                expected
            )


def test_copies_of_a_case_earn_nothing() -> None:
    """Each item four times, as one case of four: the same figure, and no narrower."""
    values, W = said(9, 40, 3, 2, 0.0), identity(2)
    four = values.repeat(4, axis=0)

    once = estimate(mean_kappa(pairs_of(values, W)))
    copied = estimate(mean_kappa(pairs_of(four, W, np.arange(160) // 4)))

    assert copied.value == pytest.approx(once.value)
    assert copied.high - copied.low == pytest.approx(once.high - once.low, rel=0.02)


def test_sampling_weights_act() -> None:
    """An item of weight 3 counts like three of its kind."""
    values, W = said(6, 40, 3, 2, 0.0), identity(2)
    weight = np.where(np.arange(40) < 10, 3.0, 1.0)
    thrice = np.concatenate([values, values[:10], values[:10]])

    weighted = rater_pairs(Ratings(values, 2, None, weight), W)

    assert estimate(mean_kappa(weighted)).value == pytest.approx(
        estimate(mean_kappa(pairs_of(thrice, W))).value
    )


def test_masks_must_fit() -> None:
    """A mask of another length, or of numbers, is misuse."""
    found = pairs_of(said(1, 20, 3, 2, 0.0), identity(2))

    for mask in ([True], np.ones(3)):
        with pytest.raises(ValueError, match="mask"):
            mean_kappa(found, mask)


def test_large_and_ragged_is_quick() -> None:
    """2,500 items, 16 raters with gaps, each rater held against the rest: well under a second."""
    values = np.column_stack([said(1, 2500, 16, 5, 0.72), said(2, 2500, 1, 5, 0.0)])

    def gaps() -> None:
        found = pairs_of(values, quadratic([float(v) for v in range(5)]))
        judge = judge_of(found)
        kappa_gaps(found, [(found.with_rater(i) & ~judge, ~found.with_rater(i)) for i in range(16)])

    assert cpu_seconds(gaps) < 3  # 0.1 s on a machine that is not busy


@pytest.mark.slow
def test_a_judge_at_the_margin_seldom_passes() -> None:
    """100 balanced items, three raters, a judge 0.10 worse: the low end is above that in 2.5%."""
    rng = np.random.default_rng(5)
    own, its = math.sqrt(0.6), 0.5 / math.sqrt(0.6)
    passed = 0
    for _ in range(300):
        truth, guess = rng.integers(0, 2, 100), rng.integers(0, 2, (100, 4))
        knows = rng.random((100, 4)) < np.array([own, own, own, its])
        found = pairs_of(np.where(knows, truth[:, None], guess), identity(2))
        judge = judge_of(found)
        passed += estimate(kappa_gap(found, judge, ~judge)).low > -0.1

    assert passed / 300 <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 300)
