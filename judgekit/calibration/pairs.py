"""Evidence rows as the arrays statistics work on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from judgekit.judging.judgment import INCOMPLETE
from judgekit.stats import Pairs, by_name, with_disagreeing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.arrays import FloatArray


def paired(rows: Sequence[Row], spec: ScaleSpec) -> Pairs:
    """Return the pairs in which the judge gave a level or said "not applicable".

    "Not applicable" against a human level is one more judge column that agrees with nothing.
    """
    kept = [row for row in rows if row.set_aside is None and row.cause is None]
    return _pairs(kept, spec, na=len(spec.values), unjudged=None)


def for_the_gate(rows: Sequence[Row], spec: ScaleSpec) -> Pairs:
    """Return all pairs, each unusable judgment as a judge column that agrees with nothing.

    Items the run never got to (provider errors, budget, no record) are not the judge's word
    and stay out; too many of them end the calibration without a verdict.

    Kappa of these pairs is at most that of the paired ones wherever that is 0.5 or more, and never
    above 0.5 where it is less: unusable judgments lift no judge over a bar of 0.5 or higher. Far
    below, a judge that leaves out one rare level can gain a little, as the levels are then more
    evenly represented than among the paired items.
    """
    kept = [row for row in rows if row.set_aside is None and row.cause not in INCOMPLETE]
    return _pairs(kept, spec, na=len(spec.values), unjudged=len(spec.values) + 1)


def worst_case(rows: Sequence[Row], spec: ScaleSpec) -> Pairs:
    """Return the gate's pairs with the unusable judgments as the answers that lower kappa most.

    Kappa is 1 - observed / expected disagreement, a ratio of two sums over the pairs, so the worst
    answers are the same for all pairs of one human level. They are found by giving each level
    whatever costs most at the present ratio, until the ratio rises no more (Dinkelbach 1967).
    """
    pairs = for_the_gate(rows, spec)
    lost = pairs.judge == len(spec.values) + 1
    disagreement = 1 - agreement_weights(spec, pairs.extra)
    worst, ratio = pairs, -1.0
    while lost.any() and (found := _disagreement_ratio(worst, disagreement)) > ratio + 1e-12:
        ratio = found
        by_chance = pairs.table().sum(axis=1) @ disagreement / len(pairs)
        cost = disagreement - ratio * by_chance
        worst = replace(pairs, judge=np.where(lost, cost.argmax(axis=1)[pairs.human], pairs.judge))
    return worst


def _disagreement_ratio(pairs: Pairs, disagreement: FloatArray) -> float:
    """Return observed over expected disagreement; -1 where chance leaves nothing to disagree on."""
    table = pairs.table() / len(pairs)
    expected = float(table.sum(axis=1) @ disagreement @ table.sum(axis=0))
    return float((table * disagreement).sum()) / expected if expected > 1e-12 else -1.0


def agreement_weights(spec: ScaleSpec, extra: int = 0) -> FloatArray:
    """Return the criterion's (k + extra, k + extra) agreement weights over its declared scale."""
    name = "identity" if spec.weights == "unweighted" else spec.weights
    return with_disagreeing(by_name(name, spec.numbers), extra)


def _pairs(kept: Sequence[Row], spec: ScaleSpec, *, na: int, unjudged: int | None) -> Pairs:
    human = np.array([row.human for row in kept], dtype=np.int64)
    judge = np.array(
        [na if row.judge_na else unjudged if row.judge is None else row.judge for row in kept],
        dtype=np.int64,
    )
    extra = 1 if unjudged is None else 2
    return _build(kept, human, judge, len(spec.values) + extra, extra=extra)


def _build(
    kept: Sequence[Row], human: np.ndarray, judge: np.ndarray, k: int, *, extra: int
) -> Pairs:
    items = _codes([row.item for row in kept])
    cases = [row.item if row.case is None else f"case {row.case}" for row in kept]
    clusters = _codes(cases)
    weight = None
    if any(row.weight is not None for row in kept):
        weight = np.array([1.0 if row.weight is None else row.weight for row in kept])
    strata = None
    if any(row.stratum is not None for row in kept):
        strata = _codes(["" if row.stratum is None else f"stratum {row.stratum}" for row in kept])
    repeated = clusters.size > 0 and int(clusters.max()) + 1 < clusters.size
    return Pairs(
        human,
        judge,
        k,
        clusters=clusters if repeated else None,
        weight=weight,
        items=items,
        extra=extra,
        strata=strata,
    )


def _codes(names: Sequence[str]) -> np.ndarray:
    table: dict[str, int] = {}
    return np.array([table.setdefault(name, len(table)) for name in names], dtype=np.int64)
