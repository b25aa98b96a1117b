"""Judgments, refusals and unusable items as the outcomes that runners are given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import uuid4

from judgekit.adapters.outcome import Outcome, Scalar
from judgekit.adapters.seal import sealed
from judgekit.api.stream import Judged
from judgekit.calibration.certificate import Certificate
from judgekit.calibration.scope import Traits, traits_of
from judgekit.errors import GateRefusal, InputError
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.rubric.model import Criterion

N = TypeVar("N", int, float)


def judged_outcome(
    judged: Judged, name: str, certificate: Certificate, card: str, traits: Traits | None = None
) -> Outcome:
    """Return what a certified judge said of an item, as one outcome.

    Args:
        judged: What it said, and the answers that rest on.
        name: What the criterion is called in the runner's results.
        certificate: The criterion's certificate.
        card: Where the judge's card is to be found.
        traits: What is known of the item's text, where the item comes without.
    """
    criterion, said = judged.criterion, judged.outcome
    facts: dict[str, Scalar] = {
        **_facts(criterion, certificate.judge.name),
        **certificate_facts(certificate),
        "judgekit_id": uuid4().hex,
        "judgekit_item": judged.item.id,
        "judgekit_case": judged.item.case,
        "judgekit_text": (traits or traits_of(judged.item)).written or None,
        "judgekit_card": card,
    }
    replies = [a.reply for a in judged.answers if a.reply is not None and not a.cached]
    spent: Any = {
        "cost_usd": sum_known(r.cost_usd for r in replies),
        "tokens_in": sum_known(r.tokens_in for r in replies),
        "tokens_out": sum_known(r.tokens_out for r in replies),
    }
    if any(a.attempts and a.reply is None for a in judged.answers):
        spent["cost_usd"] = None  # what failed may have been paid for
    if isinstance(said, Unjudged):
        why = said.detail or f"no usable judgment: {said.cause}"
        return Outcome(
            *(name, criterion.name, "unjudged"),
            explanation=why,
            reason_code=said.cause,
            metadata=sealed(
                {**facts, "judgekit_status": "unjudged", "judgekit_reason_code": said.cause}
            ),
            **spent,
        )
    if said.level is None:
        return Outcome(
            *(name, criterion.name, "not_applicable"),
            explanation=said.reason,
            metadata=sealed({**facts, "judgekit_status": "not_applicable"}),
            **spent,
        )
    return _scored(criterion, name, said, said.level, facts, spent)


def refused_outcome(criterion: Criterion, name: str, judge: str, refusal: GateRefusal) -> Outcome:
    """Return what a judge that is not certified gives instead of a value."""
    first = refusal.reasons[0]
    lines = [r.message + (f" Next: {r.next}" if r.next else "") for r in refusal.reasons]
    return Outcome(
        *(name, criterion.name, "refused"),
        explanation=" ".join(lines),
        reason_code=first.code,
        metadata=sealed(
            {
                **_facts(criterion, judge),
                "judgekit_id": uuid4().hex,
                "judgekit_status": "refused",
                "judgekit_reason_code": ",".join(dict.fromkeys(r.code for r in refusal.reasons)),
            }
        ),
        cost_usd=0.0,
    )


def unusable_outcome(
    criterion: Criterion, name: str, certificate: Certificate, error: InputError
) -> Outcome:
    """Return what an item gives that cannot be shown to the judge."""
    hint = f" ({error.hint})" if error.hint else ""
    return Outcome(
        *(name, criterion.name, "unjudged"),
        explanation=f"{error}{hint}",
        reason_code="missing",
        metadata=sealed(
            {
                **_facts(criterion, certificate.judge.name),
                **certificate_facts(certificate),
                "judgekit_id": uuid4().hex,
                "judgekit_item": "",
                "judgekit_status": "unjudged",
                "judgekit_reason_code": "missing",
            }
        ),
        cost_usd=0.0,
    )


def certificate_facts(certificate: Certificate) -> dict[str, Scalar]:
    """Return what a reader of a value must be able to see of its certificate."""
    found = certificate.evidence.gate_agreement
    return {
        "judgekit_certificate": certificate.id,
        "judgekit_fingerprint": certificate.judge.fingerprint,
        "judgekit_expires": f"{certificate.expires_at:%Y-%m-%d}",
        "judgekit_agreement": found.value,
        "judgekit_agreement_low": found.low,
        "judgekit_agreement_high": found.high,
        "judgekit_agreement_metric": found.metric,
        "judgekit_stamps": ",".join(certificate.stamps),
        "judgekit_uncorrected": True,
    }


def sum_known(amounts: Iterable[N | None]) -> N | float | None:
    """Return the sum; None when one of the amounts is not known."""
    listed = list(amounts)
    known = [amount for amount in listed if amount is not None]
    return sum(known) if len(known) == len(listed) else None


def _facts(criterion: Criterion, judge: str) -> dict[str, Scalar]:
    return {"judgekit_judge": judge, "judgekit_criterion": criterion.name}


def _scored(
    criterion: Criterion,
    name: str,
    said: Judgment,
    level: int,
    facts: dict[str, Scalar],
    spent: Any,
) -> Outcome:
    scale, passes = criterion.scale, criterion.passes
    passed = None if passes is None else passes[level]
    value = scale.values[level]
    return Outcome(
        *(name, criterion.name, "scored", value, share_of(criterion, level), passed),
        level=scale.names[level],
        explanation=said.reason,
        metadata=sealed(
            {
                **facts,
                "judgekit_status": "scored",
                "judgekit_value": value,
                "judgekit_level": scale.names[level],
            }
        ),
        **spent,
    )


def number_of(criterion: Criterion, level: int) -> float | None:
    """Return a level's value where it is a number, else its share."""
    value = criterion.scale.values[level]
    return value if isinstance(value, int | float) else share_of(criterion, level)


def share_of(criterion: Criterion, level: int) -> float | None:
    """Return where a level stands between the lowest, 0, and the highest, 1.

    Levels that only have names count by whether they pass; a pair by how the first side does, a
    tie as one half. None where the rubric says neither.
    """
    scale = criterion.scale
    if scale.kind == "pairwise":
        first, second = scale.sides
        return {first: 1.0, second: 0.0}.get(level, 0.5)
    if scale.kind == "nominal":
        passes = criterion.passes
        return None if passes is None else float(passes[level])
    values = [float(value) for value in scale.values]
    return (values[level] - values[0]) / (values[-1] - values[0])
