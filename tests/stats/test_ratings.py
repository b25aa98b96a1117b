from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from judgekit.stats.ratings import Ratings
from tests.stats.rating_strategies import brisk, ratings

GAPS = [[0, 2, -1], [1, -1, 1], [-1, -1, -1], [2, 2, 2]]


def test_counts_and_sizes() -> None:
    """How often each level was given to each unit; gaps count for nothing."""
    found = Ratings(np.array(GAPS), 4)

    assert found.counts().tolist() == [[1, 0, 1, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 3, 0]]
    assert found.sizes().tolist() == [2, 2, 0, 3]
    assert (len(found), found.raters) == (4, 3)


def test_from_raters_is_columns() -> None:
    """One list a rater."""
    found = Ratings.from_raters([[0, 1, -1], [1, 1, 0]], 2, clusters=[7, 7, 9], weight=[1, 2, 3])

    assert found.values.tolist() == [[0, 1], [1, 1], [-1, 0]]
    assert found.clusters is not None
    assert found.clusters.tolist() == [0, 0, 1]
    assert found.weight == pytest.approx([0.5, 1, 1.5])
    assert not found.interchangeable


def test_from_counts_gives_the_counts_back() -> None:
    """Rows of different sizes: levels first, gaps last."""
    counts = [[2, 0, 1], [0, 0, 0], [0, 4, 0], [1, 1, 0]]

    found = Ratings.from_counts(counts)

    assert found.values.tolist() == [
        [0, 0, 2, -1],
        [-1, -1, -1, -1],
        [1, 1, 1, 1],
        [0, 1, -1, -1],
    ]
    assert found.counts().tolist() == counts
    assert found.interchangeable
    assert found.k == 3


@given(ratings())
@brisk
def test_counts_of_counts(drawn: Ratings) -> None:
    """Counting, and making ratings of the counts, and counting again changes nothing."""
    again = Ratings.from_counts(drawn.counts())

    assert (again.counts() == drawn.counts()).all()
    assert (again.sizes() == drawn.sizes()).all()


def test_from_rows_places_each_level() -> None:
    """Long form; codes of units and raters may have holes."""
    found = Ratings.from_rows([10, 10, 30, 20], [5, 2, 5, 2], [1, 0, 2, 1], 3)

    # units 10, 20, 30 by raters 2, 5
    assert found.values.tolist() == [[0, 1], [1, -1], [-1, 2]]
    assert Ratings.from_rows([], [], [], 3).values.shape == (0, 0)


def test_subsets_keep_what_belongs_to_them() -> None:
    """Units with their clusters and weights; raters over all units."""
    found = Ratings(
        np.array(GAPS), 3, clusters=np.array([4, 4, 5, 6]), weight=np.array([1, 1, 2, 4])
    )

    units = found.subset(np.array([True, False, False, True]))
    assert units.values.tolist() == [[0, 2, -1], [2, 2, 2]]
    assert units.clusters is not None
    assert units.clusters.tolist() == [0, 1]
    assert units.weight == pytest.approx([0.4, 1.6])
    raters = found.only_raters(np.array([True, False, True]))
    assert raters.values.tolist() == [[0, -1], [1, 1], [-1, -1], [2, 2]]
    assert raters.clusters is not None


def test_nothing_is_fine() -> None:
    """No units, or no raters, is a matrix too."""
    for shape in ((0, 3), (3, 0), (0, 0)):
        found = Ratings(np.zeros(shape), 2)
        assert found.counts().shape == (shape[0], 2)
        assert found.sizes().sum() == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ratings(np.zeros(3, dtype=int), 2), "matrix"),
        (lambda: Ratings(np.zeros((2, 2)), 2), "integer codes"),
        (lambda: Ratings(np.array([[0, 2]]), 2), "code 2; the scale has 2 levels"),
        (lambda: Ratings(np.array([[0, -2]]), 2), "code -2; only -1"),
        (lambda: Ratings(np.array([[0, 1]]), 0), "at least one level"),
        (lambda: Ratings(np.array([[0, 1]]), 2, clusters=np.array([0, 1])), "there are 1 units"),
        (lambda: Ratings(np.array([[0, 1]]), 2, clusters=np.array([-1])), "negative code"),
        (lambda: Ratings(np.array([[0, 1]]), 2, weight=np.array([0.0])), "positive"),
        (lambda: Ratings.from_raters([[0, 1], [0]], 2), "of one length"),
        (lambda: Ratings.from_raters([], 2), "of one length"),
        (lambda: Ratings.from_raters([[[0, 1]], [[0, 1]]], 2), "a list of codes"),
        (lambda: Ratings.from_counts([[1, -1]]), "negative"),
        (lambda: Ratings.from_counts([[0.5, 0.5]]), "whole numbers"),
        (lambda: Ratings.from_counts([[float("nan"), 1]]), "whole numbers"),
        (lambda: Ratings.from_counts([1, 2]), "matrix"),
        (lambda: Ratings.from_rows([0, 0], [1, 1], [0, 1], 2), "two levels"),
        (lambda: Ratings.from_rows([0, 0], [1, 2], [0], 2), "same length"),
        (lambda: Ratings.from_rows([0], [1], [2], 2), "the scale has 2 levels"),
    ],
)
def test_misuse_is_an_error(make: Callable[[], Any], message: str) -> None:
    """Nothing is clamped, dropped or broadcast."""
    with pytest.raises(ValueError, match=message):
        make()
