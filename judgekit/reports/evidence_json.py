"""Every figure of the evidence as JSON; calibrations and plain agreements have it alike."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.decide import Decision
from judgekit.calibration.evidence import Evidence
from judgekit.reports.documents import estimate_json


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """Return the estimates by name, each with its interval or the reason why it has none."""
    return {
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
        "confusion": evidence.confusion.model_dump(mode="json"),
    }


def checks_json(decision: Decision) -> list[dict[str, Any]]:
    """Return what was asked, what was found, and whether it is enough."""
    shown = {"name", "required", "observed", "passed", "reason"}
    return [check.model_dump(mode="json", include=shown) for check in decision.checks]
