"""Worked examples that stand where they must not, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from judgekit.calibration.check import Check
from judgekit.calibration.result import CriterionCalibration
from judgekit.reports.words import listed

ASKED = "from train only"


class Examples(NamedTuple):
    """What is known of worked examples among the labels where no check failed by them."""

    asked: str
    found: str
    verdict: str = "ok"


def examples_of(found: CriterionCalibration) -> Examples:
    """Say which worked examples stand among the labels, and why that does no harm."""
    split = found.labels.split is not None
    asked = ASKED if split else "none"
    if found.leaked:
        where = "in train" if split else "set aside"
        return Examples(asked, f"{listed(list(found.leaked), 3)} ({where})")
    has_examples = any(level.anchors for level in found.criterion.scale.levels)
    if has_examples and all(row.length is None for row in found.rows):
        return Examples(asked, "not compared: no text at hand", "")
    return Examples(asked, "none")


def leaked_text(check: Check) -> str:
    """Return which items outside train are worked examples: ``q7 (test), q9 (dev)``."""
    found: Mapping[str, str] = check.observed
    return listed([f"{item} ({split})" for item, split in found.items()], 3)
