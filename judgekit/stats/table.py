"""Pairs of ratings, and the table they make.

A table T has one row for each human level and one column for each judge level, in the order of the
*declared* scale: T[i, j] counts the pairs with human level i and judge level j. The scale is an
input and never inferred from the ratings, because most statistics depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import (
    FloatArray,
    IntArray,
    codes,
    compact,
    pair_weights,
    scale_codes,
)
from judgekit.stats.strata import drawn as units_drawn
from judgekit.stats.strata import merged


def contingency(
    human: npt.ArrayLike, judge: npt.ArrayLike, k: int, weights: npt.ArrayLike | None = None
) -> FloatArray:
    """Count pairs of codes in a (k, k) table: rows are the human's levels, columns the judge's.

    ``human`` and ``judge`` are (n,) integer codes in ``0 .. k - 1``. ``weights`` are (n,) sampling
    weights; without them each pair counts 1. No pairs give a table of zeros.

    Raises:
        ValueError: Lengths that differ, or a code outside the scale: it is never clamped.
    """
    if k < 1:
        raise ValueError(f"a scale has at least one level, not {k}")
    rows, columns = scale_codes("human", human, k), scale_codes("judge", judge, k)
    if rows.shape != columns.shape:
        raise ValueError(f"human has {rows.size} codes, judge has {columns.size}")
    sampling = pair_weights(weights, rows.size)
    counts = np.bincount(rows * k + columns, weights=sampling, minlength=k * k)
    table: FloatArray = counts.astype(np.float64).reshape(k, k)
    return table


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """What human and judge said of the same things, as codes of one declared scale.

    Attributes:
        human: (n,) int64 codes of the human's levels, in ``0 .. k - extra - 1``.
        judge: (n,) int64 codes of the judge's levels, in ``0 .. k - 1``.
        k: Categories of the square table: the scale's levels and then the extra judge columns.
        clusters: (n,) codes of the group each pair belongs to (its case), or None when there are no
            groups. Stored renumbered to ``0 .. G - 1``.
        weight: (n,) positive sampling weights, or None when every pair counts the same. Only their
            ratios matter; stored scaled to a mean of 1, so that a table still adds up to n.
        items: (n,) codes of the item each pair speaks of, or None when every pair is an item of its
            own. Several raters make several pairs of one item. Stored renumbered.
        extra: How many of the k categories, at the end, are answers of the judge that are no level
            (unreadable, abstained, ...). They agree with nothing.
        strata: (n,) codes of the sampling stratum each pair was drawn in, or None. Stored
            renumbered. Strata that share a cluster (an item, where there are no clusters) become
            one: it was drawn within neither.
        drawn: (H,) how many clusters (items, pairs) were drawn in each stratum. It is counted here;
            :meth:`subset` keeps the number of the whole sample.

    Raises:
        ValueError: Lengths that differ, a code out of range, or an item in two clusters.
    """

    human: IntArray
    judge: IntArray
    k: int
    clusters: IntArray | None = None
    weight: FloatArray | None = None
    items: IntArray | None = None
    extra: int = 0
    strata: IntArray | None = None
    drawn: IntArray | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.extra < self.k:
            raise ValueError(f"{self.extra} extra judge columns do not fit in k = {self.k}")
        human = scale_codes("human", self.human, self.levels)
        judge = scale_codes("judge", self.judge, self.k)
        if human.shape != judge.shape:
            raise ValueError(f"human has {human.size} codes, judge has {judge.size}")
        object.__setattr__(self, "human", human)
        object.__setattr__(self, "judge", judge)
        weight = pair_weights(self.weight, human.size)
        object.__setattr__(self, "weight", weight if weight is None else weight / _mean(weight))
        for name in ("clusters", "items"):
            object.__setattr__(self, name, _groups(name, getattr(self, name), human.size))
        if self.items is not None and self.clusters is not None:
            _check_nested(self.items, self.clusters)
        self._count_strata(human.size)

    def _count_strata(self, size: int) -> None:
        if self.strata is None:
            return
        if self.drawn is not None:  # of a subset, counted on the whole
            _sized("strata", scale_codes("strata", self.strata, self.drawn.size), size)
            return
        units = self.items if self.clusters is None else self.clusters
        units = np.arange(size) if units is None else units
        strata = merged(_sized("strata", codes("strata", self.strata), size), units)
        object.__setattr__(self, "strata", strata)
        object.__setattr__(self, "drawn", units_drawn(strata, units))

    def __len__(self) -> int:
        return int(self.human.size)

    @property
    def levels(self) -> int:
        """How many levels the scale has; the extra judge columns are not counted."""
        return self.k - self.extra

    @property
    def n_items(self) -> int:
        """How many different items there are; the number of pairs when items are not known."""
        if self.items is None:
            return len(self)
        return int(self.items.max(initial=-1)) + 1

    def table(self) -> FloatArray:
        """Return the (k, k) table; sampling weights, where there are any, add up in it."""
        return contingency(self.human, self.judge, self.k, self.weight)

    def subset(self, keep: npt.NDArray[np.bool_]) -> Pairs:
        """Return the pairs where the (n,) mask ``keep`` is true, on the same scale."""
        return replace(
            self,
            human=self.human[keep],
            judge=self.judge[keep],
            clusters=None if self.clusters is None else self.clusters[keep],
            weight=None if self.weight is None else self.weight[keep],
            items=None if self.items is None else self.items[keep],
            strata=None if self.strata is None else self.strata[keep],
        )

    def usable(self) -> Pairs:
        """Return the pairs in which the judge gave a level; the extra columns are gone."""
        if not self.extra:
            return self
        return replace(self.subset(self.judge < self.levels), k=self.levels, extra=0)


def pass_decision(pairs: Pairs, passes: npt.ArrayLike) -> Pairs:
    """Collapse the scale to two levels: 0 is fail, 1 is pass.

    ``passes`` says of each level, in scale order, whether it passes; its length is
    ``pairs.levels``. Extra judge columns stay extra columns that agree with nothing, from code 2
    on. Clusters, items, weights and strata are kept.

    Raises:
        ValueError: ``passes`` has another length.
    """
    decided = pass_mask(passes, pairs.levels).astype(np.int64)
    recode = np.concatenate([decided, np.arange(2, 2 + pairs.extra)])
    return replace(pairs, human=recode[pairs.human], judge=recode[pairs.judge], k=2 + pairs.extra)


def pass_mask(passes: npt.ArrayLike, levels: int) -> npt.NDArray[np.bool_]:
    """Return ``passes`` as a mask with one entry for each level of the scale.

    Raises:
        ValueError: Another length, or entries that are not true or false.
    """
    mask = np.asarray(passes)
    if mask.dtype != np.bool_:
        raise ValueError("passes must hold True or False for each level")
    if mask.shape != (levels,):
        raise ValueError(f"passes has {mask.size} entries, the scale has {levels} levels")
    return mask


def _mean(weight: FloatArray) -> float:
    return float(weight.mean()) if weight.size else 1.0


def _groups(name: str, values: npt.ArrayLike | None, size: int) -> IntArray | None:
    if values is None:
        return None
    return compact(_sized(name, codes(name, values), size))


def _sized(name: str, values: IntArray, size: int) -> IntArray:
    if values.size != size:
        raise ValueError(f"{name} has {values.size} codes, there are {size} pairs")
    return values


def _check_nested(items: IntArray, clusters: IntArray) -> None:
    home = np.zeros(items.max(initial=-1) + 1, dtype=np.int64)
    home[items] = clusters
    if (home[items] != clusters).any():
        raise ValueError("an item belongs to two clusters; each item must lie in one")
