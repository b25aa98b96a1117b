"""Is the judge kinder or harsher than the human? Differences on the same things.

Weighted kappa forgives a judge that is one level too kind throughout, so the shift is measured on
its own. Both functions leave out the pairs in which the judge gave no level (the extra judge
columns): an unreadable answer is neither kind nor harsh. ``n`` counts what is left.

Clusters, where they repeat, act through the design effect of the cluster sums of the differences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.clusters import Clustering, clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.proportions import newcombe_paired, wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.table import Pairs, pass_decision, pass_mask


def rate_shift(
    pairs: Pairs, passes: npt.ArrayLike, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Judge's pass rate minus human's pass rate, in [-1, 1]; positive means a kinder judge.

    ``passes`` says of each level, in scale order, whether it passes. The interval is Newcombe's for
    paired proportions (method 10). Pairs without a level from the judge are left out.

    Undefined: ``empty``, or ``too_few_clusters`` when clusters repeat and there are fewer than ten.

    Raises:
        ValueError: ``passes`` does not fit the scale.
    """
    method = "pass_rate_shift/newcombe"
    decided = pass_decision(pairs, pass_mask(passes, pairs.levels)).usable()
    differences = (decided.judge - decided.human).astype(np.float64)
    n, found = len(decided), _clustering_of_mean(differences, decided)
    if found.too_few:
        return Undefined("too_few_clusters", decided.n_items, method, n, clusters=found.clusters)
    # The table's rows are the human's, and its first level is fail; Newcombe's first is the judge.
    table = decided.table().T[::-1, ::-1]
    shift = newcombe_paired(
        table,
        confidence=confidence,
        n_eff=n / found.design_effect if n else None,
        df=found.df,
        method=method,
    )
    return counted(shift, decided, found)


def mean_signed_error(
    pairs: Pairs, values: Sequence[float] | FloatArray, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Mean of judge minus human on the level values; positive means a kinder judge.

    ``values`` are the numeric values of the scale's levels, in order. The interval is Student's t
    with n - 1 degrees of freedom (clusters - 1 when clusters repeat). Pairs without a level from
    the judge are left out.

    When all differences are equal they show no spread. Then the interval reaches as far as if
    Wilson's upper limit of 0 of n pairs had the most extreme difference the scale allows.

    Undefined: ``empty``; ``zero_variance`` for a single pair; ``too_few_clusters``.

    Raises:
        ValueError: ``values`` does not fit the scale.
    """
    method, usable = "mean_signed_error/t", pairs.usable()
    v = np.asarray(values, dtype=np.float64)
    if v.shape != (pairs.levels,) or not np.isfinite(v).all():
        raise ValueError(f"values must be one finite number for each of the {pairs.levels} levels")
    differences, n = v[usable.judge] - v[usable.human], len(usable)
    if n < 2:
        return Undefined("zero_variance" if n else "empty", usable.n_items, method, n)
    found = _clustering_of_mean(differences, usable)
    if found.too_few:
        return Undefined("too_few_clusters", usable.n_items, method, n, clusters=found.clusters)
    value = float(np.average(differences, weights=usable.weight))
    spread = float(np.average((differences - value) ** 2, weights=usable.weight))
    error = math.sqrt(found.design_effect * spread / (n - 1 if found.clusters is None else n))
    below = above = critical(confidence, found.df or n - 1) * error
    if spread < 1e-12 * float(np.ptp(v)) ** 2:
        unseen = wilson_bounds(0.0, n / found.design_effect, critical(confidence, found.df))[1]
        below, above = unseen * (np.ptp(v) + value), unseen * (np.ptp(v) - value)
    estimate = Estimate(value, float(value - below), float(value + above), n, method, confidence)
    return counted(estimate, usable, found)


def _clustering_of_mean(values: FloatArray, pairs: Pairs) -> Clustering:
    """Return the clustering of a (weighted) mean, whose influence values are the deviations."""
    if not values.size:
        return Clustering(1.0)
    return clustering(values - float(np.average(values, weights=pairs.weight)), pairs)
