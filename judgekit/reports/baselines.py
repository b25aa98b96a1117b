"""What is reached without reading, as a person reads it."""

from __future__ import annotations

from judgekit.calibration.baselines import Baselines
from judgekit.calibration.check import Check
from judgekit.reports.estimates import interval, why_not
from judgekit.reports.words import count, number, percent

ASKED = "yes"
LABEL = "beats length alone"


def against_length(check: Check, baselines: Baselines | None = None) -> str:
    """Return what the check found: ``0.86 against 0.04``, or why there is no figure."""
    if not isinstance(check.observed, dict):
        ahead = None if baselines is None else baselines.beats_length
        return f"undefined ({why_not(check.observed, ahead)})"
    judge, length = (number(check.observed[name]) for name in ("judge", "length"))
    found = f"{judge} against {length}"
    return found if check.passed else f"{found}  (low end {number(check.observed['low'])})"


def baseline_lines(found: Baselines | None) -> list[str]:
    """Return a sentence on each baseline; none without pairs."""
    if found is None:
        return []
    same = f"{percent(found.majority.value)} the same, kappa 0"
    if found.majority.value is None:
        same = interval(found.majority)
    lines = [f"Always the commonest level: {same}."]
    if found.length is None or found.beats_length is None:
        told = count(found.without_length, "label")
        return [*lines, f"Length alone: not compared, {told} without the text of the output."]
    lines.append(f"Length alone: kappa {interval(found.length)}.")
    if found.beats_length.value is not None:
        lines.append(f"The judge is ahead of length by {interval(found.beats_length)}.")
    if found.without_length:
        told = count(found.without_length, "label")
        lines.append(f"{told} without the text of the output left out of this.")
    return lines
