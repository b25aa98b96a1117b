"""Quantiles of the normal and of Student's t distribution, to ten digits and more.

The tail of t with d degrees of freedom beyond x > 0 is half the regularised incomplete beta
function I_y(d/2, 1/2) at y = d / (d + x^2). The beta function is evaluated by its continued
fraction (Lentz's method), the quantile found by bisection.

References: Abramowitz and Stegun (1964), 26.5.8 and 26.7.1.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300


def critical(confidence: float, df: float | None = None) -> float:
    """Half-width of a two-sided interval in standard errors: 1.96 for 0.95 and the normal.

    ``confidence`` lies in (0, 1). With ``df`` degrees of freedom, a positive number, the quantile
    is Student's t, which is larger.

    Raises:
        ValueError: ``confidence`` or ``df`` out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    tail = (1 - confidence) / 2
    return -_NORMAL.inv_cdf(tail) if df is None else student_t(tail, df)


@lru_cache(maxsize=512)
def student_t(tail: float, df: float) -> float:
    """Point that Student's t with ``df`` degrees of freedom exceeds with probability ``tail``.

    ``tail`` lies in (0, 0.5], so the point is 0 or above.

    Raises:
        ValueError: ``tail`` or ``df`` out of range.
    """
    if not (0 < tail <= 0.5 and df > 0):
        raise ValueError(f"no t quantile for tail {tail} with {df} degrees of freedom")
    low, high = 0.0, 1.0
    while student_tail(high, df) > tail:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if student_tail(middle, df) > tail else (low, middle)
    return low if tail == 0.5 else high


def student_tail(x: float, df: float) -> float:
    """Probability that Student's t with ``df`` degrees of freedom exceeds ``x``, for x >= 0."""
    return incomplete_beta(df / 2, 0.5, df / (df + x * x), x * x / (df + x * x)) / 2


def incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Regularised incomplete beta function I_x(a, b), in [0, 1]; ``y`` is 1 - x.

    ``y`` is asked for because 1 - x loses its digits near x = 1.
    """
    if x <= 0 or y <= 0:
        return 0.0 if x <= 0 else 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log_front + a * math.log(x) + b * math.log(y))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, y) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, _inverse(1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        c, d = 1 + even / c, _inverse(1 + even * d)
        total *= c * d
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        c, d = 1 + odd / c, _inverse(1 + odd * d)
        total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total


def _inverse(x: float) -> float:
    return 1 / x if abs(x) > _TINY else 1 / _TINY
