import math

import numpy as np
import pytest
from hypothesis import assume, given

from judgekit.stats import Undefined
from judgekit.stats.arrays import FloatArray
from judgekit.stats.paired import Variant, bhapkar, bowker, mcnemar, stuart_maxwell
from judgekit.stats.significance import HypothesisTest
from tests.stats.strategies import tables, unhurried

VARIANTS: tuple[Variant, ...] = ("exact", "midp", "chi2", "edwards")
# A judge on five levels; seven of the ten pairs of levels are ever confused.
JUDGE = [[8, 4, 1, 0, 0], [3, 11, 5, 1, 0], [0, 4, 16, 6, 1], [0, 1, 5, 15, 4], [0, 0, 1, 4, 10]]


def seen(found: HypothesisTest | Undefined) -> HypothesisTest:
    """The test, where there must be one."""
    assert isinstance(found, HypothesisTest)
    return found


def test_mcnemar_by_hand() -> None:
    """Six to none: all four variants."""
    # exact 2 / 64; mid-p takes one point mass 1/64 away; chi2 36/6 = 6; Edwards 25/6
    table = [[30, 0], [6, 4]]
    exact, midp, plain, edwards = (seen(mcnemar(table, v)) for v in VARIANTS)

    assert (exact.p, midp.p) == (pytest.approx(1 / 32), pytest.approx(1 / 64))
    assert (plain.statistic, edwards.statistic) == (pytest.approx(6), pytest.approx(25 / 6))
    # chi-squared with one degree of freedom: P(|Z| > sqrt(x)) = erfc(sqrt(x / 2))
    assert plain.p == pytest.approx(math.erfc(math.sqrt(3)))
    assert edwards.p == pytest.approx(math.erfc(math.sqrt(25 / 12)))
    assert (exact.n, exact.df, exact.statistic, plain.df) == (40, None, 0, 1)
    assert exact.method == "mcnemar/exact"


def test_mcnemar_in_the_middle() -> None:
    """As many one way as the other: p is 1; mid-p counts the shared middle once."""
    # C(8, 4) / 2^8 = 70/256
    table = [[5, 4], [4, 5]]

    assert [seen(mcnemar(table, v)).p for v in ("exact", "chi2", "edwards")] == [1, 1, 1]
    assert seen(mcnemar(table, "midp")).p == pytest.approx(1 - 70 / 512)


@given(tables(max_k=2))
@unhurried
def test_mcnemar_is_symmetric(table: FloatArray) -> None:
    """Swapping the ratings changes no p; mid-p lies below exact; agreements do not matter."""
    assume(table[0, 1] + table[1, 0] > 0)
    more = table + np.diag([7, 11])
    for variant in VARIANTS:
        p = seen(mcnemar(table, variant)).p

        assert 0 <= p <= 1
        assert seen(mcnemar(table.T, variant)).p == pytest.approx(p)
        assert seen(mcnemar(more, variant)).p == pytest.approx(p)
    assert seen(mcnemar(table, "midp")).p < seen(mcnemar(table)).p


def test_two_levels_are_mcnemar() -> None:
    """Stuart-Maxwell and Bowker of a 2 x 2 table are McNemar's chi-squared."""
    table = [[70, 12], [4, 14]]
    expected = seen(mcnemar(table, "chi2"))
    for found in (seen(stuart_maxwell(table)), seen(bowker(table))):
        assert (found.statistic, found.df) == (pytest.approx(expected.statistic), 1)
        assert found.p == pytest.approx(expected.p)
    # S = 4, n = 100: 4 / .96
    assert seen(bhapkar(table)).statistic == pytest.approx(4 / 0.96)


def test_stuart_maxwell_by_hand() -> None:
    """Three levels: Fleiss' formula with the averaged off-diagonal counts."""
    # m12 = (3 + 1)/2 = 2, m13 = (2 + 1)/2 = 1.5, m23 = (4 + 1)/2 = 2.5
    # rows 10, 12, 9; columns 7, 11, 13: d = 3, 1, -4
    # (m23 d1^2 + m13 d2^2 + m12 d3^2) / (2 (m12 m23 + m12 m13 + m13 m23))
    #   = (22.5 + 1.5 + 32) / (2 (5 + 3 + 3.75)) = 56 / 23.5
    found = seen(stuart_maxwell([[5, 3, 2], [1, 7, 4], [1, 1, 7]]))

    assert (found.statistic, found.df) == (pytest.approx(56 / 23.5), 2)


def test_bowker_counts_only_what_occurs() -> None:
    """Seven of ten pairs of levels are confused, so there are seven degrees of freedom."""
    # (4-3)^2/7 + (1-0)^2/1 + (5-4)^2/9 + 0 + (6-5)^2/11 + (1-1)^2/2 + 0
    found = seen(bowker(JUDGE))

    assert found.statistic == pytest.approx(1 / 7 + 1 + 1 / 9 + 1 / 11)
    assert found.df == 7
    assert seen(stuart_maxwell(JUDGE)).df == 4


@given(tables(min_k=3))
@unhurried
def test_unused_levels_change_nothing(table: FloatArray) -> None:
    """A level nobody used, or on which both always agree, takes no part."""
    k = len(table)
    wider = np.zeros((k + 2, k + 2))
    wider[:k, :k] = table
    wider[k, k] = 9
    for statistic in (stuart_maxwell, bowker):
        here, there = statistic(table), statistic(wider)
        if isinstance(here, Undefined):
            assert there == Undefined(here.reason, here.n + 9, here.method)
        else:
            assert isinstance(there, HypothesisTest)
            assert (there.statistic, there.df) == (
                pytest.approx(here.statistic, abs=1e-9),
                here.df,
            )


@given(tables())
@unhurried
def test_marginal_tests_are_sound(table: FloatArray) -> None:
    """Swapping the ratings changes nothing; Bhapkar exceeds Stuart-Maxwell; p lies in [0, 1]."""
    found, other = stuart_maxwell(table), stuart_maxwell(table.T)
    assume(isinstance(found, HypothesisTest))
    plain, turned, wider = seen(found), seen(other), bhapkar(table)

    assert turned.statistic == pytest.approx(plain.statistic, abs=1e-8)
    assert 0 <= plain.p <= 1
    assert plain.statistic <= table.sum() + 1e-8
    if isinstance(wider, HypothesisTest):
        assert wider.statistic >= plain.statistic
        assert (wider.df, wider.method) == (plain.df, "bhapkar")


def test_symmetric_tables_have_no_shift() -> None:
    """Equal margins: the statistics are 0 and p is 1."""
    table = [[5, 2, 1], [2, 6, 3], [1, 3, 7]]
    for found in (stuart_maxwell(table), bhapkar(table), bowker(table)):
        assert (seen(found).statistic, seen(found).p) == (pytest.approx(0, abs=1e-12), 1)


def test_nothing_seen_is_undefined() -> None:
    """No pairs, or no disagreement, or all of it in one direction."""
    none, agreed = [[0, 0], [0, 0]], [[9, 0], [0, 4]]
    for statistic, method in (
        (mcnemar, "mcnemar/exact"),
        (stuart_maxwell, "stuart_maxwell"),
        (bhapkar, "bhapkar"),
        (bowker, "bowker"),
    ):
        assert statistic(none) == Undefined("empty", 0, method)
        assert statistic(agreed) == Undefined("zero_variance", 13, method)
    assert bhapkar([[0, 5], [0, 0]]) == Undefined("zero_variance", 5, "bhapkar")


def test_misuse() -> None:
    """Wrong shapes, negative or fractional counts, unknown names."""
    with pytest.raises(ValueError, match="2 x 2"):
        mcnemar(np.eye(3))
    with pytest.raises(ValueError, match="no variant"):
        mcnemar(np.eye(2), "yates")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="whole counts"):
        mcnemar([[1, 1.5], [2, 1]])
    for statistic in (mcnemar, stuart_maxwell, bhapkar, bowker):
        with pytest.raises(ValueError, match="negative"):
            statistic([[1, -1], [2, 1]])
