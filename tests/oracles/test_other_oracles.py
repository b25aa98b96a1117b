"""Quantiles, proportions and means, against scipy and statsmodels."""

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from judgekit.stats import Estimate, Pairs, critical, mean_signed_error, wilson
from judgekit.stats.quantiles import incomplete_beta, student_t


@pytest.mark.parametrize("df", [0.5, 1, 2, 3.7, 9, 14, 29, 99, 1000, 12345.6, 1e6])
def test_t_quantiles_are_scipys(df: float) -> None:
    """From half a degree of freedom to a million, from the middle to the far tail."""
    for tail in (0.49, 0.25, 0.05, 0.025, 0.0125, 1e-3, 1e-5, 1e-9):
        assert student_t(tail, df) == pytest.approx(stats.t.isf(tail, df), rel=1e-8)


def test_normal_quantiles_are_scipys() -> None:
    """The half-widths of the usual levels."""
    for confidence in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999999):
        expected = stats.norm.isf((1 - confidence) / 2)

        assert critical(confidence) == pytest.approx(expected, rel=1e-12)


def test_incomplete_beta_is_scipys() -> None:
    """Random arguments over the range the quantiles use, and well beyond."""
    rng = np.random.default_rng(7)
    for _ in range(500):
        a, b, x = 10 ** rng.uniform(-1, 3), 10 ** rng.uniform(-1, 3), rng.random()

        assert incomplete_beta(a, b, x, 1 - x) == pytest.approx(
            special.betainc(a, b, x), rel=1e-9, abs=1e-300
        )


def test_wilson_is_statsmodels() -> None:
    """Every count up to 40, three levels."""
    for n in range(1, 41):
        for x in range(n + 1):
            for confidence in (0.8, 0.95, 0.99):
                found = wilson(x, n, confidence=confidence)
                assert isinstance(found, Estimate)
                expected = proportion_confint(x, n, alpha=1 - confidence, method="wilson")

                assert (found.low, found.high) == pytest.approx(expected, abs=1e-12)


def test_mean_signed_error_is_scipys_t_test() -> None:
    """The interval of the paired t test."""
    rng = np.random.default_rng(8)
    human, judge = rng.integers(0, 5, 80), rng.integers(0, 5, 80)
    found = mean_signed_error(Pairs(human, judge, 5), range(5), confidence=0.9)
    expected = stats.ttest_rel(judge, human).confidence_interval(0.9)
    assert isinstance(found, Estimate)

    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-10)


def test_clustered_mean_is_statsmodels() -> None:
    """The cluster-robust error of a regression on a constant."""
    rng = np.random.default_rng(9)
    clusters = np.arange(120) // 6
    kind = rng.integers(0, 3, 20)[clusters]
    human = rng.integers(0, 3, 120)
    judge = np.clip(human + (kind == 2) - (kind == 0), 0, 2)
    found = mean_signed_error(Pairs(human, judge, 3, clusters=clusters), range(3))
    fit = OLS(judge - human, np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    assert isinstance(found, Estimate)

    half = critical(0.95, 19) * fit.bse[0]
    # Two more clusters of the worst kind are added, so the interval reaches somewhat farther.
    assert found.value - found.low == pytest.approx(found.high - found.value)
    assert half < found.high - found.value < 1.25 * half
