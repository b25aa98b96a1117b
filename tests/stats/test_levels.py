import numpy as np
import pytest

from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    precision,
    recall,
    sensitivity,
    specificity,
    wilson,
)
from tests.stats.strategies import pairs_of

TABLE = np.array([[7.0, 1, 0], [2, 5, 0], [0, 3, 0]])


def values(found: tuple[Estimate | Undefined, ...]) -> list[float | str]:
    """Values, or reasons where there are none."""
    return [e.value if isinstance(e, Estimate) else e.reason for e in found]


def test_recall_goes_by_rows() -> None:
    """Of the human's 8, 7 and 3 the judge met 7, 5 and 0."""
    assert values(recall(pairs_of(TABLE))) == pytest.approx([7 / 8, 5 / 7, 0])


def test_precision_goes_by_columns() -> None:
    """Of the judge's 9, 9 and 0 the human confirmed 7, 5 and nothing: 0 / 0 is undefined."""
    assert values(precision(pairs_of(TABLE)))[:2] == pytest.approx([7 / 9, 5 / 9])
    assert precision(pairs_of(TABLE))[2] == Undefined("no_positive", 0, "precision/wilson", 0)


def test_the_interval_is_wilsons() -> None:
    """7 of 8, with the denominator on the label."""
    expected = wilson(7, 8)
    found = recall(pairs_of(TABLE))[0]
    assert isinstance(found, Estimate)
    assert isinstance(expected, Estimate)

    assert (found.low, found.high) == (expected.low, expected.high)
    assert (found.n, found.pairs, found.method) == (8, 8, "recall/wilson")


def test_sensitivity_and_specificity() -> None:
    """Levels 1 and 2 pass: of 10 passed the judge passes 8, of 8 failed it fails 7."""
    pairs, passes = pairs_of(TABLE), [False, True, True]

    assert values((sensitivity(pairs, passes), specificity(pairs, passes))) == [8 / 10, 7 / 8]


def test_one_sided_humans() -> None:
    """Nothing passed has no sensitivity, nothing failed no specificity."""
    pairs = pairs_of(np.array([[5.0, 5], [0, 0]]))

    assert sensitivity(pairs, [False, True]) == Undefined("no_positive", 0, "sensitivity/wilson", 0)
    assert specificity(pairs, [True, True]) == Undefined("no_negative", 0, "specificity/wilson", 0)


def test_unusable_answers_are_misses() -> None:
    """An extra column lowers recall, sensitivity and specificity; usable() leaves it out."""
    table = np.array([[6.0, 2, 2], [1, 7, 2], [0, 0, 0]])
    pairs, passes = pairs_of(table, extra=1), [False, True]

    assert values(recall(pairs)) == pytest.approx([0.6, 0.7])
    assert values((specificity(pairs, passes), sensitivity(pairs, passes))) == [0.6, 0.7]
    assert values(recall(pairs.usable())) == pytest.approx([6 / 8, 7 / 8])
    assert values(precision(pairs)) == pytest.approx([6 / 7, 7 / 9])


def test_clusters_widen() -> None:
    """Three copies of each pair in a cluster: as many items as before, a wider interval."""
    plain = pairs_of(np.array([[15.0, 5], [4, 16]]))
    copies = Pairs(plain.human.repeat(3), plain.judge.repeat(3), 2, items=np.arange(40).repeat(3))
    here, there = recall(plain)[0], recall(copies)[0]
    assert isinstance(here, Estimate)
    assert isinstance(there, Estimate)

    assert (there.value, there.n, there.pairs, there.clusters) == (here.value, 20, 60, 20)
    assert there.design_effect == pytest.approx(3 * 20 / 19)
    assert there.low < here.low < here.high < there.high


def test_a_flawless_level_in_clusters() -> None:
    """No miss seen: the mean cluster size is the design effect, and doubt remains."""
    codes = np.arange(60) // 2 % 2
    found = recall(Pairs(codes, codes, 2, items=np.arange(60) // 2))[0]
    assert isinstance(found, Estimate)

    assert (found.value, found.high, found.design_effect) == (1, 1, 2)
    assert found.low < 0.85


def test_too_few_clusters_of_a_level() -> None:
    """A level seen on nine items by two raters each has no interval; the other one has."""
    human = np.repeat([0, 1], [18, 40])
    pairs = Pairs(human, human, 2, items=np.arange(58) // 2)

    assert recall(pairs)[0] == Undefined("too_few_clusters", 9, "recall/wilson", 18)
    assert isinstance(recall(pairs)[1], Estimate)
