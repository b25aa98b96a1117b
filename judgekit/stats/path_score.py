"""The path-score interval of kappa: what Wilson's interval is to a proportion.

Wald and bootstrap intervals take the spread from the table that was seen, so they collapse to
[1, 1] when no disagreement was seen. A score interval takes the spread from the table it *tests*.
Kappa alone does not name a table, so the tested tables are laid on two paths from the observed
shares P, with human margins r and judge margins c:

- down: P_t = (1 - t) P + t r c', towards independence with the same margins. On this path
  kappa(P_t) = (1 - t) kappa. The lower end is the kappa where
  kappa - kappa(P_t) = z SE(P_t). If even t = 1 is not far enough, it is kappa - z SE(r c').
- up: P_s = (1 - s) P + s diag((r + c) / 2), towards perfect agreement. The upper end is the kappa
  where kappa(P_s) - kappa = z SE(P_s), and never above 1.

SE is the non-null standard error of Fleiss, Cohen and Everitt. Twenty agreements of twenty, half of
them on each of two levels, give [0.678, 1]; eighteen and two give [0.348, 1].

For independent pairs the lower end keeps its promise (a judge at the bar passes at most 2.5% of the
time at 95%) in every simulation of ``benchmarks/coverage.py``, n = 30 to 200. The interval is
conservative for balanced ordinal scales with quadratic weights. There is no proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import checked, kappa_and_variance, why_undefined
from judgekit.stats.quantiles import critical

# Each step adds a binary digit to an end of the interval; few tables take several at a time.
STEPS, MANY_DIGITS, FEW = 50, 5, 8


def path_score(
    table: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    design_effect: float = 1.0,
    df: float | None = None,
    method: str = "cohen_kappa",
) -> Estimate | Undefined:
    """Kappa of one (k, k) table of counts, with its two-sided path-score interval.

    ``low`` alone is a one-sided bound at 1 - (1 - confidence) / 2: 0.975 for 0.95. For clustered
    or weighted pairs give their ``design_effect``: the interval is then that of n / design_effect
    pairs, and ``df`` (number of clusters - 1) asks for Student's t instead of the normal quantile.

    Undefined where kappa is (``empty``, ``single_category``).

    Raises:
        ValueError: Shapes that do not fit, a negative count, a number out of range.
    """
    T, w = checked(table, weights)
    if not 0 < design_effect < math.inf:
        raise ValueError(f"a design effect is positive, not {design_effect}")
    z, total = critical(confidence, df), float(T.sum())
    label, n = f"{method}/path_score", round(total)
    if (why := why_undefined(T, w)) is not None:
        return Undefined(why.reason, n, label)
    value = float(kappa_and_variance(T / total, w)[0])
    low, high = bounds(T[None], w, z=z, n_eff=total / design_effect)
    return Estimate(
        value, float(low[0]), float(high[0]), n, label, confidence, design_effect=design_effect
    )


def bounds(
    tables: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    z: float | FloatArray,
    n_eff: float | FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Path-score bounds of a stack of tables: (B, k, k) counts give two (B,) arrays.

    ``z`` is the half-width in standard errors, ``n_eff`` the number of independent pairs behind
    each table (its total, unless given); both may be one number or (B,). Both bounds are nan for a
    table without kappa, and for one of a single pair; callers turn that into ``Undefined``.

    Raises:
        ValueError: ``tables`` is not a stack of tables of the size of ``weights``.
    """
    T, w = np.asarray(tables, dtype=np.float64), square("weights", weights)
    if T.ndim != 3 or T.shape[1:] != w.shape:
        raise ValueError(f"tables are {T.shape}, the weights are {w.shape}")
    total = T.sum(axis=(1, 2))
    total = np.where(total > 1, total, np.nan)
    P = T / total[:, None, None]
    reach = np.asarray(z / np.sqrt(total if n_eff is None else n_eff), dtype=np.float64)
    value = kappa_and_variance(P, w)[0]
    low, high = _lower(P, w, value, reach), _upper(P, w, value, reach)
    floor = np.minimum(value, -1.0)
    return np.clip(low, floor, value), np.clip(high, value, np.maximum(value, 1.0))


def _lower(P: FloatArray, w: FloatArray, value: FloatArray, reach: FloatArray) -> FloatArray:
    independent = P.sum(axis=2)[:, :, None] * P.sum(axis=1)[:, None, :]

    def outside(t: FloatArray) -> npt.NDArray[np.bool_]:
        variance = kappa_and_variance(_between(P, independent, t), w)[1]
        outcome: npt.NDArray[np.bool_] = t * value >= reach * np.sqrt(variance)
        return outcome

    # t = 0 is never asked: with no disagreement seen it would look like a root.
    t = bisect(outside, P.shape[0])
    widest = value - reach * np.sqrt(kappa_and_variance(independent, w)[1])
    return np.where(outside(np.ones_like(t)), (1 - t) * value, widest)


def _upper(P: FloatArray, w: FloatArray, value: FloatArray, reach: FloatArray) -> FloatArray:
    perfect = np.zeros_like(P)
    diagonal = np.arange(P.shape[1])
    perfect[:, diagonal, diagonal] = (P.sum(axis=2) + P.sum(axis=1)) / 2

    def outside(s: FloatArray) -> npt.NDArray[np.bool_]:
        tested, variance = kappa_and_variance(_between(P, perfect, s), w)
        outcome: npt.NDArray[np.bool_] = tested - value >= reach * np.sqrt(variance)
        return outcome

    return kappa_and_variance(_between(P, perfect, bisect(outside, P.shape[0])), w)[0]


def _between(start: FloatArray, end: FloatArray, share: FloatArray) -> FloatArray:
    """Mix two stacks of tables, ``share`` of the way from the first to the second."""
    return start + share[..., None, None] * (end - start)


def bisect(outside: Callable[[FloatArray], npt.NDArray[np.bool_]], size: int) -> FloatArray:
    """Return the step along each path, in (0, 1], from which on it lies outside the interval.

    Where no step does, the answer is 1 to rounding.

    Args:
        outside: Tells of steps along the paths, (..., size), whether they lie outside.
        size: How many paths there are.
    """
    # Few tables cost as little as one: of them 31 places are looked at in one go.
    digits = MANY_DIGITS if size <= FEW else 1
    places = np.arange(1, 2**digits)[:, None]
    near, width = np.zeros(size), 1.0
    for _ in range(STEPS // digits):
        width /= 2**digits
        near = near + width * _halved(outside(near + width * places))
    return near + width


def _halved(beyond: npt.NDArray[np.bool_]) -> FloatArray:
    """Return how many places (m, size) lie before the one that halving finds, for each path."""
    before, step = np.zeros(beyond.shape[1], dtype=np.intp), (len(beyond) + 1) // 2
    each = np.arange(before.size)
    while step:
        before += step * ~beyond[before + step - 1, each]
        step //= 2
    return before.astype(np.float64)
