"""Means from a few labels and many judgments: PPI and PPI++, as the papers have them.

Y is what humans say of n labelled items, f what the judge says of them; the judge alone spoke of N
more items, drawn from the same population. Then

    theta = lambda * mean of f over the N + mean of (Y - lambda f) over the n

is an unbiased mean of Y for any lambda fixed beforehand: the labels say how wrong the judge is on
average, and the error is taken off. Its variance is lambda^2 Var(f) / N + Var(Y - lambda f) / n.

- lambda = 0: the labels alone. lambda = 1: PPI, which a poor judge makes worse than the labels.
- lambda* = Cov(Y, f) / [(1 + n / N) Var(f)], kept in [0, 1]: PPI++, never worse for large n.

Any numbers will do: passes as 0 and 1, level values, expected levels. The intervals here are
symmetric, with a standard error of the sample. For rates near 0 or 1, and for a judge without a
seen error, that is too short: reports use :mod:`judgekit.stats.powered_levels`.

*Small samples.* The default uses Student's t with n - 1 degrees of freedom, variances with n - 1,
and below :data:`CROSS_FIT` labels a lambda of its own for each label, computed without it: no label
has a say in how it is itself corrected. ``large_sample=True`` is the form of the papers and of
``ppi_py`` 0.2.3: the normal quantile, variances with n, one lambda whose Var(f) is taken over all
n + N judgments with n + N - 1.

References: Angelopoulos et al. (2023), Science 382:669, doi:10.1126/science.adi6000 (PPI);
Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453 (PPI++); Zrnic and Candes (2024), PNAS
121:e2322083121 (cross-fitting); Fisch et al. (2024), arXiv:2406.04291 (stratified).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, codes
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.quantiles import critical

CROSS_FIT = 100
"""With fewer labels, lambda is fitted without the label it is used on."""


class _Data(NamedTuple):
    """Labels, the judge on the labelled items, the judge on the others."""

    human: FloatArray
    judge: FloatArray
    judged: FloatArray

    @property
    def n(self) -> int:
        """Return the number of labels."""
        return self.human.size

    @property
    def ratio(self) -> float:
        """Return 1 + n / N."""
        return 1 + self.n / self.judged.size


def classical_mean(
    human: npt.ArrayLike, *, confidence: float = 0.95, large_sample: bool = False
) -> Estimate | Undefined:
    """Mean of the labels alone, with Student's interval (the normal one for ``large_sample``).

    ``Undefined("empty")`` without labels, ``Undefined("zero_variance")`` for one label.

    Raises:
        ValueError: Labels that are not one-dimensional and finite, or ``confidence`` out of range.
    """
    y, method = _numbers("human", human), "mean/labels_only"
    if y.size < 2:
        return Undefined("zero_variance" if y.size else "empty", y.size, method)
    variance = float(y.var(ddof=0 if large_sample else 1)) / y.size
    z = critical(confidence, None if large_sample else y.size - 1)
    return _around(float(y.mean()), z * math.sqrt(variance), y.size, method, confidence)


def ppi_mean(
    human: npt.ArrayLike,
    judge: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    lam: float = 1.0,
    confidence: float = 0.95,
    large_sample: bool = False,
) -> Estimate | Undefined:
    """Prediction-powered mean with a lambda fixed beforehand.

    Args:
        human: (n,) what humans say.
        judge: (n,) what the judge says of the same items.
        judged: (N,) what the judge says of the other items.
        lam: Weight of the judge's word; 1 is PPI.
        confidence: Two-sided coverage of the interval.
        large_sample: The form of the paper and of ``ppi_py``.

    ``Undefined("empty")`` without labels or other items, ``Undefined("zero_variance")`` for one
    label.

    Raises:
        ValueError: Arrays that are not one-dimensional and finite, or do not fit together.
    """
    data, method = _data(human, judge, judged), "mean/ppi"
    if (why := _too_small(data, method)) is not None:
        return why
    return _estimate(data, np.full(data.n, float(lam)), method, confidence, large=large_sample)


def ppi_lambda(human: npt.ArrayLike, judge: npt.ArrayLike, judged: npt.ArrayLike) -> float:
    """lambda* = Cov(Y, f) / [(1 + n / N) Var(f)], kept in [0, 1], as ``ppi_py`` computes it.

    The covariance is over the n labelled items, with n; Var(f) over all n + N, with n + N - 1. It
    is 0 where the judge always says the same, or there is nothing to weigh.

    Raises:
        ValueError: As :func:`ppi_mean`.
    """
    data = _data(human, judge, judged)
    if not data.n or not data.judged.size:
        return 0.0
    pooled = np.concatenate([data.judge, data.judged])
    spread = float(pooled.var(ddof=1))
    if spread <= 1e-12 * float(np.abs(pooled).max()) ** 2:
        return 0.0
    both = float(((data.human - data.human.mean()) * (data.judge - data.judge.mean())).mean())
    return min(1.0, max(0.0, both / (data.ratio * spread)))


def ppi_plus_mean(
    human: npt.ArrayLike,
    judge: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    large_sample: bool = False,
) -> Estimate | Undefined:
    """Prediction-powered mean with the lambda that makes it most precise (PPI++).

    Arguments, undefined cases and errors as :func:`ppi_mean`. With fewer than :data:`CROSS_FIT`
    labels lambda is cross-fitted, unless ``large_sample``.
    """
    data, method = _data(human, judge, judged), "mean/ppi_plus"
    if (why := _too_small(data, method)) is not None:
        return why
    if large_sample or data.n >= CROSS_FIT:
        lam = np.full(data.n, ppi_lambda(human, judge, judged))
    else:
        lam = _cross_fitted(data)
    return _estimate(data, lam, method, confidence, large=large_sample)


def effective_labels(n: int, labels_variance: float, corrected_variance: float) -> float:
    """How many labels alone would be as precise: n times the ratio of the variances.

    Both are variances of the mean and positive. At most 1.1 n means that the judge adds nothing.

    Raises:
        ValueError: A variance that is not positive.
    """
    if not (labels_variance > 0 and corrected_variance > 0):
        raise ValueError("variances must be positive")
    return n * labels_variance / corrected_variance


def stratified_ppi_mean(
    labelled: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    judged: tuple[npt.ArrayLike, npt.ArrayLike],
    *,
    confidence: float = 0.95,
    known_shares: bool = False,
) -> Estimate | Undefined:
    """PPI++ within strata, put together by their shares N_h / N of the judged items.

    Labels need to be drawn at random within each stratum only, at any rate. With the judge's level
    as the stratum f is constant within it, lambda plays no part, and this is post-stratification.

    The variance is the sum of (N_h / N)^2 Var_h, plus the variance of the shares themselves,
    sum of (N_h / N)(theta_h - theta)^2 / N, unless ``known_shares``: the shares are then those of
    the whole population, and no more is to be learned about them. Leaving that part out for shares
    of a sample makes the interval too short: with 200 labels and 1,000 judgments of a good judge by
    about a fifth. The paper takes the shares as known.

    Args:
        labelled: (n,) each: what humans say, what the judge says, the codes of the strata.
        judged: (N,) each: what the judge says of the other items, the codes of their strata.
        confidence: Two-sided coverage; Student's t with n - strata degrees of freedom.
        known_shares: Whether the judged items are the whole population.

    ``Undefined("empty")`` without judged items, ``Undefined("too_few_items")`` when a stratum with
    judged items has fewer than two labels.

    Raises:
        ValueError: Arrays that do not fit together.
    """
    human, judge, home = labelled
    data = _data(human, judge, judged[0])
    mine, others = codes("strata", home), codes("strata", judged[1])
    if mine.size != data.n or others.size != data.judged.size:
        raise ValueError("each item needs the code of its stratum")
    n, N, method = data.n + data.judged.size, data.judged.size, "mean/stratified_ppi"
    if not N:
        return Undefined("empty", n, method)
    theta, variance, share = [], [], []
    for stratum in np.unique(others):
        among, rest = mine == stratum, others == stratum
        part = _Data(data.human[among], data.judge[among], data.judged[rest])
        if part.n < 2:
            return Undefined("too_few_items", n, method)
        value, spread = _mean_and_variance(part, np.full(part.n, ppi_lambda(*part)), ddof=1)
        theta.append(value)
        variance.append(spread)
        share.append(part.judged.size / N)
    t, v, s = np.array(theta), np.array(variance), np.array(share)
    value = float(s @ t)
    total = float(s**2 @ v) + (0.0 if known_shares else float(s @ (t - value) ** 2) / N)
    used = int(np.isin(mine, others).sum())
    half = critical(confidence, max(1, used - t.size)) * math.sqrt(total)
    return _around(value, half, n, method, confidence)


def _data(human: npt.ArrayLike, judge: npt.ArrayLike, judged: npt.ArrayLike) -> _Data:
    found = _Data(_numbers("human", human), _numbers("judge", judge), _numbers("judged", judged))
    if found.human.size != found.judge.size:
        raise ValueError(f"human has {found.human.size} values, judge has {found.judge.size}")
    return found


def _numbers(name: str, values: npt.ArrayLike) -> FloatArray:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise ValueError(f"{name} must be a row of finite numbers")
    return found


def _too_small(data: _Data, method: str) -> Undefined | None:
    n = data.n + data.judged.size
    if data.n < 2 or not data.judged.size:
        one_label = data.n == 1 and data.judged.size
        return Undefined("zero_variance" if one_label else "empty", n, method)
    return None


def _cross_fitted(data: _Data) -> FloatArray:
    """Return lambda for each label, computed from all labels but that one."""
    y, f, n = data.human - data.human.mean(), data.judge - data.judge.mean(), data.n
    pooled = np.concatenate([data.judge, data.judged])
    g, total = data.judge - pooled.mean(), pooled.size
    # Without one of n values at distance d from the mean, a sum of squares loses d^2 n / (n - 1).
    both = (float(y @ f) - y * f * n / (n - 1)) / (n - 1)
    squares = float(((pooled - pooled.mean()) ** 2).sum()) - g**2 * total / (total - 1)
    spread = squares / max(total - 2, 1)
    known = spread > 1e-12 * max(1e-300, float(np.abs(pooled).max()) ** 2)
    ratio = both / np.where(known, spread, 1.0) / (1 + (n - 1) / data.judged.size)
    return np.where(known, np.clip(ratio, 0.0, 1.0), 0.0)


def _estimate(
    data: _Data, lam: FloatArray, method: str, confidence: float, *, large: bool
) -> Estimate:
    value, variance = _mean_and_variance(data, lam, ddof=0 if large else 1)
    z = critical(confidence, None if large else data.n - 1)
    n = data.n + data.judged.size
    return _around(value, z * math.sqrt(variance), n, method, confidence)


def _mean_and_variance(data: _Data, lam: FloatArray, ddof: int) -> tuple[float, float]:
    """Return theta and its variance; each label has its lambda."""
    centre, mean = float(data.judged.mean()), float(lam.mean())
    residual = data.human - lam * (data.judge - centre)
    spread = data.judged.var(ddof=min(ddof, data.judged.size - 1)) / data.judged.size
    variance = mean**2 * float(spread) + float(residual.var(ddof=ddof)) / data.n
    return float(residual.mean()), variance


def _around(value: float, half: float, n: int, method: str, confidence: float) -> Estimate:
    return Estimate(value, value - half, value + half, n, method, confidence)
