"""Intra-class correlation: how much of the spread of scores is spread between units.

n units with k scores each; the scores may be replicates of one judge or come from k raters. With
the mean squares of the analysis of variance, BMS between units, WMS within units, JMS between
raters and EMS what is left (all of them sums of squares over degrees of freedom):

- ``1,1``  (BMS - WMS) / (BMS + (k - 1) WMS). Each score comes from just anybody: replicates.
- ``2,1``  (BMS - EMS) / (BMS + (k - 1) EMS + k (JMS - EMS) / n). The k raters are a sample, and a
  rater who is kinder than the others counts as disagreement (absolute agreement).
- ``3,1``  (BMS - EMS) / (BMS + (k - 1) EMS). These k raters and no others; a constant difference
  between them does not count (consistency).
- ``1,k``, ``2,k``, ``3,k``  the same for the mean of the k scores: (BMS - WMS) / BMS,
  (BMS - EMS) / (BMS + (JMS - EMS) / n), (BMS - EMS) / BMS.

The reliability of a mean of replicates bounds what agreement with humans can be: their correlation
is at most the root of it. Never treat replicates as units of their own.

References: Shrout and Fleiss (1979), Psychological Bulletin 86:420, doi:10.1037/0033-2909.86.2.420;
McGraw and Wong (1996), Psychological Methods 1:30, doi:10.1037/1082-989X.1.1.30.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from judgekit.errors import UnknownName
from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Estimate, Undefined, UndefinedReason
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical

Form = Literal["1,1", "1,k", "2,1", "2,k", "3,1", "3,k"]
# Mean squares below this share of the total spread are rounding, and so are differences of scores
# below the second share of the scores themselves.
NOTHING = 1e-12
ROUNDING = 1e-14


def icc(scores: npt.ArrayLike, form: Form, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Intra-class correlation of (n, k) scores, with its two-sided interval; at most 1.

    ``form`` is the one of the module's list, in the notation of Shrout and Fleiss. The interval is
    theirs, from F quantiles: exact under normal scores for ``1,.`` and ``3,.``, and Satterthwaite's
    approximation for ``2,.``. Scores of a few levels that are mostly the same are not normal: there
    the interval of ``interval`` alpha is the safer one. ``n`` counts units, ``pairs`` scores.

    When the scores of each unit are all the same (up to constant differences between raters, for
    ``3,.``) F is infinite and the interval would be the single point 1, however few the units. Then
    the low end of a single score is 1 - u with u Wilson's upper limit of 0 in n units (Student's t
    with n - 1 degrees of freedom): as if the scores of a share u of the units had nothing in
    common. That of a mean follows by Spearman and Brown.

    ``Undefined("empty")`` without units; ``Undefined("too_few_items")`` with one;
    ``Undefined("too_few_raters")`` with one score each; ``Undefined("zero_variance")`` when all
    units have the same mean score, or (``2,k``, few units) less spread than is left without them.
    The low end is not below -1 unless the value is.

    Raises:
        UnknownName: No such form.
        ValueError: Not a matrix of finite scores, or ``confidence`` out of range.
    """
    if form not in get_args(Form):
        raise UnknownName("form of intra-class correlation", form, get_args(Form))
    X, method, tail = _scores(scores), f"icc({form})/f", (1 - confidence) / 2
    n, k = X.shape
    t = critical(confidence, max(n - 1, 1))
    if n < 2 or k < 2:
        few: UndefinedReason = "too_few_raters" if n > 1 else "too_few_items" if n else "empty"
        return Undefined(few, n, method, n * k)
    squares = _mean_squares(X)
    rho = _single(squares, form)
    if rho is None:
        return Undefined("zero_variance", n, method, n * k)
    found = (rho, *_ends(squares, form, rho, tail=tail, t=t))
    value, low, high = (reliability_of_mean(r, k) for r in found) if form.endswith("k") else found
    low = min(max(low, min(value, -1.0)), value)
    return Estimate(value, low, max(high, value), n, method, confidence, n * k)


def reliability_of_mean(rho: float, replicates: float) -> float:
    """Reliability of the mean of ``replicates`` scores, k rho / (1 + (k - 1) rho); at most 1.

    ``rho`` is the reliability of one score (``1,1``). Minus infinity where rho is -1 / (k - 1) or
    below, at which the mean of the scores would not vary. Spearman (1910) and Brown (1910), British
    Journal of Psychology 3:271 and 3:296.
    """
    spread = 1 + (replicates - 1) * rho
    return replicates * rho / spread if spread > 0 else -math.inf


def spearman_brown(rho: float, target: float) -> int | Undefined:
    """How many replicates a mean needs for a reliability of ``target``, in (0, 1); at least 1.

    The next whole number from k = target (1 - rho) / (rho (1 - target)), with ``rho`` the
    reliability of one replicate (``1,1``). ``Undefined("zero_variance")`` when rho is 0 or below:
    the units do not differ beyond noise, and no number of replicates helps.

    Raises:
        ValueError: ``rho`` above 1 or not a number, or ``target`` outside (0, 1).
    """
    if not rho <= 1:
        raise ValueError(f"a reliability is at most 1, not {rho}")
    if not 0 < target < 1:
        raise ValueError(f"the target must lie between 0 and 1, not {target}")
    if rho <= 0:
        return Undefined("zero_variance", 0, "spearman_brown")
    needed = target * (1 - rho) / (rho * (1 - target))
    # A whole number must not become the next one by rounding.
    return max(1, math.ceil(needed * (1 - 1e-12)))


class _MeanSquares(NamedTuple):
    n: int
    k: int
    between: float
    within: float
    raters: float
    rest: float


def _scores(scores: npt.ArrayLike) -> FloatArray:
    X = np.asarray(scores, dtype=np.float64)
    if X.ndim != 2:
        raise ValueError(f"scores must be a (units, raters) matrix, not of shape {X.shape}")
    if not np.isfinite(X).all():
        raise ValueError("scores must be finite, without gaps")
    return X


def _mean_squares(X: FloatArray) -> _MeanSquares:
    n, k = X.shape
    rounding = (ROUNDING * float(np.abs(X).max())) ** 2
    X = X - X.mean()
    units, raters = X.mean(axis=1, keepdims=True), X.mean(axis=0, keepdims=True)
    total = float((X**2).sum()) / (n * k - 1)
    between = k * float((units**2).sum()) / (n - 1)
    within = float(((X - units) ** 2).sum()) / (n * (k - 1))
    columns = n * float((raters**2).sum()) / (k - 1)
    rest = float(((X - units - raters) ** 2).sum()) / ((n - 1) * (k - 1))
    between, within, columns, rest = (
        m if m > max(NOTHING * total, rounding) else 0.0 for m in (between, within, columns, rest)
    )
    return _MeanSquares(n, k, between, within, columns, rest)


def _noise(squares: _MeanSquares, form: Form) -> float:
    """The mean square that the units' one is compared with."""
    return squares.within if form.startswith("1") else squares.rest


def _single(squares: _MeanSquares, form: Form) -> float | None:
    """Correlation for a single score, or None where units do not vary enough to have one."""
    n, k, between, noise = squares.n, squares.k, squares.between, _noise(squares, form)
    spread = between + (k - 1) * noise
    if form.startswith("2"):
        spread += k * (squares.raters - noise) / n
    if between <= 0:
        return None
    rho = (between - noise) / spread
    return None if form == "2,k" and reliability_of_mean(rho, k) == -math.inf else rho


def _ends(
    squares: _MeanSquares, form: Form, rho: float, *, tail: float, t: float
) -> tuple[float, float]:
    """Ends of the interval for a single score."""
    n, k, noise = squares.n, squares.k, _noise(squares, form)
    if rho == 1:
        return 1 - wilson_bounds(0.0, n, t)[1], 1.0
    if form.startswith("2"):
        return _agreement_ends(squares, rho, tail)
    df = n * (k - 1) if form.startswith("1") else (n - 1) * (k - 1)
    F = squares.between / noise
    low, high = F / _f(n - 1, df, tail), F * _f(df, n - 1, tail)
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _agreement_ends(squares: _MeanSquares, rho: float, tail: float) -> tuple[float, float]:
    n, k, B, J, E = squares.n, squares.k, squares.between, squares.raters, squares.rest
    a, b = k * rho * J, (n * (1 + (k - 1) * rho) - k * rho) * E
    # Satterthwaite's degrees of freedom; far below 1 for negative rho, where F has no use.
    df = max(1.0, (k - 1) * (n - 1) * (a + b) ** 2 / ((n - 1) * a**2 + b**2))
    least, most = _f(n - 1, df, tail), _f(df, n - 1, tail)
    other = k * J + (k * n - k - n) * E
    return n * (B - least * E) / (least * other + n * B), n * (most * B - E) / (
        other + n * most * B
    )


def _f(numerator: float, denominator: float, tail: float) -> float:
    """Point that F exceeds with probability ``tail``."""
    from scipy.special import fdtri

    return float(fdtri(numerator, denominator, 1 - tail))
