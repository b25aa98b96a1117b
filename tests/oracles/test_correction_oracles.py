"""Corrections against other implementations: the papers' code, numeric derivatives, brute force.

``ppi_py`` and the code of Lee et al. are written down again here, with NumPy and SciPy only.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.regression.linear_model import OLS, WLS
from statsmodels.stats.proportion import proportion_confint

from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.inversion import class_shares, condition_number, inverted_shares, on_simplex
from judgekit.stats.powered_levels import powered_mean, powered_rate
from judgekit.stats.powered_rates import ERROR, powered_rates
from judgekit.stats.prediction_powered import (
    classical_mean,
    effective_labels,
    ppi_lambda,
    ppi_mean,
    ppi_plus_mean,
)
from judgekit.stats.rogan_gladen import (
    lang_reiczigel,
    lang_reiczigel_point,
    rogan_gladen,
    rogan_gladen_error,
    youden,
)
from judgekit.stats.samples import Sample

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
PASSES = np.array([False, True])


def known(found: Estimate | Undefined) -> Estimate:
    """The estimate, which must be there."""
    assert isinstance(found, Estimate), found
    return found


def lee(table: Any, passed: int, total: int, alpha: float = 0.05) -> tuple[float, float]:
    """Lee et al.'s interval, step by step as in their code."""
    (tn, fp), (fn, tp) = table
    z = stats.norm.ppf(1 - alpha / 2)
    p, q0, q1 = passed / total, tn / (tn + fp), tp / (tp + fn)
    n, m0, m1 = total, tn + fp, tp + fn
    p = (n * p + z**2 / 2) / (n + z**2)
    q0, q1 = (m0 * q0 + 1) / (m0 + 2), (m1 * q1 + 1) / (m1 + 2)
    n, m0, m1 = n + z**2, m0 + 2, m1 + 2
    theta = (p + q0 - 1) / (q0 + q1 - 1)
    shift = 2 * z**2 * (-(1 - theta) * q0 * (1 - q0) / m0 + theta * q1 * (1 - q1) / m1)
    variance = (
        p * (1 - p) / n + (1 - theta) ** 2 * q0 * (1 - q0) / m0 + theta**2 * q1 * (1 - q1) / m1
    )
    half = z * np.sqrt(variance) / (q0 + q1 - 1)
    low, high = np.clip([theta + shift - half, theta + shift + half], 0, 1)
    return float(low), float(high)


def test_lang_reiczigel_is_lees() -> None:
    """Random labels of judges that are not too weak, at three levels."""
    rng = np.random.default_rng(1)
    tried = 0
    for _ in range(400):
        table = np.stack([rng.multinomial(60, [0.8, 0.2]), rng.multinomial(80, [0.25, 0.75])])
        passed, confidence = int(rng.integers(0, 501)), float(rng.choice([0.8, 0.95, 0.99]))
        found = lang_reiczigel(table, passed, 500, confidence=confidence)
        if isinstance(found, Undefined):
            continue
        low, high = lee(table, passed, 500, 1 - confidence)
        tried += 1
        assert found.low == pytest.approx(min(low, found.value), abs=1e-12)
        assert found.high == pytest.approx(max(high, found.value), abs=1e-12)
    assert tried > 380


def test_the_delta_error_is_the_numeric_derivatives() -> None:
    """Of theta by each of the three rates, with the binomial variance of each."""
    rng = np.random.default_rng(2)

    def theta(x: Any) -> float:
        return float((x[0] + x[2] - 1) / (x[1] + x[2] - 1))

    for _ in range(100):
        table = rng.integers(1, 20, (2, 2)) + 40 * np.eye(2, dtype=int)
        passed = int(rng.integers(1, 300))
        (tn, fp), (fn, tp) = table
        rates = np.array([passed / 300, tp / (tp + fn), tn / (tn + fp)])
        slope = optimize.approx_fprime(rates, theta, 1e-7)
        expected = np.sqrt(slope**2 @ (rates * (1 - rates) / [300, tp + fn, tn + fp]))

        assert rogan_gladen_error(table, passed, 300) == pytest.approx(expected, rel=1e-5)
        assert rogan_gladen(table, passed, 300, clip=False) == pytest.approx(theta(rates))


def by_ppi_py(human: Any, judge: Any, judged: Any, lam: float | None) -> tuple[float, ...]:
    """``ppi_mean_ci`` of ppi_py 0.2.3, written down again; lambda, mean, low, high."""
    n, N = human.size, judged.size
    if lam is None:
        both = np.cov(human, judge, ddof=0)[0, 1]
        spread = np.cov(np.concatenate([judge, judged]))
        lam = float(np.clip(both / ((1 + n / N) * spread), 0, 1))
    mean = np.mean(lam * judged) + np.mean(human - lam * judge)
    error = np.sqrt(np.var(lam * judged) / N + np.var(human - lam * judge) / n)
    half = stats.norm.ppf(0.975) * error
    return lam, float(mean), float(mean - half), float(mean + half)


def test_ppi_is_ppi_pys() -> None:
    """Grades and passes, good and useless judges."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        k, n, N = int(rng.integers(2, 6)), int(rng.integers(5, 120)), int(rng.integers(10, 400))
        human = rng.integers(0, k, n).astype(float)
        judge = np.where(rng.random(n) < 0.6, human, rng.integers(0, k, n))
        judged = rng.integers(0, k, N).astype(float)
        for lam, found in (
            (1.0, ppi_mean(human, judge, judged, large_sample=True)),
            (0.3, ppi_mean(human, judge, judged, lam=0.3, large_sample=True)),
            (None, ppi_plus_mean(human, judge, judged, large_sample=True)),
        ):
            used, mean, low, high = by_ppi_py(human, judge, judged, lam)
            assert (known(found).value, known(found).low, known(found).high) == pytest.approx(
                (mean, low, high), abs=1e-12
            )
            if lam is None:
                assert ppi_lambda(human, judge, judged) == pytest.approx(used, abs=1e-12)


def test_the_labels_alone_are_scipys() -> None:
    """Student's interval of a mean."""
    rng = np.random.default_rng(4)
    human = rng.integers(1, 6, 37)
    expected = stats.ttest_1samp(human, 0).confidence_interval(0.9)
    found = known(classical_mean(human, confidence=0.9))

    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def drawn(rng: np.random.Generator, n: int, k: int, accuracy: float = 0.8) -> tuple[Any, Any]:
    """Human and judge levels of n items."""
    human = rng.integers(0, k, n)
    return human, np.where(rng.random(n) < accuracy, human, rng.integers(0, k, n))


def test_effective_labels_have_a_closed_form() -> None:
    """Labels are worth n / (1 - rho^2 N / (n + N)), with half an error each way."""
    rng = np.random.default_rng(5)
    for _ in range(100):
        n, N = int(rng.integers(10, 200)), int(rng.integers(10, 2000))
        human, judge = drawn(rng, n, 2)
        others = rng.integers(0, 2, N)
        found = powered_rate(Sample(judge, 2, np.eye(2)[human]), Sample(others, 2), PASSES)
        y, f = np.r_[human, 0, 1], np.r_[judge, 1, 0]
        w = np.r_[np.ones(n), ERROR, ERROR]
        cov = np.cov(y, f, aweights=w)
        rho2 = max(0.0, cov[0, 1]) ** 2 / (cov[0, 0] * cov[1, 1])
        n_eff = n / (1 - rho2 * N / (n + N))

        assert found.effective == pytest.approx(n_eff)
        corrected = known(found.corrected)
        low, high = proportion_confint(corrected.value * n_eff, n_eff, method="wilson")
        assert (corrected.low, corrected.high) == pytest.approx((low, high))


def test_clusters_are_statsmodels() -> None:
    """The design effect is that of cluster-robust errors of the residual mean; the labels' own."""
    rng = np.random.default_rng(6)
    case = np.arange(120) // 6
    human = (rng.random(20)[case] + 0.4 * rng.standard_normal(120) > 0.5).astype(int)
    judge = np.where(rng.random(120) < 0.85, human, 1 - human)
    sample = Sample(judge, 2, np.eye(2)[human], clusters=case)
    found = powered_rate(sample, Sample(rng.integers(0, 2, 900), 2), PASSES)
    fit = OLS(human, np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": case})
    # statsmodels corrects by G / (G - 1) * (n - 1) / (n - k); k is 1 here.
    plain = human.var() / 120

    assert known(found.labels_only).design_effect == pytest.approx(fit.bse[0] ** 2 / plain)
    assert known(found.labels_only).clusters == 20


def test_cuts_of_clustered_items_correlate_by_case() -> None:
    """The correlation of rates is NumPy's, of the sums over cases of their residuals."""
    rng = np.random.default_rng(13)
    case = np.arange(90) // 3
    human, judge = drawn(rng, 90, 4)
    basis = (np.arange(4)[:, None] > np.arange(3)).astype(float)
    nothing = Sample(np.zeros(0, int), 4)
    for clusters in (None, case):
        sample = Sample(judge, 4, np.eye(4)[human], clusters=clusters)
        found = powered_rates(sample, nothing, basis)
        assert not isinstance(found, Undefined)
        residual = basis[human] - basis[human].mean(axis=0)
        units = np.arange(90) if clusters is None else clusters
        sums = np.stack([np.bincount(units, column) for column in residual.T])

        np.testing.assert_allclose(found.correlation, np.corrcoef(sums), atol=1e-12)


def test_weighted_labels_are_statsmodels() -> None:
    """A weighted mean with its robust (HC0) variance; half an error each way apart."""
    rng = np.random.default_rng(7)
    human, judge = drawn(rng, 400, 2)
    weight = rng.uniform(0.5, 2, 400)
    found = powered_rate(
        Sample(judge, 2, np.eye(2)[human], weight=weight), Sample(np.zeros(0, int), 2), PASSES
    ).labels_only
    fit = WLS(human, np.ones(400), weights=weight).fit(cov_type="HC0")

    assert known(found).value == pytest.approx(fit.params[0])
    half = (known(found).high - known(found).low) / 2
    assert half == pytest.approx(stats.norm.ppf(0.975) * fit.bse[0], rel=0.02)


def test_a_mean_of_many_labels_is_the_papers() -> None:
    """With thousands of labels, rates above cuts and PPI++ on the values agree."""
    rng = np.random.default_rng(8)
    human, judge = drawn(rng, 4000, 5)
    _, others = drawn(rng, 20000, 5)
    ours = known(
        powered_mean(Sample(judge, 5, np.eye(5)[human]), Sample(others, 5), range(5)).corrected
    )
    paper = known(ppi_plus_mean(human, judge, others))

    assert ours.value == pytest.approx(paper.value, abs=0.01)
    assert ours.high - ours.low == pytest.approx(paper.high - paper.low, rel=0.05)


def test_the_nearest_shares_are_scipys() -> None:
    """The projection minimises the distance on the simplex."""
    rng = np.random.default_rng(9)
    for _ in range(30):
        point = rng.normal(0.3, 0.6, 4)
        found = optimize.minimize(
            lambda x, p=point: float(((x - p) ** 2).sum()),
            np.full(4, 0.25),
            bounds=[(0, 1)] * 4,
            constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-14},
        )

        np.testing.assert_allclose(on_simplex(point), found.x, atol=1e-5)


def test_inverted_shares_are_least_squares() -> None:
    """Where no share comes out negative, lstsq finds the same; the condition number is NumPy's."""
    rng = np.random.default_rng(10)
    for _ in range(100):
        table = rng.integers(1, 8, (4, 4)) + 30 * np.eye(4, dtype=int)
        M = (table / table.sum(axis=1, keepdims=True)).T
        counts = rng.multinomial(1000, M @ [0.1, 0.2, 0.3, 0.4])
        found = class_shares(table, counts)
        expected = np.linalg.lstsq(M, counts / 1000, rcond=None)[0]

        assert not isinstance(found, Undefined)
        if (expected >= 0).all():
            np.testing.assert_allclose(found, expected, atol=1e-10)
        assert condition_number(table) == pytest.approx(np.linalg.cond(M))


def test_inverted_intervals_are_those_of_dirichlet_draws() -> None:
    """A loop over SciPy's Dirichlet distribution gives the same ends, up to chance."""
    table = np.array([[40, 8, 2], [5, 30, 5], [1, 6, 23]])
    human, judge = (np.repeat(c, table.ravel()) for c in np.indices((3, 3)).reshape(2, -1))
    counts = np.array([420, 350, 230])
    found = inverted_shares(
        Sample(judge, 3, np.eye(3)[human]),
        Sample(np.repeat(np.arange(3), counts), 3),
        rng=np.random.default_rng(11),
        draws=20000,
    )
    rng = np.random.default_rng(12)
    solved = []
    for _ in range(6000):
        M = np.stack([stats.dirichlet.rvs(row + 1 / 3, random_state=rng)[0] for row in table], 1)
        solved.append(on_simplex(np.linalg.solve(M, rng.dirichlet(counts + 1 / 2))))
    low, high = np.quantile(np.array(solved), [0.025, 0.975], axis=0)

    np.testing.assert_allclose([known(one).low for one in found], low, atol=0.006)
    np.testing.assert_allclose([known(one).high for one in found], high, atol=0.006)


def golden(name: str) -> dict[str, Any]:
    """A golden case; skipped where the cases are not beside the checkout."""
    path = GOLDEN / f"{name}.json"
    if not path.is_file():
        pytest.skip("the golden cases are not beside this checkout")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def check(case: dict[str, Any], found: dict[str, float | Undefined]) -> None:
    """Every expected value of a case, to its tolerance."""
    assert found.keys() == case["expected"].keys()
    for key, expected in case["expected"].items():
        tolerance = max(case["tolerance"][key], 1e-12)
        assert found[key] == pytest.approx(expected, abs=tolerance, rel=0), key


def test_golden_rogan_gladen() -> None:
    """Point, error and interval."""
    case = golden("rg-good-judge")
    given = case["inputs"]
    table = [[given["tn"], given["fp"]], [given["fn"], given["tp"]]]
    scored = (given["unlabeled_pass"], given["unlabeled_n"])
    interval = known(lang_reiczigel(table, *scored))

    check(
        case,
        {
            "theta": rogan_gladen(table, *scored),
            "theta_unclipped": rogan_gladen(table, *scored, clip=False),
            "youden_j": youden(table),
            "delta_se": rogan_gladen_error(table, *scored),
            "lang_reiczigel_point": lang_reiczigel_point(table, *scored),
            "lang_reiczigel_lower": interval.low,
            "lang_reiczigel_upper": interval.high,
        },
    )


@pytest.mark.parametrize("name", ["ppi-ordinal-80", "ppi-useless-judge"])
def test_golden_ppi(name: str) -> None:
    """PPI, PPI++ and the labels alone, as ppi_py has them; what they are worth."""
    case = golden(name)
    human, judge, judged = (
        np.array(case["inputs"][key])
        for key in ("human", "judge_on_labelled", "judge_on_unlabelled")
    )
    ppi, plus = (f(human, judge, judged, large_sample=True) for f in (ppi_mean, ppi_plus_mean))
    alone = classical_mean(human, large_sample=True)
    found: dict[str, float | Undefined] = {
        f"{key}_{part}": value
        for key, one in (("ppi", ppi), ("ppi_plus", plus), ("classical", alone))
        for part, value in (
            ("mean", known(one).value),
            ("ci_lower", known(one).low),
            ("ci_upper", known(one).high),
        )
    }
    found["ppi_plus_lambda_as_ppi_py"] = ppi_lambda(human, judge, judged)
    widths = [(known(one).high - known(one).low) ** 2 for one in (alone, plus)]
    found["effective_sample_size"] = effective_labels(human.size, *widths)

    check(case, found)


def test_golden_inversion() -> None:
    """Three levels."""
    case = golden("confusion-inversion-3")
    table = case["inputs"]["confusion_human_rows_judge_cols"]
    shares = class_shares(table, case["inputs"]["unlabelled_judge_counts"])
    assert not isinstance(shares, Undefined)

    check(
        case,
        {
            **{f"class_share[{i}]": float(share) for i, share in enumerate(shares)},
            "condition_number": condition_number(table),
            "mean_score_1_3": float(shares @ [1, 2, 3]),
        },
    )
