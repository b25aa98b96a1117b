"""Batches for people and for programs."""

from __future__ import annotations

from typing import Any

from judgekit.errors import JudgingError
from judgekit.reports.words import count, wrapped
from judgekit.running.batch_record import BatchRecord

_INTERRUPTED = {
    "planned": "not submitted yet",
    "uploaded": "uploaded, not submitted yet",
    "creating": "asked for; whether the provider has it is not known yet",
}


def batches(n: int) -> str:
    """Return ``1 batch`` or ``2 batches``."""
    return count(n, "batch", "batches")


def state_of(record: BatchRecord) -> str:
    """Return one word for how a batch stands: ours, or while it is there the provider's."""
    if record.state == "submitted" and record.seen is not None:
        return record.seen.status
    return record.state


def batch_lines(record: BatchRecord, now: float, problem: JudgingError | None = None) -> list[str]:
    """Return how a batch stands, for people."""
    head = f"{record.id}  {record.judge}, {record.model}, {count(record.requests, 'request')}"
    lines = [head, f"    {_standing(record, now)}"]
    if problem is not None:
        lines += wrapped(f"could not be asked: {problem}", first="    ", rest="    ")
    return lines


def batch_json(record: BatchRecord, problem: JudgingError | None = None) -> dict[str, Any]:
    """Return how a batch stands, for programs. Times are in seconds since 1970."""
    seen = record.seen
    return {
        "id": record.id,
        "judge": record.judge,
        "model": record.model,
        "state": state_of(record),
        "batch_id": record.batch_id,
        "requests": record.requests,
        "completed": seen.completed if seen else None,
        "failed": seen.failed if seen else None,
        "created_at": record.created_at,
        "deadline": seen.deadline if seen else None,
        "collected": record.state == "collected",
        "kept": record.kept if record.state == "collected" else None,
        "lost": record.lost if record.state == "collected" else None,
        "estimate_usd": record.estimate_usd,
        "cost_usd": record.cost_usd,
        "unpriced": record.unpriced,
        "left_out": list(record.left_out),
        "problem": None if problem is None else str(problem),
    }


def money(cost_usd: float | None, about: str = "") -> str:
    """Return an amount as people read it; one that is not known is not 0."""
    return "cost unknown" if cost_usd is None else f"{about}{cost_usd:.4f} USD"


def _standing(record: BatchRecord, now: float) -> str:
    age = f"{_span(now - record.created_at)} old"
    if record.interrupted:
        return f"{record.state}: {_INTERRUPTED[record.state]}; {age}"
    if record.state == "withdrawn":
        return f"withdrawn before it was submitted; {age}"
    if record.state == "collected":
        cost = money(record.cost_usd)
        if record.unpriced and record.cost_usd is not None:
            cost += f" and {record.unpriced:,} of unknown price"
        how = (
            f" ({record.seen.status})" if record.seen and record.seen.status != "completed" else ""
        )
        kept = count(record.kept, "reply", "replies")
        return f"collected{how}: {kept}, {record.lost:,} without; {cost}; {age}"
    seen = record.seen
    if seen is None:
        return f"submitted; {age}"
    counts = f"{seen.completed:,} answered, {seen.failed:,} failed"
    if record.ended:
        return f"{seen.status}: {counts}; {age}; to be collected"
    left = None if seen.deadline is None else seen.deadline - now
    until = "" if left is None else ("; overdue" if left < 0 else f"; expires in {_span(left)}")
    return f"{seen.status}: {counts}; {age}{until}"


def _span(seconds: float) -> str:
    """Return a length of time as people say it."""
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds / unit:.0f} {name}"
    return f"{max(0, seconds):.0f} s"
