import numpy as np
import pytest
from hypothesis import given

from judgekit.stats import Estimate, Pairs, Undefined, critical, mean_signed_error, wilson
from judgekit.stats.arrays import FloatArray
from judgekit.stats.level_errors import (
    absolute_error,
    mean_absolute_error,
    mean_absolute_error_of,
)
from tests.stats.strategies import pairs_of, tables, unhurried

VALUES = [1.0, 2.0, 5.0]


def test_by_hand() -> None:
    """Errors 0, 1, 3 and 4 on the levels 1, 2, 5."""
    table = np.array([[1.0, 1, 0], [0, 0, 1], [1, 0, 0]])

    assert mean_absolute_error(table, VALUES) == pytest.approx(2)


def test_a_scale_of_one_level_has_no_errors() -> None:
    """Nothing can be wrong, and nothing is divided by a range of 0."""
    found = absolute_error(Pairs(np.zeros(5, int), np.zeros(5, int), 1), [2.0])
    assert isinstance(found, Estimate)

    assert (found.value, found.low) == (0, 0)


def test_a_constant_judge_has_an_error() -> None:
    """What correlations cannot say of it, the error can."""
    assert mean_absolute_error([[0, 4], [0, 4]], [0, 3]) == pytest.approx(1.5)


def test_of_nothing_is_undefined() -> None:
    """No pairs, no error."""
    none = Pairs(np.zeros(0, int), np.zeros(0, int), 3)
    method = "mean_absolute_error/wilson"

    assert mean_absolute_error(np.zeros((3, 3)), VALUES) == Undefined(
        "empty", 0, "mean_absolute_error"
    )
    assert absolute_error(none, VALUES) == Undefined("empty", 0, method, 0)
    one = Pairs(np.array([0]), np.array([1]), 3)
    assert absolute_error(one, VALUES) == Undefined("zero_variance", 1, method, 1)


def test_two_levels_are_a_share() -> None:
    """On two levels it is the rate of disagreement, with Wilson's interval (t for normal)."""
    found = absolute_error(pairs_of(np.array([[20.0, 3], [2, 15]])), [0, 1])
    expected = wilson(5, 40 * 39 / 40, n_eff=39, df=39)
    assert isinstance(found, Estimate)
    assert isinstance(expected, Estimate)

    # the unbiased variance makes 40 pairs worth 39
    assert found.value == 5 / 40
    assert found.high == pytest.approx(expected.high, abs=5e-3)
    assert found.low == pytest.approx(expected.low, abs=5e-3)


def test_no_error_seen_is_no_proof() -> None:
    """30 of 30 right: up to the range times Wilson's limit of 0 of 30."""
    codes = np.arange(30) % 3
    found = absolute_error(Pairs(codes, codes, 3), VALUES)
    assert isinstance(found, Estimate)
    unseen = critical(0.95) ** 2 / (30 + critical(0.95) ** 2)

    assert (found.value, found.low, found.high) == (0, 0, pytest.approx(4 * unseen))


def test_clusters_widen_it() -> None:
    """Four copies of each pair in a cluster are worth one."""
    rng = np.random.default_rng(3)
    human, judge = rng.integers(0, 3, 30), rng.integers(0, 3, 30)
    plain = absolute_error(Pairs(human, judge, 3), VALUES)
    four = absolute_error(
        Pairs(human.repeat(4), judge.repeat(4), 3, clusters=np.arange(30).repeat(4)), VALUES
    )
    assert isinstance(plain, Estimate)
    assert isinstance(four, Estimate)

    assert four.value == pytest.approx(plain.value)
    assert (four.low, four.high) == pytest.approx((plain.low, plain.high), abs=0.01)
    assert (four.clusters, four.n, four.pairs) == (30, 120, 120)
    nine = Pairs(human[:18], judge[:18], 3, clusters=np.arange(18) // 2)
    few = absolute_error(nine, VALUES)
    assert isinstance(few, Undefined)
    assert few.reason == "too_few_clusters"


def test_answers_that_are_no_level_are_left_out() -> None:
    """An unreadable answer has no distance."""
    table = np.array([[8.0, 4, 3], [1, 7, 2], [0, 0, 0]])

    assert absolute_error(pairs_of(table, extra=1), [0, 1]) == absolute_error(
        pairs_of(table[:2, :2]), [0, 1]
    )


@given(tables(max_k=4))
@unhurried
def test_it_bounds_the_signed_error(table: FloatArray) -> None:
    """The mean distance is at least the distance of the means, and within the range."""
    values = [float(v**2) for v in range(1, table.shape[0] + 1)]
    found = absolute_error(pairs_of(table), values)
    signed = mean_signed_error(pairs_of(table), values)
    assert isinstance(found, Estimate)
    assert isinstance(signed, Estimate)

    assert found.value == pytest.approx(mean_absolute_error_of(table[None], values)[0])
    assert found.value >= abs(signed.value) - 1e-9
    assert 0 <= found.low <= found.value <= found.high <= values[-1] - values[0] + 1e-9
    assert found.low < found.high
