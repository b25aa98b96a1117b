"""Intervals of proportions, and of the difference of two proportions of the same things.

Wilson's interval of x successes in n, with p = x / n, is

    (p + z^2/2n ± z sqrt(p (1 - p) / n + z^2/4n^2)) / (1 + z^2/n).

It stays inside [0, 1] and does not collapse at 0 of n or n of n. Clustered counts come with a
smaller *effective* n: p is kept, n is replaced, and z may become Student's t.

References: Wilson (1927), JASA 22:209; Newcombe (1998), Statistics in Medicine 17:2635 (paired
differences, method 10).
"""

from __future__ import annotations

import math

import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.quantiles import critical


def wilson(
    successes: float,
    n: float,
    *,
    confidence: float = 0.95,
    n_eff: float | None = None,
    df: float | None = None,
    method: str = "wilson",
) -> Estimate | Undefined:
    """Proportion ``successes / n`` in [0, 1] with Wilson's two-sided interval.

    Counts may be fractional (weighted). ``n_eff`` is the effective number behind the interval, at
    most n for clustered data; ``df`` asks for Student's t. ``Undefined("empty")`` when n is 0.

    Raises:
        ValueError: ``successes`` outside 0 .. n, or a number out of range.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    z = critical(confidence, df)
    if n == 0:
        return Undefined("empty", 0, method)
    low, high = wilson_bounds(successes / n, _effective(n, n_eff), z)
    effect = n / _effective(n, n_eff)
    return Estimate(
        successes / n, low, high, round(n), method, confidence, design_effect=max(1.0, effect)
    )


def wilson_bounds(p: float, n: float, z: float) -> tuple[float, float]:
    """Ends of Wilson's interval for a proportion ``p`` of ``n``, ``z`` standard errors wide."""
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if p == 0 else (centre - half) / scale
    high = 1.0 if p == 1 else (centre + half) / scale
    return min(low, p), max(high, p)


def newcombe_paired(
    table: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    n_eff: float | None = None,
    df: float | None = None,
    method: str = "newcombe",
) -> Estimate | Undefined:
    """Difference of two proportions of the same n things, in [-1, 1] (Newcombe, method 10).

    ``table`` is [[a, b], [c, d]]: a both pass, b only the first passes, c only the second, d
    neither. The value is p1 - p2 = (b - c) / n. Wilson's ends l, u of p1 = (a + b) / n and of
    p2 = (a + c) / n combine to ``low`` = p1 - p2 - sqrt(D1^2 - 2 phi D1 D2 + D2^2) with
    D1 = p1 - l1 and D2 = u2 - p2, and ``high`` likewise with u1 - p1 and p2 - l2. phi is the
    correlation of the two outcomes, continuity-corrected towards 0 when positive.

    ``n_eff`` and ``df`` are as for :func:`wilson`. ``Undefined("empty")`` when n is 0.

    Raises:
        ValueError: Not a 2 x 2 table of counts, or a number out of range.
    """
    T = square("table", table)
    if T.shape != (2, 2) or (T < 0).any():
        raise ValueError("a paired difference needs a 2 x 2 table of counts")
    z, n = critical(confidence, df), float(T.sum())
    if n == 0:
        return Undefined("empty", 0, method)
    size = _effective(n, n_eff)
    p1, p2 = float(T[0].sum()) / n, float(T[:, 0].sum()) / n
    (l1, u1), (l2, u2) = wilson_bounds(p1, size, z), wilson_bounds(p2, size, z)
    phi = _phi(T * (size / n))
    below = _combine(p1 - l1, u2 - p2, phi)
    above = _combine(u1 - p1, p2 - l2, phi)
    value = (float(T[0, 1]) - float(T[1, 0])) / n
    effect = max(1.0, n / size)
    return Estimate(
        value, value - below, value + above, round(n), method, confidence, design_effect=effect
    )


def _combine(first: float, second: float, phi: float) -> float:
    return math.sqrt(max(0.0, first**2 - 2 * phi * first * second + second**2))


def _phi(table: FloatArray) -> float:
    """Correlation of two paired outcomes, continuity-corrected; 0 when a margin is empty."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    scale = math.sqrt(float(rows.prod() * columns.prod()))
    if scale == 0:
        return 0.0
    association = float(table[0, 0] * table[1, 1] - table[0, 1] * table[1, 0])
    if association > 0:
        association = max(0.0, association - float(table.sum()) / 2)
    return association / scale


def _effective(n: float, n_eff: float | None) -> float:
    if n_eff is None:
        return n
    if not n_eff > 0:
        raise ValueError(f"n_eff must be positive, not {n_eff}")
    return n_eff
