"""The judge that sees only length: what it says, and that it never sees its own answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa import kappa
from judgekit.stats.length import BINS, length_judge
from judgekit.stats.table import contingency
from judgekit.stats.weights import identity, quadratic

FIVE = quadratic([1, 2, 3, 4, 5])
TWO = identity(2)
RNG = np.random.default_rng(20261130)


def folds(n: int) -> np.ndarray:
    """Five folds, dealt in turn."""
    return np.arange(n) % 5


def agreed(human: np.ndarray, said: np.ndarray, weights: np.ndarray) -> float:
    """Kappa of the two, or 0 where there is none."""
    found = kappa(contingency(human, said, len(weights)), weights)
    return 0.0 if isinstance(found, Undefined) else found


@pytest.mark.parametrize("sign", [1, -1], ids=["longer is better", "shorter is better"])
@pytest.mark.parametrize("weights", [TWO, FIVE], ids=["two", "five"])
def test_what_length_tells_is_found(weights: np.ndarray, sign: int) -> None:
    """Where length decides, the judge by length agrees almost perfectly, in either direction."""
    k, n = len(weights), 500
    human = RNG.integers(0, k, n)
    length = 1000 * (human if sign > 0 else k - human) + RNG.integers(0, 900, n)

    said = length_judge(length, human, folds(n), weights)

    assert agreed(human, said, weights) > 0.95


def test_worked_by_hand() -> None:
    """Ten items, two folds; each fold is cut where the other has half of its labels.

    Even places (fold 0) have lengths 10, 30, 50, 70, 90 with levels 0 0 0 1 1, odd ones (fold 1)
    have 20, 40, 60, 80, 100 with levels 0 0 1 1 1. Fold 1 is fitted to fold 0: three of five are
    level 0, so what is longer than 50 is level 1. Fold 0 is fitted to fold 1: two of five are level
    0, so what is longer than 40 is level 1. There kappa is 1, and its error without agreement
    1 / sqrt(5): sure enough.
    """
    length = np.arange(10, 101, 10)
    human = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])

    said = length_judge(length, human, np.arange(10) % 2, TWO)

    # lengths          10 20 30 40 50 60 70 80 90 100
    assert list(said) == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]


def test_each_level_gets_its_share() -> None:
    """Skewed human levels are met in their shares, whatever the lengths are like."""
    n = 2000
    length = np.exp(RNG.normal(6, 1, n))
    rank = np.argsort(np.argsort(length)) / n
    human = np.searchsorted([0.05, 0.1, 0.2, 0.4], rank)

    said = length_judge(length, human, folds(n), FIVE)

    np.testing.assert_allclose(
        np.bincount(said, minlength=5) / n, [0.05, 0.05, 0.1, 0.2, 0.6], atol=0.02
    )


def test_shares_are_weighted() -> None:
    """With the short ones nine times as heavy, a level of half the weight ends far below."""
    n = 1000
    length = RNG.permutation(n)
    weight = np.where(length < 500, 9.0, 1.0)
    human = (length >= 278).astype(int)  # 278 x 9 of 5000 is about half of the weight

    said = length_judge(length, human, folds(n), TWO, weight=weight)

    assert (said == human).mean() > 0.97


def test_equal_lengths_leave_bins_empty() -> None:
    """Four in five of one length: the bins left empty are no trouble, and the rest is told."""
    length = np.tile([50, 50, 50, 50, 900], 60)
    human = np.tile([0, 1, 0, 1, 2], 60)

    said = length_judge(length, human, np.arange(300) // 5 % 5, identity(3), order="nominal")

    assert set(said[4::5]) == {2}
    assert 2 not in said[length == 50]


def test_unordered_levels_go_by_bins() -> None:
    """A level in the middle of the lengths is found, which no single cut could."""
    n = 600
    length = RNG.integers(0, 500, n)
    human = np.array([0, 0, 1, 2, 2])[length // 100]

    said = length_judge(length, human, folds(n), identity(3), order="nominal")

    assert agreed(human, said, identity(3)) > 0.9


def test_a_rare_level_stands_out_in_its_bin() -> None:
    """Where one level is commonest in every bin, the one that stands out there is said instead."""
    n = 1000
    length = RNG.integers(0, BINS * 100, n)
    human = np.where((length >= 400) & (RNG.random(n) < 0.45), 1, 0)

    said = length_judge(length, human, folds(n), identity(3), order="nominal")

    assert agreed(human, said, identity(3)) > 0.4


@pytest.mark.parametrize("sides", [(0, 1), (1, 0), (2, 0)])
def test_the_longer_of_two_wins(sides: tuple[int, int]) -> None:
    """The longer wins, near ties are ties, whichever levels say so."""
    n = 400
    gap = RNG.integers(-500, 501, n)
    tie = ({0, 1, 2} - set(sides)).pop()
    human = np.where(np.abs(gap) < 100, tie, np.where(gap > 0, sides[0], sides[1]))

    said = length_judge(gap, human, folds(n), identity(3), order="pairwise", sides=sides)

    assert agreed(human, said, identity(3)) > 0.9


def test_equal_lengths_without_ties_go_to_the_commoner_side() -> None:
    """A scale of A and B has no tie to give."""
    gap = np.array([5, 6, 7, -5, -6, 0] * 10)
    human = np.array([0, 0, 0, 1, 1, 0] * 10)

    said = length_judge(gap, human, folds(60), TWO, order="pairwise")

    assert list(said) == list(human)


@pytest.mark.parametrize("order", ["ordered", "pairwise"])
def test_noise_makes_no_rival(order: str) -> None:
    """Where length tells nothing, few labels make no rule of it: mostly one level throughout."""
    said = [of_noise(seed, order)[1] for seed in range(100)]

    assert sum(np.unique(one).size == 1 for one in said) > 70


@pytest.mark.parametrize("order", ["ordered", "nominal", "pairwise"])
def test_noise_is_no_agreement(order: str) -> None:
    """Bins follow noise further than a cut does; out of fold it comes to nothing all the same."""
    found = [agreed(*of_noise(seed, order), identity(3)) for seed in range(100)]

    assert -0.06 < np.mean(found) < 0.03
    assert np.quantile(found, 0.95) < 0.3


def of_noise(seed: int, order: str) -> tuple[np.ndarray, np.ndarray]:
    """Thirty labels that have nothing to do with length, and what is made of them."""
    rng = np.random.default_rng(seed)
    length, human = rng.integers(-500, 500, 30), rng.integers(0, 3, 30)
    return human, length_judge(length, human, rng.integers(0, 5, 30), identity(3), order=order)


def test_no_item_is_judged_by_a_rule_that_saw_it() -> None:
    """Changing the labels of one fold changes nothing that is said of that fold."""
    n = 200
    length = RNG.integers(0, 3000, n)
    human = (length + RNG.integers(-800, 800, n) > 1500).astype(int)
    changed = np.where(folds(n) == 3, 1 - human, human)

    before = length_judge(length, human, folds(n), TWO)
    after = length_judge(length, changed, folds(n), TWO)

    mine = folds(n) == 3
    assert (before[mine] == after[mine]).all()
    assert (before[~mine] != after[~mine]).any()


def test_weights_count() -> None:
    """A heavily weighted part decides the direction."""
    n = 400
    length, rising = RNG.integers(0, 1000, n), np.arange(n) < 200
    human = ((length > 500) == rising).astype(int)
    heavy = np.where(rising, 9.0, 1.0)

    for weight, part in ((heavy, rising), (1 / heavy, ~rising)):
        said = length_judge(length, human, folds(n), TWO, weight=weight)
        assert (said == human)[part].mean() > 0.95


@given(st.integers(0, 10_000), st.sampled_from(["ordered", "nominal", "pairwise"]))
def test_only_the_order_of_lengths_matters(seed: int, order: str) -> None:
    """Lengths and their logarithms, or cubes of differences, say the same, in any order."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 120))
    length = rng.integers(-300, 300, n) if order == "pairwise" else rng.integers(1, 900, n)
    human, of = rng.integers(0, 3, n), rng.integers(0, 5, n)
    other = length**3 if order == "pairwise" else np.log(length)
    mixed = rng.permutation(n)

    said = length_judge(length, human, of, identity(3), order=order)

    if isinstance(said, Undefined):
        return
    assert (length_judge(other, human, of, identity(3), order=order) == said).all()
    again = length_judge(length[mixed], human[mixed], of[mixed], identity(3), order=order)
    assert (again == said[mixed]).all()


def test_degenerate() -> None:
    """Nothing to fit to is told; one level, or one length, is no rule."""
    assert length_judge([], np.zeros(0, int), [], TWO) == Undefined("empty", 0, "length_judge")
    assert length_judge([1, 2], [0, 1], [4, 4], TWO).reason == "too_few_items"
    assert list(length_judge([1, 2, 3], [1, 1, 1], [0, 1, 2], TWO)) == [1, 1, 1]
    assert np.unique(length_judge([7] * 20, [0, 1] * 10, folds(20), TWO)).size == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"length": [1.0]},
        {"length": [1.0, np.nan]},
        {"human": [0, 2]},
        {"human": [0, -1]},
        {"folds": [0]},
        {"sides": (0, 2)},
        {"sides": (1, 1)},
        {"weight": [1.0, 0.0]},
    ],
)
def test_misuse_is_refused(arguments: dict) -> None:
    """Shapes that do not fit, and what is off the scale."""
    usual = {"length": [1.0, 2.0], "human": [0, 1], "folds": [0, 1], "agreement": TWO}

    with pytest.raises(ValueError, match=r"."):
        length_judge(**(usual | arguments))
