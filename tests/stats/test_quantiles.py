import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import critical
from judgekit.stats.quantiles import incomplete_beta, student_t, student_tail
from tests.stats.strategies import unhurried


@pytest.mark.parametrize(
    ("confidence", "df", "expected"),
    [
        (0.95, None, 1.959963984540054),
        (0.90, None, 1.6448536269514722),
        (0.95, 1, 12.706204736432095),
        (0.95, 9, 2.2621571627409915),
        (0.99, 30, 2.7499956535670245),
    ],
)
def test_printed_values(confidence: float, df: float | None, expected: float) -> None:
    """The values of the printed tables."""
    assert critical(confidence, df) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("tail", [0.4, 0.1, 0.025, 1e-4, 1e-8])
def test_closed_forms(tail: float) -> None:
    """One degree of freedom is Cauchy's, two have a closed form as well."""
    p = 1 - 2 * tail

    assert student_t(tail, 1) == pytest.approx(1 / math.tan(math.pi * tail), rel=1e-9)
    assert student_t(tail, 2) == pytest.approx(p * math.sqrt(2 / (1 - p * p)), rel=1e-7)


@given(st.floats(1e-6, 0.5), st.floats(0.5, 1e5))
@unhurried
def test_quantile_inverts_the_tail(tail: float, df: float) -> None:
    """The tail beyond the quantile is what was asked for."""
    assert student_tail(student_t(tail, df), df) == pytest.approx(tail, rel=1e-9)


@given(st.floats(0.01, 0.999), st.integers(1, 1000))
@unhurried
def test_t_is_wider_than_the_normal(confidence: float, df: int) -> None:
    """Fewer degrees of freedom, wider interval; never narrower than the normal."""
    assert critical(confidence, df) >= critical(confidence, df + 1) >= critical(confidence) - 1e-9


def test_the_middle_is_zero() -> None:
    """Half of the distribution lies above 0."""
    assert student_t(0.5, 7) == 0
    assert (incomplete_beta(2, 3, 0.0, 1.0), incomplete_beta(2, 3, 1.0, 0.0)) == (0, 1)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, float("nan")])
def test_confidence_is_a_share(confidence: float) -> None:
    """95 is not 0.95."""
    with pytest.raises(ValueError, match="confidence"):
        critical(confidence)


@pytest.mark.parametrize(("tail", "df"), [(0.7, 5), (0, 5), (0.1, 0), (0.1, -1)])
def test_out_of_range(tail: float, df: float) -> None:
    """No quantile outside the upper half, or without degrees of freedom."""
    with pytest.raises(ValueError, match="no t quantile"):
        student_t(tail, df)
