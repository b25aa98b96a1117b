"""Agreement where levels are as common as in production, as a person reads it."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.production import Production
from judgekit.reports.documents import estimate_json
from judgekit.reports.estimates import interval
from judgekit.reports.words import percent


def production_text(found: Production) -> str:
    """Return kappa at the stated shares, and where the labels stand."""
    stated = ", ".join(f'"{name}" {percent(share)}' for name, share in found.shares.items())
    here = ", ".join(f'"{name}" {percent(share)}' for name, share in found.labelled.items())
    return (
        f"kappa {interval(found.agreement)} where levels are as common as stated ({stated}; among "
        f"the labels {here}), if the judge answers each level as it does here."
    )


def production_json(found: Production | None) -> dict[str, Any] | None:
    """Return the stated shares and agreement there; None where none were stated."""
    if found is None:
        return None
    return {
        "shares": found.shares,
        "labelled": found.labelled,
        "agreement": estimate_json(found.agreement),
    }
