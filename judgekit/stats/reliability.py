"""Does what is forecast with probability p happen in a share p of the cases? The binned answer.

Forecasts are put into bins by their probability: of equal width, or of equal mass (edges are
quantiles of the forecasts, so that bins hold about the same number). Bins are closed on the right:
edges a, b hold a < p <= b, and 0 belongs to the first. In each bin the share of events is set
against the mean forecast. The expected calibration error is the mean distance of the two, weighted
by the number in the bin. It is biased upwards; read it with its floor
(:mod:`judgekit.stats.calibration_error`).

Source: Murphy and Winkler (1977), Applied Statistics 26:41 (the diagram); Naeini, Cooper and
Hauskrecht (2015), AAAI (the error).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.probability import Forecasts
from judgekit.stats.shares import share

Binning = Literal["width", "mass"]


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of a reliability diagram.

    Attributes:
        low: Its lower edge, not included (but 0 is in the first bin).
        high: Its upper edge, included.
        n: How many forecasts lie in it.
        forecast: Their mean probability, or None in an empty bin.
        share: The share of events among them, with Wilson's interval.
    """

    low: float
    high: float
    n: int
    forecast: float | None
    share: Estimate | Undefined


def bin_edges(p: npt.ArrayLike, *, bins: int = 10, binning: Binning = "width") -> FloatArray:
    """Edges of ``bins`` bins from 0 to 1: (bins + 1,) for equal width.

    For equal mass the inner edges are the quantiles of the (n,) probabilities; equal ones are one
    edge, so there may be fewer bins. Where many probabilities are 0 the first bin is 0 alone.

    Raises:
        ValueError: Fewer than one bin, or an unknown binning.
    """
    if bins < 1:
        raise ValueError(f"there is at least one bin, not {bins}")
    if binning not in ("width", "mass"):
        raise ValueError(f"bins are of equal width or of equal mass, not {binning!r}")
    even, values = np.linspace(0, 1, bins + 1), np.asarray(p, dtype=np.float64)
    if binning == "width" or values.size == 0:
        return even
    inner = np.unique(np.quantile(values, even[1:-1]))
    return np.concatenate([[0.0], inner[inner < 1], [1.0]])


def reliability(
    forecasts: Forecasts, *, bins: int = 10, binning: Binning = "width", confidence: float = 0.95
) -> tuple[Bin, ...]:
    """The data of a reliability diagram: every bin, empty ones included, in rising order.

    Raises:
        ValueError: As :func:`bin_edges`, or ``confidence`` out of range.
    """
    edges = bin_edges(forecasts.p, bins=bins, binning=binning)
    place, pairs, weight = bin_of(forecasts.p, edges), forecasts.pairs, forecasts.weight
    found = []
    for i, (low, high) in enumerate(pairwise(edges)):
        inside, mean = place == i, None
        if inside.any():
            among = None if weight is None else weight[inside]
            mean = float(np.average(forecasts.p[inside], weights=among))
        bar = share(pairs, pairs.human == 1, inside, name="reliability", confidence=confidence)
        found.append(Bin(float(low), float(high), int(inside.sum()), mean, bar))
    return tuple(found)


def ece(forecasts: Forecasts, *, bins: int = 10, binning: Binning = "width") -> float | Undefined:
    """Expected calibration error, in [0, 1]: sum over bins of abs(sum of (y - p)) / n.

    ``Undefined("empty")`` without forecasts.

    Raises:
        ValueError: As :func:`bin_edges`.
    """
    edges = bin_edges(forecasts.p, bins=bins, binning=binning)
    if not len(forecasts):
        return Undefined("empty", 0, "ece")
    residuals = (forecasts.y - forecasts.p) * mass(forecasts)
    return float(np.abs(np.bincount(bin_of(forecasts.p, edges), weights=residuals)).sum())


def bin_of(p: FloatArray, edges: FloatArray) -> IntArray:
    """Number of the bin of each probability: the first whose upper edge is not below it."""
    places: IntArray = np.searchsorted(edges[1:-1], p).astype(np.int64)
    return places


def mass(forecasts: Forecasts) -> FloatArray:
    """Share of each forecast in the whole, (n,): equal, or by sampling weight; adds up to 1."""
    n, weight = len(forecasts), forecasts.weight
    return np.full(n, 1 / n) if weight is None else weight / weight.sum()
