"""Members, replicates and orders of a judge, as a person reads them and as JSON."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.panel_errors import SizeEvidence
from judgekit.calibration.panel_members import PanelEvidence
from judgekit.calibration.panels import PanelReport
from judgekit.calibration.record import EstimateRecord
from judgekit.reports.documents import without_undefined
from judgekit.reports.estimates import why_undefined
from judgekit.reports.repeats import order_lines, repeat_lines
from judgekit.reports.words import WIDTH, number, short, table, wrapped

_WHY = {
    "empty": "there is no item that all of them judged",
    "too_few_items": "too few items that all of them judged, or too few errors",
    "too_few_clusters": "the items are of fewer than ten cases",
    "zero_variance": "one of them is always right, or always off by the same",
}

_CLOSE = 0.5
"""Members whose errors correlate by this much and more are named."""


def panel_json(report: PanelReport | None) -> dict[str, Any] | None:
    """Return what the single votes show, as it stands in a JSON document."""
    return None if report is None else without_undefined(report.model_dump(mode="json"))


def panel_lines(report: PanelReport) -> list[str]:
    """Return what the single votes show, a paragraph for each kind of them."""
    parts = [
        _panel(report.panel) if report.panel else [],
        repeat_lines(report.repeats) if report.repeats else [],
        order_lines(report.orders) if report.orders else [],
    ]
    lines: list[str] = []
    for part in filter(None, parts):
        lines += [*([""] if lines else []), *part]
    return lines


def _panel(found: PanelEvidence) -> list[str]:
    members = len(found.members)
    lines = wrapped(f"Panel: {_worth(found.errors, members)}.")
    rows = [("member", "judged", "kappa, 95% interval")]
    rows += [(one.model, f"{one.judged:,}", _kappa(one.agreement)) for one in found.members]
    rows.append(("all together", "", _kappa(found.agreement)))
    room = WIDTH - 6 - sum(max(len(row[i]) for row in rows) for i in (1, 2))
    lines += table([(short(name, room), *figures) for name, *figures in rows], right=[1])
    told = []
    if found.signed_errors is not None and found.signed_errors.size.value is not None:
        told.append(f"By how far they are off: {_worth(found.signed_errors, members)}.")
    if found.closest is not None and members > 2 and found.closest[2] >= _CLOSE:
        first, second, rho = found.closest
        told.append(f"{first} and {second} err together most (correlation {number(rho)}).")
    return [*lines, *(line for text in told for line in wrapped(text, first="  ", rest="  "))]


def _worth(found: SizeEvidence, members: int) -> str:
    size = found.size
    if size.value is None:
        why = _WHY.get(size.undefined or "", why_undefined(size))
        return f"whether the {members} members err together cannot be told ({why})"
    ends = f"({number(size.low, 1)} to {number(size.high, 1)})"
    if found.capped:
        return f"{members} members whose errors do not coincide: worth all {members} {ends}"
    return f"{members} members err together as {number(size.value, 1)} would {ends}"


def _kappa(found: EstimateRecord) -> str:
    if found.value is None:
        return f"undefined ({why_undefined(found)})"
    return f"{number(found.value)}  ({number(found.low)} to {number(found.high)})"
