"""Agreement weights: how much of an agreement each pair of levels is worth.

A weight w_ij lies in [0, 1]; 1 is full agreement, 0 full disagreement, and w_ii = 1. Distances go
by the *values* of the declared levels, not by their positions: on a scale 1, 2, 5 the step from 2
to 5 costs three times the step from 1 to 2, whether or not 3 and 4 are ever used.

With two levels all three schemes are the same. Choose the scheme before looking at the data.

References: Cohen (1968), Psychological Bulletin 70:213, doi:10.1037/h0026256.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judgekit.errors import UnknownName
from judgekit.stats.arrays import FloatArray, square

NAMES = ("identity", "linear", "quadratic")


def identity(k: int) -> FloatArray:
    """Weights for unordered levels: agreement is all or nothing; shape (k, k).

    Raises:
        ValueError: ``k`` is below 1.
    """
    if k < 1:
        raise ValueError(f"a scale has at least one level, not {k}")
    return np.eye(k)


def linear(values: Sequence[float] | FloatArray) -> FloatArray:
    """Weights that fall with the distance: 1 - abs(v_i - v_j) / range; shape (k, k).

    ``values`` are the numeric values of all declared levels, in scale order.

    Raises:
        ValueError: Fewer than two levels, two levels of one value, or a value not finite.
    """
    return 1.0 - _distances(values)


def quadratic(values: Sequence[float] | FloatArray) -> FloatArray:
    """Weights that fall with the squared distance: 1 - ((v_i - v_j) / range)^2; shape (k, k).

    The usual choice for ordered scales of three levels and more. On an equally spaced scale the
    kappa they give equals Lin's concordance correlation with 1/n moments, so a judge that is
    consistently too kind is penalised, not only one that scatters.

    Raises:
        ValueError: As :func:`linear`.
    """
    return 1.0 - _distances(values) ** 2


def by_name(name: str, values: Sequence[float] | FloatArray) -> FloatArray:
    """Return the weights called ``identity``, ``linear`` or ``quadratic``; shape (k, k).

    Raises:
        UnknownName: No such scheme.
        ValueError: As the scheme itself.
    """
    if name == "identity":
        return identity(len(values))
    if name == "linear":
        return linear(values)
    if name == "quadratic":
        return quadratic(values)
    raise UnknownName("agreement weights", name, NAMES)


def with_disagreeing(weights: npt.ArrayLike, extra: int) -> FloatArray:
    """Append ``extra`` categories that only the judge uses and that agree with no level.

    They stand for answers that are no level (abstained, unreadable, refused): each is a full
    disagreement, so a judge cannot raise its kappa by leaving out the hard items. The result is
    (k + extra, k + extra): 0 between a level and an extra category, 1 on the diagonal as for any
    category. That corner never meets data, since no human label lies there; the path-score
    interval needs it, as its upper end moves towards perfect agreement.

    Raises:
        ValueError: ``weights`` is not square, or ``extra`` is negative.
    """
    old = square("weights", weights)
    if extra < 0:
        raise ValueError(f"extra must not be negative, not {extra}")
    k = old.shape[0]
    padded = np.eye(k + extra)
    padded[:k, :k] = old
    return padded


def _distances(values: Sequence[float] | FloatArray) -> FloatArray:
    """Distances between level values as shares of the range of the scale."""
    v = np.asarray(values, dtype=np.float64)
    if v.ndim != 1 or v.size < 2:
        raise ValueError("an ordered scale has at least two levels")
    if not np.isfinite(v).all():
        raise ValueError("level values must be finite")
    if np.unique(v).size != v.size:
        raise ValueError("level values must differ")
    distances: FloatArray = np.abs(v[:, None] - v[None, :]) / (v.max() - v.min())
    return distances
