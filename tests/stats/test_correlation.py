import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Undefined, contingency, kappa, quadratic
from judgekit.stats.arrays import FloatArray
from judgekit.stats.correlation import (
    kendall_tau_b,
    kendall_tau_b_of,
    lin_ccc,
    lin_ccc_of,
    pearson,
    pearson_of,
    spearman,
    spearman_of,
)
from judgekit.stats.intervals import table_estimate
from tests.stats.strategies import level_values, pairs_of, tables, unhurried

Statistic = Callable[[FloatArray, list[float]], float | Undefined]

TWINS: list[tuple[Statistic, Callable[[FloatArray, list[float]], FloatArray]]] = [
    (pearson, pearson_of),
    (spearman, spearman_of),
    (kendall_tau_b, kendall_tau_b_of),
    (lin_ccc, lin_ccc_of),
]
CORRELATIONS = [single for single, _ in TWINS]


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


@pytest.fixture
def example() -> FloatArray:
    """Five pairs: human 1 1 2 3 3, judge 1 2 2 2 3."""
    return contingency([0, 0, 1, 2, 2], [0, 1, 1, 1, 2], 3)


def test_pearson_by_hand(example: FloatArray) -> None:
    """Deviations -1 -1 0 1 1 and -1 0 0 0 1: 2 / sqrt(4 * 2)."""
    assert pearson(example, [1, 2, 3]) == pytest.approx(2 / math.sqrt(8))


def test_spearman_by_hand(example: FloatArray) -> None:
    """Mid-ranks 1.5 1.5 3 4.5 4.5 and 1 3 3 3 5: 6 / sqrt(9 * 8)."""
    assert spearman(example, [1, 2, 3]) == pytest.approx(6 / math.sqrt(72))


def test_kendall_by_hand(example: FloatArray) -> None:
    """Ten pairs of items: 5 concordant, 2 tied for the human, 3 for the judge."""
    assert kendall_tau_b(example, [1, 2, 3]) == pytest.approx(5 / math.sqrt(8 * 7))


def test_discordance_counts() -> None:
    """Human 1 2 3, judge 1 3 2: two pairs concordant, one discordant, no ties."""
    table = contingency([0, 1, 2], [0, 2, 1], 3)

    assert kendall_tau_b(table, [1, 2, 3]) == pytest.approx(1 / 3)
    assert kendall_tau_b(table[::-1], [1, 2, 3]) == pytest.approx(-1 / 3)


def test_ccc_by_hand(example: FloatArray) -> None:
    """2 * (2/5) / (4/5 + 2/5 + 0): the spread of the judge is too small."""
    assert lin_ccc(example, [1, 2, 3]) == pytest.approx(2 / 3)


def test_a_kind_judge_has_perfect_ranks() -> None:
    """One level up throughout: order is all right, agreement is none; only Lin's sees it."""
    table = contingency([0, 1, 2, 0, 1, 2], [1, 2, 3, 1, 2, 3], 4)
    values = [1.0, 2, 3, 4]

    for correlation in (pearson, spearman, kendall_tau_b):
        assert correlation(table, values) == pytest.approx(1)
    # variance 2/3 each, shift 1: 2 * 2/3 / (4/3 + 1)
    assert lin_ccc(table, values) == pytest.approx(4 / 7)


def test_values_count_for_pearson_and_not_for_ranks(example: FloatArray) -> None:
    """On 1, 2, 10 the top level weighs more; its rank is what it was."""
    assert pearson(example, [1, 2, 10]) != pytest.approx(number(pearson(example, [1, 2, 3])))
    for correlation in (spearman, kendall_tau_b):
        assert correlation(example, [1, 2, 10]) == correlation(example, [1, 2, 3])


def test_levels_are_ranked_by_value(example: FloatArray) -> None:
    """A scale listed in another order is the same scale."""
    order = [2, 0, 1]
    shuffled = example[np.ix_(order, order)]

    for correlation in CORRELATIONS:
        expected = number(correlation(example, [1, 2, 5]))
        assert correlation(shuffled, [5, 1, 2]) == pytest.approx(expected)


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_nothing_and_one_level_are_undefined(correlation: Statistic) -> None:
    """No pairs; both sides on one level; a single pair."""
    name = correlation.__name__

    assert correlation(np.zeros((2, 2)), [0, 1]) == Undefined("empty", 0, name)
    for table in ([[0, 0], [0, 7]], [[1, 0], [0, 0]], [[0, 1], [0, 0]]):
        found = correlation(np.array(table, float), [0, 1])
        assert found == Undefined("zero_variance", int(np.sum(table)), name)


@pytest.mark.parametrize("table", [[[3, 0], [2, 0]], [[3, 2], [0, 0]], [[0, 6], [0, 0]]])
def test_a_constant_side_has_no_correlation(table: list[list[float]]) -> None:
    """A judge, a human or both, of one level: undefined; Lin's is 0, as kappa is."""
    for correlation in (pearson, spearman, kendall_tau_b):
        found = correlation(np.array(table), [0, 1])
        assert isinstance(found, Undefined)
        assert found.reason == "zero_variance"
    assert lin_ccc(np.array(table), [0, 1]) == 0


@pytest.mark.parametrize(
    ("table", "values", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], [0, 1], "square"),
        ([[1, -2], [3, 4]], [0, 1], "negative count"),
        ([[1, 2], [3, 4]], [0, 1, 2], "values must be"),
        ([[1, 2], [3, 4]], [0, math.inf], "values must be"),
        ([[1, 2], [3, 4]], [1, 1], "must differ"),
    ],
)
def test_misuse_is_an_error(table: list[list[float]], values: list[float], message: str) -> None:
    """What does not fit is refused."""
    for correlation in CORRELATIONS:
        with pytest.raises(ValueError, match=message):
            correlation(np.array(table), values)


@given(tables(), st.data())
@unhurried
def test_ccc_is_quadratic_kappa(table: FloatArray, data: st.DataObject) -> None:
    """Lin's concordance with 1/n moments is kappa with quadratic weights by the same values."""
    values = data.draw(level_values(table.shape[0]))

    assert lin_ccc(table, values) == pytest.approx(
        number(kappa(table, quadratic(values))), abs=1e-9
    )


@given(tables(), st.data())
@unhurried
def test_symmetry_and_range(table: FloatArray, data: st.DataObject) -> None:
    """Raters may swap; a scale may be read backwards; all lie in [-1, 1]; more of the same."""
    values = data.draw(level_values(table.shape[0]))
    for correlation in CORRELATIONS:
        found = correlation(table, values)
        if isinstance(found, Undefined):
            continue
        for other in (
            correlation(table.T, values),
            correlation(table, [-v for v in values]),
            correlation(table * 7, values),
        ):
            assert other == pytest.approx(found, abs=1e-9)
        assert -1 <= found <= 1


@given(st.lists(tables(min_k=3, max_k=3), min_size=1, max_size=4))
@unhurried
def test_a_stack_is_its_tables(stack: list[FloatArray]) -> None:
    """Many tables at once, counts or shares, give what each gives alone."""
    values = [1.0, 2, 5]
    for single, twin in TWINS:
        counts = twin(np.stack(stack), values)
        shares = twin(np.stack([t / t.sum() for t in stack]), values)
        assert counts == pytest.approx(shares, abs=1e-9, nan_ok=True)
        for table, value in zip(stack, counts, strict=True):
            found = single(table, values)
            if isinstance(found, Undefined):
                assert math.isnan(value)
            else:
                assert found == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("twin", [twin for _, twin in TWINS])
def test_intervals_hold_the_value(twin: Callable[[FloatArray, list[float]], FloatArray]) -> None:
    """The twins fit the path-score interval: no spread seen still leaves room below."""
    values = [1.0, 2, 3]
    for table in (np.diag([10.0, 6, 9]), np.array([[9.0, 3, 0], [2, 8, 2], [0, 1, 9]])):
        found = table_estimate(pairs_of(table), lambda T: twin(T, values), name="correlation")
        assert isinstance(found, Estimate)
        assert found.low < found.value <= found.high <= 1
        assert found.low < 1
