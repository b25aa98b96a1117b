"""The JSON documents that other programs rely on; each carries its format and version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.record import EstimateRecord
from judgekit.errors import GateRefusal, JudgekitError, Reason, RubricError
from judgekit.judging.judgments import Judgments
from judgekit.scoring.corrected import CorrectedRecord
from judgekit.scoring.score import CriterionScore, Scores


def estimate_json(found: EstimateRecord | None) -> dict[str, Any] | None:
    """Return an estimate; ``undefined`` is there only when it has no value."""
    if found is None:
        return None
    data = found.model_dump(mode="json")
    if data["undefined"] is None:
        del data["undefined"]
    return data


def without_undefined(value: Any) -> Any:
    """Return plain JSON in which ``undefined`` is there only when there is no value."""
    if isinstance(value, dict):
        return {
            key: without_undefined(part)
            for key, part in value.items()
            if not (key == "undefined" and part is None)
        }
    return [without_undefined(part) for part in value] if isinstance(value, list) else value


def calls_json(judgments: Judgments) -> dict[str, int]:
    """Return how requests were answered: asked (and failed), cached, or not asked at all."""
    return {
        "asked": judgments.asked,
        "cached": judgments.cached,
        "failed": judgments.failed,
        "not_asked": judgments.not_asked,
    }


def scores_json(
    scores: Scores, judgments: Judgments, out: str | None, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the document of ``score --json`` (judgekit.scores/1)."""
    return {
        "format": "judgekit.scores/1",
        "judge": scores.judge,
        "criteria": [_score(c) for c in scores.criteria],
        "out": out,
        "calls": calls_json(judgments),
        "cost_usd": judgments.cost_usd,
        "notes": list(notes),
    }


def _score(c: CriterionScore) -> dict[str, Any]:
    return {
        "criterion": c.criterion,
        "certificate": c.certificate,
        "corrected": _corrected(c.corrected),
        "why": c.why,
        "uncorrected": estimate_json(c.uncorrected),
        "levels": {name: estimate_json(found) for name, found in c.levels.items()},
        "corrected_levels": {name: _corrected(found) for name, found in c.corrected_levels.items()},
        "withheld": [reason_json(r) for r in c.withheld],
        "tally": c.tally.model_dump(mode="json"),
        "stamps": list(c.stamps),
    }


def _corrected(found: CorrectedRecord | None) -> dict[str, Any] | None:
    """Return a corrected figure, with what the labels alone say in it."""
    data = estimate_json(found)
    if data is not None and found is not None:
        data["human_only"] = estimate_json(found.human_only)
    return data


def reason_json(reason: Reason) -> dict[str, Any]:
    """Return one refusal reason."""
    return {"code": reason.code, "message": reason.message, "next": reason.next}


def refusal_json(refusal: GateRefusal) -> dict[str, Any]:
    """Return the document of a refusal (judgekit.refusal/1)."""
    return {
        "format": "judgekit.refusal/1",
        "reasons": [reason_json(r) for r in refusal.reasons],
    }


def error_json(error: JudgekitError) -> dict[str, Any]:
    """Return the document of an error (judgekit.error/1)."""
    data: dict[str, Any] = {
        "format": "judgekit.error/1",
        "kind": error.kind,
        "message": error.message,
        "file": error.file,
        "line": error.line,
        "hint": error.hint,
    }
    if isinstance(error, RubricError):
        data["problems"] = [
            {
                "line": p.line,
                "column": p.column,
                "rule": p.rule,
                "code": p.code,
                "message": p.message,
            }
            for p in error.problems
            if p.fatal
        ]
    return data


def certificate_json(certificate: Certificate, faults: list[str]) -> dict[str, Any]:
    """Return the document of ``certificate verify --json``."""
    return {
        "format": "judgekit.verification/1",
        "certificate": certificate.id,
        "ok": not faults,
        "faults": faults,
    }
