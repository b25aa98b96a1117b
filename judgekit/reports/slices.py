"""Slices of the items, as a person reads them and as JSON."""

from __future__ import annotations

from typing import Any

from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.slices import SliceEvidence, SliceReport
from judgekit.reports.documents import without_undefined
from judgekit.reports.estimates import why_undefined
from judgekit.reports.words import WIDTH, count, listed, number, short, table, wrapped

_RULES = {
    True: "named beforehand; the chance of any false alarm is held to {:.0%}",
    False: "explored; of the slices said to differ, about {:.0%} at most are false alarms",
}


def slices_json(reports: tuple[SliceReport, ...]) -> list[dict[str, Any]]:
    """Return the slices of each column, as they stand in a JSON document."""
    return [without_undefined(report.model_dump(mode="json")) for report in reports]


def slice_lines(report: SliceReport) -> list[str]:
    """Return the table of one column, what differs in it, and what cannot be said."""
    column = report.column
    sided = any(one.sensitivity is not None for one in report.slices)
    head = [column, "items", "kappa, 95% interval"]
    head += ["passes met (n)", "fails met (n)"] if sided else []
    rows = [[*head, "errors"]]
    rows += [_row(one, sided=sided) for one in report.slices]
    numeric = [1, *range(3, len(head) + 1)]
    lines = wrapped(f"By {column} ({_RULES[report.declared].format(report.level)}):")
    lines += table(_fitting(rows), right=numeric)
    told = [_differs(one) for one in report.slices if one.differs]
    told.append(_homogeneous(report))
    told += _undefined(report)
    if report.unusable:
        few = listed(list(report.unusable))
        told.append(f"Too few items to say anything, 30 are asked: {few}.")
    if report.unsliced:
        told.append(f"{count(report.unsliced, 'item')} without {column}.")
    return [*lines, *(line for text in told for line in wrapped(text, first="  ", rest="  "))]


def _fitting(rows: list[list[str]]) -> list[list[str]]:
    """Cut the names of slices to what the figures leave of the screen."""
    taken = sum(2 + max(len(row[i]) for row in rows) for i in range(1, len(rows[0])))
    return [[short(name, max(8, WIDTH - 2 - taken)), *figures] for name, *figures in rows]


def _row(one: SliceEvidence, *, sided: bool) -> list[str]:
    kappa = "too few" if not one.usable else _within(one.kappa)
    sides = [_share(one.sensitivity), _share(one.specificity)] if sided else []
    return [one.value, f"{one.items:,}", kappa, *sides, f"{one.errors:,} of {one.pairs:,}"]


def _within(found: EstimateRecord) -> str:
    if found.value is None:
        return "undefined"
    return f"{number(found.value)}  ({number(found.low)} to {number(found.high)})"


def _undefined(report: SliceReport) -> list[str]:
    """Say why slices that are large enough have no kappa."""
    why: dict[str, list[str]] = {}
    for one in report.slices:
        if one.usable and one.kappa.value is None:
            reason = why_undefined(one.kappa)
            why.setdefault(reason, []).append(one.value)
    return [f"Kappa is undefined ({reason}): {listed(names)}." for reason, names in why.items()]


def _share(found: EstimateRecord | None) -> str:
    return (
        "none" if found is None or found.value is None else f"{number(found.value)} ({found.n:,})"
    )


def _differs(one: SliceEvidence) -> str:
    difference, test = one.difference, one.test
    if difference is None or difference.value is None or test is None:
        return f"{one.value} differs from the rest."
    more = "more" if difference.value > 0 else "fewer"
    ends = sorted(abs(100 * (end or 0.0)) for end in (difference.low, difference.high))
    if (difference.low or 0.0) < 0 < (difference.high or 0.0):
        ends[0] = 0.0
    return (
        f"{one.value}: {abs(100 * difference.value):.0f} points {more} errors than elsewhere "
        f"({ends[0]:.0f} to {ends[1]:.0f}; p {_p(test.p)}, adjusted {_p(test.adjusted)})."
    )


def _homogeneous(report: SliceReport) -> str:
    found = report.homogeneity
    if found.p is None:
        why = (found.undefined or "unknown").replace("_", " ")
        return f"Whether kappa is the same in all slices cannot be told ({why})."
    test = f"X^2 {number(found.statistic, 1)} on {found.df} df, p {_p(found.p)}"
    if found.p <= report.level:
        return f"Kappa is not the same in all slices ({test}). Other shares of levels move it too."
    return f"No difference of kappa was told apart ({test}); that is no proof that there is none."


def _p(value: float | None) -> str:
    if value is None:
        return "undefined"
    return "<0.001" if value < 0.001 else number(value, 3)
