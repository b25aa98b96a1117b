"""Kappa, its error and its interval, against other people's code and plain loops."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from judgekit.stats import (
    Undefined,
    bounds,
    critical,
    identity,
    kappa,
    linear,
    path_score,
    quadratic,
    standard_error,
    with_disagreeing,
)
from judgekit.stats.arrays import FloatArray

SKLEARN = {"identity": None, "linear": "linear", "quadratic": "quadratic"}
RANDOM_TABLES = 300


def random_tables(seed: int, count: int = RANDOM_TABLES) -> list[FloatArray]:
    """Tables of two to six levels, from sparse to full, from chance to near perfection."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        k, n = int(rng.integers(2, 7)), int(rng.integers(5, 300))
        skew = rng.dirichlet(np.full(k, rng.choice([0.5, 1, 5])))
        lean = rng.dirichlet(np.full(k, rng.choice([0.5, 1, 5])))
        shares = (1 - (t := rng.random())) * np.outer(skew, lean) + t * np.diag(skew)
        table = rng.multinomial(n, shares.ravel()).reshape(k, k).astype(float)
        if not isinstance(kappa(table, identity(k)), Undefined):
            found.append(table)
    return found


def schemes(k: int) -> dict[str, FloatArray]:
    """The three agreement weights of an evenly spaced scale."""
    return {"identity": identity(k), "linear": linear(range(k)), "quadratic": quadratic(range(k))}


def test_kappa_is_sklearns() -> None:
    """Value: scikit-learn, told the whole scale."""
    for table in random_tables(1):
        k = table.shape[0]
        cells = np.repeat(np.arange(k * k), table.astype(int).ravel())
        for name, w in schemes(k).items():
            expected = cohen_kappa_score(
                cells // k, cells % k, labels=range(k), weights=SKLEARN[name]
            )

            assert kappa(table, w) == pytest.approx(expected, abs=1e-12)


def test_standard_error_is_statsmodels() -> None:
    """Value and error: statsmodels, which takes any weights."""
    for table in random_tables(2):
        for w in schemes(table.shape[0]).values():
            # It wants costs. Variances of 0 come out below 0 there, and their roots as nan.
            with np.errstate(invalid="ignore"):
                expected = cohens_kappa(table, weights=1 - w)
            error = np.nan_to_num(expected.std_kappa, nan=0.0)

            assert kappa(table, w) == pytest.approx(expected.kappa, abs=1e-12)
            assert standard_error(table, w) == pytest.approx(error, abs=1e-7)


def loop_kappa(P: FloatArray, w: FloatArray) -> tuple[float, float]:
    """Kappa and n SE^2, term by term from the paper."""
    k = len(P)
    r = [sum(P[i, j] for j in range(k)) for i in range(k)]
    c = [sum(P[i, j] for i in range(k)) for j in range(k)]
    p_o = sum(w[i, j] * P[i, j] for i in range(k) for j in range(k))
    p_e = sum(w[i, j] * r[i] * c[j] for i in range(k) for j in range(k))
    row = [sum(w[i, j] * c[j] for j in range(k)) for i in range(k)]
    column = [sum(w[i, j] * r[i] for i in range(k)) for j in range(k)]
    total = 0.0
    for i in range(k):
        for j in range(k):
            term = w[i, j] * (1 - p_e) - (row[i] + column[j]) * (1 - p_o)
            total += P[i, j] * term**2
    variance = (total - (p_o * p_e - 2 * p_e + p_o) ** 2) / (1 - p_e) ** 4
    return (p_o - p_e) / (1 - p_e), max(variance, 0.0)


def loop_path_score(table: FloatArray, w: FloatArray, z: float, n: float) -> tuple[float, float]:
    """The interval by its definition, with Brent's root finder."""
    P = table / table.sum()
    value = loop_kappa(P, w)[0]
    independent = np.outer(P.sum(axis=1), P.sum(axis=0))
    perfect = np.diag((P.sum(axis=1) + P.sum(axis=0)) / 2)

    def gap(t: float, end: FloatArray, sign: int) -> float:
        tested, variance = loop_kappa(P + t * (end - P), w)
        return sign * (value - tested) - z * math.sqrt(variance / n)

    def root(function: Callable[[float], float]) -> float | None:
        return None if function(1.0) < 0 else float(brentq(function, 1e-9, 1.0, xtol=1e-13))

    down = root(lambda t: gap(t, independent, 1))
    widest = value - z * math.sqrt(loop_kappa(independent, w)[1] / n)
    low = widest if down is None else (1 - down) * value
    up = root(lambda s: gap(s, perfect, -1))
    return low, 1.0 if up is None else loop_kappa(P + up * (perfect - P), w)[0]


@pytest.mark.parametrize("z", [1.6448536269514722, 1.959963984540054, 3.0])
def test_interval_is_its_definition(z: float) -> None:
    """Bounds of random tables: a slow transcription with another root finder agrees."""
    for table in random_tables(3, 60):
        for w in schemes(table.shape[0]).values():
            low, high = bounds(table[None], w, z=z)
            value = kappa(table, w)
            assert isinstance(value, float)
            # At a constant rater, or kappa 0 and below, Brent may not see a change of sign.
            if not 1e-6 < value < 1 - 1e-9:
                continue
            expected = loop_path_score(table, w, z, float(table.sum()))

            assert (low[0], high[0]) == pytest.approx(expected, abs=1e-8)


def test_interval_with_an_extra_column_is_its_definition() -> None:
    """Tables with a column of unusable answers, unequal margins, design effect and t."""
    rng, effect, df = np.random.default_rng(4), 1.7, 14
    for table in random_tables(5, 40):
        k = table.shape[0]
        wider = np.zeros((k + 1, k + 1))
        wider[:k, :k], wider[:k, k] = table, rng.integers(0, 6, k)
        for w in schemes(k).values():
            padded = with_disagreeing(w, 1)
            found = path_score(wider, padded, design_effect=effect, df=df)
            assert not isinstance(found, Undefined)
            if not 1e-6 < found.value < 1 - 1e-9:
                continue
            expected = loop_path_score(wider, padded, critical(0.95, df), wider.sum() / effect)

            assert (found.low, found.high) == pytest.approx(expected, abs=1e-8)
