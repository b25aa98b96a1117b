"""The JSON documents that other programs rely on; each carries its format and version."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.errors import GateRefusal, JudgekitError, Reason, RubricError
from judgekit.judging.judgments import Judgments
from judgekit.scoring.score import CriterionScore, Scores


def estimate_json(found: EstimateRecord | None) -> dict[str, Any] | None:
    """Return an estimate; ``undefined`` is there only when it has no value."""
    if found is None:
        return None
    data = found.model_dump(mode="json")
    if data["undefined"] is None:
        del data["undefined"]
    return data


def calibration_json(result: Calibration) -> dict[str, Any]:
    """Return the document of ``calibrate --json`` (judgekit.calibration/1)."""
    return {
        "format": "judgekit.calibration/1",
        "judge": result.judge.name,
        "fingerprint": result.judge.fingerprint,
        "verdict": result.verdict,
        "criteria": [_criterion(c) for c in result.criteria],
        "certificates": [c.path for c in result.criteria if c.path is not None],
        "calls": calls_json(result.judgments),
        "cost_usd": result.judgments.cost_usd,
        "notes": list(result.notes),
    }


def calls_json(judgments: Judgments) -> dict[str, int]:
    """Return how many replies were asked for, taken from the cache, and never came."""
    return {"asked": judgments.asked, "cached": judgments.cached, "failed": judgments.failed}


def _criterion(c: CriterionCalibration) -> dict[str, Any]:
    evidence = c.evidence
    return {
        "criterion": c.criterion.name,
        "verdict": c.verdict,
        "fingerprint": c.fingerprint,
        "agreement": estimate_json(evidence.agreement),
        "gate_agreement": estimate_json(evidence.gate_agreement),
        "worst_case": estimate_json(evidence.worst_case),
        "raw_agreement": estimate_json(evidence.raw_agreement),
        "pass_agreement": estimate_json(evidence.pass_agreement),
        "pass_shift": estimate_json(evidence.pass_shift),
        "signed_error": estimate_json(evidence.signed_error),
        "sensitivity": estimate_json(evidence.sensitivity),
        "specificity": estimate_json(evidence.specificity),
        "levels": [
            {
                "value": level.value,
                "name": level.name,
                "labels": level.labels,
                "recall": estimate_json(level.recall),
                "precision": estimate_json(level.precision),
            }
            for level in evidence.levels
        ],
        "raters": {name: estimate_json(found) for name, found in evidence.raters.items()},
        "certificate": c.path,
        "confusion": evidence.confusion.model_dump(mode="json"),
        "checks": [
            check.model_dump(
                mode="json", include={"name", "required", "observed", "passed", "reason"}
            )
            for check in c.decision.checks
        ],
        "look": c.decision.look,
        "gate_confidence": c.decision.confidence,
        "tally": c.tally.model_dump(mode="json"),
        "labels_needed": None if c.needed is None else c.needed.items,
        "labels_needed_why": None if c.needed is None else c.needed.why,
        "stamps": list(c.stamps),
        "rubric_examples": dict(c.leaked),
    }


def scores_json(scores: Scores, judgments: Judgments, out: str | None) -> dict[str, Any]:
    """Return the document of ``score --json`` (judgekit.scores/1)."""
    return {
        "format": "judgekit.scores/1",
        "judge": scores.judge,
        "criteria": [_score(c) for c in scores.criteria],
        "out": out,
        "calls": calls_json(judgments),
        "cost_usd": judgments.cost_usd,
    }


def _score(c: CriterionScore) -> dict[str, Any]:
    return {
        "criterion": c.criterion,
        "certificate": c.certificate,
        "corrected": estimate_json(c.corrected),
        "why": c.why,
        "uncorrected": estimate_json(c.uncorrected),
        "levels": {name: estimate_json(found) for name, found in c.levels.items()},
        "withheld": [reason_json(r) for r in c.withheld],
        "tally": c.tally.model_dump(mode="json"),
        "stamps": list(c.stamps),
    }


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
