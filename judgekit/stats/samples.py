"""Items of which the humans said something, and items of which only the judge did.

Corrections bring two samples together: a small one with labels and a large one without. What an
item adds to a mean is its *pull* (influence value): weight times deviation over the total weight.
Sums of squared pulls are variances; where items share cases, only the sums over cases are
independent, and a case may have items in both samples.

References: as in :mod:`judgekit.stats.clusters`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, codes, compact, pair_weights, scale_codes
from judgekit.stats.estimate import MIN_CLUSTERS
from judgekit.stats.table import Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Items with the judge's level and, where there are labels, the humans'.

    Attributes:
        judge: (n,) int64 codes of the judge's levels, in ``0 .. k - 1``.
        k: Levels of the scale.
        human: (n, k) share of the item's raters who gave each level, rows adding up to 1; None for
            a sample without labels.
        weight: (n,) positive sampling weights, or None. Only ratios matter; stored with mean 1.
        clusters: (n,) codes of the case of each item, or None when every item is a case of its own.
            Equal codes in two samples are the same case.
        strata: (n,) codes of the sampling stratum of each item, or None.
        inflation: Design effect known from elsewhere, at least 1; it widens every interval.

    Raises:
        ValueError: Lengths that differ, a code off the scale, shares that do not add up to 1.
    """

    judge: IntArray
    k: int
    human: FloatArray | None = None
    weight: FloatArray | None = None
    clusters: IntArray | None = None
    strata: IntArray | None = None
    inflation: float = 1.0

    def __post_init__(self) -> None:
        judge = scale_codes("judge", self.judge, self.k)
        object.__setattr__(self, "judge", judge)
        weight = pair_weights(self.weight, judge.size)
        if weight is not None and weight.size:
            object.__setattr__(self, "weight", weight / weight.mean())
        for name in ("clusters", "strata"):
            object.__setattr__(self, name, _codes(name, getattr(self, name), judge.size))
        if not self.inflation >= 1:
            raise ValueError(f"a design effect is at least 1, not {self.inflation}")
        if self.human is None:
            return
        human = np.asarray(self.human, dtype=np.float64)
        if human.shape != (judge.size, self.k):
            raise ValueError(f"human has the shape {human.shape}, not {(judge.size, self.k)}")
        if (human < 0).any() or not np.allclose(human.sum(axis=1), 1):
            raise ValueError("the shares of an item's human levels must add up to 1")
        object.__setattr__(self, "human", human)

    def __len__(self) -> int:
        return int(self.judge.size)

    @classmethod
    def of_pairs(cls, pairs: Pairs) -> Sample:
        """Return the items of (item, rater) pairs; the raters of an item share its weight.

        Pairs in which the judge gave no level are left out. An item's weight is that of its pairs,
        which is one number for all of them; its judge level likewise.
        """
        pairs = pairs.usable()
        item = np.arange(len(pairs)) if pairs.items is None else pairs.items
        n = pairs.n_items
        first = np.zeros(n, dtype=np.int64)
        first[item[::-1]] = np.arange(len(pairs))[::-1]
        human = np.zeros((n, pairs.k))
        np.add.at(human, (item, pairs.human), 1.0)
        return cls(
            pairs.judge[first],
            pairs.k,
            human / human.sum(axis=1, keepdims=True),
            weight=None if pairs.weight is None else pairs.weight[first],
            clusters=None if pairs.clusters is None else pairs.clusters[first],
        )

    @property
    def shares(self) -> FloatArray:
        """Return ``weight / sum of weights`` of each item: what it counts in a mean."""
        if self.weight is None:
            return np.full(len(self), 1 / max(len(self), 1))
        found: FloatArray = self.weight / self.weight.sum()
        return found

    @property
    def n_eff(self) -> float:
        """Return how many equally weighted items these are worth (Kish), clusters aside."""
        return 1 / float((self.shares**2).sum()) if len(self) else 0.0

    def table(self) -> FloatArray:
        """Return the (k, k) table, human rows and judge columns; weights add up in it.

        Raises:
            ValueError: The sample has no labels.
        """
        if self.human is None:
            raise ValueError("a sample without labels makes no table")
        T = np.zeros((self.k, self.k))
        weight = np.ones(len(self)) if self.weight is None else self.weight
        np.add.at(T.T, self.judge, self.human * weight[:, None])
        return T

    def judged(self) -> FloatArray:
        """Return the (k,) share of each judge level; zeros without items."""
        counts = np.bincount(self.judge, weights=self.shares, minlength=self.k)
        return np.asarray(counts, dtype=np.float64)

    def collapsed(self, mask: npt.NDArray[np.bool_]) -> Sample:
        """Return the sample on the two levels fail (0) and pass (1)."""
        human = self.human
        if human is not None:
            passing = human[:, mask].sum(axis=1)
            human = np.stack([1 - passing, passing], axis=1)
        return replace(self, judge=mask[self.judge].astype(np.int64), k=2, human=human)


class Cases(NamedTuple):
    """How two samples fall into cases.

    Attributes:
        first: Case of each item of the first sample.
        second: Case of each item of the second.
        total: Cases in both together.
        clustered: Whether any case holds two items.
        fewest: Cases in that sample, of those whose items share cases, that has the fewest.
    """

    first: IntArray
    second: IntArray
    total: int
    clustered: bool
    fewest: int | None

    @property
    def too_few(self) -> bool:
        """Whether there are cases with several items, but not enough cases for an interval."""
        return self.fewest is not None and self.fewest < MIN_CLUSTERS

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the t quantile, or None for the normal."""
        return None if self.fewest is None else float(self.fewest - 1)

    @property
    def mean_size(self) -> float:
        """Return the items of a case, on average, in the first sample."""
        return self.first.size / max(1, np.unique(self.first).size)


def cases_of(first: Sample, second: Sample) -> Cases:
    """Number the cases of two samples together; an item without a case is one of its own."""
    n, total = len(first), len(first) + len(second)
    if first.clusters is None and second.clusters is None:
        own = np.arange(total)
        return Cases(own[:n], own[n:], total, clustered=False, fewest=None)
    beyond = 1 + max(
        int(c.max(initial=-1)) for s in (first, second) if (c := s.clusters) is not None
    )
    parts = [
        np.arange(beyond + start, beyond + start + len(sample))
        if sample.clusters is None
        else sample.clusters
        for sample, start in ((first, 0), (second, n))
    ]
    found = compact(np.concatenate(parts))
    a, b = found[:n], found[n:]
    sizes = [(part.size, np.unique(part).size) for part in (a, b)]
    shared = [cases for items, cases in sizes if cases < items]
    distinct = int(found.max(initial=-1)) + 1
    return Cases(a, b, distinct, distinct < total, min(shared, default=None))


def inflation(a: FloatArray, b: FloatArray, cases: Cases, cap: float) -> FloatArray:
    """Variance inflation by cases, at least 1, of estimates with pulls ``a`` (n, c), ``b`` (N, c).

    ``cap`` stands in where there is no pull at all: the worst case, as if items of a case were one.
    """
    if not cases.clustered:
        return np.ones(a.shape[1])
    sums = np.zeros((cases.total, a.shape[1]))
    np.add.at(sums, cases.first, a)
    np.add.at(sums, cases.second, b)
    alone = (a**2).sum(axis=0) + (b**2).sum(axis=0)
    G = cases.fewest or cases.total
    together = G / max(G - 1, 1) * (sums**2).sum(axis=0)
    known = alone > 1e-12 / max(len(a), 1)
    return np.where(known, np.maximum(1.0, together / np.where(known, alone, 1.0)), cap)


def _codes(name: str, values: npt.ArrayLike | None, size: int) -> IntArray | None:
    if values is None:
        return None
    array = codes(name, values)
    if array.size != size:
        raise ValueError(f"{name} has {array.size} codes, there are {size} items")
    return array
