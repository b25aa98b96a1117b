"""The path-score interval of any smooth statistic of a table, not only of kappa.

:mod:`judgekit.stats.path_score` explains the idea: an end of the interval is the value of a
*tested* table that lies just z of its own standard errors away from the value seen. Here the
standard error comes from numeric influence values, so the statistic may be anything that moves
smoothly with the cell shares P:

    u_ij = d/dh f(P + h (e_ij - P)) at h = 0,    n SE^2 = sum of P_ij u_ij^2

with e_ij the table that holds everything in cell (i, j). The derivatives are central differences.

Tested tables lie on paths from P:

- towards less agreement: to independence with the same margins, P_t = (1 - t) P + t r c'. If the
  whole path lies inside the interval and a statistic falls further where all cells are equally full
  (raw agreement, Bennett's S, Gwet's AC1 with one common level), the path goes on to there. If that
  is not enough either, the end is z standard errors, of the path's last table, below the value.
- towards more: to perfect agreement, (1 - s) P + s diag((r + c) / 2), and never beyond what the
  statistic is there.

Which way is better is seen at the two ends of the paths, so errors such as a mean absolute
difference, which perfect agreement makes *small*, are taken as they come. For kappa the interval is
that of :func:`judgekit.stats.path_score.bounds`, to the precision of the differences.

No disagreement seen still leaves room below: 20 agreements of 20 on one level, of two, have
Bennett's S = 1 with low 0.678, which is 2 L - 1 with Wilson's L = 20 / (20 + z^2).

Like the original it is a construction without proof. ``benchmarks/intervals.py`` simulates Scott's
pi, S, AC1, AC2, the Matthews correlation and those of Pearson, Spearman, Kendall and Lin (two and
five levels, balanced and 90/10, kappa 0.6 and 0.9, n = 30 to 200): 95% intervals lie above the
truth in at most 5% of samples, and below it in at most 7%. With 30 pairs, few errors and one common
level they lie below it in up to 14%: nothing wrong was seen, and yet the truth is not far off.

References: Hampel (1974), JASA 69:383, for influence values; Wilson (1927), JASA 22:209.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.resampling import Statistic

# About the cube root of the rounding error: there central differences are at their best.
_STEP = 1e-5
# Cells with less than this share have no part in a standard error.
_NO_MASS = 1e-14
# Each halving adds a binary digit to an end of the interval.
_HALVINGS = 32
# A smaller difference of two values is rounding.
_NO_GAP = 1e-12


def influence_values(shares: FloatArray, statistic: Statistic) -> tuple[FloatArray, FloatArray]:
    """Value and influence of each cell, for a stack of share tables.

    ``shares`` (B, k, k), each table adding up to 1, give values (B,) and influences (B, k, k) with
    mean 0 under the shares. The influence of an empty cell is 0 here, since it bears on nothing;
    that of a table whose statistic is undefined is nan in the other cells.
    """
    B, k = shares.shape[0], shares.shape[1]
    flat = shares.reshape(B, 1, k * k)
    step = np.minimum(_STEP, flat[:, 0] / 2)[:, :, None]
    used = flat[:, 0] > _NO_MASS
    towards = np.eye(k * k)[None] - flat
    both = np.stack([flat + step * towards, flat - step * towards])
    values = statistic(np.concatenate([both.reshape(-1, k, k), shares]))
    up, down = values[:-B].reshape(2, B, k * k)
    pull = np.where(used, (up - down) / np.where(used, 2 * step[:, :, 0], 1.0), 0.0)
    return values[-B:], pull.reshape(B, k, k)


def score_bounds(shares: FloatArray, statistic: Statistic, reach: float) -> tuple[float, float]:
    """Ends of the path-score interval of one (k, k) table of shares.

    ``reach`` is z / sqrt(n): what a standard deviation of the influence values is multiplied by.
    Both ends are nan when the statistic is undefined for the table.
    """
    at = _Landmarks(*statistic(np.stack(_landmarks(shares))))
    if not np.isfinite(at.here):
        return float("nan"), float("nan")
    sign = -1.0 if at.perfect < at.independent else 1.0

    def oriented(tables: FloatArray) -> FloatArray:
        return sign * statistic(tables)

    low, high = _oriented_bounds(shares, oriented, reach)
    return (low, high) if sign > 0 else (-high, -low)


class _Landmarks(NamedTuple):
    """The table itself and the tables its paths lead to; or what a statistic is there."""

    here: Any
    independent: Any
    perfect: Any
    even: Any
    opposed: Any
    scattered: Any


def _landmarks(P: FloatArray) -> _Landmarks:
    k = P.shape[0]
    r, c = P.sum(axis=1), P.sum(axis=0)
    even = np.full((k, k), 1 / k**2)
    opposed = np.zeros((k, k))
    opposed[0, -1] += 0.5
    opposed[-1, 0] += 0.5
    scattered = (1 - np.eye(k)) / max(k * (k - 1), 1)
    return _Landmarks(P, np.outer(r, c), np.diag((r + c) / 2), even, opposed, scattered)


def _oriented_bounds(P: FloatArray, f: Statistic, reach: float) -> tuple[float, float]:
    """Bounds of a statistic that is larger the better the agreement."""
    tables = _landmarks(P)
    at = _Landmarks(*f(np.stack(tables)))
    low, high = _crossings(
        np.stack([P, P]),
        np.stack([tables.independent, tables.perfect]),
        f,
        at.here,
        reach * np.array([1.0, -1.0]),
    )
    last = tables.independent
    if np.isnan(low) and at.even < at.independent - 1e-9:
        low = _crossings(last[None], tables.even[None], f, at.here, np.array([reach]))[0]
        last = tables.even
    if np.isnan(low):
        spread = _deviations(np.stack([last, P]), f)[1]
        low = at.here - reach * (spread[0] if np.isfinite(spread[0]) else spread[1])
    if not at.perfect >= at.here - 1e-9:
        # Perfect agreement is not where this statistic is largest.
        high = at.here + reach * _deviations(P[None], f)[1][0]
    elif np.isnan(high):
        high = at.perfect
    floor = np.nanmin([at.here, at.opposed, at.scattered])
    return float(np.clip(low, floor, at.here)), float(max(high, at.here))


def _crossings(
    starts: FloatArray, ends: FloatArray, f: Statistic, value: float, reach: FloatArray
) -> FloatArray:
    """Value of the first table on each path that lies outside the interval: (B,) from (B, k, k).

    ``reach`` is positive for paths on which the statistic falls, negative where it rises. nan where
    the end of the path still lies inside, or is no different.
    """
    direction, width = np.sign(reach), np.abs(reach)

    def outside(share: FloatArray) -> npt.NDArray[np.bool_]:
        tested, deviation = _deviations(starts + share[:, None, None] * (ends - starts), f)
        gap = direction * (value - tested)
        # A path that leads nowhere (independence is the table itself) crosses nothing.
        found: npt.NDArray[np.bool_] = (gap > _NO_GAP) & (gap >= width * deviation)
        return found

    # 0 is never asked: with no disagreement seen it would look like a crossing.
    near, far = np.zeros(len(starts)), np.ones(len(starts))
    crosses = outside(far)
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        beyond = outside(middle)
        near, far = np.where(beyond, near, middle), np.where(beyond, middle, far)
    found: FloatArray = f(starts + far[:, None, None] * (ends - starts))
    return np.where(crosses, found, np.nan)


def _deviations(shares: FloatArray, f: Statistic) -> tuple[FloatArray, FloatArray]:
    """Value of each table of a stack, and the standard deviation of its influence values."""
    values, pull = influence_values(shares, f)
    return values, np.sqrt((shares * pull**2).sum(axis=(1, 2)))
