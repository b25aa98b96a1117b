import json
import math
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from judgekit.stats import Undefined, identity, kappa, quadratic, standard_error
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.planned_tables import best_match, mixed_table, ordered_table
from judgekit.stats.sample_size import n_for_half_width, n_for_test, sigma
from tests.stats.strategies import unhurried, weighted_tables

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
NORMAL = NormalDist()


def golden() -> list[dict[str, Any]]:
    """The golden cases of sample size."""
    cases = [json.loads(p.read_text()) for p in sorted(GOLDEN.glob("n-flack-*.json"))]
    return [case for case in cases if case["group"] == "sample-size"]


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden cases are not beside this checkout")
def test_golden() -> None:
    """The cases of Flack et al., as R's irr computes them."""
    cases = golden()
    assert cases
    for case in cases:
        told = case["inputs"]
        human, judge = ([1 - told[rate], told[rate]] for rate in ("rate1", "rate2"))
        null, alternative = (mixed_table(told[k], human, judge) for k in ("k0", "k1"))

        n = n_for_test(null, alternative, identity(2), alpha=told["alpha"], power=told["power"])
        width = n_for_half_width(alternative, identity(2), 0.10)

        assert n == case["expected"]["n"]
        assert width == case["expected"]["n_for_halfwidth_0.10"]


def flack(rates: tuple[float, float], k1: float, k0: float, alpha: float, power: float) -> float:
    """Pairs for the one-sided test of two raters and two levels, by the published sums."""

    def q(k: float) -> float:
        a, b = rates
        e = a * b + (1 - a) * (1 - b)
        o = k * (1 - e) + e
        p22 = (o - a + 1 - b) / 2
        p11 = o - p22
        p12, p21 = a - p11, b - p11
        same = p11 * (1 - e - (a + b) * (1 - o)) ** 2 + p22 * (1 - e - (2 - a - b) * (1 - o)) ** 2
        other = (1 - o) ** 2 * (p12 * (b + 1 - a) ** 2 + p21 * (1 - b + a) ** 2)
        return (same + other - (o * e - 2 * e + o) ** 2) / (1 - e) ** 4

    z = NORMAL.inv_cdf(1 - alpha), NORMAL.inv_cdf(power)
    return ((z[0] * math.sqrt(q(k0)) + z[1] * math.sqrt(max(q(k1), 0.0))) / (k1 - k0)) ** 2


@given(
    st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95)),
    st.floats(0.1, 0.95),
    st.floats(0.02, 0.9),
    st.sampled_from([0.01, 0.025, 0.05]),
    st.sampled_from([0.5, 0.8, 0.95]),
)
@unhurried
def test_two_levels_are_flacks(
    rates: tuple[float, float], k1: float, gap: float, alpha: float, power: float
) -> None:
    """The table's formula and the published sums give the same number."""
    k0, human, judge = k1 - gap, *([1 - rate, rate] for rate in rates)
    assume(k0 >= 0)
    assume(k1 <= kappa(1e9 * best_match(human, judge), identity(2)))
    null, alternative = (mixed_table(k, human, judge) for k in (k0, k1))

    found = n_for_test(null, alternative, identity(2), alpha=alpha, power=power)

    assert found == pytest.approx(max(1, flack(rates, k1, k0, alpha, power)), abs=1.001)


@given(weighted_tables())
@unhurried
def test_sigma_is_the_standard_error_of_one(case: Any) -> None:
    """SE * sqrt(n), whatever n; statsmodels says the same."""
    table, weights = case
    n = table.sum()

    found = sigma(table, weights)

    assert found == pytest.approx(sigma(table / n, weights))
    assert found == pytest.approx(standard_error(table, weights) * math.sqrt(n), abs=1e-9)
    theirs = cohens_kappa(table, weights=1 - weights)
    assert found == pytest.approx(math.sqrt(max(theirs.var_kappa, 0) * n), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("value", [0.0, 0.4, 0.6, 0.8, 0.95])
def test_balanced_pass_and_fail(value: float) -> None:
    """Sigma^2 is 1 - kappa^2."""
    assert sigma(mixed_table(value, [0.5, 0.5]), identity(2)) == pytest.approx(
        math.sqrt(1 - value**2)
    )


def test_the_figures_of_the_method_page() -> None:
    """246 and 139 pairs for 0.10 balanced; at 90/10 and kappa 0.6 the variance is 2.9 times."""
    balanced, skewed = mixed_table(0.6, [0.5, 0.5]), mixed_table(0.6, [0.9, 0.1])

    assert n_for_half_width(balanced, identity(2), 0.10) == 246
    assert n_for_half_width(mixed_table(0.8, [0.5, 0.5]), identity(2), 0.10) == 139
    ratio = sigma(skewed, identity(2)) ** 2 / sigma(balanced, identity(2)) ** 2
    assert ratio == pytest.approx(2.87, abs=0.01)


@pytest.mark.parametrize(
    ("weights", "null", "alternative"),
    [
        (identity(2), mixed_table(0.6, [0.3, 0.7]), mixed_table(0.8, [0.3, 0.7])),
        (
            quadratic(range(4)),
            ordered_table(0.5, quadratic(range(4)), [0.1, 0.2, 0.3, 0.4]),
            ordered_table(0.7, quadratic(range(4)), [0.1, 0.2, 0.3, 0.4]),
        ),
    ],
    ids=["binary", "ordinal"],
)
def test_so_many_pairs_have_the_power(weights: Any, null: Any, alternative: Any) -> None:
    """Simulated: kappa lies beyond the critical value of the null in 80% of studies."""
    n, rng = n_for_test(null, alternative, weights), np.random.default_rng(3)
    drawn = rng.multinomial(n, alternative.ravel(), size=20_000) / n

    value = kappa_and_variance(drawn.reshape(-1, *null.shape), weights)[0]

    critical = kappa(1e9 * null, weights) + 1.645 * sigma(null, weights) / math.sqrt(n)
    assert float(np.mean(value > critical)) == pytest.approx(0.80, abs=0.03)


def test_so_many_pairs_have_the_width() -> None:
    """Simulated: the mean standard error is the half-width over 1.96."""
    table = mixed_table(0.7, [0.2, 0.8])
    n, rng = n_for_half_width(table, identity(2), 0.12), np.random.default_rng(4)
    drawn = rng.multinomial(n, table.ravel(), size=5_000).reshape(-1, 2, 2) / n

    errors = np.sqrt(kappa_and_variance(drawn, identity(2))[1] / n)

    assert 1.96 * float(errors.mean()) == pytest.approx(0.12, rel=0.03)


def test_clusters_cost_their_design_effect() -> None:
    """Four outputs of a case with intra-class correlation 0.3: 1.9 times as many."""
    null, alternative = (mixed_table(k, [0.5, 0.5]) for k in (0.6, 0.8))
    weights = identity(2)

    plain = n_for_test(null, alternative, weights)
    grouped = n_for_test(null, alternative, weights, design_effect=1.9)

    assert grouped == pytest.approx(1.9 * plain, abs=2)
    assert n_for_half_width(alternative, weights, 0.1, design_effect=1.9) == math.ceil(
        1.9 * (1.959964 * 0.6 / 0.1) ** 2
    )


def test_what_has_no_number() -> None:
    """Nothing, a single level, and a table without disagreement."""
    none, single = np.zeros((2, 2)), np.array([[0.0, 0.0], [0.0, 1.0]])
    perfect, null = np.diag([0.5, 0.5]), mixed_table(0.6, [0.5, 0.5])

    assert sigma(none, identity(2)).reason == "empty"
    assert sigma(single, identity(2)).reason == "single_category"
    assert n_for_half_width(single, identity(2), 0.1).reason == "single_category"
    assert n_for_half_width(perfect, identity(2), 0.1).reason == "zero_variance"
    assert isinstance(n_for_test(single, perfect, identity(2)), Undefined)
    assert isinstance(n_for_test(null, single, identity(2)), Undefined)
    # A perfect judge has no spread of its own; the null has.
    assert n_for_test(null, perfect, identity(2)) == math.ceil((1.645 * 0.8 / 0.4) ** 2)


def test_misuse() -> None:
    """Each is named."""
    null, alternative = (mixed_table(k, [0.5, 0.5]) for k in (0.6, 0.8))
    weights = identity(2)

    with pytest.raises(ValueError, match="above the null"):
        n_for_test(alternative, null, weights)
    with pytest.raises(ValueError, match="power lies between"):
        n_for_test(null, alternative, weights, power=1.0)
    with pytest.raises(ValueError, match="alpha lies between"):
        n_for_test(null, alternative, weights, alpha=0.0)
    with pytest.raises(ValueError, match="design effect"):
        n_for_test(null, alternative, weights, design_effect=0.5)
    with pytest.raises(ValueError, match="half-width"):
        n_for_half_width(alternative, weights, 0.0)
    with pytest.raises(ValueError, match="the weights are"):
        sigma(null, identity(3))
