"""Errors in a part against errors in the rest: Fisher, and what clusters do to it."""

import numpy as np
import pytest
from scipy.stats import fisher_exact
from scipy.stats import t as student

from judgekit.stats.error_difference import error_difference
from judgekit.stats.estimate import Undefined
from judgekit.stats.exact import newcombe_independent
from judgekit.stats.table import Pairs


def pairs_of(n: int, **more: np.ndarray) -> Pairs:
    """Pairs of which only the clusters and weights matter."""
    return Pairs(np.zeros(n, int), np.zeros(n, int), 2, **more)


def sides(a: int, n: int, b: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Errors and membership: ``a`` of ``n`` wrong in the part, ``b`` of ``m`` in the rest."""
    wrong = np.array([1] * a + [0] * (n - a) + [1] * b + [0] * (m - b), dtype=bool)
    return wrong, np.arange(n + m) < n


@pytest.mark.parametrize("counts", [(5, 40, 20, 60), (0, 30, 3, 30), (12, 30, 0, 45), (0, 9, 0, 9)])
def test_against_scipy(counts: tuple[int, int, int, int]) -> None:
    """Without clusters it is Fisher's test, with Newcombe's interval of the difference."""
    a, n, b, m = counts
    wrong, member = sides(*counts)

    found = error_difference(pairs_of(n + m), wrong, member)

    assert found.test.p == pytest.approx(fisher_exact([[a, n - a], [b, m - b]])[1])
    assert found.test.method == "error_difference/fisher"
    known = newcombe_independent((a, n), (b, m))
    assert (found.difference.value, found.difference.low, found.difference.high) == pytest.approx(
        (known.value, known.low, known.high)
    )


def test_clusters_worked_by_hand() -> None:
    """Twenty cases of two: sums S over cases of (e - mean)(x - mean), and t with 19 df."""
    wrong, member = sides(12, 20, 4, 20)
    case = np.arange(40) // 2

    found = error_difference(pairs_of(40, clusters=case), wrong, member)

    S = np.bincount(case, weights=(wrong - 0.4) * (member - 0.5))
    t = S.sum() / np.sqrt(20 / 19 * ((S - S.mean()) ** 2).sum())
    assert found.test.statistic == pytest.approx(t)
    assert found.test.p == pytest.approx(2 * student.sf(t, 19))
    assert found.test.method == "error_difference/score"
    assert found.difference.clusters == 20


def test_repeating_every_answer_is_no_evidence() -> None:
    """Fisher would call it proof; by cases it is what one answer each says."""
    wrong, member = sides(6, 15, 2, 15)
    four = np.repeat(np.arange(30), 4)

    alone = error_difference(pairs_of(30), wrong, member).test.p
    naive = error_difference(pairs_of(120), wrong[four], member[four]).test.p
    by_case = error_difference(pairs_of(120, clusters=four), wrong[four], member[four]).test.p

    assert naive < 0.01
    assert by_case > 0.05
    assert by_case == pytest.approx(alone, abs=0.15)


def test_the_level_is_kept() -> None:
    """Where membership does not matter, about one in twenty tests by cases says it does."""
    rng, seen = np.random.default_rng(3), 0
    for _ in range(600):
        case = np.arange(120) // 4
        hard = rng.random(30) < 0.25
        wrong = np.where(rng.random(120) < 0.7, hard[case], rng.random(120) < 0.25)
        member = (rng.random(30) < 0.4)[case]
        if member.any() and not member.all():
            seen += error_difference(pairs_of(120, clusters=case), wrong, member).test.p < 0.05

    assert 12 <= seen <= 48  # 30 are expected


def test_weights_count() -> None:
    """A weight is kept in both shares."""
    wrong, member = sides(1, 2, 1, 2)
    weight = np.array([3.0, 1.0, 1.0, 3.0])

    found = error_difference(pairs_of(4, weight=weight), wrong, member)

    assert found.difference.value == pytest.approx(0.75 - 0.25)
    assert found.test.statistic == pytest.approx(weighted_t(wrong, member, weight))


def weighted_t(wrong: np.ndarray, member: np.ndarray, weight: np.ndarray) -> float:
    """The score statistic of single pairs that weigh differently."""
    e, x = (part - np.average(part, weights=weight) for part in (wrong * 1.0, member * 1.0))
    S = weight / weight.mean() * e * x
    return S.sum() / np.sqrt(len(S) / (len(S) - 1) * ((S - S.mean()) ** 2).sum())


def test_degenerate() -> None:
    """Nothing to compare, and nothing seen."""
    wrong, member = sides(0, 20, 0, 20)
    cases, few = np.arange(40) // 2, np.arange(40) // 5

    assert error_difference(pairs_of(3), wrong[:3], member[:3]).test.reason == "empty"
    assert error_difference(pairs_of(0), wrong[:0], member[:0]).test.reason == "empty"
    still = error_difference(pairs_of(40, clusters=cases), wrong, member)
    assert still.test.reason == "zero_variance"
    assert still.difference.value == 0
    short = error_difference(pairs_of(40, clusters=few), wrong, member)
    assert isinstance(short.difference, Undefined)
    assert short.test.reason == "too_few_clusters"
    with pytest.raises(ValueError, match="member"):
        error_difference(pairs_of(3), wrong[:3], [0, 1, 1])
