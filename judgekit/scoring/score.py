"""Judgments and a certified judge to scores. Nothing else makes a number over items."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.gate import CertifiedJudge, is_admitted
from judgekit.calibration.scope import out_of_scope, profile
from judgekit.errors import GateRefusal, Reason
from judgekit.judging.judgment import INCOMPLETE, Judgment, Unjudged
from judgekit.rubric.scale import Frozen
from judgekit.scoring.figures import figures

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from judgekit.calibration.certificate import Certificate
    from judgekit.calibration.policy import Policy
    from judgekit.judging.judgments import Judgments
    from judgekit.rubric.model import Criterion


class ScoreTally(Frozen):
    """Every item accounted for: ``items = judged + not_applicable + sum(unjudged)``."""

    items: int
    judged: int
    not_applicable: int
    unjudged: dict[str, int]


class CriterionScore(Frozen):
    """The scores of one criterion, carrying the certificate they rest on.

    Attributes:
        criterion: Its name.
        certificate: Id of the certificate.
        corrected: Known judge error taken off; None with the reason in ``why``.
        why: Why there is no corrected figure.
        uncorrected: What the judge alone would say: the pass rate, or the share of each level.
            Empty when the estimate is withheld.
        withheld: Why no figure is given although the items were judged; usually empty.
        tally: Every item accounted for.
        stamps: What a reader must know beside the figures.
    """

    criterion: str
    certificate: str
    corrected: EstimateRecord | None
    why: str | None
    uncorrected: EstimateRecord | None
    levels: dict[str, EstimateRecord]
    withheld: tuple[Reason, ...]
    tally: ScoreTally
    stamps: tuple[str, ...]


class Scores(Frozen):
    """Scores of a certified judge over items, one entry for each criterion."""

    judge: str
    criteria: tuple[CriterionScore, ...]

    @property
    def withheld(self) -> tuple[Reason, ...]:
        """Return every reason for which a figure is withheld."""
        return tuple(r for c in self.criteria for r in c.withheld)


def score(judgments: Judgments, judge: CertifiedJudge, *, policy: Policy | None = None) -> Scores:
    """Turn judgments into scores.

    Args:
        judgments: What the judge said of each item.
        judge: The same judge, admitted by the gate.
        policy: The policy in force; the certificate's own by default.

    Raises:
        GateRefusal: ``judge`` is not certified, or the judgments are another judge's.
    """
    if not is_admitted(judge):  # callers without a type checker may err
        name = getattr(judge, "name", type(judge).__name__)
        message = f"{name} was not admitted by the gate; only a CertifiedJudge gives scores."
        raise GateRefusal(
            [Reason("no_certificate", message, f"judgekit calibrate {name} --labels FILE")]
        )
    reasons = [r for c in judge.certificates.values() for r in _not_this_judge(judgments, c)]
    if reasons:
        raise GateRefusal(reasons)
    return Scores(
        judge=judge.judge.name,
        criteria=tuple(
            _score_one(judgments, judge.judge.rubric.criterion(name), cert, policy or cert.policy)
            for name, cert in judge.certificates.items()
        ),
    )


def _not_this_judge(judgments: Judgments, cert: Certificate) -> list[Reason]:
    again = f"judgekit calibrate {cert.judge.name} --labels FILE"
    if judgments.fingerprints.get(cert.criterion) != cert.judge.fingerprint:
        message = f"the judgments of {cert.criterion!r} are not the certified judge's."
        return [Reason("judge_changed", message, again)]
    outcomes = judgments.outcomes.get(cert.criterion, {}).values()
    named = {o.served for o in outcomes if o.served}
    return served_changes({*named, *judgments.replies.get(cert.criterion, {})}, cert)


def served_changes(served: Collection[str], cert: Certificate) -> list[Reason]:
    """Return a refusal for each model that answered but was never calibrated.

    ``served`` holds the models of all replies, of each replicate and of unusable ones too.
    """
    strange = sorted(set(served) - set(cert.models_served)) if cert.models_served else []
    return [
        Reason(
            "model_served_changed",
            f"the endpoint now serves {name!r}; certificate {cert.short} was measured on "
            f"{', '.join(map(repr, cert.models_served))}.",
            f"judgekit calibrate {cert.judge.name} --labels FILE --refresh",
        )
        for name in strange
    ]


def _score_one(
    judgments: Judgments, criterion: Criterion, cert: Certificate, policy: Policy
) -> CriterionScore:
    outcomes = _every_item(judgments, criterion.name)
    counts = _tally(outcomes)
    withheld = [*_coverage(counts, policy), *_scope(judgments, criterion, outcomes, cert)]
    uncorrected: EstimateRecord | None = None
    each: dict[str, EstimateRecord] = {}
    if not withheld:
        uncorrected, each = figures(criterion, outcomes, {i.id: i.case for i in judgments.items})
    return CriterionScore(
        criterion=criterion.name,
        certificate=cert.id,
        corrected=None,
        why=_why_uncorrected(cert),
        uncorrected=uncorrected,
        levels=each,
        withheld=tuple(withheld),
        tally=counts,
        stamps=cert.stamps,
    )


def _every_item(judgments: Judgments, criterion: str) -> dict[str, Judgment | Unjudged]:
    """Return an outcome for each item; one that nothing was said of is missing, not dropped."""
    known = judgments.outcomes[criterion]
    ids = dict.fromkeys([*(item.id for item in judgments.items), *known])
    return {i: known.get(i) or Unjudged(i, criterion, "missing") for i in ids}


def _tally(outcomes: Mapping[str, Judgment | Unjudged]) -> ScoreTally:
    causes: Counter[str] = Counter()
    judged = na = 0
    for outcome in outcomes.values():
        if not isinstance(outcome, Judgment):
            causes[outcome.cause] += 1
        elif outcome.level is None:
            na += 1
        else:
            judged += 1
    return ScoreTally(
        items=len(outcomes),
        judged=judged,
        not_applicable=na,
        unjudged={cause: causes[cause] for cause in sorted(causes)},
    )


def _coverage(counts: ScoreTally, policy: Policy) -> list[Reason]:
    usable = counts.judged + counts.not_applicable
    share = usable / counts.items if counts.items else 0.0
    if share >= policy.min_judged:
        return []
    lost = ", ".join(f"{n} {cause}" for cause, n in counts.unjudged.items()) or "no items"
    message = (
        f"{usable} of {counts.items} items judged ({lost}); {policy.min_judged:.0%} are asked."
    )
    incomplete = any(cause in INCOMPLETE for cause in counts.unjudged)
    return [
        Reason(
            "too_many_unjudged",
            message,
            "run it again: only what failed is asked" if incomplete else None,
        )
    ]


def _scope(
    judgments: Judgments,
    criterion: Criterion,
    outcomes: Mapping[str, Judgment | Unjudged],
    cert: Certificate,
) -> list[Reason]:
    now = profile(judgments.items, outcomes.values(), len(criterion.scale.levels))
    return [
        Reason("out_of_scope", f"{far}.", "label some of these items and calibrate on them")
        for far in out_of_scope(cert.scope, now)
    ]


def _why_uncorrected(cert: Certificate) -> str:
    sampling = cert.labels.sampling
    if sampling in (None, "convenience"):
        return (
            f"how the labels were sampled is {'not stated' if sampling is None else sampling}, so "
            "the judge's known error cannot be carried over to other items"
        )
    return "whether these items are of the labels' population is not stated"
