"""Judgments and a certified judge to scores. Nothing else makes a number over items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from judgekit.calibration.gate import CertifiedJudge, is_admitted
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.scope import Traits, out_of_scope, profile, traits_of
from judgekit.errors import GateRefusal, InputError, Reason
from judgekit.judging.judgment import INCOMPLETE, Judgment, Unjudged
from judgekit.rubric.frozen import Frozen
from judgekit.scoring.corrected import CorrectedRecord, Correction, Population
from judgekit.scoring.correction import POPULATIONS, Scored, correct
from judgekit.scoring.figures import figures

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        corrected: The figure with known judge error taken off; None with the reason in ``why``, and
            for criteria without one figure.
        corrected_levels: For these, the corrected share of each level; else empty.
        why: Why nothing is corrected.
        uncorrected: What the judge alone would say: the pass rate or mean level. None when the
            figure is withheld, and for criteria without one figure.
        levels: What the judge alone would say: the share of each level.
        withheld: Why no figure is given although the items were judged; usually empty.
        tally: Every item accounted for.
        stamps: What a reader must know beside the figures.
    """

    criterion: str
    certificate: str
    corrected: CorrectedRecord | None
    corrected_levels: dict[str, CorrectedRecord]
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


def score(
    judgments: Judgments,
    judge: CertifiedJudge,
    *,
    policy: Policy | None = None,
    population: Population = "unknown",
    labelled: Collection[str] | None = None,
    traits: Mapping[str, Traits] | None = None,
) -> Scores:
    """Turn judgments into scores.

    The corrected figure needs to know how the labels were sampled, which the certificate states,
    and what the scored items are, which only you can state: see :mod:`judgekit.scoring.correction`.

    Args:
        judgments: What the judge said of each item.
        judge: The same judge, admitted by the gate.
        policy: The policy in force; the certificate's own by default.
        population: ``same`` when the items come from the population the labels were drawn from,
            ``shifted`` when only the mix of levels is another, ``unknown`` corrects nothing.
        labelled: Ids of the scored items that are labelled items of the evidence: of the same
            population, they count as labelled items only. By default those of equal id.
        traits: What is known of the texts of items that come without, by id.

    Raises:
        GateRefusal: ``judge`` is not certified, or the judgments are another judge's.
        InputError: there is no such ``population``.
    """
    if population not in POPULATIONS:
        known = ", ".join(POPULATIONS)
        raise InputError(f"there is no population {population!r}; say one of {known}")
    if not is_admitted(judge):  # callers without a type checker may err
        name = getattr(judge, "name", type(judge).__name__)
        message = f"{name} was not admitted by the gate; only a CertifiedJudge gives scores."
        raise GateRefusal(
            [Reason("no_certificate", message, f"judgekit calibrate {name} --labels FILE")]
        )
    reasons = [r for c in judge.certificates.values() for r in _not_this_judge(judgments, c)]
    if reasons:
        raise GateRefusal(reasons)
    asked = _Asked(judgments, judge, policy, population, labelled, traits or {})
    return Scores(
        judge=judge.judge.name,
        criteria=tuple(_score_one(asked, name) for name in judge.certificates),
    )


class _Asked(NamedTuple):
    """What is to be scored, and what is stated about it."""

    judgments: Judgments
    judge: CertifiedJudge
    policy: Policy | None
    population: Population
    labelled: Collection[str] | None
    traits: Mapping[str, Traits]


def _not_this_judge(judgments: Judgments, cert: Certificate) -> list[Reason]:
    again = f"judgekit calibrate {cert.judge.name} --labels FILE"
    if judgments.fingerprints.get(cert.criterion) != cert.judge.fingerprint:
        message = f"the judgments of {cert.criterion!r} are not the certified judge's."
        return [Reason("judge_changed", message, again)]
    outcomes = judgments.outcomes.get(cert.criterion, {}).values()
    named = {vote.served for o in outcomes for vote in o.singles if vote.served}
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
            cert.id,
        )
        for name in strange
    ]


def _score_one(asked: _Asked, name: str) -> CriterionScore:
    judgments, cert = asked.judgments, asked.judge.certificates[name]
    criterion, policy = asked.judge.judge.rubric.criterion(name), asked.policy or cert.policy
    outcomes = _every_item(judgments, name)
    counts = _tally(outcomes)
    withheld = [*_coverage(counts, policy), *_scope(asked, criterion, outcomes, cert)]
    uncorrected: EstimateRecord | None = None
    each: dict[str, EstimateRecord] = {}
    correction = Correction(why="the figure is withheld")
    if not withheld:
        cases = {i.id: i.case for i in judgments.items}
        uncorrected, each = figures(criterion, outcomes, cases)
        scored = Scored(outcomes, cases, asked.population, asked.labelled)
        correction = correct(scored, cert, asked.judge.evidence.get(name))
    return CriterionScore(
        criterion=name,
        certificate=cert.id,
        corrected=correction.figure,
        corrected_levels=dict(correction.levels),
        why=correction.why,
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
    asked: _Asked,
    criterion: Criterion,
    outcomes: Mapping[str, Judgment | Unjudged],
    cert: Certificate,
) -> list[Reason]:
    traits = [asked.traits.get(item.id) or traits_of(item) for item in asked.judgments.items]
    now = profile(traits, outcomes.values(), len(criterion.scale.levels))
    return [
        Reason("out_of_scope", f"{far}.", "label some of these items and calibrate on them")
        for far in out_of_scope(cert.scope, now)
    ]
