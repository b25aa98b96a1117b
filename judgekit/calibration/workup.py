"""The full work-up of one measurement: every figure beside the gated ones, for people to look at.

None of it enters a certificate or a check. A high coefficient next to a low kappa is no way round
the gate, and an average over criteria or slices is no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.coefficients import coefficients
from judgekit.calibration.pairs import agreement_weights, for_the_gate, paired
from judgekit.calibration.record import EstimateRecord
from judgekit.stats.agreement import agreement
from judgekit.stats.alpha import krippendorff_alpha_estimate
from judgekit.stats.confusion import f1
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.paradox import Paradox, paradox
from judgekit.stats.raters import raters_estimate
from judgekit.stats.ratings import MISSING, Ratings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.differences import Metric
    from judgekit.stats.rater_sums import Coefficient

_SEVERAL: tuple[Coefficient, ...] = ("fleiss_kappa", "conger_kappa", "brennan_prediger")


@dataclass(frozen=True, slots=True)
class WorkUp:
    """Figures for people.

    Attributes:
        figures: Coefficients of the pairs of human and judge, by name.
        f1: F1 of each level, in scale order.
        humans: Coefficients of the humans alone; empty with one rater.
        with_judge: The same with the judge as one more rater.
        paradox: What the margins do to kappa; None where nothing was paired.
        unweighted: The gate's kappa with every item counted once; None where all count the same.
    """

    figures: dict[str, EstimateRecord]
    f1: tuple[EstimateRecord, ...]
    humans: dict[str, EstimateRecord]
    with_judge: dict[str, EstimateRecord]
    paradox: Paradox | None
    unweighted: EstimateRecord | None = None


def work_up(rows: Sequence[Row], spec: ScaleSpec) -> WorkUp:
    """Return every further figure of the evidence rows, over the declared scale."""
    pairs = paired(rows, spec)
    found = paradox(pairs, agreement_weights(spec))
    part = [row for row in rows if row.set_aside is None and row.human is not None]
    several = len({row.rater for row in part}) > 1
    return WorkUp(
        figures=coefficients(pairs, spec),
        f1=tuple(EstimateRecord.of("f1", one) for one in f1(pairs)),
        humans=_several(part, spec, judge=False) if several else {},
        with_judge=_several(part, spec, judge=True) if several else {},
        paradox=None if isinstance(found, Undefined) else found,
        unweighted=_unweighted(rows, spec),
    )


def _unweighted(rows: Sequence[Row], spec: ScaleSpec) -> EstimateRecord | None:
    if all(row.weight is None for row in rows):
        return None
    pairs = for_the_gate([replace(row, weight=None, stratum=None) for row in rows], spec)
    found = agreement(pairs, agreement_weights(spec, pairs.extra))
    return EstimateRecord.of("unweighted_gate_agreement", found)


def _several(part: Sequence[Row], spec: ScaleSpec, *, judge: bool) -> dict[str, EstimateRecord]:
    ratings, weights = _ratings(part, spec, judge=judge), agreement_weights(spec)
    found: dict[str, Estimate | Undefined] = {
        name: raters_estimate(ratings, name, weights) for name in _SEVERAL
    }
    found["gwet_ac1"] = raters_estimate(ratings, "gwet_ac1")
    if spec.weights != "unweighted":
        found["gwet_ac2"] = raters_estimate(ratings, "gwet_ac2", weights)
    for metric in _metrics(spec):
        values = spec.numbers if metric == "interval" else None
        found[f"alpha_{metric}"] = krippendorff_alpha_estimate(ratings, metric, values)
    return {name: EstimateRecord.of(name, one) for name, one in found.items()}


def _metrics(spec: ScaleSpec) -> tuple[Metric, ...]:
    return ("nominal", "ordinal", "interval") if spec.kind == "ordinal" else ("nominal",)


def _ratings(part: Sequence[Row], spec: ScaleSpec, *, judge: bool) -> Ratings:
    """Return items by raters; the judge, where asked for, is the last one."""
    items = {name: i for i, name in enumerate(dict.fromkeys(row.item for row in part))}
    raters = {name: i for i, name in enumerate(dict.fromkeys(row.rater for row in part))}
    values = np.full((len(items), len(raters) + judge), MISSING, dtype=np.int64)
    for row in part:
        place = items[row.item]
        values[place, raters[row.rater]] = MISSING if row.human is None else row.human
        if judge and row.judge is not None:
            values[place, -1] = row.judge
    cases = {row.item: (row.case is None, row.case or row.item) for row in part}
    codes = {case: i for i, case in enumerate(dict.fromkeys(cases[item] for item in items))}
    clusters = np.array([codes[cases[item]] for item in items], dtype=np.int64)
    return Ratings(values, len(spec.values), clusters=clusters)
