"""A statistic with its interval: the same few ways for every statistic of this room.

Four ways for a function of the table of pairs (:func:`table_estimate`):

- ``score``: the path-score interval (:mod:`judgekit.stats.any_score`), the default. It is the only
  one that is not a point when no disagreement was seen.
- ``jackknife``: value ± t SE with the delete-one jackknife. It is not cut off at 1.
- ``percentile`` and ``bca``: the bootstrap by tables (:mod:`judgekit.stats.resampling`).

For kappa ``benchmarks/intervals.py`` sets the four side by side. With few errors the others lie
above the truth in up to 13% of samples, instead of 2.5%, or are undefined in up to 60%.

Independent units are pairs, or clusters where these repeat: declared cases, else items with several
raters. ``score`` takes clusters, sampling weights and strata through the design effect of the
influence values; the others draw or leave out whole clusters. With fewer than ten clusters there is
no interval.

Statistics of several raters at once are no function of one table: :func:`unit_estimate` leaves out
units of any kind.

References: Efron and Tibshirani (1993), An Introduction to the Bootstrap; Kott (2001), Journal of
Official Statistics 17:521 (leaving out groups).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.any_score import influence_values, score_bounds
from judgekit.stats.arrays import FloatArray, IntArray, codes, compact
from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined, UndefinedReason
from judgekit.stats.jackknife import jackknife
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.resampling import (
    MOST_UNDEFINED,
    Statistic,
    bca,
    bootstrap,
    percentile,
    units_of_pairs,
)
from judgekit.stats.table import Pairs

Interval = Literal["score", "jackknife", "percentile", "bca"]
Ends = tuple[float, float]
Subset = Callable[[IntArray], float | Undefined]

# With more units than this the jackknife leaves out random groups of them.
MOST_GROUPS = 200
# Which groups they are must not change from run to run.
_GROUPING_SEED = 20261130
# An interval shorter than this is a point, to rounding.
_NO_SPREAD = 1e-10


class _Sample(NamedTuple):
    """What the interval is asked for."""

    pairs: Pairs
    statistic: Statistic
    value: float
    confidence: float


def table_estimate(
    pairs: Pairs,
    statistic: Statistic,
    *,
    name: str,
    interval: Interval = "score",
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    draws: int = 2000,
) -> Estimate | Undefined:
    """Value of a statistic of the table of pairs, with a two-sided interval.

    ``statistic`` maps a stack of tables (B, k, k), of counts or shares, to (B,) values, with nan
    where it has none. For ``score`` it must be best at perfect agreement (as kappa, a correlation,
    a mean absolute error); a signed difference is not. ``name`` and ``interval`` make the method,
    as in ``gwet_ac1/score``. ``rng`` and ``draws`` are for the bootstrap only.

    Undefined: ``empty``; ``too_few_items`` (one pair; or a statistic that hangs by single pairs, so
    that more than a tenth of the resamples, or a leave-one-out table, has none);
    ``single_category`` (nan, and everybody used one and the same level); ``zero_variance`` (nan for
    another reason; or an interval other than ``score`` would be a point, as no resample differed);
    ``too_few_clusters``. A caller who knows better why a value is missing should look first.

    Raises:
        ValueError: A bootstrap without ``rng`` or draws, or ``confidence`` out of range.
    """
    method, n, table = f"{name}/{interval}", len(pairs), pairs.table()
    if (why := _why_undefined(table, n, statistic)) is not None:
        return Undefined(why, pairs.n_items, method, n)
    shares = table / table.sum()
    values, pull = influence_values(shares[None], statistic)
    found = clustering(pull[0][pairs.human, pairs.judge], pairs)
    if found.too_few:
        return Undefined("too_few_clusters", pairs.n_items, method, n, clusters=found.clusters)
    sample = _Sample(pairs, statistic, float(values[0]), confidence)
    ends: Ends | UndefinedReason
    if interval == "score":
        reach = critical(confidence, found.df) * math.sqrt(found.design_effect / n)
        ends = score_bounds(shares, statistic, reach)
    elif interval == "jackknife":
        ends = _jackknife_ends(sample)
    else:
        ends = _bootstrap_ends(sample, interval, rng, draws)
    if isinstance(ends, str):
        return Undefined(ends, pairs.n_items, method, n)
    return counted(Estimate(sample.value, *ends, n, method, confidence), pairs, found)


def unit_estimate(
    n: int,
    statistic: Subset,
    *,
    name: str,
    clusters: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    span: Ends = (-1.0, 1.0),
) -> Estimate | Undefined:
    """Value of a statistic of n units with its delete-one jackknife-t interval.

    For statistics that are no function of one table: several raters, differences of agreements.
    ``statistic`` takes the (m,) numbers, in rising order, of the units to use, and returns its
    value or why it has none. ``clusters`` (n,) are codes of the group of each unit; where they
    repeat, whole clusters are left out, and at least ten are needed.

    SE^2 = (G - 1) / G times the sum of squared deviations of the G leave-one-out values, and the
    interval is value ± t SE with G - 1 degrees of freedom. More than 200 units (or clusters) are
    first thrown into 200 groups, at random but the same each time.

    ``span`` is what a unit pulls the statistic towards when it disagrees, or agrees, as much as it
    can; for kappa -p_e / (1 - p_e) and 1. If no unit changes anything no spread was seen, and the
    interval reaches as far as if Wilson's upper limit of 0 of G units were at an end of ``span``.
    The interval is cut off at the upper end.

    Undefined: ``empty``; as the statistic itself; ``too_few_items`` with fewer than two units, or
    when some leave-one-out value is undefined; ``too_few_clusters``.

    Raises:
        ValueError: ``clusters`` does not fit, or ``confidence`` out of range.
    """
    method, everything = f"{name}/jackknife", np.arange(n, dtype=np.int64)
    groups, repeating = _groups(n, clusters)
    value = statistic(everything) if n > 0 else Undefined("empty")
    if isinstance(value, Undefined):
        return Undefined(value.reason, n, method, value.pairs)
    size = int(groups.max()) + 1
    if repeating and size < MIN_CLUSTERS:
        return Undefined("too_few_clusters", n, method, clusters=size)
    left_out = _leave_out(statistic, everything, _coarse(groups, size))
    if left_out is None:
        return Undefined("too_few_items", n, method)
    low, high = _jackknife_t(value, left_out, size, confidence, span)
    return Estimate(value, low, high, n, method, confidence, clusters=size if repeating else None)


def _why_undefined(table: FloatArray, n: int, statistic: Statistic) -> UndefinedReason | None:
    """Return why the statistic of this table is no estimate, or None when it may be one."""
    if n < 2:
        return "too_few_items" if n else "empty"
    if np.isfinite(statistic(table[None])[0]):
        return None
    return "single_category" if table.trace() == table.max() == table.sum() else "zero_variance"


def _jackknife_ends(sample: _Sample) -> Ends | UndefinedReason:
    """Value ± t SE, leaving out one unit at a time."""
    units = units_of_pairs(sample.pairs)
    left = jackknife(units, sample.statistic)
    if isinstance(left, Undefined):
        return left.reason
    half = critical(sample.confidence, units.size - 1) * left.standard_error
    return (sample.value - half, sample.value + half) if half > _NO_SPREAD else "zero_variance"


def _bootstrap_ends(
    sample: _Sample, interval: str, rng: np.random.Generator | None, draws: int
) -> Ends | UndefinedReason:
    """Ends of the percentile or the BCa interval, stretched where needed to hold the value."""
    if rng is None:
        raise ValueError(f"the {interval} interval draws resamples: it needs an rng")
    units, value = units_of_pairs(sample.pairs), sample.value
    drawn = bootstrap(units, sample.statistic, rng, draws)
    if drawn.undefined > MOST_UNDEFINED:
        return "too_few_items"
    if interval == "percentile":
        low, high = percentile(drawn, sample.confidence)
    else:
        left = jackknife(units, sample.statistic)
        if isinstance(left, Undefined):
            return left.reason
        low, high = bca(drawn, value, left.acceleration, sample.confidence)
    return (min(low, value), max(high, value)) if high - low > _NO_SPREAD else "zero_variance"


def _groups(n: int, clusters: npt.ArrayLike | None) -> tuple[IntArray, bool]:
    """Return the independent unit of each of n units, and whether any is shared."""
    if clusters is None:
        return np.arange(n, dtype=np.int64), False
    found = compact(codes("clusters", clusters))
    if found.size != n:
        raise ValueError(f"clusters has {found.size} codes, there are {n} units")
    return found, bool(n) and int(found.max()) + 1 < n


def _coarse(groups: IntArray, size: int) -> IntArray:
    """Throw ``size`` groups together into at most :data:`MOST_GROUPS`, at random."""
    if size <= MOST_GROUPS:
        return groups
    shuffled = np.random.default_rng(_GROUPING_SEED).permutation(size)
    coarse: IntArray = (shuffled % MOST_GROUPS)[groups]
    return coarse


def _leave_out(statistic: Subset, everything: IntArray, groups: IntArray) -> FloatArray | None:
    """Leave-one-group-out values, or None when one is undefined or there is one group only."""
    count = int(groups.max()) + 1
    left_out = np.empty(count)
    for group in range(count):
        without = statistic(everything[groups != group]) if count > 1 else Undefined("empty")
        if isinstance(without, Undefined):
            return None
        left_out[group] = without
    return left_out


def _jackknife_t(
    value: float, left_out: FloatArray, size: int, confidence: float, span: Ends
) -> Ends:
    """Ends of the jackknife-t interval, or of its stand-in when no unit changes the value."""
    count = left_out.size
    deviation = float(((left_out - left_out.mean()) ** 2).sum()) * (count - 1) / count
    below = above = critical(confidence, count - 1) * math.sqrt(deviation)
    if below <= _NO_SPREAD:
        unseen = wilson_bounds(0.0, size, critical(confidence))[1]
        below, above = unseen * (value - span[0]), unseen * (span[1] - value)
    return value - max(below, 0.0), max(value, min(value + above, span[1]))
