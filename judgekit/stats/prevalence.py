"""Kappa where levels are as frequent as in production, from labels where they are not.

Kappa depends on how frequent the levels are, even for a judge whose answers to each level stay the
same. A judge that meets 90% of the passes and 90% of the fails has kappa 0.80 where half of the
outputs pass, and 0.43 where 95% do. Labels enriched with rare levels therefore give a kappa that
production will not show.

What the judge answers to each human level, Q_ij = T_ij / sum of row i, is taken as the same in both
places. With stated shares s_i of the human levels, the table there is P_ij = s_i Q_ij, and kappa is
that of P. This asks that things of one level are alike in both: where the rare level was enriched
by picking clear cases, or by what the judge said, sampling weights are the right way and this is
not.

The shares are stated, so only the judge's answers are uncertain, and each row is a sample of its
own, of n_i labels. The *row-score* interval finds for each row how far it may be off, and adds up:

- The row is moved towards worse answers, Q(t) = (1 - t) Q + t d, with d spread evenly over the
  wrong answers, until it leaves its own score interval: sum of (Q_j - Q_j(t)) u_j = z sqrt(V / n_i)
  with u the influence of the row's cells on kappa and V the variance of u, both at the tested row.
  With two levels this is Wilson's low end of the row's recall. The fall of kappa there is D_i.
- The low end is kappa - sqrt(sum of D_i^2). The high end is found the same way, towards right
  answers only.

The path-score interval of :mod:`judgekit.stats.path_score` does not serve here. Towards chance it
moves a frequent level mostly to itself, so unseen errors of that level hardly count: with 50 labels
and a share of 0.95 its low end failed 8% of the time. The row-score's failed at most 2.6% of the
time (two levels, and five with quadratic weights; 50 to 400 labels, stated shares from 0.025 to
0.95), and up to 5% for five levels that count all or nothing, 20 labels each, and kappa under 0.2.

References: Vach (2005), Journal of Clinical Epidemiology 58:655, on kappa and prevalence; Zou and
Donner (2008), Statistics in Medicine 27:1693, for adding up the limits of independent parts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import SMALLEST_CHANCE_GAP, checked, kappa_and_variance, value_and_pull
from judgekit.stats.path_score import bisect
from judgekit.stats.quantiles import critical
from judgekit.stats.table import Pairs


def at_prevalence(table: npt.ArrayLike, shares: npt.ArrayLike) -> FloatArray | Undefined:
    """Return the table with its human margins replaced: (k, k) shares that add up to 1.

    ``shares`` (k,) are the stated shares of the human levels. Each row keeps its proportions:
    P_ij = s_i T_ij / sum of row i. ``Undefined("empty")`` without pairs;
    ``Undefined("no_positive")`` when a level of positive share has no label: nothing tells what the
    judge answers to it.

    Raises:
        ValueError: Not a table of counts, or ``shares`` of another length, negative, or not adding
            up to 1.
    """
    T = checked(table, table)[0]
    s, totals = _stated(shares, T.shape[0]), T.sum(axis=1)
    if T.sum() <= 0:
        return Undefined("empty", 0, "at_prevalence")
    if (s[totals <= 0] > 0).any():
        return Undefined("no_positive", round(float(T.sum())), "at_prevalence")
    moved: FloatArray = T * (s / np.where(totals > 0, totals, 1.0))[:, None]
    return moved


def kappa_at(
    pairs: Pairs,
    weights: npt.ArrayLike,
    shares: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    method: str = "cohen_kappa_at_prevalence",
) -> Estimate | Undefined:
    """Kappa at stated shares of the human levels, with its two-sided row-score interval.

    ``shares`` has one entry for each of ``pairs.levels``, in scale order; ``weights`` are the
    (k, k) agreement weights, extra judge columns included. At most 1; 0 is what chance gives at
    these shares. At the shares the labels have, the value is that of
    :func:`judgekit.stats.agreement.agreement`.

    Clusters and sampling weights act through the design effect of the influence of each pair,
    s_i / p_i (u_ij - mean of u in row i), p_i being the share of the level among the labels.

    Undefined: ``empty``; ``no_positive`` (a level of positive share without labels);
    ``single_category`` (one level has all of the share: kappa would be 0 whatever the judge says);
    ``too_few_clusters``.

    Raises:
        ValueError: ``shares`` or ``weights`` do not fit the scale, or shares do not add up to 1.
    """
    label, n = f"{method}/row_score", len(pairs)
    T, w = checked(pairs.table(), weights)
    s = np.concatenate([_stated(shares, pairs.levels), np.zeros(pairs.extra)])
    P = at_prevalence(T, s)
    if isinstance(P, Undefined):
        return Undefined(P.reason, pairs.n_items, label, n)
    if s.max() > 1 - SMALLEST_CHANCE_GAP:
        return Undefined("single_category", pairs.n_items, label, n)
    value, pull = value_and_pull(P, w)
    held = T.sum(axis=1)
    used = s > 0
    mean = (P * pull).sum(axis=1)[used] / s[used]
    scores = np.zeros_like(P)
    scores[used] = (s[used] / held[used])[:, None] * (pull[used] - mean[:, None])
    found = clustering(scores[pairs.human, pairs.judge] * n, pairs)
    if found.too_few:
        return Undefined("too_few_clusters", pairs.n_items, label, n, clusters=found.clusters)
    reach = critical(confidence, found.df) * np.sqrt(found.design_effect / np.where(used, held, 1))
    below, above = _row_score(P, w, s, reach)
    low, high = max(float(value) - below, -1.0), min(float(value) + above, 1.0)
    estimate = Estimate(float(value), low, high, n, label, confidence)
    return counted(estimate, pairs, found)


def _row_score(
    P: FloatArray, w: FloatArray, s: FloatArray, reach: FloatArray
) -> tuple[float, float]:
    """How far kappa may lie below and above; ``reach`` is z / sqrt(n_i) of each row."""
    rows, k = np.flatnonzero(s > 0), s.size
    right = np.eye(k)[rows]
    wrong = (1 - right) / max(k - 1, 1)
    falls = [_moves(P, w, s, rows, towards, reach) for towards in (wrong, right)]
    return float(np.sqrt((falls[0] ** 2).sum())), float(np.sqrt((falls[1] ** 2).sum()))


def _moves(
    P: FloatArray,
    w: FloatArray,
    s: FloatArray,
    rows: npt.NDArray[np.intp],
    towards: FloatArray,
    reach: FloatArray,
) -> FloatArray:
    """By how much kappa moves when each row goes to the edge of its own score interval."""
    each, seen = np.arange(rows.size), P[rows] / s[rows, None]

    def moved(t: FloatArray) -> tuple[FloatArray, FloatArray]:
        q = seen + t[..., None] * (towards - seen)
        tables = np.broadcast_to(P, (*t.shape, *P.shape)).copy()
        tables[..., each, rows, :] = s[rows, None] * q
        return tables, q

    def outside(t: FloatArray) -> npt.NDArray[np.bool_]:
        tables, q = moved(t)
        u = value_and_pull(tables, w)[1][..., each, rows, :]
        spread = (q * u**2).sum(axis=-1) - (q * u).sum(axis=-1) ** 2
        gap = np.abs(((seen - q) * u).sum(axis=-1))
        beyond: npt.NDArray[np.bool_] = gap >= reach[rows] * np.sqrt(np.maximum(spread, 0.0))
        return beyond

    ends = kappa_and_variance(moved(bisect(outside, rows.size))[0], w)[0]
    here = kappa_and_variance(P, w)[0]
    return np.abs(np.nan_to_num(ends, nan=float(here)) - here)


def _stated(shares: npt.ArrayLike, levels: int) -> FloatArray:
    s = np.asarray(shares, dtype=np.float64)
    if s.shape != (levels,):
        raise ValueError(f"there are {s.size} shares, the scale has {levels} levels")
    if not (np.isfinite(s).all() and (s >= 0).all() and abs(s.sum() - 1) < 1e-6):
        raise ValueError("shares must not be negative and must add up to 1")
    scaled: FloatArray = s / s.sum()
    return scaled
