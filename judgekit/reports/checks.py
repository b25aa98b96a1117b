"""The table of checks: what was asked, what was found, and whether it is enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from judgekit.calibration.decide import Check
from judgekit.calibration.evidence import EstimateRecord, Evidence
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Tally
from judgekit.reports.words import WIDTH, bound, listed, number, table

_LABELS = {
    "agreement": "agreement (low end)",
    "labelled_items": "labelled items",
    "labels_per_class": "labels in each class",
    "items_judged": "items judged",
    "pass_agreement": "pass or fail (low end)",
    "better_than_chance": "sensitivity + specificity",
    "pass_rate_shift": "pass rate, judge - human",
    "level_shift": "mean level, judge - human",
    "looks": "looks",
}


class Checked(NamedTuple):
    """Everything a table of checks tells of; a result and a certificate have it alike."""

    checks: Sequence[Check]
    evidence: Evidence
    tally: Tally
    policy: Policy
    look: int


def checks_table(checked: Checked, leaked: Mapping[str, str] | None = None) -> list[str]:
    """Return the table; ``leaked`` are worked examples found among the items, where known."""
    rows = [(*_row(check, checked), "ok" if check.passed else "no") for check in checked.checks]
    if leaked is not None:
        told = f"{listed(list(leaked), 3)} (set aside)" if leaked else "none"
        rows.append(("rubric examples in labels", "none", told, "ok"))
    taken = sum(max(len(row[i]) for row in rows) for i in (0, 1))
    room = max(20, WIDTH - taken - len("    " * 2 + "ok"))
    lines = [["check", "asked", "found", ""]]
    for label, asked, found, verdict in rows:
        first, *rest = wrap(found, room, break_long_words=False) or [""]
        lines.append([label, asked, first, verdict])
        lines += [["", "", more, ""] for more in rest]
    return table(lines)


def _row(check: Check, checked: Checked) -> tuple[str, str, str]:
    return (
        _LABELS.get(check.name, check.name.replace("_", " ")),
        _asked(check),
        _found(check, checked),
    )


def _asked(check: Check) -> str:
    if check.name == "items_judged":
        return f">= {check.required:.0%}"
    if check.name == "better_than_chance":
        return "> 1"
    if check.name in ("pass_rate_shift", "level_shift"):
        return f"within {number(check.required)}"
    if check.name == "looks":
        return f"<= {check.required}"
    return f">= {number(check.required) if isinstance(check.required, float) else check.required}"


def _found(check: Check, checked: Checked) -> str:
    observed: Any = check.observed
    if check.name in ("agreement", "pass_agreement"):
        return _low_end(observed, check.required, checked)
    if check.name == "labelled_items":
        return f"{observed:,}  ({checked.policy.recommended_items:,} recommended)"
    if check.name == "labels_per_class":
        return ", ".join(f"{name} {n}" for name, n in observed.items())
    if check.name == "items_judged":
        tally = checked.tally
        return f"{tally.judged:,} of {tally.judged + sum(tally.unjudged.values()):,}"
    if check.name in ("pass_rate_shift", "level_shift"):
        rate = check.name == "pass_rate_shift"
        return shift_text(checked.evidence.pass_shift if rate else checked.evidence.signed_error)
    return number(observed) if observed is None or isinstance(observed, float) else str(observed)


def _low_end(observed: object, asked: float, checked: Checked) -> str:
    if not isinstance(observed, float):
        return f"undefined ({str(observed or 'unknown').replace('_', ' ')})"
    if checked.look == 1:
        return bound(observed, asked)
    confidence = f"{100 * checked.policy.look_confidence(checked.look):.6g}%"
    return f"{bound(observed, asked)}  (look {checked.look}: {confidence} bound)"


def shift_text(found: EstimateRecord | None) -> str:
    """Return how far the judge stands from the humans: ``+0.20  (0.12 to 0.28)``."""
    if found is None or found.value is None:
        return "undefined"
    sign = "+" if float(number(found.value)) > 0 else ""
    return f"{sign}{number(found.value)}  ({number(found.low)} to {number(found.high)})"
