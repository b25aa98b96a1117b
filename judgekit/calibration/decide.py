"""Evidence against policy: the checks, and the verdict they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from judgekit.calibration.baselines import length_check
from judgekit.calibration.ceiling import ceiling_checks
from judgekit.calibration.check import Check
from judgekit.calibration.humans import human_gap
from judgekit.calibration.measure import kappa_of, pass_kappa_of
from judgekit.calibration.pairs import for_the_gate
from judgekit.calibration.rows import tally
from judgekit.judging.judgment import INCOMPLETE
from judgekit.rubric.frozen import Frozen
from judgekit.rubric.scale import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.evidence import EstimateRecord, Evidence
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.rows import Row, ScaleSpec, Tally

Verdict = Literal["calibrated", "not_calibrated", "inconclusive"]


class Decision(Frozen):
    """The verdict and every check behind it.

    ``verdict`` is None when the run is incomplete: too many items were never answered.
    """

    verdict: Verdict | None
    checks: tuple[Check, ...]
    look: int
    confidence: float

    @property
    def failed(self) -> tuple[Check, ...]:
        """Return the checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)


def decide(
    rows: Sequence[Row],
    spec: ScaleSpec,
    evidence: Evidence,
    policy: Policy,
    *,
    look: int = 1,
    leak: Check | None = None,
) -> Decision:
    """Hold the evidence against the policy.

    ``calibrated`` when every check passes; ``not_calibrated`` when at least ``min_items`` items
    are there and some check is ruled out; ``inconclusive`` otherwise.

    Args:
        rows: The evidence rows.
        spec: The criterion's scale.
        evidence: What :func:`measure` made of the rows.
        policy: What is asked.
        look: Which look at this label set it is; later ones must clear a harder bar.
        leak: The check that failed because worked examples stand outside train; usually None.
    """
    counts, confidence = tally(rows), policy.look_confidence(look)
    ends = low_ends(rows, spec, evidence, confidence)
    checks = hold(counts, spec, evidence, policy, look, ends)
    checks += () if leak is None else (leak,)
    verdict: Verdict | None = "inconclusive"
    if incomplete_share(counts) > policy.max_incomplete:
        verdict = None
    elif all(check.passed for check in checks):
        verdict = "calibrated"
    elif any(check.reason == "humans_disagree" for check in checks if not check.passed):
        verdict = "inconclusive"  # the rubric is at fault, not the judge
    elif counts.paired >= policy.min_items and any(check.ruled_out for check in checks):
        verdict = "not_calibrated"
    return Decision(verdict=verdict, checks=checks, look=look, confidence=confidence)


def hold(
    counts: Tally,
    spec: ScaleSpec,
    evidence: Evidence,
    policy: Policy,
    look: int,
    ends: LowEnds,
) -> tuple[Check, ...]:
    """Return every check of a policy, from figures alone: a certificate holds them all."""
    checks = [
        _low_end("agreement", ends, evidence.gate_agreement, policy, _levels_used(evidence) > 1),
        _items(counts, policy),
        *_classes(evidence, spec, policy),
        _judged(counts, policy),
    ]
    if spec.kind == "ordinal" and evidence.pass_agreement is not None:
        both = all(class_counts(evidence, spec).values())
        checks.append(_low_end("pass_agreement", ends, evidence.pass_agreement, policy, both))
    return (
        *checks,
        *_chance(evidence, spec),
        *_shift(spec, evidence, policy),
        *_length(evidence, policy),
        *_ceiling(evidence, policy, ends),
        *_looks(look, policy),
    )


LowEnds = dict[str, float | None]
"""Low ends of what the gate asks for, by check, at the confidence of the look."""


def low_ends(
    rows: Sequence[Row], spec: ScaleSpec, evidence: Evidence, confidence: float
) -> LowEnds:
    """Return the low ends at a confidence; at the ordinary one they are the printed ones."""
    agreed, passed = evidence.gate_agreement, evidence.pass_agreement
    gap = evidence.humans.gap if evidence.humans is not None else None
    if confidence != agreed.confidence:
        pairs = for_the_gate(rows, spec)
        agreed = kappa_of(agreed.metric, pairs, spec, confidence=confidence)
        if passed is not None:
            passed = pass_kappa_of(passed.metric, pairs, spec, confidence=confidence)
        if gap is not None:
            gap = human_gap(rows, spec, confidence=confidence)
    return {
        "agreement": agreed.low,
        "pass_agreement": passed.low if passed else None,
        "human_gap": gap.low if gap else None,
    }


def incomplete_share(counts: Tally) -> float:
    """Return the share of labelled items that the run never got an answer for."""
    taking_part = counts.judged + sum(counts.unjudged.values())
    lost = sum(n for cause, n in counts.unjudged.items() if cause in INCOMPLETE)
    return lost / taking_part if taking_part else 0.0


def _levels_used(evidence: Evidence) -> int:
    return sum(n > 0 for n in label_counts(evidence))


def _low_end(
    name: Literal["agreement", "pass_agreement"],
    ends: LowEnds,
    printed: EstimateRecord,
    policy: Policy,
    telling: bool,  # noqa: FBT001  (a fact, not a switch)
) -> Check:
    """Hold the low end of a kappa against the bar.

    Kappa is 0 whatever the judge says when people used one level only: that rules nothing out.
    """
    asked, low = policy.bar, ends.get(name)
    if low is None or printed.high is None:
        return Check(
            name=name,
            required=asked,
            observed=printed.undefined,
            passed=False,
            reason="agreement_undefined",
        )
    return Check(
        name=name,
        required=asked,
        observed=low,
        passed=low >= asked,
        reason="agreement_too_low",
        ruled_out=telling and printed.high < asked,
    )


def _items(counts: Tally, policy: Policy) -> Check:
    found = counts.paired
    return Check(
        name="labelled_items",
        required=policy.min_items,
        observed=found,
        passed=found >= policy.min_items,
        reason="too_few_items",
    )


def class_counts(evidence: Evidence, spec: ScaleSpec) -> dict[str, int]:
    """Return the human labels in each class the gate counts: levels, or sides of the pass line."""
    each = label_counts(evidence)
    if spec.kind != "ordinal":
        return dict(zip(spec.names, each, strict=True))
    if spec.passes is None:
        return {}
    edge = number_text(spec.values[spec.passes.index(True)])
    passing = sum(n for n, passes in zip(each, spec.passes, strict=True) if passes)
    return {f"below {edge}": sum(each) - passing, f"{edge} and above": passing}


def label_counts(evidence: Evidence) -> list[int]:
    """Return the human labels of each level, whatever became of the judge's answer."""
    table = evidence.confusion
    return [sum(row) + table.na[i] + table.unjudged[i] for i, row in enumerate(table.table)]


def _classes(evidence: Evidence, spec: ScaleSpec, policy: Policy) -> list[Check]:
    counts = class_counts(evidence, spec)
    if not counts:
        return []
    return [
        Check(
            name="labels_per_class",
            required=policy.min_per_class,
            observed=counts,
            passed=min(counts.values()) >= policy.min_per_class,
            reason="too_few_items",
        )
    ]


def _judged(counts: Tally, policy: Policy) -> Check:
    taking_part = counts.judged + sum(counts.unjudged.values())
    share = counts.judged / taking_part if taking_part else 0.0
    return Check(
        name="items_judged",
        required=policy.min_judged,
        observed=share,
        passed=share >= policy.min_judged,
        reason="too_many_unjudged",
    )


def _chance(evidence: Evidence, spec: ScaleSpec) -> list[Check]:
    if evidence.sensitivity is None or evidence.specificity is None or spec.passes is None:
        return []
    rates = (
        _rate(evidence.sensitivity, evidence, spec.passes, side=True),
        _rate(evidence.specificity, evidence, spec.passes, side=False),
    )
    total = None if rates[0] is None or rates[1] is None else rates[0] + rates[1]
    return [
        Check(
            name="better_than_chance",
            required="sensitivity + specificity > 1",
            observed=total,
            passed=total is not None and total > 1,
            reason="agreement_undefined" if total is None else "agreement_too_low",
            ruled_out=total is not None and total <= 1,
        )
    ]


def _rate(
    found: EstimateRecord, evidence: Evidence, passes: Sequence[bool], *, side: bool
) -> float | None:
    """Return the share of human passes (or fails) the judge meets.

    Where clusters are too few for an interval the table still has the share itself.
    """
    if found.value is not None:
        return found.value
    table, na = evidence.confusion.table, evidence.confusion.na
    of_side = [i for i, passing in enumerate(passes) if passing is side]
    total = sum(sum(table[i]) + na[i] for i in of_side)
    return sum(table[i][j] for i in of_side for j in of_side) / total if total else None


def _shift(spec: ScaleSpec, evidence: Evidence, policy: Policy) -> list[Check]:
    if spec.kind != "ordinal":
        return []
    if spec.passes is not None:
        return [_within("pass_rate_shift", evidence.pass_shift, policy.max_pass_shift)]
    steps = (max(spec.numbers) - min(spec.numbers)) / (len(spec.numbers) - 1)
    return [_within("level_shift", evidence.signed_error, policy.max_level_shift * steps)]


def _within(name: str, found: EstimateRecord | None, allowed: float) -> Check:
    if found is None or found.low is None or found.high is None:
        return Check(
            name=name,
            required=allowed,
            observed=None,
            passed=False,
            reason="agreement_undefined",
        )
    outside = found.low > allowed or found.high < -allowed
    return Check(
        name=name,
        required=allowed,
        observed=found.value,
        passed=not outside,
        reason="decision_shifted",
        ruled_out=outside,
    )


def _length(evidence: Evidence, policy: Policy) -> list[Check]:
    found = length_check(evidence.baselines) if policy.beat_length else None
    return [] if found is None else [found]


def _ceiling(evidence: Evidence, policy: Policy, ends: LowEnds) -> list[Check]:
    held = ceiling_checks(evidence.humans, policy, ends.get("human_gap"))
    return [Check(**one._asdict()) for one in held]


def _looks(look: int, policy: Policy) -> list[Check]:
    if look <= 1:
        return []
    return [
        Check(
            name="looks",
            required=policy.max_looks,
            observed=look,
            passed=look <= policy.max_looks,
            reason="look_budget_spent",
        )
    ]
