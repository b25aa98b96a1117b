"""Mean of numbers that have a least and a largest value: errors, losses, scores.

Student's interval reaches beyond what is possible, and collapses when no spread was seen. Most
errors of a good judge are 0, and then it misses often: ``benchmarks/intervals.py`` has a judge with
2% of errors, whose true rate it holds in 46% of samples of 30 pairs and in 84% of 100. Wilson's
interval holds it in 97%, so the mean is read as a share of the range. For numbers that are 0 or 1
that is Wilson's interval itself; others have less spread than 0 and 1 with the same mean p, so n
pairs are worth n p (1 - p) / s^2 of them, where s^2 is the variance of the numbers as shares of the
range. A loss that is large but rare remains a trap in small samples: for 30 forecasts with a mean
near 0.9 the interval of the Brier score holds the truth in as little as 82%.

When all numbers are equal no spread was seen. Then the ends lie as far out as if Wilson's upper
limit of 0 of n pairs had the least or the largest possible number.
"""

from __future__ import annotations

import numpy as np

from judgekit.stats.arrays import FloatArray
from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.table import Pairs

# A variance below this share of the squared range is rounding.
_NO_SPREAD = 1e-12


def bounded_mean(
    numbers: FloatArray,
    pairs: Pairs,
    *,
    least: float,
    largest: float,
    method: str,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """Mean of (n,) numbers in [least, largest], one for each pair, with its two-sided interval.

    The quantile is Student's with n - 1 degrees of freedom (clusters - 1 when clusters repeat);
    clusters act through the design effect of the deviations from the mean.

    Undefined: ``empty``; ``zero_variance`` for a single pair; ``too_few_clusters``.

    Raises:
        ValueError: A number outside the range, or ``confidence`` out of range.
    """
    n, span = len(pairs), largest - least
    shares = (numbers - least) / span
    if n and not (shares.min() >= -1e-9 and shares.max() <= 1 + 1e-9):
        raise ValueError(f"a number lies outside {least} .. {largest}")
    if n < 2:
        return Undefined("zero_variance" if n else "empty", pairs.n_items, method, n)
    p = min(max(float(np.average(shares, weights=pairs.weight)), 0.0), 1.0)
    found = clustering(shares - p, pairs)
    if found.too_few:
        return Undefined("too_few_clusters", pairs.n_items, method, n, clusters=found.clusters)
    spread = float(np.average((shares - p) ** 2, weights=pairs.weight)) * n / (n - 1)
    if spread < _NO_SPREAD:
        low, high = unseen(p, n / found.design_effect, critical(confidence, found.df))
    else:
        worth = n * p * (1 - p) / (spread * found.design_effect)
        low, high = wilson_bounds(p, worth, critical(confidence, found.df or n - 1))
    estimate = Estimate(
        least + p * span, least + low * span, least + high * span, n, method, confidence
    )
    return counted(estimate, pairs, found)


def unseen(p: float, n: float, z: float) -> tuple[float, float]:
    """Ends for a share ``p`` that n pairs have without any spread.

    As if Wilson's upper limit of 0 of n, z^2 / (n + z^2), had been 0 or 1 instead.
    """
    reach = wilson_bounds(0.0, n, z)[1]
    return p - reach * p, p + reach * (1 - p)
