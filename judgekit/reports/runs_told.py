"""One run as a person reads it: what it was, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.reports.runs_summary import RunSummary
from judgekit.reports.runs_told_facts import run_facts
from judgekit.reports.words import count, labelled, wrapped

_COLUMN = 12


def summary_lines(about: Mapping[str, Any], summary: RunSummary) -> list[str]:
    """Return what a run was and what came of it."""
    judge = f", judge {about['judge']}" if about.get("judge") else ""
    lines = wrapped(f"{about['id']}: {about.get('command', 'a run')}{judge}, {about['state']}.")
    for text in _outcome(about, summary):
        lines += wrapped(text, first="  ", rest="    ")
    lines.append("")
    for label, text in run_facts(about, summary):
        lines += labelled(label, text, column=_COLUMN)
    for text in _next(about, summary):
        lines += labelled("Next", text, column=_COLUMN)
    return lines


def _next(about: Mapping[str, Any], summary: RunSummary) -> list[str]:
    told = []
    if about["state"] in ("killed", "stopped", "failed"):
        told.append("run it again: what was answered is kept, and is not asked twice")
    if summary.unjudged:
        told.append(f"judgekit runs show {about['id']} --unjudged")
    return told


def _outcome(about: Mapping[str, Any], summary: RunSummary) -> list[str]:
    tally = about.get("tally")
    if tally is None:
        judged, unjudged = summary.judged, summary.unjudged
        return [f"{count(summary.rows, 'answer')} recorded: {_split(judged, unjudged)}"]
    judged, unjudged = tally["judged"], tally["unjudged"]
    lines = [f"{count(tally['items'], 'item')}: {_split(judged, unjudged)}"]
    if tally["items"] != judged + sum(unjudged.values()):
        lines.append("these do not add up: the record was changed, or was written by a fault")
    return lines


def _split(judged: int, unjudged: Mapping[str, int]) -> str:
    causes = ", ".join(f"{n:,} {cause.replace('_', ' ')}" for cause, n in unjudged.items())
    lost = sum(unjudged.values())
    return f"{judged:,} judged, {lost:,} not" + (f" ({causes})" if causes else "")
