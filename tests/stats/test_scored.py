import math

import numpy as np
import pytest

from judgekit.stats import Estimate, Undefined, contingency, critical
from judgekit.stats.correlation import kendall_tau_b, lin_ccc, pearson, spearman
from judgekit.stats.level_errors import mean_absolute_error
from judgekit.stats.scored import (
    Kind,
    Scored,
    score_absolute_error,
    score_correlation,
    score_squared_error,
)

VALUES = np.array([1.0, 2.0, 4.0])
KINDS: tuple[Kind, ...] = ("pearson", "spearman", "kendall_tau_b", "lin_ccc")


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def some(n: int, seed: int = 1, **more: np.ndarray) -> Scored:
    """A judge with scores near the human's level."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 3, n)
    score = np.clip(VALUES[human] + rng.normal(size=n), 1, 4)
    return Scored(human, score, VALUES, **more)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_that_are_levels_are_levels(kind: Kind) -> None:
    """The same number as from the table of levels."""
    rng = np.random.default_rng(2)
    human, judge = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    table = contingency(human, judge, 3)
    statistics = {
        "pearson": pearson,
        "spearman": spearman,
        "kendall_tau_b": kendall_tau_b,
        "lin_ccc": lin_ccc,
    }
    scored = Scored(human, VALUES[judge], VALUES)

    found = estimate(score_correlation(scored, kind))
    assert found.value == pytest.approx(statistics[kind](table, VALUES))
    assert estimate(score_absolute_error(scored)).value == pytest.approx(
        mean_absolute_error(table, VALUES)
    )
    assert found.method == f"{kind}/fisher"


def test_errors_by_hand() -> None:
    """Distances 0.5, 0, 2: mean 2.5/3, root of 4.25/3."""
    scored = Scored(np.array([0, 1, 2]), np.array([1.5, 2, 2]), VALUES)

    assert estimate(score_absolute_error(scored)).value == pytest.approx(2.5 / 3)
    found = estimate(score_squared_error(scored))
    assert found.value == pytest.approx(math.sqrt(4.25 / 3))
    assert 0 <= found.low < found.value < found.high <= 3
    assert found.method == "root_mean_squared_error/wilson"


def test_kendall_has_its_own_interval() -> None:
    """Standard error sqrt(0.437 / (n - 4)) in z."""
    found = estimate(score_correlation(some(60), "kendall_tau_b"))
    half = critical(0.95) * math.sqrt(0.437 / 56)

    assert math.atanh(found.high) - math.atanh(found.value) == pytest.approx(half)


def test_the_interval_of_lins_comes_from_the_slope() -> None:
    """A little more of one pair moves the value by its influence; the mean square is n SE^2."""
    scored, step = some(40), 1e-6
    found = estimate(score_correlation(scored, "lin_ccc"))
    pull = []
    for i in range(40):
        weight = np.full(40, (1 - step) / 40)
        weight[i] += step
        moved = Scored(scored.human, scored.score, VALUES, weight=weight * 40)
        pull.append((estimate(score_correlation(moved, "lin_ccc")).value - found.value) / step)
    half = critical(0.95) * math.sqrt(np.mean(np.square(pull)) / 38) / (1 - found.value**2)

    assert math.atanh(found.high) - math.atanh(found.value) == pytest.approx(half, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_perfect_scores_have_an_interval(kind: Kind) -> None:
    """No error seen is no proof."""
    human = np.arange(30) % 3
    scored = Scored(human, VALUES[human], VALUES)
    found = estimate(score_correlation(scored, kind))

    assert found.value == pytest.approx(1)
    assert 0.5 < found.low < 0.95
    assert estimate(score_squared_error(scored)).high > 0.3


@pytest.mark.parametrize("kind", KINDS)
def test_copies_in_clusters_are_worth_one(kind: Kind) -> None:
    """And copies by weight count as copies."""
    plain = some(50)
    four = Scored(
        plain.human.repeat(4), plain.score.repeat(4), VALUES, clusters=np.arange(50).repeat(4)
    )
    here, there = estimate(score_correlation(plain, kind)), estimate(score_correlation(four, kind))

    assert there.value == pytest.approx(here.value)
    assert there.low == pytest.approx(here.low, abs=0.02)
    assert there.clusters == 50
    twice = np.where(np.arange(50) < 20, 2.0, 1.0)
    order = np.arange(50).repeat(twice.astype(int))
    weighted = Scored(plain.human, plain.score, VALUES, weight=twice)
    copied = Scored(plain.human[order], plain.score[order], VALUES)
    assert estimate(score_correlation(weighted, kind)).value == pytest.approx(
        estimate(score_correlation(copied, kind)).value
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_is_held(kind: Kind) -> None:
    """Samples of a large population: about 95% of the intervals hold its correlation."""
    crowd, rng = some(100_000, 3), np.random.default_rng(4)
    truth = estimate(score_correlation(some(20_000, 3), kind)).value
    held = []
    for chosen in rng.integers(0, 100_000, size=(200, 80)):
        sample = Scored(crowd.human[chosen], crowd.score[chosen], VALUES)
        found = estimate(score_correlation(sample, kind))
        held.append(found.low <= truth <= found.high)

    # three Monte Carlo errors below 0.95
    assert np.mean(held) >= 0.90


def test_undefined() -> None:
    """Nothing, a side that does not vary, two pairs, nine clusters."""
    none = Scored(np.zeros(0, int), np.zeros(0), VALUES)
    constant = Scored(np.array([0, 1, 2, 2, 1]), np.full(5, 2.5), VALUES)

    for kind in KINDS:
        method = f"{kind}/fisher"
        assert score_correlation(none, kind) == Undefined("empty", 0, method, 0)
        two = Scored(np.array([0, 1]), np.array([1.0, 3]), VALUES)
        assert score_correlation(two, kind) == Undefined("too_few_items", 2, method, 2)
        nine = some(18, clusters=np.arange(18) // 2)
        few = score_correlation(nine, kind)
        assert isinstance(few, Undefined)
        assert few.reason == "too_few_clusters"
    for kind in KINDS[:3]:
        method = f"{kind}/fisher"
        assert score_correlation(constant, kind) == Undefined("zero_variance", 5, method, 5)
    assert estimate(score_correlation(constant, "lin_ccc")).value == 0
    same = Scored(np.full(5, 1), np.full(5, 2.0), VALUES)
    assert score_correlation(same, "lin_ccc") == Undefined("zero_variance", 5, "lin_ccc/fisher", 5)
    assert score_squared_error(none) == Undefined("empty", 0, "root_mean_squared_error/wilson", 0)


@pytest.mark.parametrize("score", [[1.0], [0.5, 2], [1, 4.1], [1, math.nan]])
def test_scores_keep_to_the_scale(score: list[float]) -> None:
    """One finite score for each human level, between the least and the largest value."""
    with pytest.raises(ValueError, match="score"):
        Scored(np.array([0, 1]), np.array(score), VALUES)
