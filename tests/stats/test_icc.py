import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f as f_distribution

from judgekit.errors import UnknownName
from judgekit.stats import Estimate, Undefined, wilson
from judgekit.stats.arrays import FloatArray
from judgekit.stats.icc import Form, icc, reliability_of_mean, spearman_brown
from tests.stats.rating_strategies import brisk

FORMS: tuple[Form, ...] = get_args(Form)
# Shrout and Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]
# What the psych package for R prints for them.
PRINTED = {
    "1,1": (0.17, -0.133, 0.72),
    "2,1": (0.29, 0.019, 0.76),
    "3,1": (0.71, 0.342, 0.95),
    "1,k": (0.44, -0.884, 0.91),
    "2,k": (0.62, 0.071, 0.93),
    "3,k": (0.91, 0.676, 0.99),
}


def estimate(scores: object, form: Form, confidence: float = 0.95) -> Estimate:
    """The correlation, where there must be one."""
    found = icc(scores, form, confidence=confidence)  # type: ignore[arg-type]
    assert isinstance(found, Estimate)
    return found


@pytest.mark.parametrize("form", FORMS)
def test_published_example(form: Form) -> None:
    """Values of the paper, and intervals as printed elsewhere."""
    found, (value, low, high) = estimate(SHROUT_FLEISS, form), PRINTED[form]

    assert found.value == pytest.approx(value, abs=0.005)
    assert found.low == pytest.approx(low, abs=0.0006)
    assert found.high == pytest.approx(high, abs=0.005)
    assert (found.n, found.pairs, found.method) == (6, 24, f"icc({form})/f")


def test_worked_example() -> None:
    """Three units, two raters, the second one point higher."""
    # X = 1 2 / 2 3 / 5 6: unit means 1.5 2.5 5.5, grand mean 19/6
    # BMS = 2 * (25/9 + 4/9 + 49/9) / 2 = 26/3, WMS = 3 * .5 / 3 = 1/2, JMS = 3 * 2/4 = 3/2, EMS = 0
    scores = [[1, 2], [2, 3], [5, 6]]

    assert estimate(scores, "1,1").value == pytest.approx((26 / 3 - 1 / 2) / (26 / 3 + 1 / 2))
    assert estimate(scores, "2,1").value == pytest.approx((26 / 3) / (26 / 3 + 1))
    assert estimate(scores, "3,1").value == 1


@st.composite
def matrices(draw: st.DrawFn) -> FloatArray:
    """Scores of three to eight units and two to four raters, in halves, units not all alike."""
    n, k = draw(st.integers(3, 8)), draw(st.integers(2, 4))
    cells = draw(st.lists(st.integers(-6, 12), min_size=n * k, max_size=n * k))
    scores = np.array(cells, dtype=float).reshape(n, k) / 2
    scores[0, 0] += 0.25
    return scores


@given(matrices(), st.sampled_from(FORMS), st.floats(0.1, 9), st.floats(-9, 9))
@brisk
def test_unit_of_scores_does_not_matter(
    scores: FloatArray, form: Form, scale: float, shift: float
) -> None:
    """Another unit and another zero, other orders of units and raters: the same."""
    found, moved = icc(scores, form), icc(scores[::-1, ::-1] * scale + shift, form)
    if isinstance(found, Undefined) or isinstance(moved, Undefined):
        assert isinstance(found, Undefined)
        assert isinstance(moved, Undefined)
        return

    assert (moved.value, moved.low, moved.high) == pytest.approx(
        (found.value, found.low, found.high), abs=1e-6
    )


@given(matrices(), st.sampled_from(FORMS))
@brisk
def test_interval_holds_the_value(scores: FloatArray, form: Form) -> None:
    """Low, value, high in order, and finite; never above 1."""
    found = icc(scores, form)
    if isinstance(found, Undefined):
        assert found.reason == "zero_variance"
        return

    assert min(-1, found.value) <= found.low <= found.value <= found.high <= 1
    assert math.isfinite(found.low)


@given(matrices())
@brisk
def test_means_follow_by_spearman_and_brown(scores: FloatArray) -> None:
    """The form for a mean is that for one score, stepped up."""
    for family in ("1", "2", "3"):
        one, mean = icc(scores, f"{family},1"), icc(scores, f"{family},k")  # type: ignore[arg-type]
        if isinstance(one, Estimate) and isinstance(mean, Estimate):
            stepped = reliability_of_mean(one.value, scores.shape[1])
            assert mean.value == pytest.approx(stepped, abs=1e-9)


@given(matrices(), st.lists(st.integers(-5, 5), min_size=4, max_size=4))
@brisk
def test_consistency_does_not_see_kindness(scores: FloatArray, kindness: list[int]) -> None:
    """A constant added to one rater leaves 3,1 alone."""
    moved = scores + np.array(kindness[: scores.shape[1]])
    found, other = icc(scores, "3,1"), icc(moved, "3,1")
    if isinstance(found, Undefined):
        assert isinstance(other, Undefined)
        return
    assert isinstance(other, Estimate)
    assert other.value == pytest.approx(found.value, abs=1e-9)


@pytest.mark.parametrize("form", ["1,1", "3,1"])
def test_ends_are_where_the_test_gives_way(form: Form) -> None:
    """At the low end rho, F / (1 + k rho / (1 - rho)) is just significant."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(15, 1)) + rng.normal(size=(15, 3))
    found = estimate(scores, form, confidence=0.9)
    units, raters = scores.mean(axis=1, keepdims=True), scores.mean(axis=0, keepdims=True)
    noise = scores - units - (raters - scores.mean() if form == "3,1" else 0)
    df = 28 if form == "3,1" else 30
    F = 3 * units.var(ddof=1) / ((noise**2).sum() / df)
    for rho, tail in ((found.low, 0.05), (found.high, 0.95)):
        at_rho = F / (1 + 3 * rho / (1 - rho))
        assert f_distribution.sf(at_rho, 14, df) == pytest.approx(tail, abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_identical_replicates_are_no_single_point(form: Form) -> None:
    """20 units of equal replicates: 1, down to Wilson's limit of 0 in 20."""
    limit = wilson(0, 20, df=19)
    assert isinstance(limit, Estimate)
    low = 1 - limit.high
    if form.endswith("k"):
        low = 3 * low / (1 + 2 * low)

    found = estimate(np.arange(20.0)[:, None].repeat(3, axis=1) / 7, form)

    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(low)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.zeros((0, 3)), "empty"),
        (np.ones((1, 3)), "too_few_items"),
        (np.ones((3, 1)), "too_few_raters"),
        (np.zeros((3, 0)), "too_few_raters"),
        (np.full((4, 3), 0.1), "zero_variance"),
        ([[0, 1], [1, 0], [0, 1]], "zero_variance"),
    ],
)
def test_undefined(form: Form, scores: object, reason: str) -> None:
    """Too few, or units that do not differ."""
    found = icc(scores, form)  # type: ignore[arg-type]

    assert isinstance(found, Undefined)
    assert found.reason == reason


def test_noise_may_leave_the_mean_no_variance() -> None:
    """Two units, far noisier than different, raters alike: 2,k would divide by less than 0."""
    scores = [[0, 9], [8.9, 0.2]]

    assert estimate(scores, "2,1").value < 0
    assert icc(scores, "2,k") == Undefined("zero_variance", 2, "icc(2,k)/f", 4)


def test_misuse_is_an_error() -> None:
    """Gaps, wrong shapes, unknown forms."""
    with pytest.raises(ValueError, match="without gaps"):
        icc([[1, float("nan")], [2, 3]], "1,1")
    with pytest.raises(ValueError, match="matrix"):
        icc([1, 2, 3], "1,1")
    with pytest.raises(UnknownName, match="named '4,1'"):
        icc([[1, 2], [2, 3]], "4,1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="confidence"):
        icc([[1, 2], [2, 3]], "1,1", confidence=0)


@pytest.mark.parametrize(
    ("rho", "target", "expected"),
    [
        (0.16574176840547544, 0.9, 46),
        (0.5, 0.8, 4),
        (0.5, 0.5, 1),
        (0.9, 0.5, 1),
        (1.0, 0.99, 1),
        (0.3, 0.9, 21),
    ],
)
def test_replicates_needed(rho: float, target: float, expected: int) -> None:
    """The least number that reaches the target."""
    assert spearman_brown(rho, target) == expected
    assert reliability_of_mean(rho, expected) >= target - 1e-12
    assert expected == 1 or reliability_of_mean(rho, expected - 1) < target


def test_no_number_of_replicates_helps() -> None:
    """Units that do not differ have no reliability to add up."""
    for rho in (0.0, -0.2):
        assert spearman_brown(rho, 0.9) == Undefined("zero_variance", 0, "spearman_brown")
    assert reliability_of_mean(-0.5, 3) == -math.inf
    for rho, target in ((1.1, 0.9), (float("nan"), 0.9), (0.5, 1.0), (0.5, 0.0)):
        with pytest.raises(ValueError, match=r"at most 1|between 0 and 1"):
            spearman_brown(rho, target)
