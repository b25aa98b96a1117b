"""Correlation of human and judge over a scale: does the judge order things as the human does?

All four are statistics of the table: ranks and concordances of codes on a scale follow from the
margins and the cells, so the cost does not depend on the number of pairs. P are the shares of the
table, r and c the human's and the judge's margins, v the values of the levels.

Correlations look away from leniency: a judge that is one level too kind throughout has a rank
correlation near 1 and hardly ever agrees. They are shown beside an agreement statistic and are
never a requirement of their own. Only :func:`lin_ccc` penalises a shift.

``values`` are the numeric values of all declared levels, in the order of the table; levels are
ranked by value. The answers of a judge that are no level have no value: leave them out first
(:meth:`judgekit.stats.table.Pairs.usable`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Undefined
from judgekit.stats.moments import constant, level_values, of_one_table, shares

Values = Sequence[float] | FloatArray


def pearson(table: npt.ArrayLike, values: Values) -> float | Undefined:
    """Product-moment correlation of the level values, in [-1, 1].

    sum of P_ij (v_i - m_r)(v_j - m_c) / (s_r s_c), with the means m and standard deviations s of
    the two margins. 1 means that the judge's value is a rising straight line of the human's.

    ``Undefined("empty")`` without pairs; ``Undefined("zero_variance")`` when a side used one level.

    Raises:
        ValueError: Not a square table of counts, or ``values`` does not fit it.
    """
    return of_one_table(table, lambda T: pearson_of(T, values), "pearson", "zero_variance")


def spearman(table: npt.ArrayLike, values: Values) -> float | Undefined:
    """Rank correlation, in [-1, 1]: Pearson's of the mid-ranks (Spearman 1904).

    Everybody on a level shares the mean of their ranks, which the margin gives: the share below
    plus half the share on it. 1 means that the judge's levels never fall while the human's rise.

    Undefined and errors as :func:`pearson`.
    """
    return of_one_table(table, lambda T: spearman_of(T, values), "spearman", "zero_variance")


def kendall_tau_b(table: npt.ArrayLike, values: Values) -> float | Undefined:
    """Concordance of pairs of items, corrected for ties, in [-1, 1] (Kendall 1945).

    2 (C - D) / sqrt((1 - sum of r_i^2)(1 - sum of c_j^2)). C is the chance that of two items drawn
    with replacement the first is higher for both raters, D that it is higher for the human and
    lower for the judge.

    Undefined and errors as :func:`pearson`.
    """
    return of_one_table(
        table, lambda T: kendall_tau_b_of(T, values), "kendall_tau_b", "zero_variance"
    )


def lin_ccc(table: npt.ArrayLike, values: Values) -> float | Undefined:
    """Concordance correlation with 1/n moments, in [-1, 1] (Lin 1989, Biometrics 45:255).

    2 s_rc / (s_r^2 + s_c^2 + (m_r - m_c)^2): Pearson's correlation times a penalty for a shift of
    the mean or another spread. It equals kappa with quadratic weights by the same values, and is
    here as the check of that. A rater of one level has 0, as in kappa.

    ``Undefined("empty")`` without pairs; ``Undefined("zero_variance")`` when both sides used one
    and the same level, or there is one pair only. Errors as :func:`pearson`.
    """

    def of_several(T: FloatArray) -> FloatArray:
        return np.where(T.sum() <= 1, np.nan, lin_ccc_of(T, values))

    return of_one_table(table, of_several, "lin_ccc", "zero_variance")


def pearson_of(tables: npt.ArrayLike, values: Values) -> FloatArray:
    """:func:`pearson` of a stack of tables: (..., k, k) gives (...), nan where undefined."""
    P, v = _ordered(tables, values)
    return product_moment(P, v, v)


def spearman_of(tables: npt.ArrayLike, values: Values) -> FloatArray:
    """:func:`spearman` of a stack of tables: (..., k, k) gives (...), nan where undefined."""
    P, _ = _ordered(tables, values)
    return product_moment(P, mid_ranks(P.sum(axis=-1)), mid_ranks(P.sum(axis=-2)))


def kendall_tau_b_of(tables: npt.ArrayLike, values: Values) -> FloatArray:
    """:func:`kendall_tau_b` of a stack: (..., k, k) gives (...), nan where undefined."""
    return concordance(_ordered(tables, values)[0])


def lin_ccc_of(tables: npt.ArrayLike, values: Values) -> FloatArray:
    """:func:`lin_ccc` of a stack of tables: (..., k, k) gives (...), nan where undefined."""
    P, v = _ordered(tables, values)
    return same_line(P, v, v)


def mid_ranks(margin: FloatArray) -> FloatArray:
    """Mean rank of everybody on each level, as a share: (..., k) shares give (..., k)."""
    ranks: FloatArray = margin.cumsum(axis=-1) - margin / 2
    return ranks


def product_moment(P: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Pearson's correlation of row scores x and column scores y under shares P.

    P is (..., a, b) and need not be square; x is (a,) or (..., a), y is (b,) or (..., b). nan where
    a margin lies on one level.
    """
    r, c = P.sum(axis=-1), P.sum(axis=-2)
    x = x - (r * x).sum(axis=-1, keepdims=True)
    y = y - (c * y).sum(axis=-1, keepdims=True)
    scale = np.sqrt((r * x**2).sum(axis=-1) * (c * y**2).sum(axis=-1))
    return _bounded(_together(P, x, y), scale, constant(r) | constant(c))


def concordance(P: FloatArray) -> FloatArray:
    """Kendall's tau-b of shares P (..., a, b) with rows and columns in rising order."""
    r, c = P.sum(axis=-1), P.sum(axis=-2)
    # lower[i, j]: share with a lower row and a column of at most j
    lower = P.cumsum(axis=-1).cumsum(axis=-2) - P.cumsum(axis=-1)
    both = np.concatenate([np.zeros_like(lower[..., :1]), lower[..., :-1]], axis=-1)
    gap = (P * (both - (lower[..., -1:] - lower))).sum(axis=(-2, -1))
    scale = np.sqrt((1 - (r**2).sum(axis=-1)) * (1 - (c**2).sum(axis=-1)))
    return _bounded(2 * gap, scale, constant(r) | constant(c))


def same_line(P: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Lin's concordance correlation of row values x (a,) and column values y (b,) under P."""
    r, c = P.sum(axis=-1), P.sum(axis=-2)
    covariance = _together(P, x - (r @ x)[..., None], y - (c @ y)[..., None])
    # s_r^2 + s_c^2 + (m_r - m_c)^2 is the mean squared difference plus twice the covariance.
    apart = (P * (x[:, None] - y) ** 2).sum(axis=(-2, -1))
    lone = constant(r) & constant(c) & (apart == 0)
    return _bounded(2 * covariance, apart + 2 * covariance, lone)


def _ordered(tables: npt.ArrayLike, values: Values) -> tuple[FloatArray, FloatArray]:
    """Return the shares and the values with the levels in rising order of value."""
    P = shares(tables)
    v = level_values(values, P.shape[-1])
    order = np.argsort(v)
    return P[..., order[:, None], order], v[order]


def _together(P: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Covariance of centred scores."""
    found: FloatArray = (x * (P @ y[..., None])[..., 0]).sum(axis=-1)
    return found


def _bounded(above: FloatArray, below: FloatArray, undefined: npt.NDArray[np.bool_]) -> FloatArray:
    """Return a ratio in [-1, 1] to rounding, nan where it is undefined."""
    ratio: FloatArray = np.clip(above / np.where(undefined, np.nan, below), -1.0, 1.0)
    return ratio
