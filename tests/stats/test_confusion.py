import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    pass_decision,
    precision,
    recall,
    sensitivity,
    specificity,
    wilson,
)
from judgekit.stats.arrays import FloatArray
from judgekit.stats.confusion import (
    balanced_accuracy,
    balanced_accuracy_of,
    f1,
    f1_of,
    mcc,
    mcc_of,
)
from judgekit.stats.correlation import pearson
from judgekit.stats.intervals import table_estimate
from tests.stats.strategies import clustered_pairs, pairs_of, tables, unhurried


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def test_mcc_by_hand() -> None:
    """Two levels: (ad - bc) / sqrt of the product of the four margins."""
    assert mcc([[6, 2], [1, 11]]) == pytest.approx(64 / math.sqrt(8 * 12 * 7 * 13))


def test_mcc_of_three_by_hand() -> None:
    """p_o = 3/5, sum r c = 7/25, sum r^2 = 9/25, sum c^2 = 11/25."""
    table = [[1, 1, 0], [0, 1, 0], [0, 1, 1]]

    assert mcc(table) == pytest.approx((15 - 7) / math.sqrt(16 * 14))


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[0, 0], [0, 0]], "empty"),
        ([[3, 0], [2, 0]], "zero_variance"),
        ([[3, 2], [0, 0]], "zero_variance"),
        ([[5, 0], [0, 0]], "zero_variance"),
    ],
)
def test_mcc_undefined(table: list[list[float]], reason: str) -> None:
    """0 / 0 is not 0."""
    found = mcc(table)

    assert found == Undefined(reason, int(np.sum(table)), "mcc")  # type: ignore[arg-type]


@given(tables(max_k=2))
@unhurried
def test_mcc_of_two_levels_is_pearson(table: FloatArray) -> None:
    """On two levels it is the correlation of the codes."""
    here, there = mcc(table), pearson(table, [0, 1])

    if isinstance(there, Undefined):
        assert isinstance(here, Undefined)
    else:
        assert here == pytest.approx(there, abs=1e-9)


@given(tables(), st.integers(0, 2**32 - 1))
@unhurried
def test_mcc_knows_no_order(table: FloatArray, seed: int) -> None:
    """Relabelling, swapping and an unused level change nothing."""
    k = table.shape[0]
    order = np.random.default_rng(seed).permutation(k)
    wider = np.pad(table, (0, 1))
    found = mcc_of(table)

    for other in (table[np.ix_(order, order)], table.T, wider):
        assert mcc_of(other) == pytest.approx(float(found), abs=1e-9, nan_ok=True)
    assert np.isnan(found) or -1 <= found <= 1


def test_mcc_has_an_interval() -> None:
    """Its twin fits the path-score interval; a perfect judge leaves room below."""
    found = estimate(table_estimate(pairs_of(np.diag([9.0, 12, 9])), mcc_of, name="mcc"))

    assert found.value == found.high == 1
    assert found.low < 0.95


def test_f1_by_hand() -> None:
    """Of 9 pairs with a pass from anybody 6 are passes of both: F1 = 12/15, curve of Wilson."""
    table = np.array([[11.0, 2], [1, 6]])
    found = estimate(f1(pairs_of(table))[1])
    both = estimate(wilson(6, 9))

    assert found.value == pytest.approx(12 / 15)
    assert (found.low, found.high) == pytest.approx(
        (2 * both.low / (1 + both.low), 2 * both.high / (1 + both.high))
    )
    assert (found.method, found.pairs) == ("f1/wilson", 9)


def test_f1_of_a_level_nobody_gave() -> None:
    """0 / 0 is undefined; a level only one side gave is 0."""
    found = f1(pairs_of(np.array([[5.0, 3, 0], [0, 0, 0], [0, 0, 0]])))

    assert estimate(found[1]).value == 0
    assert found[2] == Undefined("no_positive", 0, "f1/wilson", 0)
    assert np.isnan(f1_of(np.zeros((2, 2)))).all()


def test_no_answer_is_a_miss() -> None:
    """Two unreadable answers to passes count against the passes."""
    table = np.array([[5.0, 0, 0], [0, 4, 2], [0, 0, 0]])

    assert estimate(f1(pairs_of(table, extra=1))[1]).value == pytest.approx(8 / 10)


@given(tables(max_k=4))
@unhurried
def test_f1_is_the_harmonic_mean(table: FloatArray) -> None:
    """Of recall and precision, wherever both are defined and not 0."""
    pairs = pairs_of(table)
    rows = zip(f1(pairs), recall(pairs), precision(pairs), f1_of(table), strict=True)
    for both, hit, right, twin in rows:
        if isinstance(both, Undefined):
            assert np.isnan(twin)
            continue
        assert both.value == pytest.approx(twin)
        assert 0 <= both.low <= both.value <= both.high <= 1
        if isinstance(hit, Estimate) and isinstance(right, Estimate) and hit.value > 0:
            harmonic = 2 / (1 / hit.value + 1 / right.value)
            assert both.value == pytest.approx(harmonic)


def test_balanced_accuracy_by_hand() -> None:
    """Recalls 3/4 and 9/12: mean, and the two Wilson intervals together."""
    pairs = pairs_of(np.array([[6.0, 2], [3, 9]]))
    found = estimate(balanced_accuracy(pairs))
    first, second = estimate(wilson(6, 8)), estimate(wilson(9, 12))

    assert found.value == pytest.approx(0.75)
    assert found.low == pytest.approx(0.75 - math.hypot(0.75 - first.low, 0.75 - second.low) / 2)
    assert found.high == pytest.approx(0.75 + math.hypot(first.high - 0.75, second.high - 0.75) / 2)


def test_balanced_accuracy_of_a_constant_judge() -> None:
    """1 / levels, whatever the prevalence."""
    table = np.array([[0.0, 9, 0], [0, 2, 0], [0, 30, 0]])

    assert estimate(balanced_accuracy(pairs_of(table))).value == pytest.approx(1 / 3)


def test_balanced_accuracy_of_a_pass_mark() -> None:
    """It is the mean of sensitivity and specificity."""
    pairs, passes = pairs_of(np.array([[5.0, 2, 1], [1, 7, 2], [0, 3, 9]])), [False, False, True]
    found = estimate(balanced_accuracy(pass_decision(pairs, passes)))

    expected = (
        estimate(sensitivity(pairs, passes)).value + estimate(specificity(pairs, passes)).value
    ) / 2
    assert found.value == pytest.approx(expected)


def test_balanced_accuracy_needs_every_level() -> None:
    """The recall of a level the human never gave is unknown."""
    found = balanced_accuracy(pairs_of(np.array([[5.0, 1], [0, 0]])))

    assert found == Undefined("no_positive", 6, "balanced_accuracy/mover", 6)
    none = Pairs(np.zeros(0, int), np.zeros(0, int), 2)
    assert balanced_accuracy(none) == Undefined("empty", 0, "balanced_accuracy/mover", 0)


def test_balanced_accuracy_clusters() -> None:
    """Four copies in a cluster are worth one; nine clusters are too few."""
    table = np.array([[8.0, 4], [3, 15]])
    plain = pairs_of(table)
    four = Pairs(plain.human.repeat(4), plain.judge.repeat(4), 2, items=np.arange(30).repeat(4))
    found, alone = estimate(balanced_accuracy(four)), estimate(balanced_accuracy(plain))

    assert found.design_effect == pytest.approx(4 * 30 / 29)
    assert found.low == pytest.approx(alone.low, abs=0.02)
    few = balanced_accuracy(four.subset(four.items < 9))  # type: ignore[operator]
    assert isinstance(few, Undefined)


@given(clustered_pairs())
@unhurried
def test_balanced_accuracy_lies_in_its_interval(pairs: Pairs) -> None:
    """Within [0, 1], and the twin says the same."""
    found, twin = balanced_accuracy(pairs), balanced_accuracy_of(pairs.table())

    if isinstance(found, Undefined):
        assert np.isnan(twin)
    else:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.value == pytest.approx(float(twin))
