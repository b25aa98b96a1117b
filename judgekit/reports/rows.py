"""Judgments as rows: one line an item, never a number over items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from judgekit.calibration.scope import traits_of
from judgekit.fingerprint import canonical_json, sha256_text
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.judging.tokens import expected_value
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.scale import NA

if TYPE_CHECKING:
    from judgekit.calibration.gate import CertifiedJudge


def score_rows(judgments: Judgments, certified: CertifiedJudge) -> Iterator[dict[str, Any]]:
    """Return one row for each item and criterion, in the order the items came in."""
    rubric = certified.judge.rubric
    for item in judgments.items:
        for name, certificate in certified.certificates.items():
            known = judgments.outcomes[name].get(item.id)
            outcome = known or Unjudged(item.id, name, "missing")
            row = outcome_row(outcome, rubric.criterion(name))
            row["certificate"] = certificate.id
            if item.case is not None:
                row["case"] = item.case
            if text := traits_of(item).written:
                row["text"] = text
            row["cached"] = outcome.cached
            yield {**row, "seal": row_seal(row)}


_SEALED = (
    "item_id",
    "criterion",
    "status",
    "level",
    "value",
    "cause",
    "certificate",
    "case",
    "text",
)


def row_seal(row: Mapping[str, object]) -> str:
    """Return the digest by which an edited row is told from a scored one."""
    return sha256_text(canonical_json({name: row.get(name) for name in _SEALED}))[:16]


def trial_rows(judgments: Judgments, rubric: Rubric) -> Iterator[dict[str, Any]]:
    """Return the rows of an uncalibrated judge, each stamped as such."""
    for item in judgments.items:
        for name, outcomes in judgments.outcomes.items():
            yield trial_row(outcomes[item.id], rubric.criterion(name))


def trial_row(outcome: Judgment | Unjudged, criterion: Criterion) -> dict[str, Any]:
    """Return the row of one item, stamped uncalibrated."""
    return {**outcome_row(outcome, criterion), "calibrated": False, "cached": outcome.cached}


def outcome_row(outcome: Judgment | Unjudged, criterion: Criterion) -> dict[str, Any]:
    """Return what became of one item on one criterion."""
    level, status = None, "unjudged"
    if isinstance(outcome, Judgment):
        status = "not_applicable" if outcome.level is None else "judged"
        level = None if outcome.level is None else criterion.scale.levels[outcome.level]
    row: dict[str, Any] = {
        "item_id": outcome.item,
        "criterion": criterion.name,
        "level": level and level.name,
        "value": level and level.value,
        "status": status,
        "cause": outcome.cause if isinstance(outcome, Unjudged) else None,
        "reason": outcome.detail if isinstance(outcome, Unjudged) else outcome.reason,
    }
    if outcome.votes:
        row["votes"] = [_vote(vote, criterion) for vote in outcome.votes]
    if isinstance(outcome, Judgment) and outcome.probabilities is not None:
        names = criterion.scale.names
        row["probabilities"] = dict(zip(names, outcome.probabilities, strict=True))
        row["expected"] = expected_value(criterion.scale, outcome.probabilities)
    return row


def _vote(vote: Judgment | Unjudged, criterion: Criterion) -> dict[str, Any]:
    """Return one of the outcomes that an item's was made of."""
    told: dict[str, Any] = {"member": vote.member, "order": vote.order, "replicate": vote.replicate}
    if isinstance(vote, Unjudged):
        return {**told, "level": None, "cause": vote.cause}
    return {**told, "level": NA if vote.level is None else criterion.scale.names[vote.level]}
