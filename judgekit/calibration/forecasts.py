"""How good forecasts of an event are: as given, and after maps fitted on other items."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.calibration.record import EstimateRecord
from judgekit.fingerprint import sha256_text
from judgekit.stats.calibration_error import CalibrationError, calibration_error
from judgekit.stats.clusters import clustering
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.probability import Forecasts, brier, log_loss
from judgekit.stats.probability_maps import (
    MIN_ISOTONIC,
    fit_isotonic,
    fit_temperature,
    out_of_fold,
)
from judgekit.stats.reliability import Bin, bin_of, reliability
from judgekit.stats.shares import share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.rows import Row
    from judgekit.stats.arrays import FloatArray, IntArray
    from judgekit.stats.table import Pairs

FOLDS = 5
LEAST_ITEMS = MIN_ISOTONIC * FOLDS // (FOLDS - 1)
"""With so many items an isotonic map has its 200 to be fitted on, and a fold to be judged on."""
# Draws are fewer where forecasts are many and their error is nearly certain anyway.
_MOST_DRAWS, _LEAST_DRAWS, _ALL_DRAWN = 2000, 200, 20_000_000

MapName = Literal["temperature", "isotonic"]


@dataclass(frozen=True, slots=True)
class BinnedError:
    """The expected calibration error, in ten bins of equal width, and what of it is chance.

    Attributes:
        error: The error with its interval.
        floor: What perfect forecasts would have on average; None where the error is undefined.
        floor_high: What they would exceed in one sample of forty.
        excess: Error less floor.
    """

    error: EstimateRecord
    floor: float | None = None
    floor_high: float | None = None
    excess: float | None = None


@dataclass(frozen=True, slots=True)
class Quality:
    """How good one set of forecasts is.

    Attributes:
        brier: Mean squared distance of probability and event.
        log_loss: Mean surprise, in nats.
        calibration: The expected calibration error with its floor.
        bins: The data of a reliability diagram.
        happened: In how many of the pairs of each bin the event happened.
    """

    brier: EstimateRecord
    log_loss: EstimateRecord
    calibration: BinnedError
    bins: tuple[Bin, ...]
    happened: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ForecastEvidence:
    """How good a judge's forecasts are, and what could be made of them.

    Attributes:
        rate: How often the event happened.
        base_rate: Brier score and log loss of whoever always says this rate.
        as_given: The forecasts as they were given.
        mapped: The same after a map that was fitted without the fold it is judged on, or the
            reason why there is no map.
    """

    rate: EstimateRecord
    base_rate: dict[str, EstimateRecord]
    as_given: Quality
    mapped: dict[MapName, Quality | Undefined]


def forecast_evidence(
    rows: Sequence[Row],
    pairs: Pairs,
    p: FloatArray,
    happened: IntArray,
    rng: np.random.Generator,
    *,
    two_sided: bool = True,
) -> ForecastEvidence:
    """Return the quality of forecasts, each of one (item, rater) pair.

    Args:
        rows: The evidence row of each pair: a case lies in one fold, told by a hash of its name.
        pairs: The pairs, with cases, items and weights.
        p: (n,) forecast probabilities.
        happened: (n,) 1 where the event happened, else 0.
        rng: Dice for resampling.
        two_sided: Whether the event and its opposite are all there is. Temperature is for these
            alone: it draws to 1/2, and the likeliest of four levels may have less.
    """
    told = Forecasts(p, happened, pairs.clusters, pairs.weight)
    rate = share(pairs, happened == 1, name="rate")
    made = _maps(told, _groups(rows), pairs.n_items, two_sided=two_sided)
    return ForecastEvidence(
        rate=EstimateRecord.of("rate", rate),
        base_rate=_base_rate(told, pairs, rate),
        as_given=_quality(told, pairs, rng),
        mapped={
            name: found
            if isinstance(found, Undefined)
            else _quality(replace(told, p=found), pairs, rng)
            for name, found in made.items()
        },
    )


def _maps(
    told: Forecasts, groups: IntArray, items: int, *, two_sided: bool
) -> dict[MapName, FloatArray | Undefined]:
    """Return the probabilities after each map, out of fold."""
    found: dict[MapName, FloatArray | Undefined] = {}
    if two_sided:
        found["temperature"] = out_of_fold(told, fit_temperature, groups=groups, folds=FOLDS)
    found["isotonic"] = Undefined("too_few_items", items, "isotonic")
    if items >= LEAST_ITEMS:
        found["isotonic"] = out_of_fold(told, fit_isotonic, groups=groups, folds=FOLDS)
    return found


def _base_rate(
    told: Forecasts, pairs: Pairs, rate: Estimate | Undefined
) -> dict[str, EstimateRecord]:
    always = told
    if isinstance(rate, Estimate):
        always = replace(told, p=np.full(len(told), rate.value))
    return _scores(always, pairs)


def _scores(told: Forecasts, pairs: Pairs) -> dict[str, EstimateRecord]:
    return {
        "brier": _record("brier", brier(told), pairs),
        "log_loss": _record("log_loss", log_loss(told), pairs),
    }


def _quality(told: Forecasts, pairs: Pairs, rng: np.random.Generator) -> Quality:
    bins = reliability(told)
    edges = np.array([0.0, *(one.high for one in bins)])
    counts = np.bincount(bin_of(told.p, edges)[told.y == 1], minlength=len(bins))
    return Quality(
        **_scores(told, pairs),
        calibration=_binned(told, pairs, rng),
        bins=bins,
        happened=tuple(map(int, counts)),
    )


def _binned(told: Forecasts, pairs: Pairs, rng: np.random.Generator) -> BinnedError:
    draws = max(_LEAST_DRAWS, min(_MOST_DRAWS, _ALL_DRAWN // max(len(told), 1)))
    found = calibration_error(told, rng, draws=draws)
    if isinstance(found, Undefined):
        return BinnedError(_record("ece", found, pairs))
    return _with_clusters(found, told, pairs)


def _with_clusters(found: CalibrationError, told: Forecasts, pairs: Pairs) -> BinnedError:
    """Raise the floor by the root of the design effect: it was drawn as if pairs were independent.

    Raters who agree on an item make three labels worth hardly more than one. In simulations of
    perfect forecasts with three raters each, the plain floor was exceeded in 60% of samples where
    2.5% are meant; the raised one in 1 to 3%, and it is the mean error to within 4%.
    """
    error, outcomes = found.ece, told.pairs
    residual = told.y - told.p
    residual = residual - np.average(residual, weights=told.weight)
    apart = clustering(residual, replace(outcomes, clusters=None)).design_effect
    effect = max(1.0, clustering(residual, outcomes).design_effect / apart)
    floor, floor_high = (bound * math.sqrt(effect) for bound in (found.floor, found.floor_high))
    reach = max(error.high - error.value, error.value - found.floor - error.low)
    low = min(error.value, max(0.0, error.value - floor - reach))
    return BinnedError(
        _record("ece", replace(error, low=low, design_effect=effect), pairs),
        floor=floor,
        floor_high=floor_high,
        excess=error.value - floor,
    )


def _record(metric: str, found: Estimate | Undefined, pairs: Pairs) -> EstimateRecord:
    """Return the record, with items told from pairs."""
    counted = {"n": pairs.n_items, "pairs": len(pairs)}
    return EstimateRecord.of(metric, found).model_copy(update=counted)


def _groups(rows: Sequence[Row]) -> IntArray:
    """Return a code for each row's case; their order is that of a hash, so no fold is a pattern."""
    cases = [f"item {r.item}" if r.case is None else f"case {r.case}" for r in rows]
    order = sorted(set(cases), key=lambda case: sha256_text(f"fold of {case}"))
    code = {case: i for i, case in enumerate(order)}
    return np.array([code[case] for case in cases], dtype=np.int64)
