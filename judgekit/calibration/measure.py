"""Every estimate of one criterion's calibration, from its evidence rows alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from judgekit.calibration.applicability import applicability
from judgekit.calibration.baselines import baselines
from judgekit.calibration.evidence import Confusion, EstimateRecord, Evidence, LevelEvidence
from judgekit.calibration.humans import human_evidence
from judgekit.calibration.pairs import agreement_weights, for_the_gate, paired, worst_case
from judgekit.stats import (
    Undefined,
    agreement,
    identity,
    mean_signed_error,
    pass_decision,
    precision,
    rate_shift,
    recall,
    sensitivity,
    specificity,
    with_disagreeing,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats import Pairs

_RAW = "raw_agreement/wilson"


def measure(rows: Sequence[Row], spec: ScaleSpec) -> Evidence:
    """Return all estimates with their two-sided 95% intervals.

    Args:
        rows: The evidence rows of one criterion, set-aside items included.
        spec: Its scale; every figure is over the declared scale, never over the levels seen.
    """
    pairs, gate = paired(rows, spec), for_the_gate(rows, spec)
    agreed = at_gate = at_worst = kappa_of("agreement", pairs, spec)
    if len(gate) > len(pairs):  # else nothing is unjudged, and the three are one
        at_gate = kappa_of("gate_agreement", gate, spec)
        at_worst = kappa_of("worst_case", worst_case(rows, spec), spec)
    return Evidence(
        agreement=agreed,
        gate_agreement=at_gate.model_copy(update={"metric": "gate_agreement"}),
        worst_case=at_worst.model_copy(update={"metric": "worst_case"}),
        raw_agreement=_raw(pairs),
        **_pass_evidence(pairs, gate, spec),
        signed_error=_signed_error(pairs, spec),
        levels=_levels(pairs, spec),
        raters=_raters(rows, spec, agreed),
        confusion=_confusion(rows, spec),
        baselines=baselines(rows, spec),
        humans=human_evidence(rows, spec),
        applicability=applicability(rows),
    )


def kappa_of(
    metric: str, pairs: Pairs, spec: ScaleSpec, *, confidence: float = 0.95
) -> EstimateRecord:
    """Return Cohen's kappa over the declared scale with its path-score interval."""
    weights = agreement_weights(spec, extra=pairs.extra)
    return EstimateRecord.of(metric, agreement(pairs, weights, confidence=confidence))


def pass_kappa_of(
    metric: str, pairs: Pairs, spec: ScaleSpec, *, confidence: float = 0.95
) -> EstimateRecord:
    """Return the kappa of the pass decision; the criterion must have a pass line."""
    decided = pass_decision(pairs, np.array(spec.passes))
    weights = with_disagreeing(identity(2), pairs.extra)
    return EstimateRecord.of(metric, agreement(decided, weights, confidence=confidence))


def _raw(pairs: Pairs) -> EstimateRecord:
    """Return the share of pairs with the very same level: how often "the same" is a hit."""
    same = (pairs.human == pairs.judge).astype(np.int64)
    hits = replace(pairs, human=np.ones_like(same), judge=same, k=2, extra=0)
    found = sensitivity(hits, [False, True])
    if isinstance(found, Undefined):
        reason = "empty" if found.reason == "no_positive" else found.reason
        return EstimateRecord.of("raw_agreement", replace(found, reason=reason, method=_RAW))
    return EstimateRecord.of("raw_agreement", replace(found, method=_RAW))


def _pass_evidence(pairs: Pairs, gate: Pairs, spec: ScaleSpec) -> dict[str, Any]:
    names = ("pass_agreement", "pass_shift", "sensitivity", "specificity")
    if spec.passes is None:
        return dict.fromkeys(names)
    passes = np.array(spec.passes)
    return {
        "pass_agreement": pass_kappa_of("pass_agreement", gate, spec),
        "pass_shift": EstimateRecord.of("pass_shift", rate_shift(pairs, passes)),
        "sensitivity": EstimateRecord.of("sensitivity", sensitivity(pairs, passes)),
        "specificity": EstimateRecord.of("specificity", specificity(pairs, passes)),
    }


def _signed_error(pairs: Pairs, spec: ScaleSpec) -> EstimateRecord | None:
    if spec.kind != "ordinal":
        return None
    return EstimateRecord.of("signed_error", mean_signed_error(pairs, np.array(spec.numbers)))


def _levels(pairs: Pairs, spec: ScaleSpec) -> tuple[LevelEvidence, ...]:
    counts = np.bincount(pairs.human, minlength=len(spec.values))
    recalls, precisions = recall(pairs), precision(pairs)
    return tuple(
        LevelEvidence(
            value=value,
            name=spec.names[i],
            labels=int(counts[i]),
            recall=EstimateRecord.of("recall", recalls[i]),
            precision=EstimateRecord.of("precision", precisions[i]),
        )
        for i, value in enumerate(spec.values)
    )


def _raters(
    rows: Sequence[Row], spec: ScaleSpec, pooled: EstimateRecord
) -> dict[str, EstimateRecord]:
    names = sorted({row.rater for row in rows if row.rater is not None})
    if len(names) == 1:
        return {names[0]: pooled}
    return {
        name: kappa_of("agreement", paired([r for r in rows if r.rater == name], spec), spec)
        for name in names
    }


def _confusion(rows: Sequence[Row], spec: ScaleSpec) -> Confusion:
    k = len(spec.values)
    gate = for_the_gate(rows, spec)
    counts = np.zeros((k, k + 2), dtype=np.int64)
    np.add.at(counts, (gate.human, gate.judge), 1)
    return Confusion(
        levels=spec.values,
        table=tuple(tuple(int(x) for x in row[:k]) for row in counts),
        na=tuple(int(row[k]) for row in counts),
        unjudged=tuple(int(row[k + 1]) for row in counts),
    )
