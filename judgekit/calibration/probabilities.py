"""How good a judge's probabilities are: the level to expect, and whether they can be believed.

A judge that tells how likely each level is says more than its likeliest level. Two questions are
asked. How near is the *expected level*, the mean of the levels under the probabilities, to people's
levels? And do *events* happen as often as they are said to: that a person passes the item, or, on
scales without a pass line, that the likeliest level is the person's?

Several raters make several pairs of an item, and intervals go by case or item. Strata are not used
here. None of it enters a certificate or a check.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.calibration.forecasts import ForecastEvidence, forecast_evidence
from judgekit.calibration.pairs import paired
from judgekit.calibration.record import EstimateRecord
from judgekit.stats.means import bounded_mean
from judgekit.stats.scored import (
    Scored,
    score_absolute_error,
    score_correlation,
    score_squared_error,
)
from judgekit.stats.token_levels import LEAST_MASS, TRUSTED_MASS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.arrays import FloatArray, IntArray
    from judgekit.stats.estimate import Estimate, Undefined
    from judgekit.stats.scored import Kind
    from judgekit.stats.table import Pairs

Event = Literal["pass", "likeliest"]
"""What the probability is of: the person passes the item; the likeliest level is the person's."""

_CORRELATIONS: tuple[Kind, ...] = ("pearson", "spearman", "kendall_tau_b", "lin_ccc")


@dataclass(frozen=True, slots=True)
class CapturedMass:
    """How much of the probability the levels held before it was scaled to 1.

    Attributes:
        mean: The mean over items.
        least: The least of them.
        flagged: Items with less than 0.9; they count.
        dropped: Items with less than 0.5; they have no value and do not count.
    """

    mean: EstimateRecord
    least: float
    flagged: int
    dropped: int


@dataclass(frozen=True, slots=True)
class ProbabilityEvidence:
    """What a judge's probabilities are worth.

    Attributes:
        items: Labelled items whose probabilities count.
        without: Labelled items that have none, or too little mass.
        mass: Captured mass; None where only the probability of passing is known.
        is_verdict: How many of the items with both a verdict and probabilities of the levels have
            their likeliest level as verdict, and how many such items there are; None as ``mass``.
        expected: Figures of the expected level against people's; empty but on ordinal scales.
        event: What the forecasts are of.
        forecasts: How good they are.
    """

    items: int
    without: int
    mass: CapturedMass | None
    is_verdict: tuple[int, int] | None
    expected: dict[str, EstimateRecord]
    event: Event
    forecasts: ForecastEvidence


def captured_mass(probabilities: Sequence[float]) -> float:
    """Return how much of the probability the levels hold; a total rounded above 1 is 1."""
    return min(math.fsum(probabilities), 1.0)


def likeliest(probabilities: Sequence[float]) -> int:
    """Return the index of the likeliest level; of equally likely ones, the first.

    One probability alone is that of passing on a binary scale, the second of two levels.
    """
    if len(probabilities) == 1:
        return int(probabilities[0] > 0.5)
    return max(range(len(probabilities)), key=lambda i: probabilities[i])


def probability_evidence(
    rows: Sequence[Row],
    spec: ScaleSpec,
    probabilities: Mapping[str, tuple[float, ...]],
    rng: np.random.Generator,
) -> ProbabilityEvidence:
    """Return everything the probabilities of labelled items show, whatever the verdicts were.

    Args:
        rows: The evidence rows.
        spec: The scale; without a pass line there must be a probability for each level.
        probabilities: Item -> one probability for each level, in scale order, adding up to 1 at
            most; or for all items the probability of passing alone.
        rng: Dice for resampling.

    Raises:
        ValueError: there are neither as many probabilities as levels nor one, or one of passing on
            a scale without a pass line.
    """
    labelled = [row for row in rows if row.set_aside is None]
    items = list(dict.fromkeys(row.item for row in labelled))
    told = _Told.of([item for item in items if item in probabilities], probabilities, spec)
    kept = [row for row in labelled if row.item in told.place]
    pairs, at = _pairs(kept, spec), np.array([told.place[r.item] for r in kept], dtype=np.int64)
    event, p, happened = told.event(pairs, at)
    return ProbabilityEvidence(
        items=len(told.place),
        without=len(items) - len(told.place),
        mass=None if told.alone else _mass(told, labelled, spec),
        is_verdict=None if told.alone else _is_verdict(told, kept),
        expected=_expected(told, pairs, at) if spec.kind == "ordinal" and not told.alone else {},
        event=event,
        forecasts=forecast_evidence(
            kept, pairs, p, happened, rng, two_sided=event == "pass" or len(spec.values) == 2
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """The probabilities of the items that have any, scaled to 1 where they are of the levels."""

    spec: ScaleSpec
    alone: bool
    mass: dict[str, float]
    place: dict[str, int]
    shares: FloatArray

    @classmethod
    def of(
        cls, items: Sequence[str], probabilities: Mapping[str, tuple[float, ...]], spec: ScaleSpec
    ) -> _Told:
        k = len(spec.values)
        sizes = {len(found) for found in probabilities.values()} or {1 if spec.passes else k}
        if sizes not in ({1}, {k}) or (sizes == {1} and spec.passes is None):
            raise ValueError(f"{sizes} probabilities of an item do not fit this scale of {k}")
        found = np.array([probabilities[item] for item in items]).reshape(len(items), sizes.pop())
        if found.shape[1] == 1:
            place = {item: i for i, item in enumerate(items)}
            return cls(spec, alone=True, mass={}, place=place, shares=found)
        mass = {item: captured_mass(probabilities[item]) for item in items}
        kept = np.array([mass[item] >= LEAST_MASS for item in items], dtype=bool)
        place = {item: i for i, item in enumerate(np.array(items, dtype=object)[kept])}
        shares = found[kept] / found[kept].sum(axis=1, keepdims=True)
        return cls(spec, alone=False, mass=mass, place=place, shares=shares)

    def event(self, pairs: Pairs, at: IntArray) -> tuple[Event, FloatArray, IntArray]:
        """Return the event, its probability for each pair, and whether it happened."""
        if self.spec.passes is not None:
            passes = np.array(self.spec.passes)
            p = self.shares[:, 0] if self.alone else self.shares[:, passes].sum(axis=1)
            return "pass", np.clip(p[at], 0, 1), passes[pairs.human].astype(np.int64)
        said = self.shares.argmax(axis=1)[at]
        same = (said == pairs.human).astype(np.int64)
        return "likeliest", np.clip(self.shares.max(axis=1, initial=0)[at], 0, 1), same


def _pairs(kept: Sequence[Row], spec: ScaleSpec) -> Pairs:
    """Return people's levels with cases, items and weights; the human stands on both sides."""
    return paired([replace(r, judge=r.human, judge_na=False, cause=None) for r in kept], spec)


def _mass(told: _Told, labelled: Sequence[Row], spec: ScaleSpec) -> CapturedMass:
    first = {row.item: row for row in reversed(labelled)}
    pairs = _pairs([first[item] for item in told.mass], spec)
    found = np.array([*told.mass.values()], dtype=np.float64)
    mean = bounded_mean(found, pairs, least=0, largest=1, method="captured_mass/wilson")
    return CapturedMass(
        mean=EstimateRecord.of("captured_mass", mean),
        least=float(found.min(initial=1.0)),
        flagged=int(((found >= LEAST_MASS) & (found < TRUSTED_MASS)).sum()),
        dropped=int((found < LEAST_MASS).sum()),
    )


def _is_verdict(told: _Told, kept: Sequence[Row]) -> tuple[int, int]:
    verdicts = {row.item: row.judge for row in kept if row.judge is not None}
    same = [int(told.shares[told.place[i]].argmax()) == level for i, level in verdicts.items()]
    return sum(same), len(same)


def _expected(told: _Told, pairs: Pairs, at: IntArray) -> dict[str, EstimateRecord]:
    """Return how the expected level fares, on raw values: it is never rounded to a level."""
    values = np.array(told.spec.numbers)
    score = np.clip(told.shares @ values, values.min(), values.max())[at]
    scored = Scored(pairs.human, score, values, pairs.clusters, pairs.weight, pairs.items)
    found: dict[str, Estimate | Undefined] = {
        kind: score_correlation(scored, kind) for kind in _CORRELATIONS
    }
    span, least = float(np.ptp(values)), float(values.min())
    found["root_mean_squared_error"] = score_squared_error(scored)
    found["mean_absolute_error"] = score_absolute_error(scored)
    found["signed_error"] = bounded_mean(
        score - values[pairs.human], pairs, least=-span, largest=span, method="signed_error/wilson"
    )
    found["mean_level"] = bounded_mean(
        score, pairs, least=least, largest=least + span, method="mean_level/wilson"
    )
    return {name: EstimateRecord.of(name, one) for name, one in found.items()}
