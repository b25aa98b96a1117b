"""Intervals of proportions for special needs: guarantees, zero events, independent samples.

Wilson's interval (:mod:`judgekit.stats.proportions`) is the default for a share. Here are

- Clopper and Pearson: never below its nominal coverage, and so wider. For guarantees.
- Jeffreys: equal tails of the Beta(x + 1/2, n - x + 1/2) posterior, mended at 0 and n of n.
- the rule of three: what zero events in n tries still allow.
- Newcombe's difference of two *independent* samples; for the same things
  measured twice there is :func:`judgekit.stats.proportions.newcombe_paired`.
- kappa by the exact interval of raw agreement, with the margins held fixed.

The first two are quantiles of beta distributions, from SciPy.

References: Clopper and Pearson (1934), Biometrika 26:404; Brown, Cai and DasGupta (2001),
Statistical Science 16:101 (Jeffreys); Hanley and Lippman-Hand (1983), JAMA 249:1743 (rule of
three); Newcombe (1998), Statistics in Medicine 17:873 (independent, method 10).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import square
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import kappa
from judgekit.stats.proportions import wilson
from judgekit.stats.quantiles import critical
from judgekit.stats.weights import identity


def clopper_pearson(
    successes: float, n: float, *, confidence: float = 0.95, method: str = "clopper_pearson"
) -> Estimate | Undefined:
    """Proportion ``successes / n`` in [0, 1] with its exact two-sided interval.

    The ends are the proportions at which seeing so many, or so few, has half of 1 - confidence:
    Beta quantiles B(a/2; x, n - x + 1) and B(1 - a/2; x + 1, n - x). ``low`` is 0 for 0 of n,
    ``high`` is 1 for n of n. ``Undefined("empty")`` when n is 0.

    Raises:
        ValueError: Counts that are not whole or outside 0 .. n, or ``confidence`` out of range.
    """
    x, size, tail = *_counts(successes, n), _tail(confidence)
    if size == 0:
        return Undefined("empty", 0, method)
    low = _beta(x, size - x + 1, tail) if x else 0.0
    high = _beta(x + 1, size - x, 1 - tail) if x < size else 1.0
    return Estimate(x / size, low, high, size, method, confidence)


def jeffreys(
    successes: float, n: float, *, confidence: float = 0.95, method: str = "jeffreys"
) -> Estimate | Undefined:
    """Proportion ``successes / n`` in [0, 1] with the equal-tailed Jeffreys interval.

    Quantiles of Beta(x + 1/2, n - x + 1/2), except that ``low`` is 0 for 0 of n and ``high`` is 1
    for n of n. Right on average over proportions, not for each of them.
    ``Undefined("empty")`` when n is 0.

    Raises:
        ValueError: As :func:`clopper_pearson`.
    """
    x, size, tail = *_counts(successes, n), _tail(confidence)
    if size == 0:
        return Undefined("empty", 0, method)
    low = _beta(x + 0.5, size - x + 0.5, tail) if x else 0.0
    high = _beta(x + 0.5, size - x + 0.5, 1 - tail) if x < size else 1.0
    return Estimate(x / size, low, high, size, method, confidence)


def zero_events(n: int, *, confidence: float = 0.95) -> float | Undefined:
    """Largest proportion that zero events in n tries allow: 1 - (1 - confidence)^(1/n), in (0, 1].

    A *one-sided* bound: a proportion above it would have shown an event with more than
    ``confidence``. ``Undefined("empty")`` when n is 0.

    Raises:
        ValueError: ``n`` is no count, or ``confidence`` out of range.
    """
    _, size = _counts(0, n)
    _tail(confidence)
    if size == 0:
        return Undefined("empty", 0, "zero_events")
    return -math.expm1(math.log1p(-confidence) / size)


def rule_of_three(n: int) -> float | Undefined:
    """The bound of :func:`zero_events` at 95% by rule of thumb, 3 / n and at most 1.

    A little above the exact bound. ``Undefined("empty")`` when n is 0.

    Raises:
        ValueError: ``n`` is no count.
    """
    _, size = _counts(0, n)
    return min(1.0, 3 / size) if size else Undefined("empty", 0, "rule_of_three")


def newcombe_independent(
    first: tuple[float, float],
    second: tuple[float, float],
    *,
    confidence: float = 0.95,
    n_eff: tuple[float, float] | None = None,
    df: float | None = None,
    method: str = "newcombe_independent",
) -> Estimate | Undefined:
    """Difference of the proportions of two separate samples, p1 - p2 in [-1, 1].

    ``first`` and ``second`` are (successes, n). Wilson's ends l, u of each combine to
    ``low`` = p1 - p2 - sqrt((p1 - l1)^2 + (u2 - p2)^2) and ``high`` likewise with u1 - p1 and
    p2 - l2. ``n_eff`` are the effective numbers behind clustered samples and ``df`` asks for
    Student's t, as for :func:`judgekit.stats.proportions.wilson`. ``n`` counts both samples.
    ``Undefined("empty")`` when either sample is empty.

    Raises:
        ValueError: Successes outside 0 .. n, or a number out of range.
    """
    sizes = n_eff or (None, None)
    one, two = (
        wilson(x, n, confidence=confidence, n_eff=size, df=df)
        for (x, n), size in zip((first, second), sizes, strict=True)
    )
    total = round(first[1] + second[1])
    if isinstance(one, Undefined) or isinstance(two, Undefined):
        return Undefined("empty", total, method)
    value = one.value - two.value
    low = value - math.hypot(one.value - one.low, two.high - two.value)
    high = value + math.hypot(one.high - one.value, two.value - two.low)
    return Estimate(value, low, high, total, method, confidence)


def kappa_fixed_margins(table: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Unweighted kappa with the exact interval of raw agreement pushed through its formula.

    (L - p_e) / (1 - p_e) and (U - p_e) / (1 - p_e), with Clopper and Pearson's L and U for the raw
    agreement and chance agreement p_e held at what was seen. Rough where the margins are uncertain
    and wide where they are skewed, but simple to check, and no point when all agree: 20 agreements
    of 20, 18 of them on one of two levels, have low 0.064. Not the default; see
    :func:`judgekit.stats.path_score.path_score`. Undefined where kappa is.

    Raises:
        ValueError: Not a square table of whole counts, or ``confidence`` out of range.
    """
    T, method = square("table", table), "cohen_kappa/fixed_margins"
    value = kappa(T, identity(T.shape[0]))
    if isinstance(value, Undefined):
        return Undefined(value.reason, value.n, method)
    n = float(T.sum())
    raw = clopper_pearson(float(np.trace(T)), n, confidence=confidence)
    if isinstance(raw, Undefined):
        return Undefined(raw.reason, raw.n, method)
    chance = float(T.sum(axis=1) @ T.sum(axis=0)) / n**2
    low, high = ((end - chance) / (1 - chance) for end in (raw.low, raw.high))
    return Estimate(value, min(low, value), max(high, value), round(n), method, confidence)


def _counts(successes: float, n: float) -> tuple[int, int]:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if successes != int(successes) or n != int(n):
        raise ValueError("exact intervals are for whole counts")
    return int(successes), int(n)


def _tail(confidence: float) -> float:
    critical(confidence)
    return (1 - confidence) / 2


def _beta(a: float, b: float, p: float) -> float:
    """Quantile of the Beta(a, b) distribution."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, p))
