"""Tables to plan with: what human and judge would give before a label exists.

A planned table is a (k, k) array of shares that add up to 1: rows are the human's levels, columns
the judge's. Margins and kappa alone do not name it when there are more than two levels, so two
families are offered, and both reach every kappa from 0 to the most the margins allow:

- :func:`mixed_table`, for levels without order: chance and the best match, mixed. The judge either
  knows or guesses.
- :func:`ordered_table`, for ordered levels: human and judge see the same quality through noise, and
  cut it into levels (a cut bivariate normal). Near misses are then commoner than far ones.

With two levels both are the one table that has these margins and this kappa.

References: Drezner and Wesolowsky (1990), J. Statist. Comput. Simul. 35:101, for the integral of
the bivariate normal; Cohen (1960), doi:10.1177/001316446002000104, for the largest kappa.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.weights import identity

_NORMAL = NormalDist()
_ROUNDING = 1e-9
_NODES = 64
# Each halving adds a binary digit to a correlation.
_STEPS = 40
_GUESSES = tuple(i / 50 for i in range(51))


def mixed_table(
    kappa: float, human: npt.ArrayLike, judge: npt.ArrayLike | None = None
) -> FloatArray:
    """Shares (k, k) of chance and best match mixed: (1 - t) r c' + t M.

    Its unweighted kappa is ``kappa``; ``human`` (r) and ``judge`` (c) are (k,) shares of the
    levels; without ``judge`` both are alike. M is the table of :func:`best_match`, and t is kappa /
    (kappa of M). With like margins M is the diagonal and t is kappa itself: of each item the judge
    knows the level with probability kappa, else guesses.

    Raises:
        ValueError: Shares that are none, or a kappa these margins cannot have.
    """
    r, c = margins(human, judge)
    best, chance = best_match(r, c), np.outer(r, c)
    most = float(kappa_and_variance(best, identity(r.size))[0])
    _check_reach(kappa, most)
    share = kappa / most if kappa else 0.0
    table = (1 - share) * chance + share * best
    if table.min() < -_ROUNDING:
        raise ValueError(f"no table with these margins has kappa {kappa:.4g}: it is too low")
    return np.maximum(table, 0.0)


def ordered_table(
    kappa: float,
    weights: npt.ArrayLike,
    human: npt.ArrayLike,
    judge: npt.ArrayLike | None = None,
) -> FloatArray:
    """Shares (k, k) of a cut bivariate normal whose kappa under ``weights`` is ``kappa``.

    ``weights`` are (k, k) agreement weights that fall with the distance of two levels (linear,
    quadratic, or all or nothing). The levels are in scale order.

    Raises:
        ValueError: As :func:`mixed_table`.
    """
    return cut_normal(correlation_for(kappa, weights, human, judge), human, judge)


def correlation_for(
    kappa: float,
    weights: npt.ArrayLike,
    human: npt.ArrayLike,
    judge: npt.ArrayLike | None = None,
) -> float:
    """Correlation in [-1, 1] of the cut normal whose kappa under ``weights`` is ``kappa``.

    Kappa rises with the correlation under weights that fall with the distance (those with
    w_ij + w_i+1,j+1 >= w_i,j+1 + w_i+1,j: linear and quadratic ones). When agreement is all or
    nothing and the margins differ it may fall again near 1; the least such correlation is given.

    Raises:
        ValueError: As :func:`mixed_table`.
    """
    w, (r, c) = square("weights", weights), margins(human, judge)

    def found(correlation: float) -> float:
        return float(kappa_and_variance(cut_normal(correlation, r, c), w)[0])

    rising = bool((np.diff(np.diff(w, axis=0), axis=1) >= -_ROUNDING).all())
    top = max((1.0,) if rising else _GUESSES, key=found)
    most = found(top)
    _check_reach(kappa, most)
    if kappa >= most:
        return top
    if kappa < 0 and kappa < found(-1.0) - _ROUNDING:
        raise ValueError(f"no table with these margins has kappa {kappa:.4g}: it is too low")
    near, far = (-1.0, 0.0) if kappa < 0 else (0.0, top)
    for _ in range(_STEPS):
        middle = (near + far) / 2
        near, far = (middle, far) if found(middle) < kappa else (near, middle)
    return (near + far) / 2


def cut_normal(
    correlation: float, human: npt.ArrayLike, judge: npt.ArrayLike | None = None
) -> FloatArray:
    """Shares (k, k) of two normals of this correlation, cut into levels with the given margins.

    At correlation 0 it is independence, at 1 the closest match of the two margins in scale order,
    which has the largest kappa under linear and quadratic weights.

    Raises:
        ValueError: Shares that are none, or a correlation outside [-1, 1].
    """
    if not -1 <= correlation <= 1:
        raise ValueError(f"a correlation lies between -1 and 1, not {correlation}")
    r, c = margins(human, judge)
    k = r.size
    below = np.zeros((k + 1, k + 1))
    below[1:, 1:] = _both_below(np.cumsum(r), np.cumsum(c), correlation)
    shares = np.maximum(np.diff(np.diff(below, axis=0), axis=1), 0.0)
    table: FloatArray = shares / shares.sum()
    return table


def best_match(human: npt.ArrayLike, judge: npt.ArrayLike | None = None) -> FloatArray:
    """Shares (k, k) of the table with these margins that agrees most often.

    The diagonal holds min(r_i, c_i); what a level has more on one side is spread over the levels
    that have less, in proportion. Its unweighted kappa is Cohen's kappa max.

    Raises:
        ValueError: Shares that are none.
    """
    r, c = margins(human, judge)
    same = np.minimum(r, c)
    left = 1 - float(same.sum())
    rest = np.outer(r - same, c - same) / left if left > _ROUNDING else 0.0
    table: FloatArray = np.diag(same) + rest
    return table


def margins(
    human: npt.ArrayLike, judge: npt.ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return both margins as (k,) shares that add up to 1; without ``judge`` they are alike.

    Raises:
        ValueError: Fewer than two levels in use, a negative share, shares that do not add up to 1
            (to six digits), or sides of different length.
    """
    r = _shares("human", human)
    c = r if judge is None else _shares("judge", judge)
    if r.size != c.size:
        raise ValueError(f"human has {r.size} levels, judge has {c.size}")
    if float(r @ c) > 1 - _ROUNDING:
        raise ValueError("both sides use one and the same level: there is no kappa")
    return r, c


def _shares(name: str, values: npt.ArrayLike) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"{name} must be the shares of two levels or more")
    if not np.isfinite(array).all() or array.min() < 0:
        raise ValueError(f"{name} holds a share that is negative or not finite")
    if abs(array.sum() - 1) > 1e-6:
        raise ValueError(f"the shares of {name} add up to {array.sum():.6g}, not 1")
    normed: FloatArray = array / array.sum()
    return normed


def _check_reach(kappa: float, most: float) -> None:
    if not kappa <= most + _ROUNDING:
        raise ValueError(f"these margins allow kappa {most:.4g} at most, not {kappa:.4g}")


def _both_below(rows: FloatArray, columns: FloatArray, correlation: float) -> FloatArray:
    """Joint distribution function at all cuts, from the shares below each cut on either side.

    F(h, k) = Phi(h) Phi(k) + 1 / (2 pi) * integral from 0 to asin(rho) of
    exp(-(h^2 - 2 h k sin a + k^2) / (2 cos^2 a)) da, by Gauss and Legendre.
    """
    if abs(correlation) == 1:
        r, c = rows[:, None], columns[None, :]
        return np.minimum(r, c) if correlation > 0 else np.maximum(r + c - 1, 0.0)
    h, k = _cuts(rows)[:, None, None], _cuts(columns)[None, :, None]
    nodes, weights = _gauss()
    end = math.asin(correlation)
    angle = end * (nodes + 1) / 2
    far = h**2 - 2 * h * k * np.sin(angle) + k**2
    area = end / 2 * (np.exp(-far / (2 * np.cos(angle) ** 2)) * weights).sum(axis=-1)
    joint: FloatArray = np.outer(rows, columns) + area / (2 * math.pi)
    return joint


def _cuts(below: FloatArray) -> FloatArray:
    """Points of the normal with these shares below; beyond +-40 nothing is left to integrate."""
    return np.array(
        [-40.0 if p <= 0 else 40.0 if p >= 1 - 1e-15 else _NORMAL.inv_cdf(float(p)) for p in below]
    )


@lru_cache(maxsize=1)
def _gauss() -> tuple[FloatArray, FloatArray]:
    nodes: FloatArray
    weights: FloatArray
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights
