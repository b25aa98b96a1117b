"""How far off is the judge, in the units of the scale? The mean absolute error.

The signed error, which tells a kind judge from a harsh one, is
:func:`judgekit.stats.shift.mean_signed_error`. Both go by the *values* of the levels, and both
leave out the answers of the judge that are no level.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.means import bounded_mean
from judgekit.stats.moments import level_values, of_one_table, shares
from judgekit.stats.table import Pairs

Values = Sequence[float] | FloatArray


def mean_absolute_error(table: npt.ArrayLike, values: Values) -> float | Undefined:
    """Mean distance of judge and human, sum of P_ij abs(v_j - v_i); 0 up to the scale's range.

    ``table`` is (k, k) with counts of pairs, ``values`` are the numeric values of its levels. It is
    defined for a judge that always gives one level. ``Undefined("empty")`` without pairs.

    Raises:
        ValueError: Not a square table of counts, or ``values`` does not fit it.
    """
    return of_one_table(
        table, lambda T: mean_absolute_error_of(T, values), "mean_absolute_error", "empty"
    )


def mean_absolute_error_of(tables: npt.ArrayLike, values: Values) -> FloatArray:
    """:func:`mean_absolute_error` of a stack: (..., k, k) gives (...), nan for empty tables."""
    P = shares(tables)
    v = level_values(values, P.shape[-1])
    found: FloatArray = (P * np.abs(v[:, None] - v)).sum(axis=(-2, -1))
    return found


def absolute_error(
    pairs: Pairs, values: Values, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Mean absolute error of the pairs with its interval (:mod:`judgekit.stats.means`).

    It lies between 0 and the range of the scale, and so do the ends of its interval. On a scale of
    two levels it is the rate of disagreement with Wilson's interval. When no error was seen, the
    upper end is the range times Wilson's upper limit of 0 of n pairs. Pairs without a level from
    the judge are left out, and ``n`` counts what is left.

    Undefined: ``empty``; ``zero_variance`` for a single pair; ``too_few_clusters``.

    Raises:
        ValueError: ``values`` does not fit the scale.
    """
    v, usable = level_values(values, pairs.levels), pairs.usable()
    distances = np.abs(v[usable.judge] - v[usable.human])
    return bounded_mean(
        distances,
        usable,
        least=0.0,
        largest=float(np.ptp(v)) or 1.0,
        method="mean_absolute_error/wilson",
        confidence=confidence,
    )
