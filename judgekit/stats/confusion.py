"""What the judge confuses, in one number: F1 of each level, balanced accuracy, Matthews.

Recall and precision, of which F1 and balanced accuracy are made, are in
:mod:`judgekit.stats.levels`. A share of nothing is undefined, not 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.moments import constant, of_one_table, shares
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.shares import share
from judgekit.stats.table import Pairs


def mcc(table: npt.ArrayLike) -> float | Undefined:
    """Matthews correlation for any number of levels, in [-1, 1] (Gorodkin's R_K, 2004).

    (p_o - sum of r_i c_i) / sqrt((1 - sum of r_i^2)(1 - sum of c_i^2)): the correlation of the two
    raters' indicators of the levels. With two levels it is their Pearson correlation. -1 is reached
    only where two levels are all that is used.

    ``Undefined("empty")`` without pairs; ``Undefined("zero_variance")`` when a side used one level
    (some libraries return 0 there).

    Raises:
        ValueError: Not a square table of counts.
    """
    return of_one_table(table, mcc_of, "mcc", "zero_variance")


def mcc_of(tables: npt.ArrayLike) -> FloatArray:
    """:func:`mcc` of a stack of tables: (..., k, k) gives (...), nan where undefined."""
    P = shares(tables)
    r, c = P.sum(axis=-1), P.sum(axis=-2)
    together = np.trace(P, axis1=-2, axis2=-1) - (r * c).sum(axis=-1)
    scale = np.sqrt((1 - (r**2).sum(axis=-1)) * (1 - (c**2).sum(axis=-1)))
    found: FloatArray = together / np.where(constant(r) | constant(c), np.nan, scale)
    return np.clip(found, -1.0, 1.0)


def f1(pairs: Pairs, *, confidence: float = 0.95) -> tuple[Estimate | Undefined, ...]:
    """For each level of the scale: harmonic mean of recall and precision, in [0, 1].

    F1 = 2 T[i, i] / (row + column). Of the pairs in which anybody gave the level, let J be the
    share in which both did; then F1 = 2 J / (1 + J), a rising curve. So the interval is Wilson's
    interval of J, sent along that curve; ``pairs`` counts the pairs behind J. An answer of the
    judge that is no level counts as a miss.

    ``Undefined("no_positive")`` for a level nobody gave; ``too_few_clusters``.
    """
    return tuple(_f1(pairs, level, confidence) for level in range(pairs.levels))


def f1_of(tables: npt.ArrayLike) -> FloatArray:
    """F1 of each level of a stack of tables: (..., k, k) gives (..., k), nan where undefined."""
    P = shares(tables)
    given = P.sum(axis=-1) + P.sum(axis=-2)
    hits = np.diagonal(P, axis1=-2, axis2=-1)
    found: FloatArray = 2 * hits / np.where(given > 0, given, np.nan)
    return found


def balanced_accuracy(pairs: Pairs, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Mean of the recalls of all levels, in [0, 1]; 1 / levels is what a constant judge has.

    For a pass mark give :func:`judgekit.stats.table.pass_decision` of the pairs: it is then the
    mean of sensitivity and specificity, and at or below 0.5 the judge is no better than a coin.

    The interval puts Wilson's intervals of the recalls together (the MOVER of Zou and Donner 2008,
    Statistics in Medicine 27:1693): the ends lie sqrt(sum of squared distances) / levels away, with
    one design effect for clusters and weights, that of the mean itself.

    ``Undefined("no_positive")`` when the human never gave some level, since its recall is unknown;
    ``empty``; ``too_few_clusters``.
    """
    method, n, k = "balanced_accuracy/mover", len(pairs), pairs.levels
    if n == 0:
        return Undefined("empty", 0, method, 0)
    table = pairs.table()[:k]
    rows = table.sum(axis=1)
    if not rows.all():
        return Undefined("no_positive", pairs.n_items, method, n)
    recalls = np.diagonal(table) / rows
    hit = (pairs.human == pairs.judge).astype(np.float64)
    pull = (hit - recalls[pairs.human]) / rows[pairs.human] * n / k
    found = clustering(pull, pairs)
    if found.too_few:
        return Undefined("too_few_clusters", pairs.n_items, method, n, clusters=found.clusters)
    z = critical(confidence, found.df)
    ends = np.array(
        [
            wilson_bounds(float(p), float(row) / found.design_effect, z)
            for p, row in zip(recalls, rows, strict=True)
        ]
    )
    reach = np.sqrt(((ends - recalls[:, None]) ** 2).sum(axis=0)) / k
    value = float(recalls.mean())
    estimate = Estimate(
        value, value - float(reach[0]), value + float(reach[1]), n, method, confidence
    )
    return counted(estimate, pairs, found)


def balanced_accuracy_of(tables: npt.ArrayLike) -> FloatArray:
    """Mean recall of a stack: (..., k, k) gives (...), nan when a human level is empty.

    The tables hold levels only, no extra judge columns.
    """
    P = shares(tables)
    rows = P.sum(axis=-1)
    hits = np.diagonal(P, axis1=-2, axis2=-1)
    found: FloatArray = (hits / np.where(rows > 0, rows, np.nan)).mean(axis=-1)
    return found


def _f1(pairs: Pairs, level: int, confidence: float) -> Estimate | Undefined:
    human, judge = pairs.human == level, pairs.judge == level
    both = share(
        pairs,
        human & judge,
        human | judge,
        name="f1",
        confidence=confidence,
        undefined="no_positive",
    )
    if isinstance(both, Undefined):
        return both
    return replace(both, value=_curve(both.value), low=_curve(both.low), high=_curve(both.high))


def _curve(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)
