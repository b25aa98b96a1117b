"""The bootstrap of a small table without chance: every table there is, with its probability.

n pairs in D non-empty cells can be redrawn as (n + D - 1)! / (n! (D - 1)!) tables. The table X has
probability n! times the product of p_d^X_d / X_d!, with p = T / n. Six pairs in four cells make 84
tables, instead of the 6^6 = 46,656 ordered samples of rows that they stand for.

Reference: Fisher and Hall (1991), Statistics and Probability Letters 12:157.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.resampling import Distribution, Statistic, distribution, units_of_table

MOST_TABLES = 1_000_000


def exact_bootstrap(table: npt.ArrayLike, statistic: Statistic) -> Distribution:
    """Exact bootstrap distribution of a statistic of a (k, k) table of whole counts.

    What :func:`judgekit.stats.resampling.bootstrap` approaches as draws grow: for small tables, and
    as the yardstick of the random one. Without pairs the distribution is empty.

    Raises:
        ValueError: Not a square table of whole counts, or more than a million tables.
    """
    units = units_of_table(table)
    n, kinds = round(units.size), units.counts.size
    if not np.array_equal(units.counts, np.round(units.counts)):
        raise ValueError("the table must hold whole counts")
    if not n:
        return Distribution(np.zeros(0), np.zeros(0), 1.0)
    if math.comb(n + kinds - 1, n) > MOST_TABLES:
        raise ValueError(f"{n} pairs in {kinds} cells make too many tables to list")
    drawn = _compositions(n, kinds)
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    log_mass = log_factorial[n] - log_factorial[drawn].sum(axis=1)
    mass: FloatArray = np.exp(log_mass + drawn @ np.log(units.counts / n))
    tables = np.tensordot(drawn.astype(np.float64), units.tables, axes=1)
    return distribution(statistic(tables), mass)


def _compositions(n: int, kinds: int) -> npt.NDArray[np.int64]:
    """Every way to write n as an ordered sum of ``kinds`` numbers from 0 up."""
    chosen = list(combinations(range(n + kinds - 1), kinds - 1))
    bars = np.array(chosen, dtype=np.int64).reshape(len(chosen), kinds - 1)
    ends = np.full((len(bars), 1), n + kinds - 1)
    edges = np.hstack([np.full_like(ends, -1), bars, ends])
    return np.diff(edges, axis=1) - 1
