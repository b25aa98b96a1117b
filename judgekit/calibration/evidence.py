"""What was measured, in the form a certificate keeps it."""

from __future__ import annotations

from judgekit.calibration.applicability import Applicability
from judgekit.calibration.baselines import Baselines
from judgekit.calibration.humans import HumanEvidence
from judgekit.calibration.record import EstimateRecord
from judgekit.rubric.frozen import Frozen
from judgekit.rubric.scale import Value

__all__ = ["Confusion", "EstimateRecord", "Evidence", "LevelEvidence"]


class LevelEvidence(Frozen):
    """How one level fares: its judged human labels, recall and precision with intervals."""

    value: Value
    name: str
    labels: int
    recall: EstimateRecord
    precision: EstimateRecord


class Confusion(Frozen):
    """Counts: rows are the human's levels, columns the judge's, both in scale order.

    ``na`` and ``unjudged`` hold, for each human level, how often the judge said that the
    criterion does not apply and how often there was no usable judgment.
    """

    levels: tuple[Value, ...]
    table: tuple[tuple[int, ...], ...]
    na: tuple[int, ...]
    unjudged: tuple[int, ...]


class Evidence(Frozen):
    """Every estimate of one calibration, and the counts they rest on.

    Attributes:
        agreement: Kappa on the paired items.
        gate_agreement: The same with every unjudged item counted as full disagreement.
        worst_case: The same with the unjudged items as the answers that lower kappa most; shown
            only.
        raw_agreement: Share of pairs with the very same level.
        pass_agreement: Kappa of the pass decision, where the criterion has a pass line.
        pass_shift: Judge's pass rate minus the humans'.
        signed_error: Mean of judge minus human in level values, for ordinal scales.
        sensitivity: Share of human passes that the judge passes.
        specificity: Share of human fails that the judge fails.
        levels: Recall and precision of each level.
        raters: Each human rater's own kappa with the judge.
        confusion: The table.
        baselines: What is reached without reading; None where nothing was paired.
        humans: What several raters show of each other; None with one rater.
        applicability: Whether the criterion applies at all, where anybody said that it does not.
    """

    agreement: EstimateRecord
    gate_agreement: EstimateRecord
    worst_case: EstimateRecord
    raw_agreement: EstimateRecord
    pass_agreement: EstimateRecord | None
    pass_shift: EstimateRecord | None
    signed_error: EstimateRecord | None
    sensitivity: EstimateRecord | None
    specificity: EstimateRecord | None
    levels: tuple[LevelEvidence, ...]
    raters: dict[str, EstimateRecord]
    confusion: Confusion
    baselines: Baselines | None
    humans: HumanEvidence | None
    applicability: Applicability | None
