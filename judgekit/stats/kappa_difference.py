"""Is one judge better than another on the same labels? The difference of two kappas, paired.

Two judges of the same items err on the same hard ones, so their kappas rise and fall together, and
the intervals of each say little about the difference. The jackknife leaves out one unit at a time
(an item, or the case where cases repeat), measures both judges on what is left, and takes the
spread of the difference D:

    SE^2 = (G - 1) / G * { sum over units of (D_-g - mean D_-g)^2 } + e^2 / G^2

with G units and Student's t with G - 1 degrees of freedom. The last term stands for what was not
seen: one more unit on which one judge is right, and the other as wrong as a wrong answer by chance
is on average. Its pull is e = 1 / (1 - share of equal levels by chance): 2 for two balanced levels.
Without the term the interval has no width at all when two judges say the same of forty items, and
a judge looks better than another on the strength of four items; with it that takes five or six,
about what an exact sign test asks for. It fades with 1 / G^2, the rest with 1 / G.

Strata are not held fixed, which makes the interval of a stratified sample a little too wide.

References: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11; Agresti and
Min (2005), Biometrics 61:207, for adding unseen discordant pairs.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, scale_codes
from judgekit.stats.clusters import cluster_codes
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined
from judgekit.stats.jackknife import jackknife
from judgekit.stats.kappa import checked, kappa_and_variance, why_undefined
from judgekit.stats.quantiles import critical
from judgekit.stats.resampling import Units
from judgekit.stats.table import Pairs, contingency

METHOD = "kappa_difference/jackknife"


def kappa_difference(
    pairs: Pairs, other: npt.ArrayLike, weights: npt.ArrayLike, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Kappa of ``pairs`` less the kappa another judge has on the very same pairs.

    Positive means that the judge in ``pairs`` agrees better with the humans; 0 means that neither
    is ahead. Several raters of one item, and several items of one case, are one unit.

    Args:
        pairs: Human and judge.
        other: (n,) codes of the other judge's levels for the same pairs, in ``0 .. k - 1``.
        weights: (k, k) agreement weights, extra judge columns included.
        confidence: Two-sided coverage the interval aims at.

    Undefined: ``empty``; ``single_category`` where one of the kappas is undefined;
    ``too_few_items`` where one becomes so without a single unit; ``too_few_clusters`` (units are
    clusters, and fewer than ten).

    Raises:
        ValueError: Shapes that do not fit, or a code outside the scale.
    """
    rival = scale_codes("other", other, pairs.k)
    mine, w = checked(pairs.table(), weights)
    theirs = contingency(pairs.human, rival, pairs.k, pairs.weight)
    n, size = pairs.n_items, len(pairs)
    for table in (mine, theirs):
        if (why := why_undefined(table, w)) is not None:
            return Undefined(why.reason, n, METHOD, size)
    clusters = cluster_codes(pairs)
    G = size if clusters is None else int(clusters.max()) + 1
    if clusters is not None and G < MIN_CLUSTERS:
        return Undefined("too_few_clusters", n, METHOD, size, clusters=G)
    left = jackknife(_units(pairs, rival, clusters), lambda tables: _difference(tables, w))
    if isinstance(left, Undefined):
        return Undefined(left.reason, n, METHOD, size)
    value = float(_difference(np.hstack([mine, theirs])[None], w)[0])
    reach = critical(confidence, G - 1) * math.hypot(left.standard_error, _unseen(mine) / G)
    return Estimate(
        value,
        max(-2.0, value - reach),
        min(2.0, value + reach),
        n,
        METHOD,
        confidence,
        pairs=size,
        clusters=None if clusters is None else G,
    )


def _units(pairs: Pairs, rival: IntArray, clusters: IntArray | None) -> Units:
    """Return the kinds of unit and how many there are, each with two tables side by side."""
    k = pairs.k
    seen = np.column_stack([pairs.judge, k + rival]) + 2 * k * pairs.human[:, None]
    if clusters is None and pairs.weight is None:
        kinds, counts = np.unique(seen, axis=0, return_counts=True)
        flat = np.zeros((len(kinds), 2 * k * k))
        np.put_along_axis(flat, kinds, 1.0, axis=1)
    else:
        units = np.arange(len(pairs)) if clusters is None else clusters
        G, weight = int(units.max()) + 1, np.ones(len(pairs))
        cells = (units[:, None] * 2 * k * k + seen).ravel()
        each = np.repeat(weight if pairs.weight is None else pairs.weight, 2)
        sums = np.bincount(cells, weights=each, minlength=2 * k * k * G)
        flat, counts = np.unique(sums.reshape(G, -1), axis=0, return_counts=True)
    return Units(flat.reshape(-1, k, 2 * k), counts.astype(np.float64))


def _difference(tables: FloatArray, w: FloatArray) -> FloatArray:
    """Return the difference of the two kappas of a stack of double tables, (B, k, 2 k) to (B,)."""
    k = len(w)
    mine, theirs = tables[..., :k], tables[..., k:]
    total = np.maximum(mine.sum(axis=(-2, -1), keepdims=True), 1e-300)
    found: FloatArray = kappa_and_variance(mine / total, w)[0]
    return found - kappa_and_variance(theirs / total, w)[0]


def _unseen(table: FloatArray) -> float:
    """Return how much one pair moves kappa: full agreement instead of a wrong answer by chance."""
    shares = table / table.sum()
    return 1 / (1 - float(shares.sum(axis=1) @ shares.sum(axis=0)))
