"""Resampling, exact intervals and paired tests, against other people's code and plain loops."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import contingency_tables as tables_of
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from judgekit.stats import Estimate, Pairs, Undefined, identity, quadratic
from judgekit.stats.arrays import FloatArray
from judgekit.stats.enumeration import exact_bootstrap
from judgekit.stats.exact import (
    clopper_pearson,
    jeffreys,
    kappa_fixed_margins,
    newcombe_independent,
    rule_of_three,
    zero_events,
)
from judgekit.stats.homogeneity import homogeneity
from judgekit.stats.jackknife import acceleration, jackknife_error
from judgekit.stats.kappa import kappa_of, null_standard_error
from judgekit.stats.multiplicity import benjamini_hochberg, benjamini_yekutieli, holm
from judgekit.stats.paired import Variant, bhapkar, bowker, mcnemar, stuart_maxwell
from judgekit.stats.resampling import bca, bootstrap, percentile, units_of_pairs, units_of_table
from judgekit.stats.significance import HypothesisTest
from tests.oracles.test_kappa_oracles import random_tables, schemes
from tests.stats.twins import kappa_twin, plain_kappa

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
golden = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="the golden cases are not beside this checkout"
)
TABLE = np.array([[30.0, 6, 1], [4, 22, 7], [0, 5, 25]])


def rows_of(table: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """The ratings behind a table of whole counts."""
    k = table.shape[0]
    cells = np.repeat(np.arange(k * k), table.astype(int).ravel())
    return cells // k, cells % k


def row_kappas(table: FloatArray, draws: int, seed: int) -> FloatArray:
    """Kappa of resampled rows, one after the other, with quadratic weights and scikit-learn."""
    human, judge = rows_of(table)
    rng, found = np.random.default_rng(seed), []
    for _ in range(draws):
        rows = rng.integers(0, human.size, human.size)
        found.append(
            cohen_kappa_score(human[rows], judge[rows], labels=range(3), weights="quadratic")
        )
    return np.array(found)


def test_tables_are_resampled_rows() -> None:
    """Mean, deviation and quantiles of 1,000 row resamples, and a Kolmogorov-Smirnov test."""
    by_rows = row_kappas(TABLE, 1000, 1)
    w = quadratic(range(3))
    found = bootstrap(units_of_table(TABLE), kappa_twin(w), np.random.default_rng(2), 20_000)

    assert found.mean == pytest.approx(by_rows.mean(), abs=4 * found.sd / 1000**0.5)
    assert found.sd == pytest.approx(by_rows.std(), rel=0.1)
    assert stats.ks_2samp(found.values, by_rows).pvalue > 0.01
    low, high = percentile(found)
    assert (low, high) == pytest.approx(tuple(np.quantile(by_rows, [0.025, 0.975])), abs=0.025)


def test_clusters_are_resampled_whole() -> None:
    """Cluster draws in a loop over rows have the same mean and deviation."""
    rng = np.random.default_rng(3)
    human = rng.integers(0, 3, 40)[np.arange(160) // 4]
    judge = np.where(rng.random(160) < 0.7, human, rng.integers(0, 3, 160))
    clusters = np.arange(160) // 4
    members = [np.flatnonzero(clusters == g) for g in range(40)]
    slow = []
    for _ in range(3000):
        rows = np.concatenate([members[g] for g in rng.integers(0, 40, 40)])
        table = np.bincount(human[rows] * 3 + judge[rows], minlength=9).reshape(1, 3, 3)
        slow.append(kappa_of(table.astype(float), identity(3))[0])
    units = units_of_pairs(Pairs(human, judge, 3, clusters=clusters))
    found = bootstrap(units, plain_kappa(3), rng, 20_000)

    assert found.sd == pytest.approx(np.std(slow), rel=0.06)
    assert stats.ks_2samp(found.values, slow).pvalue > 0.01


def test_bca_is_scipys() -> None:
    """The interval of scipy.stats.bootstrap, which resamples rows and leaves out each."""
    human, judge = rows_of(TABLE)

    def statistic(h: np.ndarray, j: np.ndarray) -> float:
        table = np.bincount(h.astype(int) * 3 + j.astype(int), minlength=9).reshape(1, 3, 3)
        return float(kappa_of(table.astype(float), identity(3))[0])

    expected = stats.bootstrap(
        (human, judge),
        statistic,
        paired=True,
        vectorized=False,
        n_resamples=6000,
        method="BCa",
        rng=np.random.default_rng(4),
    ).confidence_interval
    found = bootstrap(units_of_table(TABLE), plain_kappa(3), np.random.default_rng(5), 60_000)
    bend = acceleration(TABLE, plain_kappa(3))
    assert isinstance(bend, float)
    value = float(kappa_of(TABLE[None], identity(3))[0])

    assert bca(found, value, bend) == pytest.approx((expected.low, expected.high), abs=0.01)


def test_null_error_is_statsmodels() -> None:
    """The error of kappa were there no agreement but by chance."""
    for table in random_tables(11, 150):
        for w in schemes(table.shape[0]).values():
            # z = kappa / SE0 is 0 / 0 there when a rater is constant.
            with np.errstate(invalid="ignore", divide="ignore"):
                expected = np.nan_to_num(cohens_kappa(table, weights=1 - w).std_kappa0, nan=0.0)

            assert null_standard_error(table, w) == pytest.approx(expected, abs=1e-7)


def test_shares_are_statsmodels() -> None:
    """Every count up to 30, three levels; statsmodels does not mend Jeffreys' ends."""
    for n in range(1, 31):
        for x in range(n + 1):
            for confidence in (0.8, 0.95, 0.99):
                known = partial(proportion_confint, x, n, alpha=1 - confidence)
                exact, even = (f(x, n, confidence=confidence) for f in (clopper_pearson, jeffreys))
                assert isinstance(exact, Estimate)
                assert isinstance(even, Estimate)

                assert (exact.low, exact.high) == pytest.approx(known(method="beta"), abs=1e-9)
                low, high = known(method="jeffreys")
                assert (even.low, even.high) == pytest.approx(
                    (low if x else 0, high if x < n else 1), abs=1e-9
                )


def test_newcombe_is_statsmodels() -> None:
    """Random pairs of samples."""
    rng = np.random.default_rng(12)
    for _ in range(200):
        n1, n2 = rng.integers(2, 80, 2)
        x1, x2 = rng.integers(0, n1 + 1), rng.integers(0, n2 + 1)
        found = newcombe_independent((x1, n1), (x2, n2))
        assert isinstance(found, Estimate)
        expected = confint_proportions_2indep(x1, n1, x2, n2, method="newcomb")

        assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_mcnemar_is_statsmodels() -> None:
    """Exact, plain and corrected; random tables with at least one disagreement."""
    rng = np.random.default_rng(13)
    for _ in range(200):
        table = rng.integers(0, rng.choice([3, 30]), (2, 2))
        if table[0, 1] + table[1, 0] == 0:
            continue
        options: dict[Variant, dict[str, bool]] = {
            "exact": {"exact": True},
            "chi2": {"exact": False, "correction": False},
            "edwards": {"exact": False, "correction": True},
        }
        for variant, flags in options.items():
            found = mcnemar(table, variant)
            assert isinstance(found, HypothesisTest)
            if variant == "edwards" and table[0, 1] == table[1, 0]:
                # statsmodels squares |b - c| - 1 = -1 there.
                assert found.p == 1
                continue
            expected = tables_of.mcnemar(table, **flags)

            assert found.p == pytest.approx(expected.pvalue, abs=1e-10)
            assert found.statistic == pytest.approx(expected.statistic)


def square_tables(seed: int, count: int) -> list[FloatArray]:
    """Tables of three to five levels, some with pairs of levels that never occur."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        k = int(rng.integers(3, 6))
        table = rng.poisson(rng.choice([0.7, 2, 9], (k, k))).astype(float)
        apart = table + table.T
        np.fill_diagonal(apart, 0)
        # All levels connected by disagreements: elsewhere statsmodels meets a singular matrix.
        if np.linalg.matrix_rank(np.diag(apart.sum(axis=1)) - apart) == k - 1:
            found.append(table)
    return found


def test_margins_are_statsmodels() -> None:
    """Stuart-Maxwell and Bhapkar on tables all of whose levels are in use."""
    for table in square_tables(14, 200):
        # shift_zeros, its default, adds 1/2 to every cell where one is empty.
        square = tables_of.SquareTable(table, shift_zeros=False)
        for found, method in (
            (stuart_maxwell(table), "stuart_maxwell"),
            (bhapkar(table), "bhapkar"),
        ):
            expected = square.homogeneity(method=method)
            assert isinstance(found, HypothesisTest)

            assert found.statistic == pytest.approx(expected.statistic, rel=1e-7, abs=1e-9)
            assert (found.df, found.p) == (expected.df, pytest.approx(expected.pvalue, abs=1e-9))


def test_symmetry_is_statsmodels_less_empty_pairs() -> None:
    """The same statistic; statsmodels also counts a degree of freedom for each empty pair."""
    for table in square_tables(15, 200):
        k = len(table)
        expected = tables_of.SquareTable(table, shift_zeros=False).symmetry()
        empty = int((np.triu(table + table.T == 0, 1)).sum())
        found = bowker(table)
        assert isinstance(found, HypothesisTest)

        assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
        assert found.df == expected.df - empty == k * (k - 1) // 2 - empty
        assert found.p == pytest.approx(stats.chi2.sf(found.statistic, found.df), abs=1e-12)


def test_adjusted_p_values_are_statsmodels() -> None:
    """Random lists, with ties; a few, because each call takes a tenth of a second."""
    rng = np.random.default_rng(16)
    for _ in range(4):
        p = np.round(rng.random(int(rng.integers(1, 20))) ** 3, int(rng.choice([2, 8])))

        np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], atol=1e-12)


def test_false_discovery_rates_are_scipys() -> None:
    """Random lists, with ties."""
    rng = np.random.default_rng(17)
    for _ in range(200):
        p = np.round(rng.random(int(rng.integers(1, 20))) ** 3, int(rng.choice([2, 8])))
        for method, name in ((benjamini_hochberg, "bh"), (benjamini_yekutieli, "by")):
            expected = stats.false_discovery_control(p, method=name)

            np.testing.assert_allclose(method(p), expected, atol=1e-12)


def test_homogeneity_is_a_weighted_regression() -> None:
    """Inverse-variance mean and its chi-squared: numpy's weighted fit of a constant."""
    rng = np.random.default_rng(17)
    for _ in range(50):
        k = int(rng.integers(2, 7))
        values, errors = rng.normal(0.6, 0.1, k), rng.uniform(0.02, 0.2, k)
        found = homogeneity(values, errors, np.full(k, 40))
        assert not isinstance(found, Undefined)
        (common,), (residual,), *_ = np.polyfit(np.zeros(k), values, 0, w=1 / errors, full=True)

        assert found.common.value == pytest.approx(common)
        assert found.test.statistic == pytest.approx(residual)
        assert found.test.p == pytest.approx(stats.chi2.sf(residual, k - 1))


def cases(group: str, keys: str) -> list[tuple[str, str]]:
    """Golden cases of a group, with each key that matches the pattern."""
    return [
        (path.stem, key)
        for path in sorted(GOLDEN.glob("*.json"))
        if isinstance(case := json.loads(path.read_text()), dict) and case["group"] == group
        for key in case["expected"]
        if re.fullmatch(keys, key)
    ]


def check(stem: str, key: str, found: object) -> None:
    """Compare with the golden value, to its tolerance."""
    case: dict[str, Any] = json.loads((GOLDEN / f"{stem}.json").read_text())
    tolerance = max(case["tolerance"][key], 1e-12)

    assert found == pytest.approx(case["expected"][key], abs=tolerance, rel=0)


def inputs(stem: str) -> dict[str, Any]:
    """What a golden case measures."""
    found: dict[str, Any] = json.loads((GOLDEN / f"{stem}.json").read_text())["inputs"]
    return found


@golden
@pytest.mark.parametrize(
    ("stem", "key"),
    cases("agreement-table", r"kappa_se0|kappa_se_jackknife|bca_acceleration"),
)
def test_golden_kappa(stem: str, key: str) -> None:
    """Errors of kappa."""
    table = np.array(inputs(stem)["table_rows_rater1_cols_rater2"], dtype=float)
    w = identity(len(table))
    functions = {
        "kappa_se0": lambda: null_standard_error(table, w),
        "kappa_se_jackknife": lambda: jackknife_error(table, kappa_twin(w)),
        "bca_acceleration": lambda: acceleration(table, kappa_twin(w)),
    }
    check(stem, key, functions[key]())


@golden
@pytest.mark.parametrize(("stem", "key"), cases("bootstrap", r".*"))
def test_golden_bootstrap(stem: str, key: str) -> None:
    """All ordered samples of six rows."""
    given = inputs(stem)
    k = len(given["scale"])
    table = np.zeros((k, k))
    np.add.at(table, (given["human"], given["judge"]), 1)
    found = exact_bootstrap(table, plain_kappa(k))
    if quantile := re.fullmatch(r"quantile_inverse_cdf\[(.*)\]", key):
        check(stem, key, found.quantile(float(quantile[1])))
    else:
        values = {"undefined_mass": found.undefined, "boot_mean": found.mean, "boot_sd": found.sd}
        check(stem, key, values[key])


@golden
@pytest.mark.parametrize(
    ("stem", "key"), cases("edge", r"clopper_pearson_po_.*|fallback_lower_fixed_margins")
)
def test_golden_perfect(stem: str, key: str) -> None:
    """What the exact interval of raw agreement says when all agree."""
    table = np.array(inputs(stem)["table_rows_rater1_cols_rater2"])
    share = clopper_pearson(np.trace(table), table.sum())
    found = kappa_fixed_margins(table) if key.startswith("fallback") else share
    assert isinstance(found, Estimate)
    check(stem, key, found.low)


@golden
@pytest.mark.parametrize(
    ("stem", "key"), cases("proportion", r"(clopper_pearson|jeffreys|rule_of_three)_\w+")
)
def test_golden_proportion(stem: str, key: str) -> None:
    """Exact intervals of shares."""
    given = inputs(stem)
    if key.startswith("rule"):
        check(stem, key, zero_events(given["n"]) if "exact" in key else rule_of_three(given["n"]))
        return
    function = jeffreys if key.startswith("jeffreys") else clopper_pearson
    found = function(given["successes"], given["n"], confidence=given["conf"])
    assert isinstance(found, Estimate)
    check(stem, key, found.low if key.endswith("lower") else found.high)


@golden
@pytest.mark.parametrize(
    ("stem", "key"), cases("paired", r"exact_p|midp|chi2_p_\w+|(stuart|bhapkar|bowker)_?\w+")
)
def test_golden_paired(stem: str, key: str) -> None:
    """Paired tests."""
    table = inputs(stem)["table"]
    variants: dict[str, Variant] = {
        "exact_p": "exact",
        "midp": "midp",
        "chi2_p_uncorrected": "chi2",
        "chi2_p_edwards": "edwards",
    }
    tests = {"stuart": stuart_maxwell, "bhapka": bhapkar, "bowker": bowker}
    found = mcnemar(table, variants[key]) if key in variants else tests[key[:6]](table)
    assert isinstance(found, HypothesisTest)
    if "df" in key:
        check(stem, key, found.df)
    else:
        check(stem, key, found.statistic if key.endswith("_chi2") else found.p)
