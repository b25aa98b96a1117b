"""What several raters say of each other and of the judge, as JSON."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.applicability import Applicability
from judgekit.calibration.humans import HumanEvidence
from judgekit.reports.documents import without_undefined


def humans_json(found: HumanEvidence | None) -> dict[str, Any] | None:
    """Return the figures of the humans; None with one rater."""
    return None if found is None else without_undefined(found.model_dump(mode="json"))


def applicability_json(found: Applicability | None) -> dict[str, Any] | None:
    """Return the 2 x 2 of applicability; None where nobody said "does not apply"."""
    return None if found is None else without_undefined(found.model_dump(mode="json"))
