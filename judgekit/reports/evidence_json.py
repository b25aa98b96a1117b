"""Every figure of the evidence as JSON; calibrations and plain agreements have it alike."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.baselines import Baselines
from judgekit.calibration.decide import Decision
from judgekit.calibration.evidence import Evidence
from judgekit.calibration.rows import ScaleSpec
from judgekit.calibration.workup import WorkUp
from judgekit.reports.documents import estimate_json
from judgekit.reports.human_json import applicability_json, humans_json
from judgekit.reports.paradox import paradox_json


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
        "baselines": _baselines(evidence.baselines),
        "humans": humans_json(evidence.humans),
        "applicability": applicability_json(evidence.applicability),
    }


def _baselines(found: Baselines | None) -> dict[str, Any] | None:
    if found is None:
        return None
    names = ("majority", "judge", "length", "beats_length")
    figures = {name: estimate_json(getattr(found, name)) for name in names}
    return {**figures, "without_length": found.without_length}


def work_up_json(found: WorkUp, spec: ScaleSpec) -> dict[str, Any]:
    """Return the figures beside the gated ones."""
    return {
        "figures": {name: estimate_json(one) for name, one in found.figures.items()},
        "f1": {name: estimate_json(one) for name, one in zip(spec.names, found.f1, strict=True)},
        "humans_alone": {name: estimate_json(one) for name, one in found.humans.items()},
        "humans_and_judge": {name: estimate_json(one) for name, one in found.with_judge.items()},
        "paradox": paradox_json(found),
        "unweighted": estimate_json(found.unweighted),
    }


def checks_json(decision: Decision) -> list[dict[str, Any]]:
    """Return what was asked, what was found, and whether it is enough."""
    shown = {"name", "required", "observed", "passed", "reason"}
    return [check.model_dump(mode="json", include=shown) for check in decision.checks]
