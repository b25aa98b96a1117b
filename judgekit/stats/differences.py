"""How far apart two levels are, for Krippendorff's alpha: squared differences, 0 to 1.

Alpha is a ratio of differences, so their unit does not matter. They are shares of the largest
difference on the declared scale, which makes a disagreement of 1 a full one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from judgekit.errors import UnknownName
from judgekit.stats.arrays import FloatArray

Metric = Literal["nominal", "ordinal", "interval", "ratio"]


def fixed_differences(
    metric: Metric, values: Sequence[float] | FloatArray | None, k: int
) -> FloatArray | None:
    """Differences (k, k) as shares of the largest; None for ``ordinal``, where margins make them.

    Raises:
        UnknownName: No such metric.
        ValueError: Values that do not fit the scale or the metric.
    """
    if metric not in get_args(Metric):
        raise UnknownName("difference of levels", metric, get_args(Metric))
    if metric == "ratio" and values is None:
        raise ValueError("ratio differences need the values of the levels")
    if metric == "ordinal":
        return None
    if metric == "nominal":
        return 1 - np.eye(k)
    v = np.asarray(range(k) if values is None else values, dtype=np.float64)
    if v.shape != (k,):
        raise ValueError(f"the scale has {k} levels, there are {v.size} values")
    if not np.isfinite(v).all() or np.unique(v).size != k:
        raise ValueError("level values must be finite and different")
    if metric == "ratio" and (v < 0).any():
        raise ValueError("ratio differences need values that are not negative")
    scale = v[:, None] + v if metric == "ratio" else np.ones((k, k))
    d = ((v[:, None] - v) / np.where(scale > 0, scale, 1)) ** 2
    shares: FloatArray = d / d.max() if k > 1 else d
    return shares


def scaled_ranks(margins: FloatArray) -> FloatArray:
    """Mean ranks of levels that occur ``margins`` (B, k) often, scaled so the ends are 1 apart.

    A level has the mean of the ranks its values would have in one sorted list of all values; one
    that never occurs has the rank of the gap it lies in. nan on a scale of one level.
    """
    ranks = np.cumsum(margins, axis=1) - margins / 2
    span = ranks[:, -1:] - ranks[:, :1]
    scaled: FloatArray = (ranks - ranks[:, :1]) / np.where(span > 0, span, np.nan)
    return scaled


def ranked_differences(margins: FloatArray) -> FloatArray:
    """Ordinal differences (k, k) of levels that occur ``margins`` (k,) often; the largest is 1."""
    R = scaled_ranks(margins[None])[0]
    squared: FloatArray = (R[:, None] - R) ** 2
    return squared
