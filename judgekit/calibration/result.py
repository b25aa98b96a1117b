"""The result of a calibration, as the library returns it and reports show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judgekit.calibration.certificate import Certificate, LabelsRecord
    from judgekit.calibration.decide import Decision, Verdict
    from judgekit.calibration.evidence import Evidence
    from judgekit.calibration.humans import HumanEvidence
    from judgekit.calibration.looks import Reveal
    from judgekit.calibration.panels import PanelReport
    from judgekit.calibration.plan import LabelsNeeded
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.probabilities import ProbabilityEvidence
    from judgekit.calibration.production import Production
    from judgekit.calibration.rows import Row, ScaleSpec, Tally
    from judgekit.calibration.slices import SliceReport
    from judgekit.calibration.workup import WorkUp
    from judgekit.judging.judge import Judge
    from judgekit.judging.judgment import Judgment, Unjudged
    from judgekit.judging.judgments import Judgments
    from judgekit.rubric.model import Criterion

_WORST: tuple[Verdict | None, ...] = (None, "not_calibrated", "inconclusive", "calibrated")


@dataclass(frozen=True)
class CriterionCalibration:
    """What calibration found of one criterion.

    Attributes:
        criterion: The criterion.
        spec: Its scale as the statistics saw it.
        fingerprint: The judge's fingerprint on it.
        rows: The evidence rows.
        evidence: Every estimate.
        tally: Every item accounted for.
        decision: Checks and verdict.
        needed: How many more labels would decide, for inconclusive verdicts.
        labels: What labels it rests on.
        stamps: What a reader must know beside the figures.
        leaked: Items set aside because they are worked examples of the rubric: id -> level.
        outcomes: The judge's outcome of each item.
        work_up: Figures beside the gated ones.
        slices: Agreement within each slice of the items, for the columns asked for.
        production: Agreement at the stated production prevalence, where one was stated.
        people: How far people agree behind a reference that was settled by vote or adjudicator.
        revealed: How many earlier looks at these items showed details.
        panel: What the single votes show of a judge that is asked more than once about an item.
        probabilities: What the token probabilities are worth; None where there are none.
        certificate: The certificate, when calibrated.
        path: Where it was written.
    """

    criterion: Criterion
    spec: ScaleSpec
    fingerprint: str
    rows: tuple[Row, ...]
    evidence: Evidence
    tally: Tally
    decision: Decision
    needed: LabelsNeeded | None
    labels: LabelsRecord
    stamps: tuple[str, ...]
    leaked: Mapping[str, str]
    outcomes: Mapping[str, Judgment | Unjudged]
    work_up: WorkUp
    slices: tuple[SliceReport, ...] = ()
    production: Production | None = None
    people: HumanEvidence | None = None
    revealed: int = 0
    panel: PanelReport | None = None
    probabilities: ProbabilityEvidence | None = None
    certificate: Certificate | None = None
    path: str | None = None

    @property
    def verdict(self) -> Verdict | None:
        """Return the verdict; None when the run was incomplete."""
        return self.decision.verdict


@dataclass(frozen=True)
class Calibration:
    """The result of ``calibrate``, one entry for each criterion.

    Attributes:
        judge: The judge that was measured.
        criteria: What was found of each criterion.
        judgments: What the judge said, and what the calls cost.
        policy: What the gate asked.
        notes: What was assumed while reading the files.
        reveal: What reports may show: everything, or verdict and labels needed only.
    """

    judge: Judge
    criteria: tuple[CriterionCalibration, ...]
    judgments: Judgments
    policy: Policy
    notes: tuple[str, ...] = ()
    reveal: Reveal = "full"

    @property
    def verdict(self) -> Verdict | None:
        """Return the worst criterion's verdict; None when any run was incomplete."""
        return min((c.verdict for c in self.criteria), key=_WORST.index)


@dataclass(frozen=True)
class Agreement:
    """How far the verdicts in a table agree with people's labels. It certifies nothing.

    Attributes:
        judge: The column of the verdicts; None where the likeliest level was taken.
        human: The columns of the labels.
        spec: The declared scale.
        rows: The evidence rows.
        evidence: Every estimate that a gate would look at.
        work_up: Every other one.
        tally: Every item accounted for.
        decision: What the policy would say of these figures; no certificate comes of it.
        policy: That policy.
        notes: What was assumed while reading.
        chances: The columns of probabilities: of each level in scale order, or of passing.
        probabilities: What they are worth; None where there are none.
        slices: Agreement within each slice, for the columns asked for.
        production: Agreement at the stated production prevalence, where one was stated.
    """

    judge: str | None
    human: tuple[str, ...]
    spec: ScaleSpec
    rows: tuple[Row, ...]
    evidence: Evidence
    work_up: WorkUp
    tally: Tally
    decision: Decision
    policy: Policy
    notes: tuple[str, ...]
    chances: tuple[str, ...] = ()
    probabilities: ProbabilityEvidence | None = None
    slices: tuple[SliceReport, ...] = ()
    production: Production | None = None
