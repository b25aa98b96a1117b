"""Worked examples that stand where they must not, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping

from judgekit.calibration.check import Check
from judgekit.reports.words import listed

ASKED = "from train only"


def leaked_text(check: Check) -> str:
    """Return which items outside train are worked examples: ``q7 (test), q9 (dev)``."""
    found: Mapping[str, str] = check.observed
    return listed([f"{item} ({split})" for item, split in found.items()], 3)
