"""Cohen's kappa of one table: its value, its standard error, and the pull of each cell.

Of a table T of n pairs, with shares P = T / n, row (human) margins r, column (judge) margins c and
agreement weights w_ij in [0, 1] with w_ii = 1:

- observed agreement  p_o = sum of w_ij P_ij
- chance agreement    p_e = sum of w_ij r_i c_j
- kappa               (p_o - p_e) / (1 - p_e)
- mean row weight     a_i = sum over j of w_ij c_j
- mean column weight  b_j = sum over i of w_ij r_i

1 is perfect agreement, 0 what independent raters with these margins reach, below 0 is worse than
that. A judge that always gives one level has kappa exactly 0 when the humans used several. When
both used only one and the same level, p_e is 1 and kappa is undefined: not 1, and not 0.

The rows and columns of the *weights* do not mix: a_i averages over the judge's margins, b_j over
the human's. Swapping them goes unnoticed while the margins are equal.

References: Cohen (1960), doi:10.1177/001316446002000104; Cohen (1968), doi:10.1037/h0026256;
Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72:323, doi:10.1037/h0028106.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Undefined

# Chance agreement nearer to 1 than this is rounding: both raters used one category.
SMALLEST_CHANCE_GAP = 1e-12


def kappa(table: npt.ArrayLike, weights: npt.ArrayLike) -> float | Undefined:
    """Agreement of two raters beyond chance, (p_o - p_e) / (1 - p_e); at most 1.

    ``table`` is (k, k) with the counts of pairs (not shares), ``weights`` is (k, k).
    ``Undefined("empty")`` without pairs; ``Undefined("single_category")`` when p_e is 1 or there is
    only one pair, which by itself cannot tell agreement from chance.

    Raises:
        ValueError: Shapes that do not fit, or a negative count.
    """
    T, w = checked(table, weights)
    if (why := why_undefined(T, w)) is not None:
        return why
    return float(kappa_and_variance(T / T.sum(), w)[0])


def raw_agreement(table: npt.ArrayLike) -> float | Undefined:
    """Share of pairs in the same category, in [0, 1]; ``Undefined("empty")`` without pairs.

    Never a requirement of its own: a judge that always gives the commonest level does well.
    """
    T = square("table", table)
    total = float(T.sum())
    return float(np.trace(T)) / total if total > 0 else Undefined("empty", 0, "raw_agreement")


def standard_error(table: npt.ArrayLike, weights: npt.ArrayLike) -> float | Undefined:
    """Large-sample standard error of kappa when kappa is not 0 (Fleiss, Cohen, Everitt 1969).

    SE^2 = { sum of P_ij [w_ij (1 - p_e) - (a_i + b_j)(1 - p_o)]^2 - (p_o p_e - 2 p_e + p_o)^2 }
    / { n (1 - p_e)^4 }, computed as the mean of u^2 / n with the influence values u of
    :func:`influence`, which is the same and cannot become negative by rounding.

    It is 0, and says nothing, when no disagreement was seen: use
    :func:`judgekit.stats.path_score.path_score` for an interval. Undefined where kappa is.
    """
    T, w = checked(table, weights)
    if (why := why_undefined(T, w)) is not None:
        return why
    n = float(T.sum())
    return math.sqrt(float(kappa_and_variance(T / n, w)[1]) / n)


def null_standard_error(table: npt.ArrayLike, weights: npt.ArrayLike) -> float | Undefined:
    """Standard error of kappa if the true kappa were 0, with the margins seen.

    SE0^2 = { sum of r_i c_j [w_ij - (a_i + b_j)]^2 - p_e^2 } / { n (1 - p_e)^2 } (Fleiss, Cohen,
    Everitt 1969). It belongs to the test of kappa = 0, z = kappa / SE0, and to nothing else: an
    interval made with it is wrong. It is 0 when a rater used one level only. Undefined where kappa
    is.

    Raises:
        ValueError: Shapes that do not fit, or a negative count.
    """
    T, w = checked(table, weights)
    if (why := why_undefined(T, w)) is not None:
        return why
    n = float(T.sum())
    r, c = T.sum(axis=1) / n, T.sum(axis=0) / n
    # At independence the influence of a cell is (w_ij - a_i - b_j + p_e) / (1 - p_e).
    return math.sqrt(float(kappa_and_variance(np.outer(r, c), w)[1]) / n)


def kappa_of(tables: FloatArray, weights: npt.ArrayLike) -> FloatArray:
    """Kappa of each table of a stack of counts or shares: (B, k, k) gives (B,).

    The fast twin of :func:`kappa` for resampling; nan where chance agreement is 1, and for a table
    of zeros. A single pair is not told apart from a share of 1, so it has a value here unless it
    lies on the diagonal.
    """
    w = square("weights", weights)
    flat = tables.reshape(len(tables), -1)
    total = flat.sum(axis=1)
    total = np.where(total > 0, total, np.nan)
    chance = ((tables.sum(axis=2) @ w) * tables.sum(axis=1)).sum(axis=1) / total**2
    gap = np.where(1 - chance < SMALLEST_CHANCE_GAP, np.nan, 1 - chance)
    found: FloatArray = (flat @ w.ravel() / total - chance) / gap
    return found


def influence(table: npt.ArrayLike, weights: npt.ArrayLike) -> FloatArray | Undefined:
    """Pull of one pair in each cell on kappa; shape (k, k), with mean 0 over the table.

    u_ij = (w_ij - p_o) / (1 - p_e) - (1 - p_o) / (1 - p_e)^2 * (a_i + b_j - 2 p_e). The mean of
    u^2 over the pairs is n SE^2, so sums of u within clusters give the cluster-robust error.
    Undefined where kappa is.
    """
    T, w = checked(table, weights)
    if (why := why_undefined(T, w)) is not None:
        return why
    pull: FloatArray = value_and_pull(T / T.sum(), w)[1]
    return pull


def kappa_and_variance(shares: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Kappa and n SE^2 of a stack of share tables: (..., k, k) gives two arrays (...).

    Both are nan where chance agreement is 1.
    """
    value, pull = value_and_pull(shares, weights)
    return value, (shares * pull**2).sum(axis=(-2, -1))


def value_and_pull(shares: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Kappa (...) and the influence of each cell (..., k, k) of a stack of share tables."""
    r, c = shares.sum(axis=-1), shares.sum(axis=-2)
    a, b = c @ weights.T, r @ weights
    p_o = (shares * weights).sum(axis=(-2, -1))[..., None, None]
    p_e = (r * a).sum(axis=-1)[..., None, None]
    gap = np.where(1 - p_e < SMALLEST_CHANCE_GAP, np.nan, 1 - p_e)
    chance = a[..., :, None] + b[..., None, :] - 2 * p_e
    pull: FloatArray = (weights - p_o) / gap - (1 - p_o) / gap**2 * chance
    return ((p_o - p_e) / gap)[..., 0, 0], pull


def checked(table: npt.ArrayLike, weights: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return table and weights as arrays that fit together.

    Raises:
        ValueError: Shapes that differ or are not square, or a negative count.
    """
    T, w = square("table", table), square("weights", weights)
    if T.shape != w.shape:
        raise ValueError(f"the table is {T.shape}, the weights are {w.shape}")
    if (T < 0).any():
        raise ValueError("the table holds a negative count")
    return T, w


def why_undefined(table: FloatArray, weights: FloatArray) -> Undefined | None:
    """Return the reason why this table has no kappa, or None when it has one."""
    total = float(table.sum())
    if total <= 0:
        return Undefined("empty", 0, "cohen_kappa")
    r, c = table.sum(axis=1) / total, table.sum(axis=0) / total
    if total <= 1 or 1 - float(r @ weights @ c) < SMALLEST_CHANCE_GAP:
        return Undefined("single_category", round(total), "cohen_kappa")
    return None
