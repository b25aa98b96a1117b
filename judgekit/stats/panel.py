"""How many independent judges a panel is worth: do its members err on the same items?

A majority of m judges is better than one because each errs elsewhere. With errors that correlate by
rho on average over all pairs of members, the mean of m errors has the variance of

    n_eff = m / (1 + (m - 1) rho)

independent ones: the design effect of Kish (1965), Survey Sampling, 8.2. Tumer and Ghosh (1996),
Connection Science 8:385, have the same factor for the error that is left in an ensemble of
classifiers, and Kuncheva and Whitaker (2003), Machine Learning 51:181, the correlation of two
members as a measure of diversity. Six judges with rho = 0.42 are worth 6 / 3.1 = 1.9.

An error is measured against labels, so this is not how far members agree: two who agree where both
are right lose nothing by it. Errors are 1 or 0 (wrong or right; rho is then phi), or how far and in
which direction a level is off.

The interval is that of rho, carried over. Items are drawn with replacement, whole clusters where
they repeat; what an item adds are the products of its members' errors, so that drawing is drawing
tables (:mod:`judgekit.stats.resampling`). Each end is the farther of two: the BCa bootstrap, and
the jackknife-t on Fisher's z, atanh(rho). Where nothing was seen to vary (members that err on the
very same items) they lie as far out as if Wilson's upper limit of none of the errors had gone the
other way. ``benchmarks/panel.py`` counts how often the interval holds the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, codes, compact, pair_weights
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined, UndefinedReason
from judgekit.stats.jackknife import jackknife
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.resampling import MOST_UNDEFINED, Units, bca, bootstrap

FEWEST_ITEMS = 10
CORRELATION, SIZE = "error_correlation/bca", "effective_panel_size/bca"
# A variance, or a distance of a correlation from 1, below this is rounding.
_NOTHING = 1e-12
# Beyond this Fisher's z has no use.
_NEAR_ONE = 0.9999
# A standard error below this is rounding: no item moves the correlation.
_NO_SPREAD = 1e-9


@dataclass(frozen=True, slots=True)
class PanelSize:
    """What a panel is worth.

    Attributes:
        members: How many members it has.
        size: How many independent ones would err as it does, in [1, members].
        correlation: Mean correlation of two members' errors, in [-1 / (members - 1), 1].
        pairs: Correlation of each two members, (members, members); None where it is undefined.
        capped: True when errors cancel (a negative mean correlation): the formula then gives more
            than there are, and ``size`` is the number of members.
    """

    members: int
    size: Estimate | Undefined
    correlation: Estimate | Undefined
    pairs: tuple[tuple[float, ...], ...] | None = None
    capped: bool = False


class _Ends(NamedTuple):
    value: float
    low: float
    high: float


def effective_panel_size(
    errors: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    clusters: npt.ArrayLike | None = None,
    weight: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    draws: int = 2000,
) -> PanelSize:
    """Number of independent judges that would err as this panel does, with its interval.

    ``errors`` (n, m) are the errors of m members on the same n items, 0 for none: leave out items
    that some member gave no level to. ``clusters`` (n,) are codes of the group of each item,
    ``weight`` (n,) sampling weights.

    Undefined, both size and correlation: ``too_few_raters`` (fewer than two members), ``empty``,
    ``too_few_items`` (fewer than ten, or so few errors that more than a tenth of the resamples have
    a member without any), ``zero_variance`` (a member that is always right, or always off by the
    same), ``too_few_clusters`` (items share clusters, and there are fewer than ten).

    Raises:
        ValueError: Not a matrix of finite numbers, lengths that differ, or ``confidence`` out of
            range.
    """
    E = np.asarray(errors, dtype=np.float64)
    if E.ndim != 2 or not np.isfinite(E).all():
        raise ValueError("errors must be a matrix of finite numbers, a row for each item")
    n, m = E.shape
    groups, repeating = _groups(clusters, n)
    why = _why_undefined(E, int(groups.max(initial=-1)) + 1 if repeating else None)
    if why is not None:
        return _undefined(why, n, m)
    units = units_of_errors(E, groups, pair_weights(weight, n))
    ends = _ends(units, rng, confidence, draws, fewest=_fewest_errors(E))
    if ends is None:
        return _undefined("too_few_items", n, m)
    grouped = int(units.size) if repeating else None
    rho = Estimate(*ends, n, CORRELATION, confidence, clusters=grouped)
    size = replace(
        rho,
        value=_size(ends.value, m),
        low=_size(ends.high, m),
        high=_size(ends.low, m),
        method=SIZE,
    )
    pairs = tuple(tuple(map(float, row)) for row in _correlations(units.total[None])[0])
    return PanelSize(m, size, rho, pairs, capped=ends.value < 0)


def _size(rho: float, m: int) -> float:
    """Return m / (1 + (m - 1) rho), at least 1 and at most m."""
    return m / min(max(1 + (m - 1) * rho, 1.0), m)


def _groups(clusters: npt.ArrayLike | None, n: int) -> tuple[IntArray, bool]:
    """Return the cluster of each item, and whether any two share one."""
    if clusters is None:
        return np.arange(n, dtype=np.int64), False
    found = compact(codes("clusters", clusters))
    if found.size != n:
        raise ValueError(f"clusters has {found.size} codes, there are {n} items")
    return found, bool(n) and int(found.max()) + 1 < n


def _why_undefined(E: FloatArray, clusters: int | None) -> UndefinedReason | None:
    n, m = E.shape
    if m < 2:
        return "too_few_raters"
    if n == 0:
        return "empty"
    if n < FEWEST_ITEMS:
        return "too_few_items"
    if (np.ptp(E, axis=0) == 0).any():
        return "zero_variance"
    return "too_few_clusters" if clusters is not None and clusters < MIN_CLUSTERS else None


def _undefined(why: UndefinedReason, n: int, m: int) -> PanelSize:
    return PanelSize(m, Undefined(why, n, SIZE), Undefined(why, n, CORRELATION))


def units_of_errors(E: FloatArray, groups: IntArray, weight: FloatArray | None = None) -> Units:
    """Return what each cluster adds to the sums of products, as tables of (1, errors) with itself.

    Only as many numbers as there are different clusters of errors are kept.
    """
    x = np.column_stack([np.ones(len(E)), E])
    products = (x[:, :, None] * x[:, None, :]).reshape(len(E), -1)
    if weight is not None:
        products *= weight[:, None] / weight.mean()
    sums = np.zeros((int(groups.max()) + 1, products.shape[1]))
    np.add.at(sums, groups, products)
    kinds, counts = np.unique(sums, axis=0, return_counts=True)
    return Units(kinds.reshape(-1, x.shape[1], x.shape[1]), counts.astype(np.float64))


def _correlations(sums: FloatArray) -> FloatArray:
    """Correlations (B, m, m) from sums of products (B, 1 + m, 1 + m); nan where undefined."""
    total = sums[:, 0, 0][:, None, None]
    mean = sums[:, 0, 1:] / total[:, 0]
    covariance = sums[:, 1:, 1:] / total - mean[:, :, None] * mean[:, None, :]
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    # what rounding leaves of a member that does not vary, beside what varies
    spread = np.sqrt(np.where(variance > _NOTHING * (1 + mean**2), variance, np.nan))
    found: FloatArray = np.clip(covariance / (spread[:, :, None] * spread[:, None, :]), -1.0, 1.0)
    return found


def mean_correlation(sums: FloatArray) -> FloatArray:
    """Mean correlation (B,) over the pairs of members."""
    each = _correlations(sums)
    m = each.shape[-1]
    others = each.sum(axis=(1, 2)) - each.trace(axis1=1, axis2=2)
    mean: FloatArray = others / (m * (m - 1))
    return mean


def _fewest_errors(E: FloatArray) -> int:
    """Return on how many items the steadiest member is other than it mostly is."""
    usual = (np.unique(column, return_counts=True)[1].max() for column in E.T)
    return len(E) - int(max(usual))


def _ends(
    units: Units, rng: np.random.Generator, confidence: float, draws: int, fewest: int
) -> _Ends | None:
    """Return the mean correlation and its interval, or None where resamples have none."""
    value = float(mean_correlation(units.total[None])[0])
    drawn = bootstrap(units, mean_correlation, rng, draws)
    left = jackknife(units, mean_correlation)
    if drawn.undefined > MOST_UNDEFINED or isinstance(left, Undefined):
        return None
    low, high = bca(drawn, value, left.acceleration, confidence)
    near = min(max(value, -_NEAR_ONE), _NEAR_ONE)
    reach = critical(confidence, units.size - 1) * left.standard_error / (1 - near**2)
    low = min(low, value, math.tanh(math.atanh(near) - reach))
    high = max(high, value, math.tanh(math.atanh(near) + reach))
    least = -1 / (units.tables.shape[1] - 2)
    if left.standard_error < _NO_SPREAD:
        unseen = wilson_bounds(0.0, fewest, critical(confidence))[1]
        low, high = value - unseen * (value - least), value + unseen * (1 - value)
    return _Ends(value, max(least, low), min(1.0, high))
