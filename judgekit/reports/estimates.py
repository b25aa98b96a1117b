"""Estimates for people: the value with its interval, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.reports.words import count, number
from judgekit.stats.estimate import MIN_CLUSTERS

if TYPE_CHECKING:
    from judgekit.calibration.evidence import EstimateRecord


def interval(found: EstimateRecord, digits: int = 2) -> str:
    """Return ``0.86, 95% interval 0.74 to 0.93``, or why there is no number."""
    if found.value is None:
        return f"undefined ({why_undefined(found)})"
    ends = f"{number(found.low, digits)} to {number(found.high, digits)}"
    return f"{number(found.value, digits)}, {found.confidence:.0%} interval {ends}"


def why_undefined(found: EstimateRecord) -> str:
    """Return why there is no number; of too few, how many there are and how many it takes."""
    if found.undefined != "too_few_clusters":
        return (found.undefined or "unknown").replace("_", " ")
    if found.clusters is None:
        return f"fewer than {MIN_CLUSTERS} cases"
    units = count(found.clusters, "item" if found.clusters == found.n else "case")
    return f"{units}, {MIN_CLUSTERS} needed"


def why_not(observed: object, printed: EstimateRecord | None) -> str:
    """Return why a check found no number, in the words of the estimate that has the same reason."""
    if printed is not None and printed.undefined == observed:
        return why_undefined(printed)
    if observed == "too_few_clusters":
        return f"fewer than {MIN_CLUSTERS} cases"
    return str(observed or "unknown").replace("_", " ")
