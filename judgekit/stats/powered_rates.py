"""Rates of properties of items, from many judgments and a few labels, and how they hang together.

The arithmetic behind :mod:`judgekit.stats.powered_levels`, which says what it is for. A property is
a column of zeros and ones over the levels: "passes", "is level 2", "lies above 3". Several are
computed at once, one column each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from judgekit.stats.arrays import FloatArray
from judgekit.stats.estimate import Undefined
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.samples import Cases, Sample, cases_of, inflation

ERROR = 0.5
"""Errors of the judge added in each direction before labels are weighed against judgments."""


class Rates(NamedTuple):
    """Rates with their intervals, a column for each property.

    Attributes:
        value: The rates, in [0, 1].
        low: Lower ends.
        high: Upper ends.
        variance: Variances of the rates, never 0.
        correlation: (c, c) correlations of the estimated rates.
        effect: Design effect that the variance holds: weights, strata and cases.
        clusters: Cases the interval was adjusted for, or None.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    variance: FloatArray
    correlation: FloatArray
    effect: FloatArray
    clusters: int | None


class _Columns(NamedTuple):
    """What humans and judge say of each property: labelled items, then the others."""

    human: FloatArray
    judge: FloatArray
    judged: FloatArray


class _Moments(NamedTuple):
    """Mean and variance of the human's column, variance of the judge's, their covariance."""

    mean: FloatArray
    human: FloatArray
    judge: FloatArray
    both: FloatArray


def powered_rates(
    labelled: Sample,
    judged: Sample,
    basis: FloatArray,
    *,
    confidence: float = 0.95,
    together: bool = False,
) -> Rates | Undefined:
    """Rates of the properties in ``basis`` (k, c), with one lambda each, or one for all.

    ``Undefined("empty")`` without labelled items, ``Undefined("too_few_clusters")`` when items
    share cases and a sample has fewer than ten.

    Raises:
        ValueError: The labelled sample has no labels, or the samples have different scales.
    """
    if labelled.human is None or labelled.k != judged.k:
        raise ValueError("corrections need a labelled sample and judgments on the same scale")
    cases = cases_of(labelled, judged)
    if not len(labelled) or cases.too_few:
        return Undefined("too_few_clusters" if len(labelled) else "empty", len(labelled))
    seen = _Columns(labelled.human @ basis, basis[labelled.judge], basis[judged.judge])
    lam, value = _value(labelled, judged, seen, together=together)
    moments = _with_errors(labelled, seen)
    alike = together or labelled.strata is not None
    best = lam if alike else _lambda(moments.both, moments.judge, labelled, judged)
    residual = moments.human - 2 * best * moments.both + best**2 * moments.judge
    variance = residual / labelled.n_eff
    if len(judged):
        variance = variance + best**2 * moments.judge / judged.n_eff
    effect, correlation = _pulls(labelled, judged, seen, lam, cases)
    variance = variance * effect
    n_eff = moments.mean * (1 - moments.mean) / variance
    z = critical(confidence, cases.df)
    ends = [wilson_bounds(float(p), float(n), z) for p, n in zip(value, n_eff, strict=True)]
    low, high = np.array(ends).T
    clusters = cases.total if cases.clustered else None
    return Rates(value, low, high, variance, correlation, effect, clusters)


def _value(
    labelled: Sample, judged: Sample, seen: _Columns, *, together: bool
) -> tuple[FloatArray, FloatArray]:
    """Return lambda and the PPI++ rate of each property, cut off at 0 and 1."""
    w, v = labelled.shares, judged.shares
    y, f, g = w @ seen.human, w @ seen.judge, v @ seen.judged
    both, spread = (
        _within(labelled, judged, seen)
        if labelled.strata is not None
        else (
            w @ (seen.human * seen.judge) - y * f,
            _pooled_variance(labelled, judged, seen),
        )
    )
    if together:
        both, spread = np.full_like(y, both.sum()), np.full_like(y, spread.sum())
    lam = _lambda(both, spread, labelled, judged)
    return lam, np.clip(lam * g + y - lam * f, 0.0, 1.0)


def _pooled_variance(labelled: Sample, judged: Sample, seen: _Columns) -> FloatArray:
    """Return the variance of the judge's columns over all items, labelled or not."""
    w, v = labelled.shares, judged.shares
    part = len(judged) and judged.n_eff / (labelled.n_eff + judged.n_eff)
    mean = (1 - part) * (w @ seen.judge) + part * (v @ seen.judged)
    square = (1 - part) * (w @ seen.judge**2) + part * (v @ seen.judged**2)
    found: FloatArray = square - mean**2
    return found


def _within(labelled: Sample, judged: Sample, seen: _Columns) -> tuple[FloatArray, FloatArray]:
    """Return covariance and variance as strata leave them to chance, for the best lambda.

    Strata that are the judge's own levels leave nothing of its word to chance: lambda is 0.
    """
    w, n = labelled.shares[:, None], labelled.n_eff
    human, judge = (_within_strata(x, labelled) for x in (seen.human, seen.judge))
    both, own = (n * (w**2 * judge * x).sum(axis=0) for x in (human, judge))
    if not len(judged):
        return both, own
    g = judged.shares @ seen.judged
    others = judged.shares @ seen.judged**2 - g**2
    ratio = n / judged.n_eff
    return both, (own + ratio * others) / (1 + ratio)


def _lambda(both: FloatArray, spread: FloatArray, labelled: Sample, judged: Sample) -> FloatArray:
    """Return the weight of the judge's word that gives the least variance, in [0, 1]."""
    if not len(judged):
        return np.zeros_like(both)
    known = spread > 1e-12
    ratio = both / np.where(known, spread, 1.0) / (1 + labelled.n_eff / judged.n_eff)
    return np.where(known, np.clip(ratio, 0.0, 1.0), 0.0)


def _with_errors(labelled: Sample, seen: _Columns) -> _Moments:
    """Return the moments of the labelled items with half an error added in each direction."""
    w, n = labelled.shares, labelled.n_eff
    total = n + 2 * ERROR
    y, f = ((n * (w @ x) + ERROR) / total for x in (seen.human, seen.judge))
    yy, ff = ((n * (w @ x**2) + ERROR) / total for x in (seen.human, seen.judge))
    both = n * (w @ (seen.human * seen.judge)) / total
    return _Moments(y, yy - y**2, ff - f**2, both - y * f)


def _pulls(
    labelled: Sample, judged: Sample, seen: _Columns, lam: FloatArray, cases: Cases
) -> tuple[FloatArray, FloatArray]:
    """Return the design effect of each rate and the correlations of the rates.

    The design effect compares the variance as sampled with that of as many equally weighted,
    unstratified, unrelated items. The errors added in each direction keep it away from 0 / 0.
    """
    w, v = labelled.shares[:, None], judged.shares[:, None]
    residual = seen.human - lam * seen.judge
    residual = residual - (w * residual).sum(axis=0)
    word = lam * (seen.judged - (v * seen.judged).sum(axis=0))
    plain = (w * residual**2).sum(axis=0) / labelled.n_eff
    if len(judged):
        plain = plain + (v * word**2).sum(axis=0) / judged.n_eff
    a, b = w * _within_strata(residual, labelled), v * word
    sampled = (a**2).sum(axis=0) + (b**2).sum(axis=0)
    unseen = 2 * ERROR / labelled.n_eff**2
    effect = (sampled + unseen) / (plain + unseen)
    if labelled.weight is None and labelled.strata is None and judged.weight is None:
        effect = np.ones_like(effect)  # it is 1 up to rounding
    effect = effect * inflation(a, b, cases, cases.mean_size) * labelled.inflation
    return effect, _correlation(a, b, cases)


def _within_strata(residual: FloatArray, labelled: Sample) -> FloatArray:
    """Return deviations from the stratum means: what strata of a fixed size leave to chance."""
    if labelled.strata is None:
        return residual
    code = np.unique(labelled.strata, return_inverse=True)[1].reshape(-1)
    size = np.bincount(code)
    means = np.stack([np.bincount(code, column) / size for column in residual.T], axis=1)
    # A stratum of one item shows no spread; it keeps its deviation from the whole.
    alone = (size == 1)[code][:, None]
    scale = np.sqrt(size / np.maximum(size - 1, 1))[code][:, None]
    whole = residual - (labelled.shares @ residual)
    return np.where(alone, whole, scale * (residual - means[code]))


def _correlation(a: FloatArray, b: FloatArray, cases: Cases) -> FloatArray:
    """Return the correlations of estimates with these pulls; 0 where one does not vary."""
    if cases.clustered:
        sums = np.zeros((cases.total, a.shape[1]))
        np.add.at(sums, cases.first, a)
        np.add.at(sums, cases.second, b)
        cov = sums.T @ sums
    else:
        cov = a.T @ a + b.T @ b
    scale = np.sqrt(np.diag(cov))
    known = scale > 1e-9 / max(len(a), 1)
    unit = np.where(known, scale, 1.0)
    found: FloatArray = np.where(np.outer(known, known), cov / np.outer(unit, unit), 0.0)
    np.fill_diagonal(found, 1.0)
    return found
