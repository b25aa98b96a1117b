"""Judges that answer between the levels: a score, such as an expected level, against human levels.

The table of such a judge has one column for each distinct score. Correlations and errors follow
from it as from a square table, and for scores that are always levels they are the same numbers
(:mod:`judgekit.stats.correlation`, :mod:`judgekit.stats.level_errors`). Kappa is not defined for
scores: rounding them to levels needs a rule that was fixed beforehand. Lin's concordance
correlation stands in for kappa with quadratic weights.

Intervals: correlations by Fisher's z (:mod:`judgekit.stats.fisher`), errors as means of numbers in
a known range (:mod:`judgekit.stats.means`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.correlation import concordance, mid_ranks, product_moment, same_line
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.fisher import (
    CONCORDANCE,
    PRODUCT_MOMENT,
    RANKS,
    Spread,
    fisher,
    pull_of_correlation,
)
from judgekit.stats.means import bounded_mean
from judgekit.stats.moments import level_values
from judgekit.stats.table import Pairs

Kind = Literal["pearson", "spearman", "kendall_tau_b", "lin_ccc"]

_RANKED = ("spearman", "kendall_tau_b")

_VALUE: dict[Kind, Callable[[FloatArray, FloatArray, FloatArray], FloatArray]] = {
    "pearson": product_moment,
    "spearman": product_moment,
    "kendall_tau_b": lambda P, _rows, _columns: concordance(P),
    "lin_ccc": same_line,
}
_SPREAD: dict[Kind, Spread] = {
    "pearson": PRODUCT_MOMENT,
    "spearman": RANKS,
    "kendall_tau_b": CONCORDANCE,
}


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Human levels and judge's scores of the same things.

    Attributes:
        human: (n,) codes of the human's levels, in ``0 .. k - 1``.
        score: (n,) scores of the judge, in the units of ``values`` and within their range.
        values: (k,) numeric values of the levels of the scale, all different.
        clusters: (n,) codes of the case of each pair, or None.
        weight: (n,) positive sampling weights, or None.
        items: (n,) codes of the item of each pair, or None when every pair is one.

    Raises:
        ValueError: Lengths that differ, a code off the scale, a score outside its range.
    """

    human: IntArray
    score: FloatArray
    values: FloatArray
    clusters: IntArray | None = None
    weight: FloatArray | None = None
    items: IntArray | None = None

    def __post_init__(self) -> None:
        v = level_values(self.values, len(self.values))
        score = np.asarray(self.score, dtype=np.float64)
        if score.shape != np.shape(self.human) or not np.isfinite(score).all():
            raise ValueError("score must be one finite number for each human level")
        slack = 1e-9 * float(np.ptp(v))
        if score.size and not v.min() - slack <= score.min() <= score.max() <= v.max() + slack:
            raise ValueError("a score lies outside the range of the scale")
        object.__setattr__(self, "values", v)
        object.__setattr__(self, "score", np.clip(score, v.min(), v.max()))

    @property
    def pairs(self) -> Pairs:
        """Return what is known of the pairs but for the scores; the human stands on both sides."""
        k = len(self.values)
        return Pairs(self.human, self.human, k, self.clusters, self.weight, self.items)


def score_correlation(
    scored: Scored, kind: Kind = "pearson", *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Correlation of scores with the values of human levels, in [-1, 1], with its interval.

    ``kind`` is ``pearson``, ``spearman``, ``kendall_tau_b`` or ``lin_ccc``, as in
    :mod:`judgekit.stats.correlation`. Only the last penalises a shift or another spread.

    Undefined: ``empty``; ``zero_variance`` when a side does not vary (for ``lin_ccc`` when all
    values and scores are equal); ``too_few_items``; ``too_few_clusters``.

    Raises:
        ValueError: ``confidence`` out of range.
    """
    method, pairs = f"{kind}/fisher", scored.pairs
    if not len(pairs):
        return Undefined("empty", 0, method, 0)
    x, y, weight = scored.values[pairs.human], scored.score, pairs.weight
    P, rows, columns = _joint(x, y, weight)
    if kind in _RANKED:
        x = mid_ranks(P.sum(axis=1))[np.searchsorted(rows, x)]
        y = mid_ranks(P.sum(axis=0))[np.searchsorted(columns, y)]
    value = float(_VALUE[kind](P, np.unique(x), np.unique(y)))
    if math.isnan(value):
        return Undefined("zero_variance", pairs.n_items, method, len(pairs))
    if kind == "lin_ccc":
        pull = _pull_of_ccc(x, y, value, weight)
        spread = _ccc_spread(pull, weight)
    else:
        pull, spread = pull_of_correlation(x, y, weight), _SPREAD[kind]
    return fisher(value, pull, pairs, spread, name=kind, confidence=confidence)


def score_absolute_error(scored: Scored, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Mean distance of score and human level, 0 up to the range of the scale, with its interval.

    Undefined: ``empty``; ``zero_variance`` for a single pair; ``too_few_clusters``.
    """
    return _mean_power(scored, 1, "mean_absolute_error/wilson", confidence)


def score_squared_error(scored: Scored, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Root of the mean squared distance of score and human level, with its interval.

    It lies between 0 and the range of the scale; the ends are the roots of those of the mean.
    Undefined as :func:`score_absolute_error`.
    """
    found = _mean_power(scored, 2, "root_mean_squared_error/wilson", confidence)
    if isinstance(found, Undefined):
        return found
    low, high = math.sqrt(found.low), math.sqrt(found.high)
    return replace(found, value=math.sqrt(found.value), low=low, high=high)


def _mean_power(scored: Scored, power: int, method: str, confidence: float) -> Estimate | Undefined:
    v, pairs = scored.values, scored.pairs
    return bounded_mean(
        np.abs(scored.score - v[pairs.human]) ** power,
        pairs,
        least=0.0,
        largest=float(np.ptp(v)) ** power or 1.0,
        method=method,
        confidence=confidence,
    )


def _joint(
    x: FloatArray, y: FloatArray, weight: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shares of each distinct x with each distinct y, and the two, in rising order."""
    rows, i = np.unique(x, return_inverse=True)
    columns, j = np.unique(y, return_inverse=True)
    counts = np.bincount(
        i * columns.size + j, weights=weight, minlength=rows.size * columns.size
    ).reshape(rows.size, columns.size)
    return counts / counts.sum(), rows, columns


def _pull_of_ccc(
    x: FloatArray, y: FloatArray, value: float, weight: FloatArray | None
) -> FloatArray:
    """Influence of each pair on 2 s_xy / D with D = s_x^2 + s_y^2 + (m_x - m_y)^2."""
    a, b = x - np.average(x, weights=weight), y - np.average(y, weights=weight)
    scale = float(np.average((x - y) ** 2 + 2 * a * b, weights=weight))
    shift = float(np.average(x - y, weights=weight))
    of_scale = a**2 + b**2 + shift**2 - scale + 2 * shift * (a - b)
    covariance = float(np.average(a * b, weights=weight))
    pull: FloatArray = (2 * (a * b - covariance) - value * of_scale) / scale
    return pull


def _ccc_spread(pull: FloatArray, weight: FloatArray | None) -> Spread:
    variance = float(np.average(pull**2, weights=weight))
    return Spread(lambda r: variance / (1 - r * r) ** 2, 2)
