"""Kappa of every two raters, against scikit-learn and against one pair at a time."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from judgekit.stats.agreement import agreement
from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import kappa
from judgekit.stats.rater_pairs import RaterPairs, pair_agreements, rater_pairs
from judgekit.stats.ratings import Ratings
from judgekit.stats.table import Pairs, contingency
from judgekit.stats.weights import identity, quadratic
from tests.stats.rated import said
from tests.stats.strategies import SCHEMES, unhurried, weights_for

SKLEARN = {"identity": None, "linear": "linear", "quadratic": "quadratic"}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", range(6))
def test_scikit_learn(scheme: str, seed: int) -> None:
    """Every pair has scikit-learn's kappa over the declared scale, whatever is missing."""
    k = 2 + seed % 4
    values = said(seed, 60, 5, k, 0.4)

    found = rater_pairs(Ratings(values, k), weights_for(scheme, k))

    pairs = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert pairs == list(combinations(range(5), 2))
    for (a, b), shared, value in zip(pairs, found.shared, found.kappa, strict=True):
        both = (values[:, a] >= 0) & (values[:, b] >= 0)
        reference = cohen_kappa_score(
            values[both, a], values[both, b], labels=range(k), weights=SKLEARN[scheme]
        )
        assert shared == both.sum()
        assert value == pytest.approx(reference)


def without_one(found: RaterPairs, values: np.ndarray, cases: np.ndarray, W: FloatArray) -> None:
    """Compare kappa without each cluster with kappa of the items that remain."""
    seen = set()
    left = found.without
    for pair, case, value, weight in zip(
        left.pair, left.cluster, left.kappa, left.weight, strict=True
    ):
        a, b = found.first[pair], found.second[pair]
        both = (values[:, a] >= 0) & (values[:, b] >= 0) & (cases != case)
        again = kappa(contingency(values[both, a], values[both, b], W.shape[0]), W)
        assert weight == pytest.approx(both.sum())
        assert value == pytest.approx(again if isinstance(again, float) else 0.0, abs=1e-9)
        seen.add((int(pair), int(case)))
    there = {
        (pair, int(cases[item]))
        for pair, (a, b) in enumerate(zip(found.first, found.second, strict=True))
        for item in np.flatnonzero((values[:, a] >= 0) & (values[:, b] >= 0))
    }
    assert seen == there


@settings(unhurried, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 4), st.floats(0, 0.8))
def test_without_a_cluster(seed: int, size: int, k: int, gaps: float) -> None:
    """The whole less the part is what is left: each pair without each cluster it has items of."""
    values, W = said(seed, 24, 4, k, gaps), quadratic([float(v) ** 2 for v in range(k)])
    cases = np.arange(24) // size

    without_one(rater_pairs(Ratings(values, k, cases), W), values, cases, W)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_pair_at_a_time(size: int, *, weighted: bool) -> None:
    """The intervals of all pairs at once are those of ``agreement`` of each pair."""
    values, W, cases = said(3, 90, 4, 3, 0.2), quadratic([1.0, 2.0, 4.0]), np.arange(90) // size
    weight = np.random.default_rng(1).choice([0.5, 1.0, 4.0], 90) if weighted else None
    found = rater_pairs(Ratings(values, 3, cases, weight), W)

    intervals = pair_agreements(found)

    for p, interval in enumerate(intervals):
        a, b = values[:, found.first[p]], values[:, found.second[p]]
        both = (a >= 0) & (b >= 0)
        v = None if weight is None else weight[both]
        alone = agreement(Pairs(a[both], b[both], 3, clusters=cases[both], weight=v), W)
        assert isinstance(interval, Estimate)
        assert isinstance(alone, Estimate)
        told, expected = (
            [e.value, e.low, e.high, e.design_effect, e.n, e.pairs or 0, e.clusters or 0]
            for e in (interval, alone)
        )
        assert told == pytest.approx(expected)


def test_some_pairs_only() -> None:
    """A mask chooses pairs, in their order; no pair gives nothing."""
    found = rater_pairs(Ratings(said(1, 50, 4, 2, 0.1), 2), identity(2))

    assert pair_agreements(found, found.with_rater(3)) == tuple(
        estimate
        for estimate, mine in zip(pair_agreements(found), found.with_rater(3), strict=True)
        if mine
    )
    assert pair_agreements(found, np.zeros(len(found), dtype=bool)) == ()


def test_undefined_pairs() -> None:
    """Raters who share one item, or used one level, have no kappa; who share none are no pair."""
    values = np.full((20, 4), -1)
    values[:10, 0] = values[:10, 1] = 1
    values[9:, 2] = np.arange(11) % 2
    values[19, 3] = 0

    found = rater_pairs(Ratings(values, 2), identity(2))

    pairs = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert pairs == [(0, 1), (0, 2), (1, 2), (2, 3)]
    assert np.isnan(found.kappa).all()
    assert pair_agreements(found) == tuple(
        Undefined("single_category", n, "cohen_kappa/path_score", n) for n in (10, 1, 1, 1)
    )


def test_too_few_cases() -> None:
    """A pair of raters on nine cases has no interval; on ten it has."""
    values, W = said(2, 40, 2, 2, 0.0), identity(2)

    (few,) = pair_agreements(rater_pairs(Ratings(values, 2, np.arange(40) % 9), W))
    (enough,) = pair_agreements(rater_pairs(Ratings(values, 2, np.arange(40) % 10), W))

    assert few == Undefined("too_few_clusters", 40, "cohen_kappa/path_score", 40)
    assert isinstance(enough, Estimate)


@pytest.mark.parametrize("values", [np.zeros((0, 3), dtype=int), np.full((5, 3), -1)])
def test_nothing_rated(values: np.ndarray) -> None:
    """No ratings make no pairs."""
    found = rater_pairs(Ratings(values, 2), identity(2))

    assert len(found) == 0
    assert pair_agreements(found) == ()


def test_weights_must_fit() -> None:
    """Agreement weights of another scale are misuse."""
    with pytest.raises(ValueError, match="weights"):
        rater_pairs(Ratings(np.zeros((3, 2), dtype=int), 3), identity(2))
