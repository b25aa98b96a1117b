"""The paired difference of two kappas against row-by-row jackknives, and its degenerate cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from sklearn.metrics import cohen_kappa_score

from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa_difference import kappa_difference
from judgekit.stats.table import Pairs
from judgekit.stats.weights import identity, linear, quadratic, with_disagreeing

RNG = np.random.default_rng(5)
NAMES = {
    None: identity,
    "linear": lambda k: linear(range(k)),
    "quadratic": lambda k: quadratic(range(k)),
}


def judges(n: int, k: int, good: float, other: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A human and two judges that say the human's level so often, else any."""
    human = RNG.integers(0, k, n)
    said = [np.where(RNG.random(n) < p, human, RNG.integers(0, k, n)) for p in (good, other)]
    return human, *said


@pytest.mark.parametrize("weights", NAMES, ids=str)
@pytest.mark.parametrize("clustered", [False, True], ids=["items", "cases"])
@pytest.mark.parametrize("trial", range(5))
def test_against_leaving_out_rows(trial: int, clustered: bool, weights: str | None) -> None:  # noqa: FBT001
    """Value and interval are those of scikit-learn's kappa with one unit left out at a time."""
    n, k = 40 + trial, 3
    human, one, two = judges(n, k, 0.8, 0.5)
    units = np.arange(n) // 3 if clustered else np.arange(n)

    def difference(keep: np.ndarray) -> float:
        first, second = (
            cohen_kappa_score(human[keep], said[keep], weights=weights, labels=range(k))
            for said in (one, two)
        )
        return first - second

    G = units.max() + 1
    left = np.array([difference(units != g) for g in range(G)])
    r, c = (np.bincount(x, minlength=k) / n for x in (human, one))
    spread = (G - 1) / G * ((left - left.mean()) ** 2).sum() + (1 / (1 - r @ c) / G) ** 2
    reach = student.ppf(0.975, G - 1) * math.sqrt(spread)

    pairs = Pairs(human, one, k, clusters=units if clustered else None)
    found = kappa_difference(pairs, two, NAMES[weights](k))

    value = difference(np.ones(n, bool))
    assert (found.value, found.low, found.high) == pytest.approx(
        (value, value - reach, value + reach), abs=1e-9
    )
    assert (found.n, found.pairs) == (n, n)
    assert found.clusters == (G if clustered else None)


def test_several_raters_of_an_item_are_one_unit() -> None:
    """Without cases, pairs of one item are left out together, and n counts items."""
    human, one, two = judges(60, 2, 0.9, 0.6)
    items = np.arange(60) // 2

    found = kappa_difference(Pairs(human, one, 2, items=items), two, identity(2))

    assert (found.n, found.pairs, found.clusters) == (30, 60, 30)


def test_whole_weights_are_repeated_rows() -> None:
    """A weight of two gives the value that writing the pair twice gives."""
    human, one, two = judges(40, 2, 0.9, 0.6)
    weight = 1.0 + (np.arange(40) % 2)
    often = np.repeat(np.arange(40), weight.astype(int))

    weighted = kappa_difference(Pairs(human, one, 2, weight=weight), two, identity(2))
    repeated = kappa_difference(Pairs(human[often], one[often], 2), two[often], identity(2))

    assert weighted.value == pytest.approx(repeated.value)
    assert weighted.high - weighted.low > repeated.high - repeated.low


def test_answers_that_are_no_level_disagree() -> None:
    """An extra judge column counts against the judge that used it."""
    human = np.tile([0, 1], 20)
    one = np.where(np.arange(40) < 4, 2, human)

    found = kappa_difference(Pairs(human, one, 3, extra=1), human, with_disagreeing(identity(2), 1))

    assert found.value < 0


def test_two_judges_that_say_the_same() -> None:
    """The difference is 0, and the interval still has a width: 2.02 of e / G = 2 / 40."""
    human, one, _ = judges(40, 2, 0.9, 0.9)
    r, c = (np.bincount(x, minlength=2) / 40 for x in (human, one))

    found = kappa_difference(Pairs(human, one, 2), one, identity(2))

    assert found.value == 0
    assert found.high == pytest.approx(student.ppf(0.975, 39) / (1 - r @ c) / 40)
    assert found.low == -found.high


@pytest.mark.parametrize(("ahead", "told"), [(4, False), (5, True), (8, True)])
def test_four_items_are_no_proof(ahead: int, told: bool) -> None:  # noqa: FBT001
    """A perfect judge is ahead of one with four errors by luck; with a few more it is not."""
    human = np.tile([0, 1], 20)
    two = np.where(np.arange(40) < ahead, 1 - human, human)

    assert (kappa_difference(Pairs(human, human, 2), two, identity(2)).low > 0) == told


@given(st.integers(0, 10_000))
def test_swapping_the_judges_turns_the_sign(seed: int) -> None:
    """Whoever comes first, the difference is the same; relabelling a nominal scale too."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(8, 60)), int(rng.integers(2, 5))
    human, one, two = rng.integers(0, k, (3, n))
    other = rng.permutation(k)

    found = kappa_difference(Pairs(human, one, k), two, identity(k))
    turned = kappa_difference(Pairs(human, two, k), one, identity(k))
    named = kappa_difference(Pairs(other[human], other[one], k), other[two], identity(k))

    if isinstance(found, Undefined):
        assert found == named
        return
    assert turned.value == pytest.approx(-found.value)
    assert (named.value, named.low) == pytest.approx((found.value, found.low))


def test_degenerate() -> None:
    """Why there is no difference is told."""
    none = np.zeros(0, int)
    ten = np.tile([0, 1], 10)

    def reason(pairs: Pairs, other: np.ndarray) -> str:
        found = kappa_difference(pairs, other, identity(2))
        assert isinstance(found, Undefined)
        return found.reason

    assert reason(Pairs(none, none, 2), none) == "empty"
    assert reason(Pairs(np.zeros(20, int), np.zeros(20, int), 2), ten) == "single_category"
    assert reason(Pairs(ten, ten, 2, clusters=np.arange(20) // 4), ten) == "too_few_clusters"
    lonely = np.eye(1, 20, dtype=int)[0]
    assert reason(Pairs(lonely, lonely, 2), lonely) == "too_few_items"
    constant = kappa_difference(Pairs(ten, ten, 2), np.zeros(20, int), identity(2))
    assert isinstance(constant, Estimate)
    assert constant.value == 1


@pytest.mark.parametrize("other", [[0, 1], [0, 1, 2], [0, 1, -1], [0.0, 1.0, 1.0]])
def test_misuse_is_refused(other: list) -> None:
    """Another length, or a code off the scale."""
    with pytest.raises(ValueError, match=r"."):
        kappa_difference(Pairs(np.array([0, 1, 1]), np.array([0, 1, 0]), 2), other, identity(2))
