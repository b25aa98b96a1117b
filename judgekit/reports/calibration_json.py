"""A calibration as one JSON document."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.reports.documents import calls_json, estimate_json


def calibration_json(result: Calibration) -> dict[str, Any]:
    """Return the document of ``calibrate --json`` (judgekit.calibration/1)."""
    tell = _criterion if result.reveal == "full" else _verdict_alone
    return {
        "format": "judgekit.calibration/1",
        "judge": result.judge.name,
        "fingerprint": result.judge.fingerprint,
        "verdict": result.verdict,
        "revealed": result.reveal,
        "criteria": [tell(c) for c in result.criteria],
        "certificates": [c.path for c in result.criteria if c.path is not None],
        "calls": calls_json(result.judgments),
        "cost_usd": result.judgments.cost_usd,
        "notes": list(result.notes),
    }


def _verdict_alone(c: CriterionCalibration) -> dict[str, Any]:
    return {
        "criterion": c.criterion.name,
        "verdict": c.verdict,
        "certificate": c.path,
        "look": c.decision.look,
        "looks_revealed": c.revealed,
        "labels_needed": None if c.needed is None else c.needed.items,
        "labels_needed_why": None if c.needed is None else c.needed.why,
    }


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
        "looks_revealed": c.revealed,
        "gate_confidence": c.decision.confidence,
        "tally": c.tally.model_dump(mode="json"),
        "labels_needed": None if c.needed is None else c.needed.items,
        "labels_needed_why": None if c.needed is None else c.needed.why,
        "stamps": list(c.stamps),
        "rubric_examples": dict(c.leaked),
    }
