"""Batches and submissions as the commands about them show them."""

from __future__ import annotations

import time
from typing import Any

from judgekit.api.batch_look import Collection
from judgekit.api.batch_submit import Submission
from judgekit.cli.run import CALLS_FAILED, FINE
from judgekit.cli.screen import document_or_lines
from judgekit.reports.batch import batch_json, batch_lines, batches, money
from judgekit.reports.batch_failures import failure_json, failure_lines
from judgekit.reports.words import count
from judgekit.running.batch_record import BatchRecord

HINTS = {
    "bad_request": "judgekit try JUDGE ITEMS --limit 1 learns which parameters the model does not "
    "take, and the next batch leaves them out",
    "context_length": "the prompt is too long for this model",
    "truncated": "the reply needs more room: max_tokens in judgekit.toml",
}


def unfinished(found: Collection) -> list[str]:
    """Return what to do about batches from which replies are still to come."""
    begun = sum(record.interrupted for record in found.waiting)
    going = len(found.waiting) - begun
    lines = [f"not finished yet: {batches(going)}; collect again later"] if going else []
    if begun:
        lines.append(f"submission interrupted: {batches(begun)}; judgekit batch resume goes on")
    return lines


def show_batches(records: list[BatchRecord], *, as_json: bool, none: str = "no batches") -> None:
    """Show how batches stand, as they were last seen."""
    document = {"format": "judgekit.batches/1", "batches": [batch_json(r) for r in records]}
    lines = [line for record in records for line in batch_lines(record, time.time())]
    document_or_lines(document, lines or [none], as_json=as_json)


def show_collection(found: Collection, *, as_json: bool) -> int:
    """Show how batches stand and which requests have no reply; return the exit code."""
    document = {
        "format": "judgekit.batches/1",
        "batches": [
            {
                **batch_json(record, found.problems.get(record.id)),
                "failures": [failure_json(row) for row in found.failures.get(record.id, ())],
            }
            for record in found.batches
        ],
        "collected": list(found.fresh),
        "waiting": len(found.waiting),
    }
    lines: list[str] = []
    for record in found.batches:
        lines += batch_lines(record, time.time(), found.problems.get(record.id))
        lines += failure_lines(found.failures.get(record.id, ()), HINTS)
    document_or_lines(document, lines or ["no batches to look at"], as_json=as_json)
    return CALLS_FAILED if found.problems else FINE


def submission_json(done: Submission) -> dict[str, Any]:
    """Return what became of a submission, for programs."""
    return {
        "format": "judgekit.batch-submission/1",
        "requests": done.requests,
        "cached": done.cached,
        "pending": done.pending,
        "over_budget": done.over_budget,
        "sent": done.sent,
        "estimate_usd": done.estimate_usd,
        "left_out": list(done.left_out),
        "batches": [batch_json(record) for record in done.batches],
    }


def submission_lines(done: Submission) -> list[str]:
    """Return what a submission comes to, for people, and what to do next."""
    parts = [f"{done.sent:,} submitted"]
    parts += [f"{done.cached:,} cached"] if done.cached else []
    parts += [f"{done.pending:,} pending in earlier batches"] if done.pending else []
    parts += [f"{done.over_budget:,} beyond the limit"] if done.over_budget else []
    lines = [f"{count(done.requests, 'request')}: {', '.join(parts)}"]
    if done.sent:
        lines[0] += f"; at half price: {money(done.estimate_usd, 'about ')}"
    if done.left_out:
        lines.append(f"not sent, since the model does not take it: {', '.join(done.left_out)}")
    if done.batches:
        lines.append("Next: judgekit batch status; judgekit batch collect --wait")
    return lines
