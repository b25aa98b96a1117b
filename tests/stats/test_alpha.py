from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judgekit.errors import UnknownName
from judgekit.stats import Estimate, Undefined, contingency
from judgekit.stats.alpha import coincidences, krippendorff_alpha, krippendorff_alpha_estimate
from judgekit.stats.chance import scott_pi
from judgekit.stats.differences import Metric, fixed_differences, ranked_differences, scaled_ranks
from judgekit.stats.ratings import Ratings
from tests.stats.rating_strategies import brisk, number, random_ratings, ratings, same
from tests.timing import cpu_seconds

METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval", "ratio")
VALUES = {2: [1.0, 3], 3: [1.0, 2, 7], 4: [0.5, 2, 3, 9], 5: [1.0, 2, 3, 4, 5]}


def every_alpha(found: Ratings) -> list[float | Undefined]:
    """Alpha by each metric."""
    values = VALUES[found.k]
    return [krippendorff_alpha(found, m, values if m == "ratio" else None) for m in METRICS]


def test_worked_example() -> None:
    """Three units on 1, 2, 4, one rating of each kind missing; a unit rated once is left out."""
    # pairable: (1, 1), (1, 2, 2), and 4 alone
    # o: 11 twice; in the second unit each ordered pair weighs 1/2: 12 1, 21 1, 22 1
    # margins n_1 = 3, n_2 = 2, n = 5
    found = Ratings(np.array([[0, 0, -1], [0, 1, 1], [-1, 2, -1]]), 3)

    assert coincidences(found).tolist() == [[2, 1, 0], [1, 1, 0], [0, 0, 0]]
    # nominal: D_o = 2/5, D_e = 2 * 6 / 20 = 3/5; with two levels in use the others are the same
    for metric in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(found, metric) == pytest.approx(1 / 3)
    assert krippendorff_alpha(found, "ratio", [1, 2, 4]) == pytest.approx(1 / 3)


def test_worked_differences() -> None:
    """Levels used 2, 0 and 3 times: mean ranks 1.5, 2.5 (the gap), 4."""
    # Krippendorff (2011): d_02 = 2 + 0 + 3 - (2 + 3) / 2 = 2.5, d_01 = 2 - 1 = 1, d_12 = 3/2
    d = np.array([[0, 1, 2.5], [1, 0, 1.5], [2.5, 1.5, 0]]) ** 2 / 2.5**2

    assert ranked_differences(np.array([2.0, 0, 3])) == pytest.approx(d)
    assert scaled_ranks(np.array([[2.0, 0, 3]])) == pytest.approx(np.array([[0, 0.4, 1]]))
    interval = fixed_differences("interval", [1, 2, 5], 3)
    assert interval == pytest.approx(np.array([[0, 1, 16], [1, 0, 9], [16, 9, 0]]) / 16)
    ratio = fixed_differences("ratio", [0, 1, 3], 3)
    assert ratio == pytest.approx(np.array([[0, 1, 1], [1, 0, 0.25], [1, 0.25, 0]]))
    assert fixed_differences("ordinal", None, 3) is None


@given(ratings(gaps=False, raters=(2, 2)))
@brisk
def test_two_raters_without_gaps(drawn: Ratings) -> None:
    """Nominal alpha is pi + (1 - pi) / (2 n), exactly."""
    pi = scott_pi(contingency(drawn.values[:, 0], drawn.values[:, 1], drawn.k))
    alpha = krippendorff_alpha(drawn, "nominal")
    if isinstance(pi, Undefined):
        assert isinstance(alpha, Undefined)
        return

    assert alpha == pytest.approx(pi + (1 - pi) / (2 * len(drawn)), abs=1e-12)


@given(ratings(), st.integers(0, 2**32 - 1))
@brisk
def test_order_and_names(drawn: Ratings, seed: int) -> None:
    """Units and raters in any order; nominal levels by any name; ordered scales backwards."""
    rng = np.random.default_rng(seed)
    shuffled = Ratings(rng.permutation(rng.permuted(drawn.values, axis=1)), drawn.k)
    for found, expected in zip(every_alpha(shuffled), every_alpha(drawn), strict=True):
        assert same(found, expected)
    names = np.append(rng.permutation(drawn.k), -1)
    turned = Ratings(names[drawn.values], drawn.k)
    assert same(krippendorff_alpha(turned, "nominal"), krippendorff_alpha(drawn, "nominal"))
    backwards = Ratings(np.append(np.arange(drawn.k)[::-1], -1)[drawn.values], drawn.k)
    for metric in ("ordinal", "interval"):
        assert same(krippendorff_alpha(backwards, metric), krippendorff_alpha(drawn, metric))


@given(ratings(), st.floats(0.1, 50), st.floats(-50, 50))
@brisk
def test_units_of_measurement(drawn: Ratings, scale: float, shift: float) -> None:
    """Interval alpha knows no zero and no unit, ratio alpha no unit."""
    values = np.array(VALUES[drawn.k])
    moved, scaled = values * scale + shift, values * scale

    assert same(
        krippendorff_alpha(drawn, "interval", moved), krippendorff_alpha(drawn, "interval", values)
    )
    assert same(
        krippendorff_alpha(drawn, "ratio", scaled), krippendorff_alpha(drawn, "ratio", values)
    )


@given(ratings(min_k=2))
@brisk
def test_an_unused_level(drawn: Ratings) -> None:
    """At the end of the scale nobody notices it; in the middle only interval alpha does."""
    wider = replace(drawn, k=drawn.k + 1)
    for metric in ("nominal", "ordinal", "interval"):
        assert same(krippendorff_alpha(wider, metric), krippendorff_alpha(drawn, metric))
    middle = Ratings(np.where(drawn.values > 0, drawn.values + 1, drawn.values), drawn.k + 1)
    for metric in ("nominal", "ordinal"):
        assert same(krippendorff_alpha(middle, metric), krippendorff_alpha(drawn, metric))


def test_an_unused_level_in_the_middle_counts() -> None:
    """1, 2, 5 of a scale 1-5: 2 to 5 is three steps, not one."""
    values = np.array([[0, 0], [1, 1], [4, 1], [4, 4]])
    seen = np.minimum(values, 2)
    declared = krippendorff_alpha(Ratings(values, 5), "interval")

    assert declared == pytest.approx(
        number(krippendorff_alpha(Ratings(seen, 3), "interval", [1, 2, 5]))
    )
    assert declared != pytest.approx(number(krippendorff_alpha(Ratings(seen, 3), "interval")))


@given(ratings())
@brisk
def test_two_levels_have_one_alpha(drawn: Ratings) -> None:
    """With two levels the metric does not matter."""
    two = Ratings(np.minimum(drawn.values, 1), 2)
    first, *others = every_alpha(two)

    assert all(same(other, first) for other in others)


@given(ratings())
@brisk
def test_range(drawn: Ratings) -> None:
    """At most 1, and 1 only in perfect agreement."""
    for value in every_alpha(drawn):
        assume(not isinstance(value, Undefined))
        own = [set(row[row >= 0]) for row in drawn.values if (row >= 0).sum() > 1]
        perfect = all(len(levels) == 1 for levels in own)
        assert (number(value) == pytest.approx(1, abs=1e-12)) == perfect
        assert number(value) <= 1


@given(ratings())
@brisk
def test_units_rated_once_are_left_out(drawn: Ratings) -> None:
    """They change neither the value nor the counts."""
    once = np.full((3, drawn.raters), -1)
    once[0, 0], once[1, 1] = 0, drawn.k - 1
    wider = Ratings(np.vstack([once, drawn.values]), drawn.k)
    for metric in ("nominal", "ordinal"):
        assert krippendorff_alpha_estimate(wider, metric) == krippendorff_alpha_estimate(
            drawn, metric
        )


@pytest.mark.parametrize(
    ("values", "k", "expected"),
    [
        (np.zeros((0, 3), dtype=int), 2, ("empty", 0, 0)),
        ([[0, -1], [-1, 1]], 2, ("empty", 0, 0)),
        ([[0, 0], [0, 0], [1, -1]], 2, ("single_category", 2, 4)),
        ([[1, 1]], 2, ("single_category", 1, 2)),
        ([[0, 0], [0, 0]], 1, ("single_category", 2, 4)),
    ],
)
def test_undefined(values: object, k: int, expected: tuple[str, int, int]) -> None:
    """Nothing pairable, or all pairable values of one level."""
    found = Ratings(np.array(values), k)
    for metric in ("nominal", "ordinal", "interval"):
        for value in (
            krippendorff_alpha(found, metric),
            krippendorff_alpha_estimate(found, metric),
        ):
            assert isinstance(value, Undefined)
            assert (value.reason, value.n, value.pairs) == expected


def test_far_apart_values_are_no_single_category() -> None:
    """Two neighbours in use on a scale that reaches to a million: small differences count."""
    found = Ratings(np.array([[0, 0], [1, 1], [0, 1], [1, 1]]), 3)

    assert krippendorff_alpha(found, "interval", [0, 1, 1e8]) == pytest.approx(
        number(krippendorff_alpha(found, "nominal"))
    )


def test_misuse_is_an_error() -> None:
    """Unknown metrics and values that do not fit."""
    found = Ratings(np.array([[0, 1], [1, 1]]), 2)
    with pytest.raises(UnknownName, match="no difference of levels named 'nominl'"):
        krippendorff_alpha(found, "nominl")  # type: ignore[arg-type]
    for metric, values, message in (
        ("ratio", None, "need the values"),
        ("ratio", [-1, 2], "not negative"),
        ("interval", [1, 2, 3], "2 levels, there are 3 values"),
        ("interval", [1, 1], "finite and different"),
        ("interval", [1, float("nan")], "finite and different"),
    ):
        with pytest.raises(ValueError, match=message):
            krippendorff_alpha(found, metric, values)  # type: ignore[arg-type]


@pytest.mark.parametrize("drawn", random_ratings(4, 12), ids=lambda r: f"{len(r)}x{r.raters}")
def test_estimates_are_points_inside_their_intervals(drawn: Ratings) -> None:
    """Value of the point function, between the ends; counts of units and values."""
    twice = drawn.sizes()[drawn.sizes() > 1]
    for metric in ("nominal", "ordinal", "interval"):
        value = krippendorff_alpha(drawn, metric)
        found = krippendorff_alpha_estimate(drawn, metric)
        if isinstance(value, Undefined) or isinstance(found, Undefined):
            assert isinstance(found, Undefined)
            continue
        assert found.value == pytest.approx(value)
        assert min(-1, found.value) <= found.low <= found.value <= found.high <= 1
        assert (found.n, found.pairs) == (len(twice), twice.sum())
        assert found.method == f"krippendorff_alpha_{metric}/jackknife_wilson"


def test_weights_are_relative() -> None:
    """Only their ratios matter, and equal ones are none."""
    drawn = random_ratings(5, 1)[0]
    weight = np.resize([1.0, 2, 5], len(drawn))
    for metric in ("nominal", "ordinal"):
        once = krippendorff_alpha(replace(drawn, weight=weight), metric)
        assert same(once, krippendorff_alpha(replace(drawn, weight=weight * 7), metric))
        assert not same(once, krippendorff_alpha(drawn, metric))
        even = replace(drawn, weight=np.full(len(drawn), 3.0))
        assert same(krippendorff_alpha(even, metric), krippendorff_alpha(drawn, metric))


@pytest.mark.parametrize("metric", METRICS)
def test_a_hundred_thousand_units_are_quick(metric: Metric) -> None:
    """With interval, gaps and five raters. Alone on a machine it takes 0.2 s."""
    rng = np.random.default_rng(6)
    found = Ratings(rng.integers(-1, 5, (100_000, 5)), 5)
    values = VALUES[5] if metric == "ratio" else None

    estimate = krippendorff_alpha_estimate(found, metric, values)

    assert cpu_seconds(lambda: krippendorff_alpha_estimate(found, metric, values), rounds=2) < 3
    assert isinstance(estimate, Estimate)
    assert estimate.low < 0 < estimate.high
