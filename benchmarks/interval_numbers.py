"""Samples of numbers beside levels: probabilities, lengths of texts, and scores between levels.

- Forecasts: the probabilities p of a Beta distribution, and events that happen with probability
  p (calibrated), nearer to 1/2 than p (overconfident), farther from it (timid), or p + 0.1
  (shifted).
- Length: human, judge and log length see one normal quality; the judge also sees length.
- Scores: human levels and the judge's score are two correlated normals, the one cut into levels,
  the other clipped to the scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.mixtures import ITEMS, Items
from benchmarks.populations import FOURS, MARGINS
from benchmarks.simulated import CASES, Effort, Figures, Interval, Line, dice, lines
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.calibration_error import calibration_error
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.partial import length_bias
from judgekit.stats.probability import Forecasts, brier, log_loss
from judgekit.stats.reliability import ece
from judgekit.stats.scored import (
    Kind,
    Scored,
    score_absolute_error,
    score_correlation,
    score_squared_error,
)
from judgekit.stats.table import Pairs

POINTS = 20_000
"""Points of equal probability that stand for a population of forecasts."""
LARGE = 200_000
"""Size of the sample that stands for a truth that is not worked out."""
DRAWS = 400

CURVES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "calibrated": lambda p: p,
    "overconfident": lambda p: 1 / (1 + ((1 - p) / p) ** 0.5),
    "timid": lambda p: 1 / (1 + ((1 - p) / p) ** 2),
    "shifted": lambda p: np.minimum(p + 0.1, 1.0),
}
"""Probability of the event, given the forecast."""
SPREADS = {"balanced": (1.0, 1.0), "90/10": (4.5, 0.5)}
"""Beta distributions of the forecasts, with means 0.5 and 0.9."""
NAMES: dict[Kind, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall_tau_b": "Kendall",
    "lin_ccc": "CCC",
}


def forecasts(effort: Effort) -> Iterator[Line]:
    """Brier score and log loss."""
    for (curve, spread), n in product(product(CURVES, SPREADS), effort.sizes):
        p, q = forecast_population(curve, spread)
        figures: Figures[Forecasts] = {
            "Brier": (float((q * (1 - p) ** 2 + (1 - q) * p**2).mean()), brier),
            "log loss": (float(-(q * np.log(p) + (1 - q) * np.log(1 - p)).mean()), log_loss),
        }
        drawn = _forecast_samples(p, q, n, effort.many, dice(curve, spread, n))
        yield from lines(f"{curve}, {spread}", n, drawn, figures)


def expected_calibration_error(effort: Effort) -> Iterator[Line]:
    """The error by ten bins, its floor taken off at the low end; and its percentiles instead."""
    for (curve, spread), n in product(product(CURVES, SPREADS), effort.sizes):
        p, q = forecast_population(curve, spread)
        bins = np.ceil(p * 10).astype(int) - 1
        truth = float(np.abs(np.bincount(bins, weights=q - p)).sum() / p.size)
        rng = dice("draws", curve, spread, n)
        figures: Figures[Forecasts] = {
            "calibration error": (truth, partial(_error, rng=rng)),
            "calibration error, percentiles instead": (truth, partial(_percentiles, rng=rng)),
        }
        drawn = _forecast_samples(p, q, n, effort.few, dice(curve, spread, n))
        yield from lines(f"{curve}, {spread}", n, drawn, figures)


def lengths(effort: Effort) -> Iterator[Line]:
    """Partial correlation of judge and log length, given the human."""
    for items, clustered, n in product(ITEMS, (False, True), effort.sizes):
        if clustered and n < 40:
            continue
        v, cases = np.arange(items.levels), FOURS.of(n) if clustered else None
        many = next(_length_samples(items, LARGE, 1, None))[0]
        figures = {
            f"length bias, {name}": (
                _value(length_bias(many.pairs, v, many.length, ranks=ranks)),
                partial(_length_bias, values=v, ranks=ranks),
            )
            for name, ranks in (("Pearson", False), ("Spearman", True))
        }
        name = f"{items}, {CASES}" if clustered else str(items)
        yield from lines(name, n, _length_samples(items, n, effort.some, cases), figures)


def between_levels(effort: Effort) -> Iterator[Line]:
    """Correlations (Fisher's z) and errors of scores that are no levels."""
    for items, n in product(ITEMS, effort.sizes):
        many = next(_score_samples(items, LARGE, 1))[0]
        figures: dict[str, tuple[float, Callable[[Scored], Interval]]] = {
            f"{NAMES[kind]} of scores": (
                _value(score_correlation(many, kind)),
                partial(score_correlation, kind=kind),
            )
            for kind in NAMES
        }
        figures["absolute error of scores"] = (
            _value(score_absolute_error(many)),
            score_absolute_error,
        )
        figures["root mean squared error of scores"] = (
            _value(score_squared_error(many)),
            score_squared_error,
        )
        yield from lines(str(items), n, _score_samples(items, n, effort.few), figures)


def forecast_population(curve: str, spread: str) -> tuple[FloatArray, FloatArray]:
    """Forecasts p and probabilities q of the event, at points of equal probability."""
    from scipy.special import betaincinv

    middle = (np.arange(POINTS) + 0.5) / POINTS
    p = np.clip(betaincinv(*SPREADS[spread], middle), 1e-5, 1 - 1e-5)
    return p, CURVES[curve](p)


class Texts(NamedTuple):
    """Pairs of levels, and how long the judged texts are."""

    pairs: Pairs
    length: FloatArray


def _forecast_samples(
    p: FloatArray, q: FloatArray, n: int, repeats: int, rng: np.random.Generator
) -> Iterator[tuple[Forecasts, int]]:
    for _ in range(repeats):
        point = rng.integers(0, p.size, n)
        yield Forecasts(p[point], (rng.random(n) < q[point]).astype(np.int64)), 1


def _error(sample: Forecasts, *, rng: np.random.Generator) -> Interval:
    found = calibration_error(sample, rng, draws=DRAWS)
    return found if isinstance(found, Undefined) else found.ece


def _percentiles(sample: Forecasts, *, rng: np.random.Generator) -> Interval:
    """Return the error with the outer quantiles of its resamples."""
    n, bins = len(sample), np.ceil(sample.p * 10).astype(int) - 1
    sums = np.zeros((n, 10))
    sums[np.arange(n), bins] = sample.y - sample.p
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=DRAWS)
    low, high = np.quantile(np.abs(drawn @ sums).sum(axis=1) / n, (0.025, 0.975))
    return Estimate(_value(ece(sample)), float(low), float(high), n, "ece/percentile")


def _length_samples(
    items: Items, n: int, repeats: int, cases: IntArray | None
) -> Iterator[tuple[Texts, int]]:
    rng = dice("length", items, n, cases is None)
    for _ in range(repeats):
        noise = rng.standard_normal((4, n))
        if cases is not None:
            common = rng.standard_normal((4, int(cases[-1]) + 1))[:, cases]
            noise = np.sqrt(0.3) * common + np.sqrt(0.7) * noise
        quality, human, judge, length = noise
        length = 0.5 * quality + np.sqrt(0.75) * length
        human = 0.85 * quality + np.sqrt(1 - 0.85**2) * human
        judge = 0.7 * quality + 0.3 * length + 0.5 * judge
        spread = np.sqrt(0.7**2 + 0.3**2 + 0.5**2 + 2 * 0.7 * 0.3 * 0.5)
        first, second = (_levels(items, one) for one in (human, judge / spread))
        pairs = Pairs(first, second, items.levels, clusters=cases)
        yield Texts(pairs, np.exp(6 + length / 2)), 1


def _length_bias(sample: Texts, *, values: IntArray, ranks: bool) -> Interval:
    return length_bias(sample.pairs, values, sample.length, ranks=ranks)


def _score_samples(items: Items, n: int, repeats: int) -> Iterator[tuple[Scored, int]]:
    rng, top = dice("score", items, n), items.levels - 1
    p = np.array(MARGINS[items.levels, items.margins])
    centre = float(p @ np.arange(items.levels))
    for _ in range(repeats):
        quality, noise = rng.standard_normal((2, n))
        seen = 0.8 * quality + 0.6 * noise
        score = np.clip(centre + seen * top / 4, 0.0, top)
        yield Scored(_levels(items, quality), score, np.arange(items.levels, dtype=float)), 1


def _levels(items: Items, normal: FloatArray) -> IntArray:
    from scipy.special import ndtri

    cuts = ndtri(np.cumsum(MARGINS[items.levels, items.margins])[:-1])
    return np.searchsorted(cuts, normal).astype(np.int64)


def _value(found: Interval | float) -> float:
    if isinstance(found, Undefined):
        raise TypeError("a population must have a value")
    return found.value if isinstance(found, Estimate) else found
