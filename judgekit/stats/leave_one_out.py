"""An interval for the agreement of several raters: what each unit does to it by being left out.

The coefficients have the form 1 - x / y: the observed disagreement x over the disagreement y that
chance would give, both shares of full disagreement, in [0, 1]. Each is computed G times, without
one of the G units (or clusters, where they repeat) at a time, and the spread gives squared errors:

    SE^2(value) = (G - 1) / G * sum of (value without g - their mean)^2, and likewise SE^2(x).

value +- t SE, with Student's t of G - 1 degrees of freedom, is the usual jackknife interval. It is
too short where little disagreement was seen, and a single point where none was. So the interval is
Wilson's, not Wald's, on the scale of x. The effective number of units is the one at which a share x
has the error that was found, n_eff = x (1 - x) / E^2, and Wilson's ends x_L and x_U of it become

    low = 1 - x_U / y,  high = 1 - x_L / y,  with E the larger of y SE(value) and SE(x).

The second error matters when a rare level was met once or twice: the coefficient then hardly moves,
since x and y move together, and yet it is not well known. Where the jackknife shows no spread
(perfect agreement), or leaving out one group leaves no value (all others used one level), nothing
is known of the error, and n_eff is the number of groups: perfect agreement of n units reaches down
as far as if Wilson's upper limit of 0 in n units disagreed fully.

``benchmarks/intervals.py`` simulates three raters (two and five levels, balanced and 90/10, kappa
0.6 and 0.9, 30 to 200 units). The 95% interval of Fleiss' kappa lies above the truth in at most 3%
of samples and below it in at most 6%; value +- t SE in up to 40% and 15%. AC1, Brennan and Prediger
and nominal alpha are as good. Weighted figures are not with 30 units, five levels and one of them
common: ordinal alpha and AC2 lie above the truth in up to 12%, since the large disagreements that
matter most were not yet seen, and Conger's kappa and interval alpha below it in up to 9%. With 100
units AC2 still is above it in up to 6%. The price is a wide interval where kappa is low and one
level rare. The low end is not below -1 unless the value is.

References: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11; Wilson
(1927), JASA 22:209. Their combination is this library's own, and has no proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from judgekit.stats.arrays import FloatArray, IntArray, compact
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.ratings import Ratings

# Squared errors below this are rounding.
NO_SPREAD = 1e-20
# Groups left out at a time, so that memory does not grow with their number.
CHUNK = 16_384


class Disagreement(NamedTuple):
    """Observed disagreement, and that of chance, as shares of full disagreement; (B,) each.

    By chance it is nan where there is no coefficient.
    """

    observed: FloatArray
    by_chance: FloatArray

    @property
    def value(self) -> FloatArray:
        """The coefficient 1 - observed / by chance, (B,)."""
        return 1 - self.observed / self.by_chance


class Support(NamedTuple):
    """The units that two raters or more rated, and how they are grouped.

    Attributes:
        units: How many there are.
        ratings: How many levels were given to them.
        groups: How many independent groups they form: clusters, where they repeat, else units.
        effective: What these groups are worth when they differ in size or weight (Kish).
        clusters: (all units,) codes of the clusters, or None when no two units share one.
    """

    units: int
    ratings: int
    groups: int
    effective: float
    clusters: IntArray | None


def support(ratings: Ratings) -> Support:
    """Return what an interval for these ratings can rest on."""
    codes, sizes = ratings.clusters, ratings.sizes()
    if codes is not None and int(codes.max(initial=-1)) + 1 == codes.size:
        codes = None
    twice = sizes > 1
    n = int(twice.sum())
    weight: FloatArray = np.ones(n) if ratings.weight is None else ratings.weight[twice]
    if codes is not None:
        weight = np.bincount(compact(codes[twice]), weights=weight).astype(np.float64)
    effective = float(weight.sum()) ** 2 / float((weight**2).sum()) if n else 0.0
    return Support(n, int(sizes[twice].sum()), int(weight.size), effective, codes)


def grouped(parts: FloatArray, clusters: IntArray | None) -> FloatArray:
    """Sum the rows of (n, d) parts within clusters; without clusters each row is a group."""
    if clusters is None:
        return parts
    return np.column_stack([np.bincount(clusters, weights=column) for column in parts.T])


def without_each(
    groups: FloatArray, disagreement: Callable[[FloatArray], Disagreement]
) -> Disagreement:
    """Return the disagreement without each group in turn, (G,), from (G, d) parts of the groups.

    ``disagreement`` computes it from a stack (B, d) of sums of parts.
    """
    total = groups.sum(axis=0)
    found = [
        disagreement(total - groups[start : start + CHUNK])
        for start in range(0, len(groups), CHUNK)
    ]
    observed, by_chance = zip(*found, strict=True)
    return Disagreement(np.concatenate(observed), np.concatenate(by_chance))


def estimate(
    full: Disagreement,
    left_out: Callable[[IntArray | None], Disagreement],
    ratings: Ratings,
    *,
    name: str,
    confidence: float,
) -> Estimate | Undefined:
    """Coefficient of the disagreement ``full`` (B = 1), with the interval the module describes.

    ``left_out`` gives the disagreement without each unit, or each cluster of the codes it is called
    with. ``n`` of the result counts the units with two levels and more, ``pairs`` the levels they
    got. The design effect is the ratio of the squared errors by cluster and by unit, at least 1.

    Undefined: ``too_few_clusters`` with fewer than ten clusters; ``too_few_items`` with one unit.

    Raises:
        ValueError: ``confidence`` out of range.
    """
    base, method = support(ratings), f"{name}/jackknife_wilson"
    if base.clusters is not None and base.groups < MIN_CLUSTERS:
        return Undefined("too_few_clusters", base.units, method, base.ratings, base.groups)
    if base.groups < 2:
        return Undefined("too_few_items", base.units, method, base.ratings)
    x, y, value = float(full.observed[0]), float(full.by_chance[0]), float(full.value[0])
    error, effect = _error(left_out, base, y)
    low, high = _ends(x, y, error, base, critical(confidence, base.groups - 1))
    return Estimate(
        value,
        min(max(low, min(value, -1.0)), value),
        max(high, value),
        base.units,
        method,
        confidence,
        base.ratings,
        None if base.clusters is None else base.groups,
        effect,
    )


def _error(
    left_out: Callable[[IntArray | None], Disagreement], base: Support, y: float
) -> tuple[float | None, float]:
    """Squared error of x, None where nothing is known of it, and the design effect."""
    error = _spread(left_out(None), y)
    if base.clusters is None:
        return error, 1.0
    clustered = _spread(left_out(base.clusters), y)
    if error is None or clustered is None:
        return None, base.units / base.effective
    return max(error, clustered), max(1.0, clustered / error)


def _spread(left: Disagreement, y: float) -> float | None:
    """Squared error of x by the values and observed disagreements that remain; None for none."""
    if np.isnan(left.value).any():
        return None
    G = left.observed.size
    spread = max(float(left.value.var()) * y * y, float(left.observed.var()))
    error = (G - 1) * spread
    return error if error > NO_SPREAD else None


def _ends(x: float, y: float, error: float | None, base: Support, t: float) -> tuple[float, float]:
    share = min(max(x, 0.0), 1.0)
    variance, n = share * (1 - share), base.effective
    if error is not None and variance > NO_SPREAD:
        n = variance / error
    least, most = wilson_bounds(share, n, t)
    return 1 - most / y, 1 - least / y
