"""The effective size of a panel, against numpy's correlations and errors drawn with a known one."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from benchmarks.panel import Panel, simulate
from judgekit.stats import Estimate, PanelSize, Undefined, effective_panel_size
from judgekit.stats.arrays import FloatArray


def size_of(errors: object, **more: object) -> PanelSize:
    """The effective size with dice of a fixed seed."""
    rng = np.random.default_rng(7)
    return effective_panel_size(errors, rng=rng, **more)  # type: ignore[arg-type]


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def drawn(members: int, rho: float, rate: float, n: int, seed: int = 3) -> FloatArray:
    """Errors of n items: each has its own chance to be got wrong, so that members correlate."""
    rng, spread = np.random.default_rng(seed), 1 / rho - 1
    chance = rng.beta(rate * spread, (1 - rate) * spread, n)
    return (rng.random((n, members)) < chance[:, None]).astype(float)


def test_two_members_by_hand() -> None:
    """Both wrong on 2 of 10 items, one alone on 1 each: phi = (2 * 6 - 1) / 21, 2 / (1 + phi)."""
    errors = [[1, 1]] * 2 + [[1, 0], [0, 1]] + [[0, 0]] * 6

    found = size_of(errors)

    assert estimate(found.correlation).value == pytest.approx(11 / 21)
    assert estimate(found.size).value == pytest.approx(2 / (1 + 11 / 21))
    assert (found.members, found.capped) == (2, False)
    assert found.pairs is not None
    assert found.pairs[0][1] == pytest.approx(11 / 21)


def test_six_judges_may_be_worth_two() -> None:
    """Complaint 61: six judges with errors that correlate by 0.42 are 6 / 3.1 = 1.9 judges."""
    found = estimate(size_of(drawn(6, 0.42, 0.3, 20_000)).size)

    assert found.value == pytest.approx(6 / (1 + 5 * 0.42), abs=0.05)
    assert round(found.value, 1) == 1.9
    assert found.low <= 6 / 3.1 <= found.high


@pytest.mark.parametrize("weighted", [False, True])
def test_the_correlation_is_numpys(*, weighted: bool) -> None:
    """Mean off the diagonal of ``numpy.corrcoef``, or of the weighted covariance's correlations."""
    rng = np.random.default_rng(5)
    errors = rng.integers(-2, 3, (60, 4)) + rng.integers(-1, 2, (60, 1))
    weight = rng.uniform(0.5, 2, 60) if weighted else None
    covariance = np.cov(errors.T, aweights=weight)
    scale = np.sqrt(np.diag(covariance))
    expected = covariance / np.outer(scale, scale)

    found = size_of(errors, weight=weight)

    assert found.pairs is not None
    assert np.allclose(found.pairs, expected)
    rho = (expected.sum() - 4) / 12
    assert estimate(found.correlation).value == pytest.approx(rho)
    assert estimate(found.size).value == pytest.approx(4 / (1 + 3 * rho))


def test_weights_matter_by_their_ratios() -> None:
    """An item of weight 2 is two items; a factor changes nothing."""
    errors = drawn(3, 0.3, 0.3, 40)
    weight = np.where(np.arange(40) < 10, 2, 1)

    by_weight = size_of(errors, weight=weight * 5)
    by_copies = size_of(np.repeat(errors, weight, axis=0))

    assert estimate(by_weight.size).value == pytest.approx(estimate(by_copies.size).value)


def test_copies_of_an_item_in_one_cluster_are_one_item() -> None:
    """Three copies with one code have the interval of the item, without codes a narrower one."""
    errors = drawn(4, 0.3, 0.3, 80)
    copies, codes = np.repeat(errors, 3, axis=0), np.repeat(np.arange(80), 3)

    once = estimate(size_of(errors).size)
    grouped = estimate(size_of(copies, clusters=codes).size)
    alone = estimate(size_of(copies).size)

    assert (grouped.low, grouped.high) == pytest.approx((once.low, once.high))
    assert (once.clusters, grouped.clusters) == (None, 80)
    assert alone.high - alone.low < 0.7 * (grouped.high - grouped.low)


def test_the_same_model_six_times_is_one() -> None:
    """And the upper end allows for what so few errors cannot show."""
    first = drawn(1, 0.3, 0.2, 200)
    few = first.copy()
    few[np.flatnonzero(few)[5:]] = 0

    many, some = (estimate(size_of(np.repeat(e, 6, axis=1)).size) for e in (first, few))

    assert many.value == pytest.approx(1)
    assert many.low == pytest.approx(1)
    assert 1.01 < many.high < some.high - 0.1 < 3


def test_errors_that_cancel_are_worth_no_more_than_there_are() -> None:
    """The formula would give 2 / (1 - 1/3) = 3; the size stays 2, and says so."""
    errors = [[1, 0], [0, 1]] * 4 + [[1, 1], [0, 0]] * 2

    found = size_of(errors)

    assert estimate(found.correlation).value == pytest.approx(-1 / 3)
    assert estimate(found.size).value == 2
    assert found.capped


def test_direction_matters_for_signed_errors() -> None:
    """Wrong on the same items, but one too kind and one too harsh."""
    signed = np.array([[1, -1]] * 15 + [[0, 0]] * 30)

    assert estimate(size_of(signed != 0).size).value == pytest.approx(1)
    assert estimate(size_of(signed).size).value == 2


@pytest.mark.parametrize(
    ("errors", "clusters", "reason"),
    [
        (np.zeros((20, 1)), None, "too_few_raters"),
        (np.zeros((20, 0)), None, "too_few_raters"),
        (np.zeros((0, 3)), None, "empty"),
        (drawn(3, 0.3, 0.5, 9), None, "too_few_items"),
        (np.column_stack([drawn(2, 0.3, 0.5, 30), np.zeros(30)]), None, "zero_variance"),
        (np.column_stack([drawn(2, 0.3, 0.5, 30), np.ones(30)]), None, "zero_variance"),
        (drawn(3, 0.3, 0.5, 30), np.arange(30) // 4, "too_few_clusters"),
        ([[1, 0]] + [[0, 1]] + [[0, 0]] * 30, None, "too_few_items"),  # hangs by single items
        ([[1, 0]] * 2 + [[0, 1]] * 2 + [[0, 0]] * 30, None, "too_few_items"),  # or by two
    ],
)
def test_what_cannot_be_told(errors: object, clusters: object, reason: str) -> None:
    """A reason, never a number, for the size and for the correlation."""
    found = size_of(errors, clusters=clusters)

    for one in (found.size, found.correlation):
        assert isinstance(one, Undefined)
        assert one.reason == reason
    assert found.pairs is None


@pytest.mark.parametrize(
    ("errors", "more"),
    [
        ([1, 0, 1], {}),
        ([[math.nan, 1.0]] * 12, {}),
        ([[math.inf, 1.0]] * 12, {}),
        (np.eye(12), {"clusters": [0, 1]}),
        (np.eye(12), {"weight": [1.0, 2.0]}),
    ],
)
def test_wrong_calls(errors: object, more: dict[str, object]) -> None:
    """Not a matrix of numbers, or lengths that do not fit."""
    with pytest.raises(ValueError, match=r"errors|clusters|weight"):
        size_of(errors, **more)


@given(
    arrays(np.int64, st.tuples(st.integers(10, 40), st.integers(2, 6)), elements=st.integers(-2, 2))
)
@settings(max_examples=60, deadline=None)
def test_bounds(errors: np.ndarray) -> None:
    """Between 1 and the members, the interval around the value; never nan."""
    found, m = size_of(errors, draws=60), errors.shape[1]
    if isinstance(found.size, Undefined):
        return
    size, rho = found.size, estimate(found.correlation)

    assert 1 - 1e-9 <= size.low <= size.value <= size.high <= m
    assert -1 / (m - 1) - 1e-9 <= rho.low <= rho.value <= rho.high <= 1
    assert found.capped == (rho.value < 0)


@given(st.integers(0, 2**31), st.permutations(range(4)))
@settings(max_examples=20, deadline=None)
def test_who_is_named_first_does_not_matter(seed: int, order: list[int]) -> None:
    """The same value; and the same seed gives the same interval."""
    errors = drawn(4, 0.3, 0.4, 50, seed)

    found, again, other = size_of(errors), size_of(errors), size_of(errors[:, order])

    assert found == again
    if isinstance(found.size, Estimate):
        assert estimate(other.size).value == pytest.approx(found.size.value)


def test_a_member_who_errs_elsewhere_adds_more_than_one_who_errs_alike() -> None:
    """What the number is for: choosing whom to take in."""
    errors = drawn(2, 0.5, 0.3, 400)
    elsewhere = (np.random.default_rng(1).random((400, 1)) < 0.3) * 1.0

    alike = estimate(size_of(np.column_stack([errors, errors[:, :1]])).size)
    apart = estimate(size_of(np.column_stack([errors, elsewhere])).size)

    assert apart.value > alike.value + 0.5


@pytest.mark.parametrize("rho", [0.0, 0.42])
@pytest.mark.parametrize("errors", ["difficulty", "common cause"])
def test_the_interval_holds_the_truth(errors: str, rho: float) -> None:
    """In about 95% of samples; three errors of 150 samples below that is 89%."""
    found = simulate(Panel(errors, 3, rho, 0.3), n=100, repeats=150, draws=200)

    assert found.undefined == 0
    assert found.coverage > 0.89
    assert found.width < 1.5
