"""What statistics of whole stacks of tables share: shares, level values, and the way back to one.

A *statistic of a table* comes twice in this room. ``name(table, ...)`` answers for one (k, k) table
of counts with a number or :class:`judgekit.stats.estimate.Undefined`. Its twin
``name_of(tables, ...)`` answers for a stack (..., k, k) of counts or shares with an array (...)
that is nan where the statistic is undefined. Resampling and intervals work on the twin; nan never
leaves this room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Undefined, UndefinedReason


def shares(tables: npt.ArrayLike) -> FloatArray:
    """Return a stack (..., k, k) of counts or shares as shares; nan for tables of nothing.

    Raises:
        ValueError: Not a stack of square tables.
    """
    T = np.asarray(tables, dtype=np.float64)
    if T.ndim < 2 or T.shape[-1] != T.shape[-2] or T.shape[-1] == 0:
        raise ValueError(f"tables must be square, not of shape {T.shape}")
    total = T.sum(axis=(-2, -1), keepdims=True)
    found: FloatArray = T / np.where(total > 0, total, np.nan)
    return found


def level_values(values: Sequence[float] | FloatArray, k: int) -> FloatArray:
    """Return the numeric values of the levels of a scale, one for each, all different.

    Raises:
        ValueError: Another number of values than levels, a value not finite, or one twice.
    """
    v = np.asarray(values, dtype=np.float64)
    if v.shape != (k,) or not np.isfinite(v).all():
        raise ValueError(f"values must be one finite number for each of the {k} levels")
    if np.unique(v).size != k:
        raise ValueError("level values must differ")
    return v


def constant(margin: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether a rater used one level only: (..., k) margins give (...)."""
    found: npt.NDArray[np.bool_] = (margin > 0).sum(axis=-1) < 2
    return found


def of_one_table(
    table: npt.ArrayLike,
    statistic: Callable[[FloatArray], FloatArray],
    name: str,
    reason: UndefinedReason,
) -> float | Undefined:
    """Return what the twin ``statistic`` says of one table, or why there is no number.

    Nothing to measure is ``empty``; any other nan is undefined for the given reason.

    Raises:
        ValueError: Not a square table, or a negative count; and as the statistic.
    """
    T = square("table", table)
    if (T < 0).any():
        raise ValueError("the table holds a negative count")
    found, total = float(statistic(T)), float(T.sum())
    if total <= 0:
        return Undefined("empty", 0, name)
    return Undefined(reason, round(total), name) if np.isnan(found) else found
