"""Mean kappa of some pairs of raters, and the difference of two such means, with their doubt.

The mean weighs each pair by the items both rated. When everybody rated everything it is the plain
mean (Light 1971); with gaps, a pair of three items does not count like a pair of three hundred.
Pairs whose kappa is undefined are left out.

Each end of an interval is the farther of two:

- *jackknife*: items are left out cluster by cluster. With e_g the figure without cluster g, less
  the mean of these, SE^2 = (G - 1) / G * (sum of e^2 + 2 * sum of e^4 / sum of e^2), and the
  interval is the figure ± t SE with Student's t on G - 1 degrees of freedom. The second term stands
  for two more clusters of the kind that moves the figure, as :mod:`judgekit.stats.clusters` adds
  them: where few disagree, the ones seen are a lucky choice too often.
- *score*: the path-score interval of the pooled table of the pairs, each pair in both orders, at
  the number of pairs that matches SE (never more than there are; the number of clusters when SE is
  0). Two means combine as in Newcombe's paired method: with a - l and u - b the reaches and rho the
  correlation of the two jackknives, a - b - sqrt((a - l)^2 + (u - b)^2 - 2 rho (a - l)(u - b)).

The plain jackknife (sum of e^2 alone) knows only the disagreements it saw: with everybody of one
mind it is a point. Simulated three raters and a judge that is truly 0.10 worse than one more of
them; share of samples whose lower end lies above -0.10, which should be 2.5%, over kappa among the
raters of 0.6, 0.8 and 0.9:

=========================  =============  ============  ============  ============
items                      30             50            100           200
=========================  =============  ============  ============  ============
balanced, plain            6.7 to 11.4%   5.7 to 9.5%   4.3 to 6.8%   4.0 to 5.1%
balanced                   3.4 to 6.0%    2.8 to 3.7%   2.8 to 3.8%   2.4 to 3.6%
9 in 10 one level, plain   18.6 to 34.4%  9.8 to 25.0%  5.7 to 9.1%   4.8 to 6.5%
9 in 10 one level          2.2 to 6.5%    5.9 to 7.6%   3.3 to 3.9%   2.1 to 2.7%
five levels, plain         5.1 to 6.0%    3.8 to 6.4%   3.0 to 5.6%   2.9 to 3.8%
five levels                1.7 to 2.8%    2.6 to 2.9%   2.5 to 3.3%   2.6 to 2.8%
=========================  =============  ============  ============  ============

(1,000 samples each, Monte Carlo error 0.5 points at 2.5%.) With fewer than 100 items, or ten of a
level, it still promises too much.

References: Light (1971), Psychological Bulletin 76:365; Tukey (1958), Annals of Mathematical
Statistics 29:614; Newcombe (1998), Statistics in Medicine 17:2635; Zou and Donner (2008),
Statistics in Medicine 27:1693, for combining ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.path_score import bounds
from judgekit.stats.quantiles import critical, student_tail
from judgekit.stats.rater_pairs import RaterPairs

Sides = tuple[npt.ArrayLike, npt.ArrayLike]
"""Two masks over the pairs: those whose mean is taken, and those whose mean is taken off."""
UNSEEN = 2.0
"""Clusters of the kind that moves the figure that are added to the ones seen."""
# A jackknife spread below this is rounding: nothing varied.
NO_SPREAD = 1e-9


class Gap(NamedTuple):
    """The difference of two means, and the p-value of the two-sided jackknife t-test against 0.

    ``p`` is None where the estimate is undefined; where nothing varied it is 1 for a difference of
    0, and 0 for any other.
    """

    estimate: Estimate | Undefined
    p: float | None


class _Mean(NamedTuple):
    """A mean of kappas: its jackknife (nan for clusters it has no item of) and its score reach."""

    value: float
    replicates: FloatArray
    pooled: FloatArray
    items: IntArray
    pairs: int
    below: float = 0.0
    above: float = 0.0


def mean_kappa(
    found: RaterPairs,
    chosen: npt.ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    method: str = "mean_kappa",
) -> Estimate | Undefined:
    """Mean kappa of the chosen pairs of raters, at most 1, with its two-sided interval.

    ``chosen`` is a (P,) mask; without it all pairs are meant. ``n`` counts items, ``pairs`` counts
    how often two of the raters rated the same item.

    Undefined: ``empty`` (the raters share no item), ``single_category`` (no pair has a kappa),
    ``too_few_items`` or, where items share cases, ``too_few_clusters`` (fewer than ten).

    Raises:
        ValueError: ``chosen`` has another length.
    """
    mask = np.ones(len(found), dtype=np.bool_) if chosen is None else chosen
    (mean,) = mean_kappas(found, [mask], confidence=confidence, method=method)
    return mean


def mean_kappas(
    found: RaterPairs,
    choices: Sequence[npt.ArrayLike],
    *,
    confidence: float = 0.95,
    method: str = "mean_kappa",
) -> tuple[Estimate | Undefined, ...]:
    """Return the means of several choices of pairs at once, each as :func:`mean_kappa` has it.

    Raises:
        ValueError: A mask of another length.
    """
    name = f"{method}/jackknife_score"
    means = _means(found, choices, confidence)
    return tuple(_told(found, mean, confidence, name) for mean in means)


def _told(
    found: RaterPairs, mean: _Mean | Undefined, confidence: float, name: str
) -> Estimate | Undefined:
    if isinstance(mean, Undefined):
        return replace(mean, method=name)
    error, G = _spread(mean.replicates)
    reach = critical(confidence, max(G - 1, 1)) * error
    low, high = mean.value - max(mean.below, reach), mean.value + max(mean.above, reach)
    ends = (mean.value, low, min(1.0, high))
    return _estimate(found, ends, mean.items, mean.pairs, (G, name, confidence))


def kappa_gap(
    found: RaterPairs,
    chosen: npt.ArrayLike,
    others: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    method: str = "kappa_gap",
) -> Estimate | Undefined:
    """Mean kappa of the chosen pairs minus that of the other pairs, in [-2, 2], with its interval.

    With the judge's pairs as ``chosen`` and the humans' as ``others`` it says how far the judge
    stands from being one more human: 0 is as good as they are among themselves.

    Undefined as :func:`mean_kappa`, for either side.

    Raises:
        ValueError: A mask of another length.
    """
    (gap,) = kappa_gaps(found, [(chosen, others)], confidence=confidence, method=method)
    return gap.estimate


def kappa_gaps(
    found: RaterPairs,
    sides: Sequence[Sides],
    *,
    confidence: float = 0.95,
    method: str = "kappa_gap",
) -> tuple[Gap, ...]:
    """Return several differences at once, each as :func:`kappa_gap` has it, with its p.

    Raises:
        ValueError: A mask of another length.
    """
    means = _means(found, [side for two in sides for side in two], confidence)
    name = f"{method}/jackknife_score"
    return tuple(
        _gap(found, first, second, confidence, name)
        for first, second in zip(means[::2], means[1::2], strict=True)
    )


def _gap(
    found: RaterPairs,
    a: _Mean | Undefined,
    b: _Mean | Undefined,
    confidence: float,
    name: str,
) -> Gap:
    if isinstance(a, Undefined):
        return Gap(replace(a, method=name), None)
    if isinstance(b, Undefined):
        return Gap(replace(b, method=name), None)
    value = a.value - b.value
    either = ~(np.isnan(a.replicates) & np.isnan(b.replicates))
    first, second = (
        np.where(np.isnan(mean.replicates), mean.value, mean.replicates)[either] for mean in (a, b)
    )
    error, G = _spread(first - second)
    rho, reach = _correlation(first, second), critical(confidence, max(G - 1, 1)) * error
    below = max(reach, _combined(a.below, b.above, rho))
    above = max(reach, _combined(a.above, b.below, rho))
    ends = (value, max(-2.0, value - below), min(2.0, value + above))
    items = np.union1d(a.items, b.items)
    estimate = _estimate(found, ends, items, a.pairs + b.pairs, (G, name, confidence))
    return Gap(estimate, None if isinstance(estimate, Undefined) else _p(value, error, G))


def _p(value: float, error: float, G: int) -> float:
    if error < NO_SPREAD:
        return float(abs(value) < NO_SPREAD)
    return min(1.0, 2 * student_tail(abs(value) / error, G - 1))


def _means(
    found: RaterPairs, masks: Sequence[npt.ArrayLike], confidence: float
) -> list[_Mean | Undefined]:
    """Return the mean of each choice of pairs; all score intervals are looked for at once."""
    means = [_mean(found, _mask(found, mask)) for mask in masks]
    known = [mean for mean in means if not isinstance(mean, Undefined)]
    reaches: Iterator[tuple[float, float]] = iter(_reaches(found, known, confidence))
    return [
        mean if isinstance(mean, Undefined) else _reaching(mean, *next(reaches)) for mean in means
    ]


def _reaching(mean: _Mean, below: float, above: float) -> _Mean:
    return mean._replace(below=below, above=above)


def _mask(found: RaterPairs, chosen: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    mask = np.asarray(chosen)
    if mask.dtype != np.bool_ or mask.shape != (len(found),):
        raise ValueError(f"a mask must hold True or False for each of the {len(found)} pairs")
    return mask


def _mean(found: RaterPairs, chosen: npt.NDArray[np.bool_]) -> _Mean | Undefined:
    """Return the mean of the chosen kappas, and what it would be without each cluster."""
    used = chosen & ~np.isnan(found.kappa)
    if not used.any():
        items = found.entries.item[chosen[found.entries.pair]]
        n = int(np.unique(items).size)
        return Undefined("single_category" if n else "empty", n, pairs=items.size)
    left, G = found.without, int(found.entries.cluster.max()) + 1
    part = used[left.pair]
    pair, cluster, rest = left.pair[part], left.cluster[part], left.weight[part]
    weight, kappa = found.weight[used], found.kappa[used]
    lost = found.weight[pair] * found.kappa[pair] - rest * left.kappa[part]
    lighter = np.bincount(cluster, weights=found.weight[pair] - rest, minlength=G)
    remains = np.maximum(weight.sum() - lighter, NO_SPREAD)
    without = (weight @ kappa - np.bincount(cluster, weights=lost, minlength=G)) / remains
    mine, pooled = used[found.entries.pair], found.tables[used].sum(axis=0)
    return _Mean(
        value=float(weight @ kappa / weight.sum()),
        replicates=np.where(np.bincount(cluster, minlength=G) > 0, without, np.nan),
        pooled=(pooled + pooled.T) / 2,
        items=np.unique(found.entries.item[mine]),
        pairs=int(mine.sum()),
    )


def _spread(replicates: FloatArray) -> tuple[float, int]:
    """Return the standard error, 0 where nothing varied, and the number of clusters behind it."""
    known = replicates[~np.isnan(replicates)]
    G, e = known.size, known - known.mean()
    seen = float((e**2).sum())
    if seen < NO_SPREAD**2:
        return 0.0, G
    unseen = UNSEEN * float((e**4).sum()) / seen
    return math.sqrt((G - 1) / G * (seen + unseen)), G


def _reaches(
    found: RaterPairs, means: Sequence[_Mean], confidence: float
) -> list[tuple[float, float]]:
    """Return how far the score interval of each mean reaches below and above its value."""
    if not means:
        return []
    W, tables = found.agreement_weights, np.array([mean.pooled for mean in means])
    totals = tables.sum(axis=(1, 2))
    value, variance = kappa_and_variance(tables / totals[:, None, None], W)
    spread = [_spread(mean.replicates) for mean in means]
    size = [
        min(total, v / error**2) if error > NO_SPREAD and v > 0 else float(G)
        for (error, G), v, total in zip(spread, variance, totals, strict=True)
    ]
    z = np.array([critical(confidence, max(G - 1, 1)) for _, G in spread])
    low, high = bounds(tables, W, z=z, n_eff=np.array(size))
    return list(zip((value - low).tolist(), (high - value).tolist(), strict=True))


def _combined(first: float, second: float, rho: float) -> float:
    return math.sqrt(max(0.0, first**2 + second**2 - 2 * rho * first * second))


def _correlation(first: FloatArray, second: FloatArray) -> float:
    """Return the correlation of two jackknives; 0 where one of them does not vary."""
    a, b = first - first.mean(), second - second.mean()
    scale = math.sqrt(float((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale > NO_SPREAD**2 else 0.0


def _estimate(
    found: RaterPairs,
    ends: tuple[float, float, float],
    items: IntArray,
    pairs: int,
    made: tuple[int, str, float],
) -> Estimate | Undefined:
    (value, low, high), (G, name, confidence) = ends, made
    if G < MIN_CLUSTERS:
        few = Undefined("too_few_items", items.size, name, pairs)
        return replace(few, reason="too_few_clusters", clusters=G) if found.clustered else few
    clusters = G if found.clustered else None
    return Estimate(value, low, high, items.size, name, confidence, pairs, clusters)
