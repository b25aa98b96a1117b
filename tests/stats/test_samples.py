from typing import Any

import numpy as np
import pytest

from judgekit.stats import Pairs
from judgekit.stats.same_population import same_population_p
from judgekit.stats.samples import Sample, cases_of, inflation


def test_pairs_become_items() -> None:
    """Three raters of one item are one item; judgments without a level are left out."""
    pairs = Pairs(
        np.array([0, 1, 1, 0, 1]),
        np.array([1, 1, 1, 0, 2]),
        3,
        items=np.array([7, 7, 7, 8, 9]),
        weight=np.array([2.0, 2, 2, 1, 1]),
        clusters=np.array([0, 0, 0, 1, 1]),
        extra=1,
    )
    found = Sample.of_pairs(pairs)

    assert found.human is not None
    np.testing.assert_allclose(found.human, [[1 / 3, 2 / 3], [1, 0]])
    assert found.judge.tolist() == [1, 0]
    assert found.weight is not None
    np.testing.assert_allclose(found.shares, [2 / 3, 1 / 3])
    assert found.clusters is not None
    assert len(set(found.clusters.tolist())) == 2


def test_the_table_adds_up_weights_and_raters() -> None:
    """Rows human, columns judge."""
    human = np.array([[0.5, 0.5], [1, 0]])
    found = Sample(np.array([1, 0]), 2, human, weight=np.array([3.0, 1.0]))

    np.testing.assert_allclose(found.table(), [[0.5, 0.75], [0, 0.75]])
    np.testing.assert_allclose(found.judged(), [0.25, 0.75])
    assert found.n_eff == pytest.approx(16 / 10)
    two = Sample(np.array([2, 0]), 3, np.eye(3)[[1, 0]]).collapsed(np.array([False, True, True]))
    assert two.judge.tolist() == [1, 0]
    assert two.human is not None
    np.testing.assert_allclose(two.human, [[0, 1], [1, 0]])


def test_cases_run_through_both_samples() -> None:
    """Equal codes are one case; an item without a case is one of its own."""
    first = Sample(np.zeros(4, dtype=int), 2, clusters=np.array([5, 5, 9, 11]))
    second = Sample(np.zeros(3, dtype=int), 2, clusters=np.array([9, 20, 21]))
    found = cases_of(first, second)

    assert found.first[2] == found.second[0]
    assert (found.total, found.clustered, found.fewest) == (5, True, 3)
    assert found.too_few
    assert found.df == 2
    alone = cases_of(first, Sample(np.zeros(3, dtype=int), 2))
    assert alone.total == 6
    none = cases_of(Sample(np.zeros(4, dtype=int), 2), Sample(np.zeros(3, dtype=int), 2))
    assert (none.total, none.clustered, none.fewest, none.df) == (7, False, None, None)


def test_inflation_by_cases() -> None:
    """Pulls that repeat within cases of two double the variance, save G / (G - 1)."""
    first = Sample(np.zeros(20, dtype=int), 2, clusters=np.arange(20) // 2)
    nothing = Sample(np.zeros(0, dtype=int), 2)
    cases = cases_of(first, nothing)
    pull = np.repeat([1.0, -1.0] * 5, 2)[:, None]

    assert inflation(pull, np.zeros((0, 1)), cases, 2.0)[0] == pytest.approx(2 * 10 / 9)
    against = np.tile([1.0, -1.0], 10)[:, None]
    assert inflation(against, np.zeros((0, 1)), cases, 2.0)[0] == 1
    assert inflation(0 * pull, np.zeros((0, 1)), cases, 2.0)[0] == 2


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"human": np.eye(2)}, "shape"),
        ({"human": np.full((3, 2), 0.4)}, "add up to 1"),
        ({"clusters": np.array([1, 2])}, "clusters"),
        ({"weight": np.array([1.0, 0, 1])}, "positive"),
        ({"inflation": 0.5}, "at least 1"),
    ],
)
def test_misuse(more: Any, told: str) -> None:
    """Lengths, shares and weights that cannot be."""
    with pytest.raises(ValueError, match=told):
        Sample(np.array([0, 1, 1]), 2, **more)


def test_a_sample_without_labels_makes_no_table() -> None:
    """It would be a table of nothing."""
    with pytest.raises(ValueError, match="without labels"):
        Sample(np.array([0, 1]), 2).table()


def of(counts: Any, **more: Any) -> Sample:
    """Items the judge gave these levels."""
    return Sample(np.repeat(np.arange(len(counts)), counts), len(counts), **more)


def test_one_population_by_hand() -> None:
    """50 of 100 and 720 of 1,000: pooled .7, z = .22 / sqrt(.21 (1/100 + 1/1000)), two levels."""
    found = same_population_p(of([50, 50]), of([280, 720]))

    assert found is not None
    z = 0.22 / (0.7 * 0.3 * 0.011) ** 0.5
    assert found == pytest.approx(2 * 4.7086e-6, rel=0.01)  # z = 4.577, both tails
    assert z == pytest.approx(4.577, abs=1e-3)


def test_one_population_without_contradiction() -> None:
    """Equal shares, one level only, nothing to compare."""
    assert same_population_p(of([50, 50]), of([500, 500])) == 1
    assert same_population_p(of([0, 50]), of([0, 500])) == 1
    assert same_population_p(of([0, 50]), of([0, 0])) is None
    with pytest.raises(ValueError, match="scales"):
        same_population_p(of([1, 1]), of([1, 1, 1]))


def test_cases_and_weights_make_a_contradiction_weaker() -> None:
    """What looks like a hundred items may be twenty-five, or be weighted to agree."""
    clustered = of([50, 50], clusters=np.arange(100) // 4)
    weighted = of([50, 50], weight=np.repeat([28.0, 72.0], 50))
    found, plain = (same_population_p(s, of([280, 720])) for s in (clustered, of([50, 50])))

    assert found is not None
    assert plain is not None
    assert found > 100 * plain
    assert same_population_p(weighted, of([280, 720])) == pytest.approx(1)


def test_chance_alone_seldom_contradicts() -> None:
    """Samples of one population fall below .05 about as often as said."""
    rng = np.random.default_rng(6)
    found = [
        same_population_p(of(rng.multinomial(100, p)), of(rng.multinomial(900, p)))
        for p in [[0.2, 0.3, 0.5]] * 400
    ]

    assert 0.01 < np.mean([p is not None and p < 0.05 for p in found]) < 0.08
