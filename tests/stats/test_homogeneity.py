import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, Undefined, critical, identity, kappa, quadratic, standard_error
from judgekit.stats.homogeneity import Homogeneity, homogeneity, kappa_homogeneity
from tests.stats.strategies import pairs_of, unhurried

GOOD = np.array([[20.0, 2], [3, 25]])
POOR = np.array([[14.0, 9], [8, 12]])


def found(outcome: Homogeneity | Undefined) -> Homogeneity:
    """The outcome, where there must be one."""
    assert isinstance(outcome, Homogeneity)
    return outcome


def test_two_slices_by_hand() -> None:
    """.8 ± .1 and .5 ± .2: weights 100 and 25."""
    # common = (80 + 12.5) / 125 = .74; X^2 = 100 * .06^2 + 25 * .24^2 = 1.8, one degree of freedom
    outcome = found(homogeneity([0.8, 0.5], [0.1, 0.2], [60, 40]))
    half = critical(0.95) / math.sqrt(125)

    assert outcome.common.value == pytest.approx(0.74)
    assert (outcome.common.low, outcome.common.high) == pytest.approx((0.74 - half, 0.74 + half))
    assert (outcome.test.statistic, outcome.test.df) == (pytest.approx(1.8), 1)
    assert outcome.test.p == pytest.approx(math.erfc(math.sqrt(0.9)))
    assert (outcome.test.n, outcome.common.n) == (100, 100)


def test_equal_slices_are_alike() -> None:
    """Nothing between them, and the common error is that of both together."""
    outcome = found(homogeneity([0.6] * 4, [0.1] * 4, [30] * 4, confidence=0.9))

    assert outcome.test.statistic == pytest.approx(0, abs=1e-12)
    assert outcome.test.p == pytest.approx(1)
    assert outcome.common.high - 0.6 == pytest.approx(critical(0.9) * 0.05)


def test_kappas_of_slices() -> None:
    """Values and errors are those of each slice's table."""
    w, tables = quadratic([0, 1]), (GOOD, POOR)
    expected = homogeneity(
        [kappa(t, w) for t in tables],  # type: ignore[misc]
        [standard_error(t, w) for t in tables],  # type: ignore[misc]
        [50, 43],
    )
    outcome = found(kappa_homogeneity([pairs_of(t) for t in tables], w))

    assert outcome.test.statistic == pytest.approx(found(expected).test.statistic)
    assert outcome.common.value == pytest.approx(found(expected).common.value)
    assert outcome.test.p < 0.01


def test_clusters_weaken_the_test() -> None:
    """Each pair three times in its cluster: nearly as if once."""
    slices = [pairs_of(t) for t in (GOOD, POOR)]
    thrice = [
        Pairs(p.human.repeat(3), p.judge.repeat(3), 2, clusters=np.arange(len(p)).repeat(3))
        for p in slices
    ]
    once, together = (found(kappa_homogeneity(s, identity(2))).test for s in (slices, thrice))

    # the cluster variance has G / (G - 1) on top
    assert together.statistic == pytest.approx(once.statistic, rel=0.03)
    assert together.statistic < once.statistic


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.01, 0.5)), min_size=2, max_size=6))
@unhurried
def test_the_common_value_lies_between(slices: list[tuple[float, float]]) -> None:
    """Between the least and the greatest, whatever the order of slices."""
    values, errors = zip(*slices, strict=True)
    outcome = found(homogeneity(values, errors, [30] * len(slices)))
    turned = found(homogeneity(values[::-1], errors[::-1], [30] * len(slices)))

    assert min(values) - 1e-12 <= outcome.common.value <= max(values) + 1e-12
    assert outcome.test.statistic >= 0
    assert turned.test.statistic == pytest.approx(outcome.test.statistic)


def test_unusable_slices() -> None:
    """Too few slices or items, no error, no kappa, too few clusters."""
    w, good = identity(2), pairs_of(GOOD)
    agreed, single = pairs_of(np.diag([20.0, 15])), pairs_of(np.diag([40.0, 0]))
    small = pairs_of(np.array([[10.0, 4], [5, 10]]))
    nine = Pairs(good.human, good.judge, 2, clusters=np.arange(50) % 9)

    def reason(*slices: Pairs) -> str:
        outcome = kappa_homogeneity(slices, w)
        assert isinstance(outcome, Undefined)
        assert outcome.method == "kappa_homogeneity"
        return outcome.reason

    assert reason() == reason(good) == reason(good, small) == "too_few_items"
    assert reason(good, agreed) == "zero_variance"
    assert reason(good, single) == "single_category"
    assert reason(good, nine) == "too_few_clusters"


def test_misuse() -> None:
    """One entry of each kind for each slice."""
    with pytest.raises(ValueError, match="one entry"):
        homogeneity([0.1, 0.2], [0.1], [30, 30])
    with pytest.raises(ValueError, match="confidence"):
        homogeneity([0.1, 0.2], [0.1, 0.1], [30, 30], confidence=95)
