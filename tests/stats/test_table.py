import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Pairs, contingency, pass_decision
from tests.stats.strategies import unhurried


def test_rows_are_the_humans() -> None:
    """Human 0 with judge 2 lands in row 0, column 2."""
    table = contingency([0, 0, 1, 2], [2, 2, 1, 0], 3)

    np.testing.assert_array_equal(table, [[0, 0, 2], [0, 1, 0], [1, 0, 0]])
    assert table.dtype == np.float64


def test_the_declared_scale_decides_the_size() -> None:
    """Levels nobody used keep their row and column; no pairs give zeros."""
    assert contingency([0, 1], [0, 1], 5).shape == (5, 5)
    np.testing.assert_array_equal(contingency([], [], 2), np.zeros((2, 2)))


def test_sampling_weights_add_up() -> None:
    """A pair of weight 2.5 counts 2.5."""
    table = contingency([0, 0, 1], [0, 0, 1], 2, weights=[2.5, 1, 1])

    np.testing.assert_array_equal(table, [[3.5, 0], [0, 1]])


@given(st.integers(2, 5), st.data())
@unhurried
def test_every_pair_is_counted_once(k: int, data: st.DataObject) -> None:
    """The table adds up to n, and its margins to what each rater used."""
    rows = data.draw(st.lists(st.tuples(st.integers(0, k - 1), st.integers(0, k - 1))))
    human, judge = [h for h, _ in rows], [j for _, j in rows]

    table = contingency(human, judge, k)

    assert table.sum(axis=1).tolist() == [human.count(level) for level in range(k)]
    assert table.sum(axis=0).tolist() == [judge.count(level) for level in range(k)]


@pytest.mark.parametrize(
    ("human", "judge", "message"),
    [
        ([0, 1], [0], "has 2 codes"),
        ([0, 5], [0, 1], "code 5"),
        ([0, 1], [0, 7], "code 7"),
        ([0, -1], [0, 1], "negative"),
        ([0.0, 1.0], [0, 1], "integer"),
        ([[0, 1]], [0, 1], "one-dimensional"),
    ],
)
def test_codes_off_the_scale_are_refused(
    human: npt.ArrayLike, judge: npt.ArrayLike, message: str
) -> None:
    """Nothing is clamped, dropped or guessed, neither by the table nor by the pairs."""
    with pytest.raises(ValueError, match=message):
        contingency(human, judge, 5)
    with pytest.raises(ValueError, match=message):
        Pairs(human, judge, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", [[1, 1], [1, 0, 1], [1, -1, 1], [1, float("nan"), 1]])
def test_sampling_weights_are_positive(weights: list[float]) -> None:
    """One positive finite weight for each pair."""
    with pytest.raises(ValueError, match="weight must"):
        contingency([0, 1, 0], [0, 1, 1], 2, weights=weights)


def test_a_scale_has_a_level() -> None:
    """Zero categories make no table, and extra columns need levels beside them."""
    with pytest.raises(ValueError, match="at least one level"):
        contingency([], [], 0)
    with pytest.raises(ValueError, match="do not fit"):
        Pairs(np.array([0]), np.array([0]), 2, extra=2)


def test_humans_have_no_extra_column() -> None:
    """A human label in the judge's extra column is an error."""
    with pytest.raises(ValueError, match="human holds the code 2"):
        Pairs(np.array([2]), np.array([0]), 3, extra=1)


def test_groups_are_renumbered() -> None:
    """Cluster and item codes may be any numbers; only who shares one matters."""
    pairs = Pairs(
        np.zeros(4, int),
        np.zeros(4, int),
        2,
        clusters=np.array([10**15, 7, 7, 10**15]),
        items=np.array([9, 4, 4, 2]),
    )

    assert pairs.clusters is not None
    assert pairs.clusters.tolist() == [1, 0, 0, 1]
    assert pairs.n_items == 3
    assert len(pairs) == 4


def test_an_item_lies_in_one_cluster() -> None:
    """An item in two cases is a mistake in the data."""
    zeros = np.zeros(3, int)

    with pytest.raises(ValueError, match="two clusters"):
        Pairs(zeros, zeros, 2, clusters=np.array([0, 1, 1]), items=np.array([5, 5, 6]))
    with pytest.raises(ValueError, match="clusters has 2 codes"):
        Pairs(zeros, zeros, 2, clusters=np.array([0, 1]))


def test_weights_are_relative() -> None:
    """Stored weights have mean 1, so a weighted table still adds up to n."""
    pairs = Pairs(np.array([0, 1]), np.array([0, 1]), 2, weight=np.array([30.0, 10.0]))

    np.testing.assert_allclose(pairs.table(), [[1.5, 0], [0, 0.5]])


def test_usable_leaves_out_the_extra_columns() -> None:
    """Only the pairs with a level remain, with their clusters, on the scale alone."""
    pairs = Pairs(
        np.array([0, 1, 1]), np.array([0, 2, 1]), 3, clusters=np.array([0, 0, 1]), extra=1
    )

    usable = pairs.usable()

    assert (usable.k, usable.extra, len(usable)) == (2, 0, 2)
    np.testing.assert_array_equal(usable.table(), np.eye(2))
    assert usable.usable() is usable


def test_pass_decision_collapses_the_scale() -> None:
    """Levels 0, 1 fail and 2, 3 pass; the unusable answer stays an extra column of its own."""
    pairs = Pairs(np.array([0, 1, 2, 3, 3]), np.array([1, 2, 3, 0, 4]), 5, extra=1)

    two = pass_decision(pairs, [False, False, True, True])

    assert (two.k, two.levels, two.extra) == (3, 2, 1)
    assert two.human.tolist() == [0, 0, 1, 1, 1]
    assert two.judge.tolist() == [0, 1, 1, 0, 2]


@pytest.mark.parametrize("passes", [[True], [True, False, True], [0, 1], []])
def test_passes_speaks_of_each_level(passes: npt.ArrayLike) -> None:
    """One True or False for each level of the scale."""
    with pytest.raises(ValueError, match="passes"):
        pass_decision(Pairs(np.array([0]), np.array([1]), 2), passes)
