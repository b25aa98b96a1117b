"""The bootstrap of a table: resampled tables instead of resampled rows.

A statistic of a table depends on the n pairs only through their counts T. Drawing n pairs with
replacement and counting them is the same, exactly, as drawing one table from the multinomial
distribution with n trials and probabilities T / n. So B resamples cost B draws of at most k^2
numbers, whatever n is.

Pairs that belong together (clusters) are drawn together. A cluster is a small table of its own;
clusters with equal tables are interchangeable, so the same multinomial draws *kinds of unit*: the
D distinct unit tables U_d, of which there are m_d. Independent pairs are the case where every unit
is a table with a single 1, and sampling weights the case where that 1 is a weight.

Resamples without a value (nan: everybody used one level) are left out of the distribution, and
their share is kept beside it. An interval is refused above :data:`MOST_UNDEFINED` of them, because
what is left is a selection.

References: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 14;
Efron (1987), JASA 82:171 (BCa); Davison and Hinkley (1997), Bootstrap Methods, 3.8 (clusters).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.clusters import cluster_codes
from judgekit.stats.table import Pairs

Statistic = Callable[[FloatArray], FloatArray]
"""A statistic of many tables at once: (B, k, k) counts or shares give (B,), nan if undefined."""

# With more undefined resamples than this share, the rest no longer stands for the sample.
MOST_UNDEFINED = 0.1

# Numbers drawn at a time, to bound the memory.
_CHUNK = 4_000_000
# A table of up to 44 levels has fewer cells.
_MANY_KINDS = 2000
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn: the distinct tables of single units, and how often each occurs.

    Attributes:
        tables: (D, k, k) what one unit of each kind adds to the table.
        counts: (D,) how many units of each kind there are; above 0, fractions allowed.
    """

    tables: FloatArray
    counts: FloatArray

    @property
    def size(self) -> float:
        """Number of units: pairs, or clusters."""
        return float(self.counts.sum())

    @property
    def total(self) -> FloatArray:
        """The (k, k) table of all units together."""
        table: FloatArray = np.tensordot(self.counts, self.tables, axes=1)
        return table


def units_of_table(table: npt.ArrayLike) -> Units:
    """Return independent pairs: one kind of unit for each non-empty cell of a (k, k) table.

    Cells may be fractional (weighted counts): then they are probabilities of a cell, and as many
    pairs are drawn as the table adds up to, rounded.

    Raises:
        ValueError: Not a square table, or a negative count.
    """
    T = square("table", table)
    if (T < 0).any():
        raise ValueError("the table holds a negative count")
    (cells,) = np.nonzero(T.ravel())
    return Units(_single(cells, T.shape[0]), T.ravel()[cells])


def units_of_pairs(pairs: Pairs) -> Units:
    """Return the independent units behind pairs: clusters where they repeat, else single pairs.

    Clusters are the declared ones, else the items. Sampling weights stay with their pairs. Strata
    are not held fixed, which makes resampling intervals of stratified samples a little too wide.
    """
    k, codes, weight = pairs.k, cluster_codes(pairs), pairs.weight
    cells = pairs.human * k + pairs.judge
    if codes is not None:
        size = int(codes.max()) + 1
        flat = np.bincount(codes * k * k + cells, weights=weight, minlength=size * k * k)
        kinds, counts = np.unique(flat.reshape(size, k * k), axis=0, return_counts=True)
        return Units(kinds.reshape(-1, k, k).astype(np.float64), counts.astype(np.float64))
    if weight is None:
        return units_of_table(pairs.table())
    kinds, counts = np.unique(np.column_stack([cells, weight]), axis=0, return_counts=True)
    tables = _single(kinds[:, 0].astype(np.int64), k) * kinds[:, 1, None, None]
    return Units(tables, counts.astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Values of a statistic over resamples, and how probable each is.

    Attributes:
        values: (M,) defined values, in rising order.
        mass: (M,) their probabilities, which add up to 1.
        undefined: Share of resamples without a value, left out of ``values``, in [0, 1].
    """

    values: FloatArray
    mass: FloatArray
    undefined: float

    @property
    def mean(self) -> float:
        """Mean of the defined values; nan when there is none."""
        return float(self.mass @ self.values) if self.values.size else float("nan")

    @property
    def sd(self) -> float:
        """Standard deviation of the defined values (divisor 1, not M - 1)."""
        return float(np.sqrt(self.mass @ (self.values - self.mean) ** 2))

    def quantile(self, p: float) -> float:
        """Smallest value whose cumulative probability reaches ``p`` (inverse of the cdf)."""
        rank = int(np.searchsorted(np.cumsum(self.mass), p - 1e-12))
        return float(self.values[min(rank, self.values.size - 1)])

    def share_below(self, value: float) -> float:
        """Probability below ``value``; what equals it, to rounding, counts half."""
        near = 1e-12 * max(1.0, abs(value))
        below, equal = self.values < value - near, np.abs(self.values - value) <= near
        return float(self.mass[below].sum() + self.mass[equal].sum() / 2)


def distribution(values: FloatArray, mass: FloatArray) -> Distribution:
    """Sort values into a distribution; ``mass`` adds up to 1 over all, nan included."""
    known = np.isfinite(values)
    order = np.argsort(values[known], kind="stable")
    defined = float(mass[known].sum())
    share = mass[known][order] / (defined if known.any() else 1.0)
    return Distribution(values[known][order], share, float(mass[~known].sum()))


def bootstrap(
    units: Units, statistic: Statistic, rng: np.random.Generator, draws: int = 2000
) -> Distribution:
    """Distribution of a statistic over ``draws`` samples of as many units as there are.

    2,000 draws do for display, 10,000 for a verdict near its bar. Check ``values.size`` and
    ``undefined`` before use: without units, or when no resample is defined, there are no values.

    Raises:
        ValueError: ``draws`` is below 1.
    """
    if draws < 1:
        raise ValueError(f"a bootstrap needs at least one draw, not {draws}")
    size, kinds = round(units.size), units.counts.size
    if not size:
        return Distribution(np.zeros(0), np.zeros(0), 1.0)
    k = units.tables.shape[1]
    add_up = _adder(units)
    values = np.empty(draws)
    step = max(1, _CHUNK // max(size if kinds > _MANY_KINDS else kinds, k * k))
    for start in range(0, draws, step):
        drawn = _draw(units, rng, min(step, draws - start)).astype(np.float64)
        values[start : start + step] = statistic(add_up(drawn).reshape(-1, k, k))
    return distribution(values, np.full(draws, 1 / draws))


def percentile(found: Distribution, confidence: float = 0.95) -> tuple[float, float]:
    """Ends of the percentile interval: the outer quantiles themselves.

    Too narrow for small n, and a point when no disagreement was seen.
    """
    tail = (1 - confidence) / 2
    return found.quantile(tail), found.quantile(1 - tail)


def bca(
    found: Distribution, value: float, acceleration: float, confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of the bias-corrected and accelerated interval (Efron 1987).

    The quantiles taken are Phi(z0 + (z0 ± z) / (1 - a (z0 ± z))): z0 is the normal quantile of the
    share of resamples below ``value`` (median bias), a the ``acceleration``, the skewness of the
    jackknife influence values divided by 6. With z0 = a = 0 it is the percentile interval.
    """
    rare = float(found.mass.min()) / 2
    z0 = _NORMAL.inv_cdf(min(max(found.share_below(value), rare), 1 - rare))
    z = -_NORMAL.inv_cdf((1 - confidence) / 2)

    def shifted(step: float) -> float:
        shrink = 1 - acceleration * step
        # Past its pole the transformation means the end of the distribution.
        return float(step > 0) if shrink <= 0 else _NORMAL.cdf(z0 + step / shrink)

    return found.quantile(shifted(z0 - z)), found.quantile(shifted(z0 + z))


def _draw(units: Units, rng: np.random.Generator, draws: int) -> npt.NDArray[np.int64]:
    """How often each kind of unit is drawn: (draws, D) multinomial counts."""
    size, kinds = round(units.size), units.counts.size
    if kinds <= _MANY_KINDS:
        return rng.multinomial(size, units.counts / units.size, size=draws)
    # Only clusters come in so many kinds. Drawing them one by one is the same, and faster.
    kind = np.repeat(np.arange(kinds), units.counts.astype(np.int64))
    drawn = kind[rng.integers(0, size, (draws, size))] + kinds * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * kinds).reshape(draws, kinds)


def _adder(units: Units) -> Callable[[FloatArray], FloatArray]:
    """What turns (B, D) counts of kinds into (B, k * k) tables."""
    flat = units.tables.reshape(units.counts.size, -1)
    if len(flat) <= _MANY_KINDS:
        return lambda drawn: drawn @ flat
    from scipy.sparse import csr_array

    # A cluster fills few cells.
    across = csr_array(flat).T
    return lambda drawn: np.asarray(across @ drawn.T, dtype=np.float64).T


def _single(cells: npt.NDArray[np.int64], k: int) -> FloatArray:
    """Tables with a single 1, in the given cells: (D,) cell numbers give (D, k, k)."""
    tables = np.zeros((cells.size, k * k))
    tables[np.arange(cells.size), cells] = 1.0
    return tables.reshape(-1, k, k)
