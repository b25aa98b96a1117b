"""Kappa of every two raters of the same items, for any number of raters and any gaps.

Two raters are a pair when they rated an item in common; their kappa rests on the items both rated.
A judge may stand among the raters as one more column of the ratings; what it says that is no level
are then codes past the levels, with agreement weights that agree with nothing.

To know how sure a figure made of these kappas is, items are left out cluster by cluster (the
jackknife). A cluster touches few pairs, and all that kappa needs of a pair is its agreement and its
two margins, so kappa without a cluster is the whole less the part: no table is counted twice. 2,500
items of 16 raters, with gaps, take a few hundredths of a second.

References: Cohen (1960), doi:10.1177/001316446002000104; Light (1971), Psychological Bulletin
76:365 (mean pairwise kappa); Efron and Tibshirani (1993), An Introduction to the Bootstrap, ch. 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, square
from judgekit.stats.clusters import Clustering, clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import SMALLEST_CHANCE_GAP, influence
from judgekit.stats.path_score import bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.ratings import Ratings
from judgekit.stats.table import Pairs

PAIR = "cohen_kappa/path_score"


class Entries(NamedTuple):
    """Every (item, first rater, second rater) in which both rated, as (N,) arrays."""

    pair: IntArray
    item: IntArray
    cluster: IntArray
    a: IntArray
    b: IntArray
    weight: FloatArray


class WithoutCluster(NamedTuple):
    """Kappa and weight of a pair when one cluster it has items of is left out, as (I,) arrays.

    A pair that then shows one level only, or one item, has no kappa: nothing beyond chance is left,
    and it counts 0.
    """

    pair: IntArray
    cluster: IntArray
    kappa: FloatArray
    weight: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RaterPairs:
    """The P pairs of raters who share items; made by :func:`rater_pairs`.

    Attributes:
        first: (P,) column of the rater whose levels are the rows of the pair's table.
        second: (P,) column of the other, always the later column.
        shared: (P,) how many items both rated.
        weight: (P,) the same with sampling weights; equal to ``shared`` without them.
        kappa: (P,) kappa, nan where undefined.
        tables: (P, K, K) counts.
        agreement_weights: (K, K).
        clustered: Whether some items share a cluster that is not the item itself.
        entries: What the tables were counted from.
        without: Kappa of each pair without each of its clusters.
    """

    first: IntArray
    second: IntArray
    shared: IntArray
    weight: FloatArray
    kappa: FloatArray
    tables: FloatArray
    agreement_weights: FloatArray
    clustered: bool
    entries: Entries
    without: WithoutCluster

    def __len__(self) -> int:
        return int(self.first.size)

    def with_rater(self, rater: int) -> npt.NDArray[np.bool_]:
        """Return the (P,) mask of the pairs this rater is one of."""
        mask: npt.NDArray[np.bool_] = (self.first == rater) | (self.second == rater)
        return mask


def rater_pairs(ratings: Ratings, weights: npt.ArrayLike) -> RaterPairs:
    """Return the kappa of every two raters over the items both rated.

    ``weights`` are the (K, K) agreement weights, K = ``ratings.k``. Clusters and sampling weights
    are those of the ratings.

    Raises:
        ValueError: Weights that do not fit the scale.
    """
    W, n = square("weights", weights), len(ratings)
    if W.shape[0] != ratings.k:
        raise ValueError(f"the scale has {ratings.k} levels, the weights are {W.shape}")
    groups = np.arange(n) if ratings.clusters is None else ratings.clusters
    weight, m = np.ones(n) if ratings.weight is None else ratings.weight, max(ratings.raters, 1)
    key, item, a, b = _couples(ratings.values)
    known, pair = np.unique(key, return_inverse=True)
    entries = Entries(pair.astype(np.int64), item, groups[item], a, b, weight[item])
    P, K = known.size, W.shape[0]
    cell = (entries.pair * K + a) * K + b
    counts = np.bincount(cell, weights=entries.weight, minlength=P * K * K)
    tables = counts.astype(np.float64).reshape(P, K, K)
    shared = np.bincount(entries.pair, minlength=P).astype(np.int64)
    total = tables.sum(axis=(1, 2))
    agreed = (tables * W).sum(axis=(1, 2))
    kappa = _kappa(agreed, tables.sum(axis=2), tables.sum(axis=1), total, W)
    kappa[shared <= 1] = np.nan
    return RaterPairs(
        first=known // m,
        second=known % m,
        shared=shared,
        weight=total,
        kappa=kappa,
        tables=tables,
        agreement_weights=W,
        clustered=bool(groups.size) and int(groups.max()) + 1 < n,
        entries=entries,
        without=_without(entries, tables, shared, W),
    )


def pair_agreements(
    found: RaterPairs, chosen: npt.ArrayLike | None = None, *, confidence: float = 0.95
) -> tuple[Estimate | Undefined, ...]:
    """Return the kappa of each chosen pair of raters with its path-score interval.

    The same figures as :func:`judgekit.stats.agreement.agreement` of each pair, all at once.
    ``chosen`` is a (P,) mask; without it all pairs are meant.

    Undefined: ``single_category`` where both used one level only or share one item;
    ``too_few_clusters`` where items share cases and the pair has fewer than ten.
    """
    which = np.arange(len(found)) if chosen is None else np.flatnonzero(chosen)
    if not which.size:
        return ()
    order = np.argsort(found.entries.pair, kind="stable")
    start = np.searchsorted(found.entries.pair[order], np.arange(len(found) + 1))
    parts = [_pair(found, order[start[p] : start[p + 1]]) for p in which]
    effects = [_clustering(part, found.agreement_weights) for part in parts]
    low, high = bounds(
        np.array([part.table() for part in parts]),
        found.agreement_weights,
        z=np.array([critical(confidence, effect.df) for effect in effects]),
        n_eff=np.array([len(p) / e.design_effect for p, e in zip(parts, effects, strict=True)]),
    )
    return tuple(
        _estimate(parts[i], effects[i], (found.kappa[p], low[i], high[i]), confidence)
        for i, p in enumerate(which)
    )


def _pair(found: RaterPairs, own: IntArray) -> Pairs:
    weight = found.entries.weight[own]
    return Pairs(
        found.entries.a[own],
        found.entries.b[own],
        found.agreement_weights.shape[0],
        clusters=found.entries.cluster[own],
        weight=None if np.ptp(weight) == 0 else weight,
    )


def _clustering(pairs: Pairs, weights: FloatArray) -> Clustering:
    pull = influence(pairs.table(), weights)
    scores = np.zeros(len(pairs)) if isinstance(pull, Undefined) else pull[pairs.human, pairs.judge]
    return clustering(scores, pairs)


def _estimate(
    pairs: Pairs, found: Clustering, ends: tuple[float, float, float], confidence: float
) -> Estimate | Undefined:
    value, low, high = map(float, ends)
    if np.isnan(value):
        return Undefined("single_category", len(pairs), PAIR, len(pairs))
    if found.too_few:
        return Undefined("too_few_clusters", len(pairs), PAIR, len(pairs), clusters=found.clusters)
    return counted(Estimate(value, low, high, 0, PAIR, confidence), pairs, found)


def _couples(table: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return each two ratings of one item: the pair's key, the item, and the two codes.

    The ratings are laid in a row, item by item: those of one item are neighbours, so every couple
    is found by comparing the row with itself moved by one, by two, and so on.
    """
    item, rater = np.nonzero(table >= 0)
    code, m = table[item, rater], max(table.shape[1], 1)
    most = int(np.bincount(item).max()) if item.size else 0
    starts = [np.flatnonzero(item[step:] == item[:-step]) for step in range(1, most)]
    left = np.concatenate([np.zeros(0, dtype=np.int64), *starts])
    steps = [np.full(start.size, step) for step, start in enumerate(starts, 1)]
    right = left + np.concatenate([np.zeros(0, dtype=np.int64), *steps])
    return rater[left] * m + rater[right], item[left], code[left], code[right]


def _without(
    entries: Entries, tables: FloatArray, shared: IntArray, W: FloatArray
) -> WithoutCluster:
    """Take the part of each (pair, cluster) from the whole of the pair."""
    K = W.shape[0]
    width = int(entries.cluster.max(initial=0)) + 1
    known, part = np.unique(entries.pair * width + entries.cluster, return_inverse=True)
    pair, size = known // width, known.size

    def of(column: IntArray) -> FloatArray:
        counts = np.bincount(part * K + column, weights=entries.weight, minlength=size * K)
        return counts.astype(np.float64).reshape(size, K)

    agreed = np.bincount(part, weights=entries.weight * W[entries.a, entries.b], minlength=size)
    total = np.bincount(part, weights=entries.weight, minlength=size)
    left = shared[pair] - np.bincount(part, minlength=size)
    kappa = _kappa(
        (tables * W).sum(axis=(1, 2))[pair] - agreed,
        tables.sum(axis=2)[pair] - of(entries.a),
        tables.sum(axis=1)[pair] - of(entries.b),
        tables.sum(axis=(1, 2))[pair] - total,
        W,
    )
    rest = np.where(left > 0, tables.sum(axis=(1, 2))[pair] - total, 0.0)
    return WithoutCluster(pair, known % width, np.nan_to_num(kappa, nan=0.0), rest)


def _kappa(
    agreed: FloatArray, rows: FloatArray, columns: FloatArray, total: FloatArray, W: FloatArray
) -> FloatArray:
    """Kappa from summed agreement weights, margins (..., K) and totals; nan where undefined."""
    n = np.where(total > 1e-9, total, np.nan)
    by_chance = ((rows @ W) * columns).sum(axis=-1) / n**2
    gap = np.where(1 - by_chance < SMALLEST_CHANCE_GAP, np.nan, 1 - by_chance)
    value: FloatArray = (agreed / n - by_chance) / gap
    return value
