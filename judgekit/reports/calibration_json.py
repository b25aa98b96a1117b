"""A calibration as one JSON document."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.align import TIED
from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.calibration.several import above_the_bar
from judgekit.reports.documents import calls_json
from judgekit.reports.evidence_json import checks_json, evidence_json, work_up_json
from judgekit.reports.human_json import humans_json
from judgekit.reports.panels import panel_json
from judgekit.reports.probabilities import probability_json
from judgekit.reports.production import production_json
from judgekit.reports.slices import slices_json


def calibration_json(result: Calibration) -> dict[str, Any]:
    """Return the document of ``calibrate --json`` (judgekit.calibration/1)."""
    tell = _criterion if result.reveal == "full" else _verdict_alone
    several = len(result.criteria) > 1 and result.reveal == "full"
    return {
        "format": "judgekit.calibration/1",
        "judge": result.judge.name,
        "fingerprint": result.judge.fingerprint,
        "verdict": result.verdict,
        "revealed": result.reveal,
        "criteria": [tell(c) for c in result.criteria],
        "above_the_bar": [
            {"criterion": one.criterion, "p": one.p, "p_holm": one.adjusted, "holds": one.holds}
            for one in (above_the_bar(result.criteria, result.policy.bar) if several else ())
        ],
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
    return {
        "criterion": c.criterion.name,
        "verdict": c.verdict,
        "fingerprint": c.fingerprint,
        **evidence_json(c.evidence),
        **work_up_json(c.work_up, c.spec),
        "people": humans_json(c.people),
        "slices": slices_json(c.slices),
        "production": production_json(c.production),
        "panel": panel_json(c.panel),
        "probabilities": probability_json(c.probabilities, ["tokens of the reply"]),
        "sampling": c.labels.sampling,
        "split": c.labels.split,
        "certificate": c.path,
        "checks": checks_json(c.decision),
        "look": c.decision.look,
        "looks_revealed": c.revealed,
        "gate_confidence": c.decision.confidence,
        "tally": c.tally.model_dump(mode="json"),
        "labels_needed": None if c.needed is None else c.needed.items,
        "labels_needed_why": None if c.needed is None else c.needed.why,
        "stamps": list(c.stamps),
        "rubric_examples": dict(c.leaked),
        "ties": [row.item for row in c.rows if row.set_aside == TIED],
    }
