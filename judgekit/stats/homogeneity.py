"""Does the judge agree equally well on every slice? One kappa for each, and a test of equality.

With kappas K_s of S slices, their standard errors SE_s and weights v_s = 1 / SE_s^2:

- common kappa   the mean of K_s weighted by v_s, with standard error 1 / sqrt(sum of v_s)
- homogeneity    X^2 = sum of v_s (K_s - common)^2, chi-squared with S - 1 degrees of freedom

The common kappa describes slices that are alike; it is no verdict over slices that are not. A
different prevalence changes kappa without any change of the judge: look at the shares right on each
side of the pass mark too.

References: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 18.1;
Donner, Eliasziw and Klar (1996), Biometrics 52:176.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.clusters import clustering
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import influence, kappa_of
from judgekit.stats.quantiles import critical
from judgekit.stats.significance import HypothesisTest, chi_squared
from judgekit.stats.table import Pairs

# Below, the standard error of a slice is too rough to weight it by.
SMALLEST_SLICE = 30
# A smaller standard error is rounding.
_NO_SPREAD = 1e-10


class Homogeneity(NamedTuple):
    """Test of equal kappas, and the kappa they would share.

    Attributes:
        test: Fleiss' X^2.
        common: Inverse-variance mean, with a Wald interval.
    """

    test: HypothesisTest
    common: Estimate


def kappa_homogeneity(
    slices: Sequence[Pairs], weights: npt.ArrayLike, *, confidence: float = 0.95
) -> Homogeneity | Undefined:
    """Compare the kappas of slices that share no items (nor cases).

    ``weights`` are the (k, k) agreement weights. Standard errors are those of Fleiss, Cohen and
    Everitt, widened by the square root of the design effect where pairs share clusters.

    Undefined: as a kappa of a slice; ``too_few_clusters`` where a slice has fewer than ten; and as
    :func:`homogeneity`.

    Raises:
        ValueError: The weights do not fit the scale, or ``confidence`` out of range.
    """
    method, values, errors = "kappa_homogeneity", [], []
    for pairs in slices:
        table, n = pairs.table(), len(pairs)
        pull = influence(table, weights)
        if isinstance(pull, Undefined):
            return Undefined(pull.reason, pairs.n_items, method, n)
        found = clustering(pull[pairs.human, pairs.judge], pairs)
        if found.too_few:
            return Undefined("too_few_clusters", pairs.n_items, method, n, clusters=found.clusters)
        values.append(float(kappa_of(table[None], weights)[0]))
        errors.append(math.sqrt(float((table * pull**2).sum()) * found.design_effect) / n)
    sizes = [pairs.n_items for pairs in slices]
    return homogeneity(values, errors, sizes, confidence=confidence, method=method)


def homogeneity(
    values: npt.ArrayLike,
    errors: npt.ArrayLike,
    sizes: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    method: str = "homogeneity",
) -> Homogeneity | Undefined:
    """Compare S independent values with their standard errors; ``sizes`` are the items of each.

    ``Undefined("too_few_items")`` with fewer than two slices or with a slice of fewer than 30
    items; ``Undefined("zero_variance")`` when a standard error is 0, which would give its slice all
    the weight.

    Raises:
        ValueError: Lengths that differ, or ``confidence`` out of range.
    """
    K, SE, n = (np.asarray(part, dtype=np.float64) for part in (values, errors, sizes))
    if K.ndim != 1 or not K.shape == SE.shape == n.shape:
        raise ValueError("values, errors and sizes must have one entry for each slice")
    z, total = critical(confidence), round(float(n.sum()))
    if K.size < 2 or n.min() < SMALLEST_SLICE:
        return Undefined("too_few_items", total, method)
    if SE.min() < _NO_SPREAD:
        return Undefined("zero_variance", total, method)
    v = SE**-2.0
    common, error = float(v @ K / v.sum()), 1 / math.sqrt(float(v.sum()))
    test = chi_squared(float(v @ (K - common) ** 2), K.size - 1, n=total, method=method)
    low, high = common - z * error, common + z * error
    return Homogeneity(test, Estimate(common, low, high, total, method, confidence))
