"""Agreement of several raters against other people's code, plain loops, and the golden cases."""

import json
import re
from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from judgekit.stats import Undefined, identity, linear, quadratic
from judgekit.stats.alpha import Metric, coincidences, krippendorff_alpha
from judgekit.stats.arrays import FloatArray
from judgekit.stats.chance import bennett_s, gwet_ac1, gwet_ac2, pabak, scott_pi
from judgekit.stats.icc import Form, icc, spearman_brown
from judgekit.stats.raters import (
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    pairwise_agreement,
)
from judgekit.stats.ratings import Ratings
from tests.stats.rating_strategies import number, random_ratings, same

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
NAN = float("nan")


def or_undefined(value: float | Undefined, expected: float) -> bool:
    """Whether the value is the expected one, and undefined where that is nan."""
    if isinstance(value, Undefined):
        return bool(np.isnan(expected))
    return abs(value - expected) < 1e-9


def unit_pairs(found: Ratings) -> list[list[tuple[int, int]]]:
    """For each unit the ordered pairs of levels two of its raters gave."""
    return [list(permutations([int(v) for v in row if v >= 0], 2)) for row in found.values]


def loop_observed(found: Ratings, w: FloatArray) -> float:
    """Mean over units with two ratings of the mean weight of their pairs."""
    own = [sum(w[a, b] for a, b in pairs) / len(pairs) for pairs in unit_pairs(found) if pairs]
    return sum(own) / len(own) if own else NAN


def loop_shares(found: Ratings) -> list[float]:
    """Gwet's pooled shares: units rated once and more, each of them the same."""
    rows = [[v for v in row if v >= 0] for row in found.values.tolist()]
    rated = [row for row in rows if row]
    return [sum(row.count(c) / len(row) for row in rated) / len(rated) for c in range(found.k)]


def loop_conger(found: Ratings, w: FloatArray) -> float:
    """Mean over pairs of raters of the chance agreement of Cohen's kappa."""
    columns = [[v for v in column if v >= 0] for column in found.values.T.tolist()]
    columns = [column for column in columns if column]
    chances = [
        sum(w[a, b] for a in one for b in other) / (len(one) * len(other))
        for one, other in combinations(columns, 2)
    ]
    return sum(chances) / len(chances)


def loop_gwet(found: Ratings, w: FloatArray) -> float:
    """Gwet (2014): Tw / (q (q - 1)) times the sum of pi (1 - pi)."""
    q, shares = found.k, loop_shares(found)
    total = sum(w[a, b] for a in range(q) for b in range(q))
    return float(total) / (q * (q - 1)) * sum(p * (1 - p) for p in shares)


def loop_fleiss(found: Ratings, w: FloatArray) -> float:
    """Fleiss: two draws from the pooled shares."""
    q, shares = found.k, loop_shares(found)
    return sum(w[a, b] * shares[a] * shares[b] for a in range(q) for b in range(q))


@pytest.mark.parametrize("gaps", [0.0, 0.1, 0.5])
def test_raters_are_their_definitions(gaps: float) -> None:
    """Every coefficient, with and without gaps and weights, from loops over pairs of raters."""
    for found in random_ratings(10, 60, gaps=gaps):
        scale = range(found.k)
        for w in (identity(found.k), linear(scale), quadratic(scale)):
            p_o = loop_observed(found, w)
            assert or_undefined(pairwise_agreement(found, w), p_o)
            for coefficient, chance in (
                (fleiss_kappa, loop_fleiss),
                (conger_kappa, loop_conger),
                (gwet_ac, loop_gwet),
                (brennan_prediger, lambda _, weights: weights.sum() / weights.size),
            ):
                p_e = NAN if np.isnan(p_o) else chance(found, w)
                expected = NAN if 1 - p_e < 1e-12 else (p_o - p_e) / (1 - p_e)
                assert or_undefined(coefficient(found, w), expected)
        assert same(gwet_ac(found), gwet_ac(found, identity(found.k)))


def test_fleiss_and_randolph_are_statsmodels() -> None:
    """Without gaps: both of its methods, from counts and from codes."""
    for found in random_ratings(11, 200, gaps=0):
        counts = found.counts()
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = statsmodels_fleiss(counts, method="fleiss")

        assert or_undefined(fleiss_kappa(found), expected)
        assert or_undefined(fleiss_kappa(Ratings.from_counts(counts)), expected)
        assert or_undefined(brennan_prediger(found), statsmodels_fleiss(counts, method="randolph"))


@pytest.mark.filterwarnings("ignore:.*only one label in common")
def test_conger_of_two_raters_is_sklearns_kappa() -> None:
    """Two raters with gaps removed: Cohen's kappa, weighted too."""
    for found in random_ratings(12, 150, gaps=0):
        two = found.only_raters(np.arange(found.raters) < 2)
        for name, w in (("linear", linear), ("quadratic", quadratic)):
            with np.errstate(invalid="ignore"):
                expected = cohen_kappa_score(
                    *two.values.T, labels=range(two.k), weights=name, replace_undefined_by=np.nan
                )
            assert or_undefined(conger_kappa(two, w(range(two.k))), expected)


def theirs(found: Ratings, metric: Metric, domain: list[float]) -> float:
    """The krippendorff package, told the whole scale; nan where it refuses."""
    data = np.array([*domain, np.nan])[found.values.T]
    used = np.unique(data[:, (~np.isnan(data)).sum(axis=0) > 1])
    if np.isnan(used).all() or (~np.isnan(used)).sum() < 2:
        return NAN
    return float(krippendorff.alpha(data, value_domain=domain, level_of_measurement=metric))


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("gaps", [0.0, 0.3, 0.6])
def test_alpha_is_krippendorffs(metric: Metric, gaps: float) -> None:
    """All metrics over uneven scales, with levels and raters that may be unused."""
    for found in random_ratings(13, 80, gaps=gaps):
        domain = np.cumsum(np.arange(1.0, found.k + 1)).tolist()
        values = domain if metric in {"interval", "ratio"} else None

        assert or_undefined(
            krippendorff_alpha(found, metric, values), theirs(found, metric, domain)
        )


def test_coincidences_are_their_definition() -> None:
    """Ordered pairs of one unit, each 1 / (m - 1)."""
    for found in random_ratings(14, 40):
        expected = np.zeros((found.k, found.k))
        for row, pairs in zip(found.values, unit_pairs(found), strict=True):
            for a, b in pairs:
                expected[a, b] += 1 / ((row >= 0).sum() - 1)

        assert coincidences(found) == pytest.approx(expected, abs=1e-9)


def loop_two_raters(table: FloatArray, w: FloatArray) -> dict[str, float]:
    """Scott, Bennett and Gwet from the pairs themselves."""
    q, n = len(table), table.sum()
    cells = [(i, j, table[i, j]) for i in range(q) for j in range(q)]
    p_o = sum(w[i, j] * t for i, j, t in cells) / n
    both = [sum((i == c) * t + (j == c) * t for i, j, t in cells) / (2 * n) for c in range(q)]
    chances = {
        "scott": sum(w[i, j] * both[i] * both[j] for i, j, _ in cells),
        "bennett": sum(w[i, j] for i, j, _ in cells) / q**2,
        "gwet": sum(w[i, j] for i, j, _ in cells) / (q * (q - 1)) * sum(p * (1 - p) for p in both),
    }
    return {
        name: NAN if 1 - p_e < 1e-12 else (p_o - p_e) / (1 - p_e) for name, p_e in chances.items()
    }


def test_two_raters_are_their_definitions() -> None:
    """Hundreds of tables, some with one level in use."""
    rng = np.random.default_rng(15)
    for _ in range(300):
        q = int(rng.integers(2, 6))
        shares = rng.dirichlet(np.full(q * q, rng.choice([0.05, 0.3, 2])))
        table = rng.multinomial(int(rng.integers(2, 200)), shares).reshape(q, q).astype(float)
        for w in (identity(q), linear(range(q)), quadratic(range(q))):
            expected = loop_two_raters(table, w)
            assert or_undefined(scott_pi(table, w), expected["scott"])
            assert or_undefined(bennett_s(table, w), expected["bennett"])
            assert or_undefined(gwet_ac2(table, w), expected["gwet"])
        assert same(gwet_ac1(table), gwet_ac2(table, identity(q)))


@pytest.mark.parametrize("form", ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"])
def test_icc_is_a_mixed_table_of_variance(form: Form) -> None:
    """Random scores: sums of squares of nested and crossed designs, from statsmodels' tables."""
    from pandas import DataFrame
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    rng = np.random.default_rng(16)
    for _ in range(6):
        n, k = int(rng.integers(3, 12)), int(rng.integers(2, 6))
        scores = rng.normal(size=(n, 1)) + rng.normal(size=(1, k)) + rng.normal(size=(n, k))
        frame = DataFrame(
            {
                "score": scores.ravel(),
                "unit": np.repeat(np.arange(n), k),
                "rater": np.tile(np.arange(k), n),
            }
        )
        one = anova_lm(ols("score ~ C(unit)", frame).fit())["mean_sq"]
        two = anova_lm(ols("score ~ C(unit) + C(rater)", frame).fit())["mean_sq"]
        B, W, J, E = one["C(unit)"], one["Residual"], two["C(rater)"], two["Residual"]
        expected = {
            "1,1": (B - W) / (B + (k - 1) * W),
            "2,1": (B - E) / (B + (k - 1) * E + k * (J - E) / n),
            "3,1": (B - E) / (B + (k - 1) * E),
            "1,k": (B - W) / B,
            "2,k": (B - E) / (B + (J - E) / n),
            "3,k": (B - E) / B,
        }[form]
        found = icc(scores, form)
        assert not isinstance(found, Undefined)
        assert found.value == pytest.approx(expected, abs=1e-9)


def ratings_of(inputs: dict[str, Any]) -> Ratings:
    """The case's ratings, however they are given."""
    if "counts_subject_by_category" in inputs:
        return Ratings.from_counts(inputs["counts_subject_by_category"])
    if "human" in inputs:
        code = {level: i for i, level in enumerate(inputs["scale"])}
        return Ratings.from_raters(
            [[code[v] for v in inputs[who]] for who in ("human", "judge")], len(code)
        )
    if "units_by_rater" in inputs:
        code = {level: i for i, level in enumerate([*inputs["scale"]])}
        rows = [[code.get(v, -1) for v in row] for row in inputs["units_by_rater"]]
        return Ratings(np.array(rows), len(code))
    table = np.array(inputs["table_rows_rater1_cols_rater2"])
    cells = np.repeat(np.arange(table.size), table.ravel())
    return Ratings(np.column_stack(np.divmod(cells, len(table))), len(table))


def table_of(inputs: dict[str, Any]) -> FloatArray:
    """The case's two-rater table."""
    found = ratings_of(inputs)
    table = np.zeros((found.k, found.k))
    np.add.at(table, tuple(found.values.T), 1)
    return table


def weights_of(inputs: dict[str, Any]) -> FloatArray:
    """Quadratic weights of the case's scale."""
    return quadratic(inputs["scale"])


Inputs = dict[str, Any]
TWO_RATERS: dict[str, Callable[[Inputs], float | Undefined]] = {
    "scott_pi": lambda i: scott_pi(table_of(i)),
    "bennett_s(_rubric)?": lambda i: bennett_s(table_of(i)),
    "pabak": lambda i: pabak(table_of(i)),
    "gwet_ac1(_rubric)?": lambda i: gwet_ac1(table_of(i)),
    "gwet_ac2_quadratic": lambda i: gwet_ac2(table_of(i), weights_of(i)),
}
SEVERAL: dict[str, Callable[[Inputs], float | Undefined]] = {
    "fleiss_kappa(_missing)?": lambda i: fleiss_kappa(ratings_of(i)),
    "randolph_free_marginal|brennan_prediger": lambda i: brennan_prediger(ratings_of(i)),
    "conger_kappa": lambda i: conger_kappa(ratings_of(i)),
    "gwet_ac1(_rubric)?": lambda i: gwet_ac(ratings_of(i)),
    "gwet_ac2_quadratic": lambda i: gwet_ac(ratings_of(i), weights_of(i)),
    "alpha_nominal": lambda i: krippendorff_alpha(ratings_of(i), "nominal"),
    "alpha_ordinal": lambda i: krippendorff_alpha(ratings_of(i), "ordinal"),
    "alpha_interval": lambda i: krippendorff_alpha(ratings_of(i), "interval", i["scale"]),
    "alpha_ratio": lambda i: krippendorff_alpha(ratings_of(i), "ratio", i["scale"]),
}


def golden() -> list[Any]:
    """Each expected value of these statistics, with each function that gives it."""
    cases = [json.loads(path.read_text()) for path in sorted(GOLDEN.glob("*.json"))]
    found = []
    for case in (one for one in cases if isinstance(one, dict)):
        two = {"table_rows_rater1_cols_rater2", "human"} & set(case["inputs"])
        for key in case["expected"]:
            for table in (TWO_RATERS, SEVERAL) if two else (SEVERAL,):
                found += [
                    pytest.param(case, key, function, id=f"{case['id']}-{key}")
                    for pattern, function in table.items()
                    if re.fullmatch(pattern, key)
                ]
    return found


needs_golden = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="the golden cases are not beside this checkout"
)


@needs_golden
@pytest.mark.parametrize(("case", "key", "function"), golden())
def test_golden(
    case: dict[str, Any], key: str, function: Callable[[Inputs], float | Undefined]
) -> None:
    """Expected values to the tolerance of their case."""
    tolerance = max(case["tolerance"][key], 1e-12)

    assert number(function(case["inputs"])) == pytest.approx(
        case["expected"][key], abs=tolerance, rel=0
    )


@needs_golden
def test_golden_icc() -> None:
    """Shrout and Fleiss's example, all forms, and the replicates it asks for."""
    case = json.loads((GOLDEN / "icc-shrout-fleiss1979.json").read_text())
    expected = case["expected"]
    for form in ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k"):
        found = icc(case["inputs"]["units_by_rater"], form)  # type: ignore[arg-type]
        assert not isinstance(found, Undefined)
        assert found.value == pytest.approx(expected[f"icc_{form.replace(',', '_')}"], abs=1e-8)
    assert spearman_brown(expected["icc_1_1"], 0.9) == expected["spearman_brown_k_for_0.9"]
