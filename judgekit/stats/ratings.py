"""What several raters said of the same units, on one declared scale.

Two raters make a table (:mod:`judgekit.stats.table`). Three and more, or raters who each rated only
some of the units, make a matrix with gaps: one row for each unit, one column for each rater.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, codes, compact, pair_weights

MISSING = -1


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Levels given by several raters to the same units.

    Attributes:
        values: (n, m) int64 codes in ``0 .. k - 1``: one row a unit, one column a rater; -1 where
            the rater gave no level.
        k: Levels of the declared scale.
        clusters: (n,) codes of the group each unit belongs to (its case), or None when there are
            no groups. Stored renumbered to ``0 .. G - 1``.
        weight: (n,) positive sampling weights of the units, or None when every unit counts the
            same. Only their ratios matter; stored scaled to a mean of 1.
        interchangeable: True when a column is not one person throughout, so that only how often
            each level was given to a unit has a meaning.

    Raises:
        ValueError: Not a matrix of integer codes, a code outside the scale, lengths that differ,
            or weights that are not positive.
    """

    values: IntArray
    k: int
    clusters: IntArray | None = None
    weight: FloatArray | None = None
    interchangeable: bool = False

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"a scale has at least one level, not {self.k}")
        values = _matrix(self.values, self.k)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "clusters", _clusters(self.clusters, len(values)))
        weight = pair_weights(self.weight, len(values))
        if weight is not None and weight.size:
            weight = weight / weight.mean()
        object.__setattr__(self, "weight", weight)

    @classmethod
    def from_raters(
        cls,
        raters: Sequence[npt.ArrayLike],
        k: int,
        *,
        clusters: npt.ArrayLike | None = None,
        weight: npt.ArrayLike | None = None,
    ) -> Ratings:
        """Return the ratings of several lists of codes, one a rater, all over the same units.

        Raises:
            ValueError: No list, lists of different lengths, or as the class.
        """
        columns = [np.asarray(rater) for rater in raters]
        shapes = {column.shape for column in columns}
        if len(shapes) != 1 or columns[0].ndim != 1:
            raise ValueError("each rater needs a list of codes, all of them of one length")
        return cls(np.column_stack(columns), k, clusters, weight)  # type: ignore[arg-type]

    @classmethod
    def from_rows(
        cls, units: npt.ArrayLike, raters: npt.ArrayLike, levels: npt.ArrayLike, k: int
    ) -> Ratings:
        """Return the ratings of rows (unit, rater, level), each a (rows,) array of codes.

        Units and raters are renumbered in the order of their codes.

        Raises:
            ValueError: Lengths that differ, two levels of one rater for one unit, or as the class.
        """
        unit, rater = compact(codes("units", units)), compact(codes("raters", raters))
        level = _matrix(np.asarray(levels)[:, None], k)[:, 0]
        if not unit.shape == rater.shape == level.shape:
            raise ValueError("units, raters and levels must have the same length")
        shape = (int(unit.max(initial=-1)) + 1, int(rater.max(initial=-1)) + 1)
        cells = unit * shape[1] + rater
        if np.unique(cells).size != cells.size:
            raise ValueError("a rater gave one unit two levels")
        values = np.full(shape, MISSING, dtype=np.int64)
        values[unit, rater] = level
        return cls(values, k)

    @classmethod
    def from_counts(
        cls,
        counts: npt.ArrayLike,
        *,
        clusters: npt.ArrayLike | None = None,
        weight: npt.ArrayLike | None = None,
    ) -> Ratings:
        """Return the ratings of a (units, k) table: how many raters gave each level to each unit.

        Who gave it is not known, so the raters are interchangeable.

        Raises:
            ValueError: Not a matrix of counts, or as the class.
        """
        table = np.asarray(counts)
        if table.ndim != 2 or table.shape[1] == 0:
            raise ValueError(f"counts must be a (units, levels) matrix, not {table.shape}")
        whole = table.astype(np.int64) if np.isfinite(table).all() else np.full(table.shape, -1)
        if (whole != table).any() or (whole < 0).any():
            raise ValueError("counts must be whole numbers, none of them negative")
        size, (n, k) = whole.sum(axis=1), whole.shape
        values = np.full((n, int(size.max(initial=0))), MISSING, dtype=np.int64)
        # Row by row, the given levels stand first and the gaps last.
        values[np.arange(values.shape[1]) < size[:, None]] = np.repeat(
            np.tile(np.arange(k), n), whole.ravel()
        )
        return cls(values, k, clusters, weight, interchangeable=True)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def raters(self) -> int:
        """How many columns of raters there are."""
        return int(self.values.shape[1])

    def counts(self) -> IntArray:
        """Return the (n, k) table of how many raters gave each level to each unit."""
        unit, rater = np.nonzero(self.values != MISSING)
        cells = unit * self.k + self.values[unit, rater]
        counted: IntArray = np.bincount(cells, minlength=len(self) * self.k).astype(np.int64)
        return counted.reshape(len(self), self.k)

    def sizes(self) -> IntArray:
        """Return the (n,) number of levels given to each unit."""
        given: IntArray = (self.values != MISSING).sum(axis=1).astype(np.int64)
        return given

    def subset(self, keep: npt.NDArray[np.bool_]) -> Ratings:
        """Return the units where the (n,) mask ``keep`` is true."""
        return replace(
            self,
            values=self.values[keep],
            clusters=None if self.clusters is None else self.clusters[keep],
            weight=None if self.weight is None else self.weight[keep],
        )

    def only_raters(self, keep: npt.NDArray[np.bool_]) -> Ratings:
        """Return the raters where the (m,) mask ``keep`` is true, over all units."""
        return replace(self, values=self.values[:, keep])


def _matrix(values: npt.ArrayLike, k: int) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 2:
        raise ValueError(f"values must be a (units, raters) matrix, not of shape {array.shape}")
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"values must hold integer codes, not {array.dtype}; -1 is a gap")
    if array.min() < MISSING:
        raise ValueError(f"values holds the code {array.min()}; only -1 stands for a gap")
    if array.max() >= k:
        raise ValueError(f"values holds the code {array.max()}; the scale has {k} levels")
    return array.astype(np.int64, copy=False)


def _clusters(values: npt.ArrayLike | None, size: int) -> IntArray | None:
    if values is None:
        return None
    array = codes("clusters", values)
    if array.size != size:
        raise ValueError(f"clusters has {array.size} codes, there are {size} units")
    return compact(array)
