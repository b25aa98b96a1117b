import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judgekit.stats import (
    Undefined,
    identity,
    influence,
    kappa,
    linear,
    quadratic,
    raw_agreement,
    standard_error,
    with_disagreeing,
)
from judgekit.stats.arrays import FloatArray
from judgekit.stats.kappa import kappa_and_variance, kappa_of, null_standard_error
from tests.stats.strategies import tables, unhurried, weighted_tables, weights_for

Weighted = tuple[FloatArray, FloatArray]


def number(value: float | Undefined) -> float:
    """The number, where there must be one."""
    assert not isinstance(value, Undefined)
    return value


def test_worked_example() -> None:
    """Ten items, two levels, unequal margins."""
    # T = 4 1   r = .5 .5    p_o = .7
    #     2 3   c = .6 .4    p_e = .5*.6 + .5*.4 = .5    kappa = (.7 - .5) / .5 = .4
    table = [[4, 1], [2, 3]]

    assert kappa(table, identity(2)) == pytest.approx(0.4)
    assert raw_agreement(table) == pytest.approx(0.7)


def test_worked_standard_error() -> None:
    """The same ten items: each cell's bracket by hand."""
    # a = c = (.6, .4), b = r = (.5, .5), 1 - p_e = .5, 1 - p_o = .3
    # bracket_ij = .5 w_ij - .3 (a_i + b_j):
    #   11: .5 - .3*1.1 =  .17    12: -.3*1.1 = -.33
    #   21:    - .3*0.9 = -.27    22: .5 - .3*0.9 = .23
    # sum P [.]^2 = .4*.0289 + .1*.1089 + .2*.0729 + .3*.0529 = .0529
    # (p_o p_e - 2 p_e + p_o)^2 = (.35 - 1 + .7)^2 = .0025
    # SE^2 = (.0529 - .0025) / (10 * .0625) = .08064
    assert standard_error([[4, 1], [2, 3]], identity(2)) == pytest.approx(math.sqrt(0.08064))


def test_worked_null_error() -> None:
    """The same ten items, were there no agreement but by chance."""
    # r c' = .3 .2; .3 .2, and each bracket is w_ij - (a_i + b_j):
    #   11: 1 - 1.1 = -.1    12: -1.1    21: -.9    22: 1 - .9 = .1
    # sum = .3 * .01 + .2 * 1.21 + .3 * .81 + .2 * .01 = .49;  (.49 - .25) / (10 * .25) = .096
    found = null_standard_error([[4, 1], [2, 3]], identity(2))

    assert found == pytest.approx(math.sqrt(0.096))
    assert null_standard_error([[9, 0], [0, 0]], identity(2)) == kappa(
        [[9, 0], [0, 0]], identity(2)
    )
    assert null_standard_error([[5, 3], [0, 0]], identity(2)) == pytest.approx(0, abs=1e-12)


def test_worked_weighted_example() -> None:
    """Four items on the levels 1, 2, 5 with linear weights."""
    # pairs (1,1) (2,2) (5,2) (5,5): weights 1, 1, 1/4, 1       p_o = 3.25/4 = .8125
    # r = (1/4, 1/4, 1/2), c = (1/4, 1/2, 1/4); w: 12 -> 3/4, 25 -> 1/4, 15 -> 0
    # p_e = 1/4 (1/4 + 3/8) + 1/4 (3/16 + 1/2 + 1/16) + 1/2 (1/8 + 1/4) = .53125
    # kappa = (.8125 - .53125) / .46875 = .6
    table = [[1, 0, 0], [0, 1, 0], [0, 1, 1]]

    assert kappa(table, linear([1, 2, 5])) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param([[3, 0], [2, 0]], 0.0, id="constant-judge"),
        pytest.param([[2, 3], [0, 0]], 0.0, id="constant-human"),
        pytest.param([[0, 6], [0, 0]], 0.0, id="both-constant-different"),
        pytest.param([[0, 5], [5, 0]], -1.0, id="always-opposite"),
        pytest.param([[7, 0], [0, 2]], 1.0, id="perfect"),
    ],
)
def test_extreme_tables(table: list[list[int]], expected: float) -> None:
    """A rater of one level earns 0, not an error."""
    assert kappa(table, identity(2)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("table", "reason", "n"),
    [
        pytest.param([[0, 0], [0, 0]], "empty", 0, id="nothing"),
        pytest.param([[6, 0], [0, 0]], "single_category", 6, id="both-constant-same"),
        pytest.param([[1, 0], [0, 0]], "single_category", 1, id="one-item-agreeing"),
        pytest.param([[0, 1], [0, 0]], "single_category", 1, id="one-item-disagreeing"),
    ],
)
def test_undefined(table: list[list[int]], reason: str, n: int) -> None:
    """No number where there is none, from any of the three functions."""
    for statistic in (kappa, standard_error, influence):
        found = statistic(table, identity(2))

        assert isinstance(found, Undefined)
        assert (found.reason, found.n) == (reason, n)


def test_raw_agreement_of_nothing_is_undefined() -> None:
    """0 / 0 is not 0."""
    assert raw_agreement(np.zeros((2, 2))) == Undefined("empty", 0, "raw_agreement")


@pytest.mark.parametrize(
    ("table", "weights", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], np.eye(2), "square"),
        ([[1, 2], [3, 4]], np.eye(3), "the weights are"),
        ([[1, -2], [3, 4]], np.eye(2), "negative count"),
        ([[1, float("nan")], [3, 4]], np.eye(2), "finite"),
        ([[1, 2], [3, 4]], np.full((2, 2), np.inf), "finite"),
    ],
)
def test_shapes_are_checked(table: list[list[float]], weights: FloatArray, message: str) -> None:
    """What does not fit is an error, not a broadcast."""
    with pytest.raises(ValueError, match=message):
        kappa(table, weights)


@given(weighted_tables())
@unhurried
def test_kappa_lies_between_minus_one_and_one(drawn: Weighted) -> None:
    """The range of kappa."""
    assert -1 - 1e-12 <= number(kappa(*drawn)) <= 1 + 1e-12


@given(tables(), st.integers(0, 2**32 - 1))
@unhurried
def test_unordered_levels_have_no_names(table: FloatArray, seed: int) -> None:
    """Relabelling both raters alike changes neither the unweighted kappa nor its error."""
    k = table.shape[0]
    order = np.random.default_rng(seed).permutation(k)
    relabelled, w = table[np.ix_(order, order)], identity(k)

    assert kappa(relabelled, w) == pytest.approx(number(kappa(table, w)), abs=1e-9)
    assert standard_error(relabelled, w) == pytest.approx(
        number(standard_error(table, w)), abs=1e-7
    )


@given(weighted_tables())
@unhurried
def test_raters_may_swap(drawn: Weighted) -> None:
    """Kappa and its error are the same from both sides."""
    table, w = drawn

    assert kappa(table.T, w) == pytest.approx(number(kappa(table, w)), abs=1e-9)
    assert standard_error(table.T, w) == pytest.approx(number(standard_error(table, w)), abs=1e-7)


@given(weighted_tables())
@unhurried
def test_a_scale_may_be_read_backwards(drawn: Weighted) -> None:
    """Turning an evenly spaced scale round changes nothing."""
    table, w = drawn

    assert kappa(table[::-1, ::-1], w) == pytest.approx(number(kappa(table, w)), abs=1e-9)


@given(tables(max_k=4))
@unhurried
def test_an_unused_unordered_level_changes_nothing(table: FloatArray) -> None:
    """A nominal level nobody used leaves kappa and error alone."""
    k = table.shape[0]
    wider = np.zeros((k + 1, k + 1))
    wider[:k, :k] = table

    for statistic in (kappa, standard_error):
        found = statistic(wider, identity(k + 1))

        assert found == pytest.approx(number(statistic(table, identity(k))), abs=1e-12)


def test_an_unused_ordered_level_counts() -> None:
    """Sixteen items, only 1, 2 and 5 of a 1-5 scale used: renumbering them would make 2-5 cheap."""
    human = np.array([1, 2, 5, 5, 2, 1, 2, 5, 1, 2, 5, 5, 2, 2, 1, 5])
    judge = np.array([1, 2, 5, 2, 2, 2, 1, 5, 1, 5, 5, 5, 2, 1, 1, 5])
    declared, seen = np.zeros((5, 5)), np.zeros((3, 3))
    np.add.at(declared, (human - 1, judge - 1), 1)
    np.add.at(seen, (np.minimum(human, 3) - 1, np.minimum(judge, 3) - 1), 1)

    assert kappa(declared, linear([1, 2, 3, 4, 5])) == pytest.approx(0.6896551724137931)
    assert kappa(seen, linear([1, 2, 5])) == pytest.approx(0.6896551724137931)
    assert kappa(seen, linear([1, 2, 3])) == pytest.approx(0.6428571428571429)


@given(tables(max_k=2))
@unhurried
def test_two_levels_have_one_kappa(table: FloatArray) -> None:
    """With two levels the weights do not matter."""
    values = [number(kappa(table, weights_for(s, 2))) for s in ("identity", "linear", "quadratic")]

    assert values[0] == values[1] == values[2]


@given(weighted_tables(), st.integers(2, 50))
@unhurried
def test_more_of_the_same_narrows_the_error(drawn: Weighted, times: int) -> None:
    """``times`` as many pairs: same kappa, error smaller by the root."""
    table, w = drawn

    assert kappa(table * times, w) == pytest.approx(number(kappa(table, w)), abs=1e-9)
    assert number(standard_error(table * times, w)) * math.sqrt(times) == pytest.approx(
        number(standard_error(table, w)), abs=1e-7
    )


@given(tables(), st.data())
@unhurried
def test_mending_an_answer_never_lowers_kappa(table: FloatArray, data: st.DataObject) -> None:
    """Where kappa is not negative, a judge that corrects one answer gains, or stays."""
    before, k = number(kappa(table, identity(table.shape[0]))), table.shape[0]
    wrong = [(i, j) for i in range(k) for j in range(k) if i != j and table[i, j] > 0]
    assume(before >= 0 and wrong)
    i, j = data.draw(st.sampled_from(wrong))
    mended = table.copy()
    mended[i, j] -= 1
    mended[i, i] += 1
    after = kappa(mended, identity(k))

    assert isinstance(after, Undefined) or after >= before - 1e-12


@given(tables(max_k=4), st.data())
@unhurried
def test_leaving_out_an_answer_never_raises_kappa(table: FloatArray, data: st.DataObject) -> None:
    """Where kappa is not negative, an agreement turned into no answer costs, or changes nothing."""
    k = table.shape[0]
    wider = np.zeros((k + 1, k + 1))
    wider[:k, :k] = table
    before, right = number(kappa(table, identity(k))), [i for i in range(k) if table[i, i] > 0]
    assume(before >= 0 and right)
    i = data.draw(st.sampled_from(right))
    wider[i, i] -= 1
    wider[i, k] += 1

    assert number(kappa(wider, with_disagreeing(identity(k), 1))) <= before + 1e-12


@given(weighted_tables())
@unhurried
def test_influence_explains_the_error(drawn: Weighted) -> None:
    """Influence values have mean 0 and mean square n SE^2."""
    table, w = drawn
    pull, n = influence(table, w), table.sum()
    assert not isinstance(pull, Undefined)

    assert (table * pull).sum() / n == pytest.approx(0, abs=1e-9)
    assert (table * pull**2).sum() / n**2 == pytest.approx(
        number(standard_error(table, w)) ** 2, abs=1e-9
    )


@pytest.mark.parametrize("scheme", ["identity", "linear", "quadratic"])
def test_influence_is_the_slope(scheme: str) -> None:
    """Adding a little of one cell moves kappa by the cell's influence, margins unequal."""
    table, w = np.array([[9.0, 4, 1], [1, 6, 5], [0, 2, 12]]), weights_for(scheme, 3)
    pull, step = influence(table, w), 1e-6
    assert not isinstance(pull, Undefined)
    for cell in np.ndindex(3, 3):
        moved = table / table.sum() * (1 - step)
        moved[cell] += step
        slope = (number(kappa(moved * 40, w)) - number(kappa(table, w))) / step

        assert slope == pytest.approx(pull[cell], abs=1e-4)


@given(st.lists(tables(min_k=3, max_k=3), min_size=1, max_size=4))
@unhurried
def test_a_stack_is_its_tables(stack: list[FloatArray]) -> None:
    """Many tables at once give what each gives alone."""
    w = quadratic([1, 2, 5])
    shares = np.stack([table / table.sum() for table in stack])

    values, variances = kappa_and_variance(shares, w)

    for table, value, variance in zip(stack, values, variances, strict=True):
        if isinstance(single := kappa(table, w), Undefined):
            continue
        assert value == pytest.approx(single, abs=1e-12)
        assert math.sqrt(variance / table.sum()) == pytest.approx(
            number(standard_error(table, w)), abs=1e-9
        )


@given(st.lists(tables(min_k=3, max_k=3), min_size=1, max_size=4))
@unhurried
def test_the_fast_twin_is_kappa(stack: list[FloatArray]) -> None:
    """Counts or shares, many at once; nan where there is none."""
    w, single, nothing = quadratic([1, 2, 5]), np.diag([7.0, 0, 0]), np.zeros((3, 3))
    counts = np.stack([*stack, single, nothing])
    found = kappa_of(counts, w)

    assert found[: len(stack)] == pytest.approx([number(kappa(table, w)) for table in stack])
    assert np.isnan(found[len(stack) :]).all()
    np.testing.assert_allclose(kappa_of(counts / 1000, w), found, atol=1e-12)
