"""The jackknife of a table: at most k^2 distinct leave-one-out tables, whatever n is.

Leaving out one unit (a pair, or a whole cluster) of kind d changes a statistic from theta to
theta_d. With m_d units of that kind and N units in all, and I_d = (N - 1) (theta - theta_d),

- standard error   SE^2 = sum of m_d (I_d - mean I)^2 / (N (N - 1))
- acceleration     a = sum of m_d (I_d - mean I)^3 / (6 (sum of m_d (I_d - mean I)^2)^(3/2))

which is the row-by-row jackknife with its equal terms gathered: SE^2 = (N - 1) / N times the sum of
squared deviations of the theta_d. The acceleration is what the BCa bootstrap asks for.

When no disagreement was seen all theta_d are equal and the standard error is 0: it then says
nothing. See :mod:`judgekit.stats.any_score` for an interval that does.

References: Efron and Tibshirani (1993), An Introduction to the Bootstrap, 11.5 and 14.10; Efron
(1987), JASA 82:171.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Undefined
from judgekit.stats.resampling import Statistic, Units, units_of_table

# Leave-one-out tables held at a time, in cells.
_CHUNK = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Jackknife:
    """What leaving out one unit of each kind does to a statistic.

    Attributes:
        influence: (D,) jackknife influence values I_d, less their mean.
        counts: (D,) how many units of each kind there are.
    """

    influence: FloatArray
    counts: FloatArray

    @property
    def standard_error(self) -> float:
        """Jackknife standard error, at least 0."""
        size = float(self.counts.sum())
        return math.sqrt(float(self.counts @ self.influence**2) / (size * (size - 1)))

    @property
    def acceleration(self) -> float:
        """Skewness of the influence values, divided by 6; 0 when they do not vary."""
        spread = float(self.counts @ self.influence**2)
        if spread <= 1e-24 * float(self.counts.sum()):
            return 0.0
        return float(self.counts @ self.influence**3) / (6 * spread * math.sqrt(spread))


def jackknife(units: Units, statistic: Statistic) -> Jackknife | Undefined:
    """Leave out one unit of each kind in turn.

    ``Undefined("empty")`` without units. ``Undefined("too_few_items")`` with one unit only, or when
    some unit is all that keeps the statistic defined (the only one of a second level, say).

    Fractional counts below 1 are left out whole, and their effect is scaled up to that of a unit.
    """
    size = units.size
    if size <= 1:
        return Undefined("too_few_items" if size else "empty", round(size), "jackknife")
    total = units.total
    removed = np.minimum(1.0, units.counts)
    left_out = np.empty(units.counts.size)
    step = max(1, _CHUNK // total.size)
    for start in range(0, left_out.size, step):
        part = slice(start, start + step)
        left_out[part] = statistic(total - removed[part, None, None] * units.tables[part])
    value = float(statistic(total[None])[0])
    influence = (size - removed) / removed * (value - left_out)
    if not np.isfinite(influence).all():
        return Undefined("too_few_items", round(size), "jackknife")
    return Jackknife(influence - units.counts @ influence / size, units.counts)


def jackknife_error(table: npt.ArrayLike, statistic: Statistic) -> float | Undefined:
    """Jackknife standard error of a statistic of a (k, k) table of independent pairs.

    ``statistic`` maps a stack (B, k, k) to (B,), nan where undefined. Undefined as
    :func:`jackknife`.

    Raises:
        ValueError: Not a square table, or a negative count.
    """
    found = jackknife(units_of_table(table), statistic)
    return found if isinstance(found, Undefined) else found.standard_error


def acceleration(table: npt.ArrayLike, statistic: Statistic) -> float | Undefined:
    """Acceleration of the BCa bootstrap for a statistic of a (k, k) table of independent pairs.

    ``Undefined("zero_variance")`` when no pair moves the statistic; else as :func:`jackknife`.

    Raises:
        ValueError: Not a square table, or a negative count.
    """
    found = jackknife(units_of_table(table), statistic)
    if isinstance(found, Undefined):
        return found
    if found.standard_error == 0:
        return Undefined("zero_variance", round(float(found.counts.sum())), "acceleration")
    return found.acceleration
