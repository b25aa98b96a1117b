"""The expected calibration error with what of it is chance, and with an interval.

The error (:func:`judgekit.stats.reliability.ece`) is biased upwards: even perfect forecasts miss
the shares of their bins by chance. How far is the *floor*, the mean error of outcomes drawn with
exactly the forecast probabilities. An error near its floor is no sign of bad calibration.

The interval runs from ECE - floor - s to ECE + s, cut off at 0 and 1, where s is the distance from
the mean to the upper quantile of the error when items (cases, where they repeat) are drawn anew.
The floor is taken off because the true error may be 0, where the bias is largest; so the interval
is wide. ``benchmarks/intervals.py`` simulates calibrated, overconfident, timid and shifted
forecasts (n = 30 to 200): at 95% it holds the true binned error in 98 to 100% of samples.
Percentile intervals hold it in 0 to 92%: they never contain 0.

References: Guo et al. (2017), ICML (the error); Broecker and Smith (2007), Weather and Forecasting
22:651 (what perfect forecasts look like, by resampling).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.clusters import cluster_codes
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined
from judgekit.stats.probability import Forecasts
from judgekit.stats.proportions import wilson_bounds
from judgekit.stats.quantiles import critical
from judgekit.stats.reliability import Binning, bin_edges, bin_of, ece, mass

# Resamples are drawn in blocks, so that memory does not grow with the number of forecasts.
_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The expected calibration error, and what of it is chance.

    Attributes:
        ece: The error with its interval.
        floor: Mean error of perfect forecasts with the same probabilities.
        floor_high: Upper end of the central share (``confidence``) of the same; an error above it
            is a sign of bad calibration.
        excess: Error less floor: what there is to mend. Below 0 by luck.
        edges: Edges of the bins.
    """

    ece: Estimate
    floor: float
    floor_high: float
    excess: float
    edges: tuple[float, ...]


def calibration_error(
    forecasts: Forecasts,
    rng: np.random.Generator,
    *,
    bins: int = 10,
    binning: Binning = "width",
    draws: int = 2000,
    confidence: float = 0.95,
) -> CalibrationError | Undefined:
    """Expected calibration error with its floor and its interval, from ``draws`` resamples each.

    Bins stay those of the forecasts at hand. Clusters act on the interval, not on the floor, which
    draws outcomes independently: with alike outcomes in a case it is too low. When nothing varies
    from draw to draw, s is Wilson's upper limit of 0 of n.

    Undefined: ``empty``; ``zero_variance`` for a single forecast; ``too_few_clusters``.

    Raises:
        ValueError: As :func:`judgekit.stats.reliability.bin_edges`, fewer than one draw, or
            ``confidence`` out of range.
    """
    value, n, method = ece(forecasts, bins=bins, binning=binning), len(forecasts), "ece/resampled"
    z, upper = critical(confidence), (1 + confidence) / 2
    if draws < 1:
        raise ValueError(f"there is at least one draw, not {draws}")
    if isinstance(value, Undefined) or n < 2:
        return Undefined("zero_variance" if n else "empty", n, method)
    codes = cluster_codes(forecasts.pairs)
    G = None if codes is None else int(codes.max()) + 1
    if G is not None and G < MIN_CLUSTERS:
        return Undefined("too_few_clusters", n, method, clusters=G)
    edges = bin_edges(forecasts.p, bins=bins, binning=binning)
    place = bin_of(forecasts.p, edges)
    null = _null(forecasts, place, rng, draws)
    again = _resampled(forecasts, place, codes, rng, draws)
    reach = float(np.quantile(again, upper) - again.mean())
    if reach < 1e-12:
        reach = wilson_bounds(0.0, G or n, z)[1]
    floor = float(null.mean())
    low, high = max(0.0, value - floor - reach), min(1.0, value + reach)
    estimate = Estimate(value, min(low, value), high, n, method, confidence, clusters=G)
    floor_high = float(np.quantile(null, upper))
    return CalibrationError(estimate, floor, floor_high, value - floor, tuple(map(float, edges)))


def _null(
    forecasts: Forecasts, place: IntArray, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Error of outcomes drawn with the forecast probabilities: (draws,)."""
    order = np.argsort(place, kind="stable")
    p, weight = forecasts.p[order], mass(forecasts)[order]
    starts = np.searchsorted(place[order], np.unique(place))
    found = []
    for size in _blocks(draws, len(forecasts)):
        residuals = ((rng.random((size, p.size)) < p) - p) * weight
        found.append(np.abs(np.add.reduceat(residuals, starts, axis=1)).sum(axis=1))
    return np.concatenate(found)


def _resampled(
    forecasts: Forecasts,
    place: IntArray,
    codes: IntArray | None,
    rng: np.random.Generator,
    draws: int,
) -> FloatArray:
    """Error when items, or whole clusters, are drawn with replacement: (draws,)."""
    weight, bins = mass(forecasts), int(place.max()) + 1
    unit = np.arange(len(forecasts)) if codes is None else codes
    G = int(unit.max()) + 1
    residuals = (forecasts.y - forecasts.p) * weight
    sums = np.bincount(unit * bins + place, weights=residuals, minlength=G * bins)
    sizes = np.bincount(unit, weights=weight)
    found = []
    for size in _blocks(draws, G):
        counts = rng.multinomial(G, np.full(G, 1 / G), size=size).astype(np.float64)
        found.append(np.abs(counts @ sums.reshape(G, bins)).sum(axis=1) / (counts @ sizes))
    return np.concatenate(found)


def _blocks(draws: int, width: int) -> list[int]:
    block = max(1, _BLOCK // max(width, 1))
    return [min(block, draws - start) for start in range(0, draws, block)]
