import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.errors import UnknownName
from judgekit.stats import by_name, identity, linear, quadratic, with_disagreeing
from tests.stats.strategies import level_values, unhurried


def test_linear_goes_by_values() -> None:
    """On levels 1, 2, 5 the range is 4: steps cost 1/4, 3/4 and 4/4."""
    expected = [[1, 0.75, 0], [0.75, 1, 0.25], [0, 0.25, 1]]

    np.testing.assert_allclose(linear([1, 2, 5]), expected, rtol=0, atol=1e-15)


def test_quadratic_goes_by_values() -> None:
    """On levels 1, 2, 5 the squared shares of the range are 1/16, 9/16 and 1."""
    expected = [[1, 15 / 16, 0], [15 / 16, 1, 7 / 16], [0, 7 / 16, 1]]

    np.testing.assert_allclose(quadratic([1, 2, 5]), expected, rtol=0, atol=1e-15)


@given(st.data())
@unhurried
def test_weights_are_shares_of_agreement(data: st.DataObject) -> None:
    """Weights are symmetric, in [0, 1], 1 on the diagonal, 0 between the two ends."""
    values = data.draw(level_values(data.draw(st.integers(2, 7))))

    for w in (identity(len(values)), linear(values), quadratic(values)):
        assert (w == w.T).all()
        assert ((w >= 0) & (w <= 1)).all()
        assert (np.diag(w) == 1).all()
        assert w[0, -1] == 0


@given(st.data())
@unhurried
def test_only_the_shape_of_the_scale_matters(data: st.DataObject) -> None:
    """Shifting, stretching or turning round the values changes no weight."""
    values = np.array(data.draw(level_values(data.draw(st.integers(2, 6)))))

    for scheme in (linear, quadratic):
        np.testing.assert_allclose(scheme(3.5 - 2 * values), scheme(values), atol=1e-12)


def test_two_levels_leave_no_choice() -> None:
    """With two levels the three schemes coincide, whatever the values."""
    np.testing.assert_array_equal(linear([0, 10]), identity(2))
    np.testing.assert_array_equal(quadratic([-1, 1]), identity(2))


@pytest.mark.parametrize("name", ["identity", "linear", "quadratic"])
def test_by_name_finds_each_scheme(name: str) -> None:
    """The three names lead to the three schemes."""
    values = [1.0, 2.0, 5.0]
    expected = {"identity": identity(3), "linear": linear(values), "quadratic": quadratic(values)}

    np.testing.assert_array_equal(by_name(name, values), expected[name])


def test_unknown_name_offers_the_nearest() -> None:
    """A misspelt scheme is an error with a hint."""
    with pytest.raises(UnknownName) as caught:
        by_name("quadratics", [1, 2])

    assert caught.value.hint == "Did you mean 'quadratic'?"


def test_extra_categories_agree_with_no_level() -> None:
    """Two extra judge columns: 0 against each level and each other, 1 with themselves."""
    padded = with_disagreeing(linear([1, 2, 3]), 2)

    np.testing.assert_array_equal(padded[:3, :3], linear([1, 2, 3]))
    np.testing.assert_array_equal(padded[3:, :3], np.zeros((2, 3)))
    np.testing.assert_array_equal(padded[:3, 3:], np.zeros((3, 2)))
    np.testing.assert_array_equal(padded[3:, 3:], np.eye(2))


@pytest.mark.parametrize(
    "values", [[], [1], [1, 1], [1, 2, float("nan")], [1, float("inf")], [[1, 2], [3, 4]]]
)
def test_a_scale_needs_different_finite_values(values: list[float]) -> None:
    """Levels without a distance have no weight."""
    with pytest.raises(ValueError, match="level"):
        linear(values)


def test_sizes_are_checked() -> None:
    """No levels, a negative pad and a matrix that is not square are refused."""
    with pytest.raises(ValueError, match="at least one level"):
        identity(0)
    with pytest.raises(ValueError, match="negative"):
        with_disagreeing(np.eye(2), -1)
    with pytest.raises(ValueError, match="square"):
        with_disagreeing(np.ones((2, 3)), 1)
