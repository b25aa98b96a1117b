"""The table of checks: what was asked, what was found, and whether it is enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from judgekit.calibration.check import Check
from judgekit.calibration.evidence import EstimateRecord, Evidence
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Tally
from judgekit.reports import baselines, leaks
from judgekit.reports.estimates import why_not
from judgekit.reports.words import WIDTH, bound, number, table

_LABELS = {
    "agreement": "agreement (low end)",
    "labelled_items": "labelled items",
    "labels_per_class": "labels in each class",
    "items_judged": "items judged",
    "pass_agreement": "pass or fail (low end)",
    "better_than_chance": "sensitivity + specificity",
    "pass_rate_shift": "pass rate, judge - human",
    "level_shift": "mean level, judge - human",
    "beats_length": baselines.LABEL,
    "human_agreement": "people agree (high end)",
    "human_raters": "raters who share items",
    "human_gap": "judge - people (low end)",
    "leaked_anchors": "rubric examples in labels",
    "looks": "looks",
}


class Checked(NamedTuple):
    """Everything a table of checks tells of; a result and a certificate have it alike."""

    checks: Sequence[Check]
    evidence: Evidence
    tally: Tally
    policy: Policy
    look: int
    edge: str | None = None


def checks_table(checked: Checked, examples: leaks.Examples | None = None) -> list[str]:
    """Return the table; ``examples`` is what is known of worked examples among the labels."""
    rows = [(*_row(check, checked), "ok" if check.passed else "no") for check in checked.checks]
    rival = checked.evidence.baselines
    if rival is not None and rival.beats_length is None and checked.policy.beat_length:
        rows.append((baselines.LABEL, baselines.ASKED, "not compared: no text at hand", ""))
    known = {check.name for check in checked.checks}
    if examples is not None and "leaked_anchors" not in known:
        rows.append((_LABELS["leaked_anchors"], *examples))
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


_ABOVE = " and above"
_ASKED: dict[str, Callable[[Any], str]] = {
    "items_judged": lambda asked: f">= {asked:.0%}",
    "better_than_chance": lambda _: "> 1",
    "pass_rate_shift": lambda asked: f"within {number(asked)}",
    "level_shift": lambda asked: f"within {number(asked)}",
    "beats_length": lambda _: baselines.ASKED,
    "human_gap": lambda asked: f"> {number(asked)}",
    "looks": lambda asked: f"<= {asked}",
    "leaked_anchors": lambda _: leaks.ASKED,
}
"""How a requirement is written, where it is not simply a least value."""


def _asked(check: Check) -> str:
    if check.name in _ASKED:
        return _ASKED[check.name](check.required)
    return f">= {number(check.required) if isinstance(check.required, float) else check.required}"


_FOUND: dict[str, Callable[[Check, Checked], str]] = {
    "agreement": lambda check, at: _low_end(check, at.evidence.gate_agreement, at),
    "pass_agreement": lambda check, at: _low_end(check, at.evidence.pass_agreement, at),
    "human_gap": lambda check, at: _low_end(
        check, None if at.evidence.humans is None else at.evidence.humans.gap, at
    ),
    "beats_length": lambda check, at: baselines.against_length(check, at.evidence.baselines),
    "leaked_anchors": lambda check, _: leaks.leaked_text(check),
    "labelled_items": lambda check, at: (
        f"{check.observed:,}  ({at.policy.recommended_items:,} recommended)"
    ),
    "labels_per_class": lambda check, at: _classes(check.observed, at.edge),
    "items_judged": lambda _, at: (
        f"{at.tally.judged:,} of {at.tally.judged + sum(at.tally.unjudged.values()):,}"
    ),
    "pass_rate_shift": lambda _, at: shift_text(at.evidence.pass_shift),
    "level_shift": lambda _, at: shift_text(at.evidence.signed_error),
}
"""How what was found is written, where it is not simply a number."""


def _found(check: Check, checked: Checked) -> str:
    if check.name in _FOUND:
        return _FOUND[check.name](check, checked)
    observed = check.observed
    return number(observed) if observed is None or isinstance(observed, float) else str(observed)


def _classes(counts: dict[str, int], named: str | None) -> str:
    """Return the labels of each class: ``english 58, other 52``, ``73 below 3, 39 at 3 or above``.

    A level that ends with a digit is kept apart from its number by a colon. ``named`` is what the
    lowest level that passes is called, where not by its value.
    """
    edge = next((name.partition(_ABOVE)[0] for name in counts if name.endswith(_ABOVE)), None)
    if edge is not None and f"below {edge}" in counts:
        at = named or edge
        return f"{counts[f'below {edge}']:,} below {at}, {counts[edge + _ABOVE]:,} at {at} or above"
    colon = ":" if any(name[-1:].isdigit() for name in counts) else ""
    return ", ".join(f"{name}{colon} {n:,}" for name, n in counts.items())


def _low_end(check: Check, printed: EstimateRecord | None, checked: Checked) -> str:
    observed, asked = check.observed, check.required
    if not isinstance(observed, float):
        return f"undefined ({why_not(observed, printed)})"
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
