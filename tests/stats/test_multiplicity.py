import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats.multiplicity import benjamini_hochberg, benjamini_yekutieli, holm
from tests.stats.strategies import unhurried

METHODS = (holm, benjamini_hochberg, benjamini_yekutieli)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_by_hand() -> None:
    """Four tests, in no order."""
    p = [0.04, 0.01, 0.03, 0.2]
    # Holm: 4 * .01, 3 * .03, max(.09, 2 * .04), .2
    assert holm(p) == pytest.approx([0.09, 0.04, 0.09, 0.2])
    # BH: 4 * .01, then min(4/2 * .03, 4/3 * .04) = .0533, .2
    assert benjamini_hochberg(p) == pytest.approx([0.16 / 3, 0.04, 0.16 / 3, 0.2])
    # BY: the same times 1 + 1/2 + 1/3 + 1/4 = 25/12
    assert benjamini_yekutieli(p) == pytest.approx(
        np.array([0.16 / 3, 0.04, 0.16 / 3, 0.2]) * 25 / 12
    )


@given(P_VALUES)
@unhurried
def test_adjusted_values_keep_their_order(p: list[float]) -> None:
    """Never below the plain ones, never above 1, in the same order, and in step with the list."""
    order = np.argsort(p)
    for method in METHODS:
        found = method(p)

        assert (found >= np.array(p) - 1e-15).all()
        assert (found <= 1).all()
        assert (np.diff(found[order]) >= -1e-15).all()
        assert method(p[::-1]) == pytest.approx(found[::-1])
    assert (benjamini_hochberg(p) <= holm(p) + 1e-15).all()
    assert (benjamini_hochberg(p) <= benjamini_yekutieli(p)).all()


def test_one_test_and_none() -> None:
    """One test needs no adjustment; no tests give no values."""
    for method in METHODS:
        assert method([0.03]).tolist() == [0.03]
        assert method([]).size == 0


def test_misuse() -> None:
    """Probabilities lie in [0, 1]."""
    for method in METHODS:
        for bad in ([0.1, 1.2], [-0.1], [float("nan")]):
            with pytest.raises(ValueError, match="must lie"):
                method(bad)
        with pytest.raises(ValueError, match="one-dimensional"):
            method([[0.1, 0.2]])
