import itertools
import sys

import numpy as np
import pytest
from hypothesis import given, settings

from judgekit.stats import Undefined, identity, kappa, linear, quadratic
from judgekit.stats.arrays import FloatArray
from judgekit.stats.kappa_max import _transported, kappa_max
from tests.stats.strategies import tables, unhurried, weighted_tables


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


def test_by_hand() -> None:
    """Margins .6, .4 and .3, .7: at best .7 agree, by chance .46."""
    assert kappa_max([[3, 3], [0, 4]]) == pytest.approx((0.7 - 0.46) / (1 - 0.46))


def test_linear_by_hand() -> None:
    """Margins 1/2, 0, 1/2 and 0, 1, 0: nobody can agree better than by half."""
    # p_max = .5 = p_e, so kappa can only be 0
    assert kappa_max([[0, 2, 0], [0, 0, 0], [0, 2, 0]], linear([1, 2, 3])) == pytest.approx(0)


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[5, 0], [0, 0]]])
def test_undefined_where_kappa_is(table: list[list[float]]) -> None:
    """Nothing, and one category."""
    found, plain = kappa_max(table), kappa(table, identity(2))
    assert isinstance(found, Undefined)
    assert isinstance(plain, Undefined)

    assert (found.reason, found.n, found.method) == (plain.reason, plain.n, "kappa_max")


@given(weighted_tables())
@unhurried
def test_it_bounds_kappa(drawn: tuple[FloatArray, FloatArray]) -> None:
    """Never below kappa, never above 1; 1 for equal margins."""
    table, w = drawn

    assert number(kappa(table, w)) - 1e-9 <= number(kappa_max(table, w)) <= 1 + 1e-9
    assert kappa_max(table + table.T, w) == pytest.approx(1)


@given(tables(max_k=4))
@settings(unhurried, max_examples=30)
def test_matching_from_the_end_is_the_best(table: FloatArray) -> None:
    """For ordered weights the linear program finds nothing better."""
    k = table.shape[0]
    P = table / table.sum()
    r, c = P.sum(axis=1), P.sum(axis=0)
    for w in (linear(range(k)), quadratic([v**2 for v in range(k)])):
        best = _transported(r, c, w)
        chance = float(r @ w @ c)

        assert kappa_max(table, w) == pytest.approx((best - chance) / (1 - chance), abs=1e-7)


def test_ordered_weights_need_no_linear_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual weights do not wait for SciPy."""
    module = sys.modules["judgekit.stats.kappa_max"]  # the name is also the function's
    monkeypatch.setattr(module, "_transported", None)
    table = np.array([[4.0, 3, 1], [1, 5, 4], [0, 1, 6]])

    for w in (identity(3), linear([1, 2, 5]), quadratic([5, 2, 1])):
        assert number(kappa_max(table, w)) < 1


def test_any_weights() -> None:
    """Weights without an order: the best of all matchings of three equal items each."""
    w = np.array([[1, 0, 0.9], [0.2, 1, 0], [0.1, 0.8, 1]])
    r, c = np.array([2, 1, 0]), np.array([0, 1, 2])
    rows, columns = [0, 0, 1], [1, 2, 2]
    best = max(
        sum(w[i, columns[j]] for i, j in zip(rows, order, strict=True)) / 3
        for order in itertools.permutations(range(3))
    )
    table = np.zeros((3, 3))
    np.add.at(table, (rows, columns), 1)
    chance = float(r @ w @ c) / 9

    assert kappa_max(table, w) == pytest.approx((best - chance) / (1 - chance))
