"""Requests of a batch that have no reply, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.reports.words import wrapped
from judgekit.running.batch_record import Place

MOST_FAILURES = 20
"""How many failures are shown one by one; ``--json`` has them all."""
FailureRow = tuple[Place, str, str]
"""What a request is about, the cause, and the message."""


def failure_json(row: FailureRow) -> dict[str, Any]:
    """Return one request without a reply, for programs."""
    place, cause, message = row
    return {
        "item_id": place.item,
        "criterion": place.criterion,
        "replicate": place.replicate,
        "member": place.member,
        "order": place.order,
        "key": place.key,
        "cause": cause,
        "message": message,
    }


def failure_lines(rows: Sequence[FailureRow], hints: Mapping[str, str]) -> list[str]:
    """Return the requests without a reply, for people: the first ones, and how many of each kind.

    Args:
        rows: The requests.
        hints: What to do about a cause.
    """
    if not rows:
        return []
    several = len({place.criterion for place, _, _ in rows}) > 1
    causes: dict[str, int] = {}
    for _, cause, _ in rows:
        causes[cause] = causes.get(cause, 0) + 1
    told = ", ".join(f"{n:,} {cause}" for cause, n in sorted(causes.items()))
    lines = [f"    without a reply: {told}; the next run asks for them"]
    for place, cause, message in rows[:MOST_FAILURES]:
        what = f"{place.item}, {place.criterion}" if several else place.item
        lines += wrapped(f"{what}: {cause} ({message})", first="      ", rest="        ")
    if len(rows) > MOST_FAILURES:
        lines.append(f"      and {len(rows) - MOST_FAILURES:,} more: --json shows all")
    lines += [
        line
        for cause, hint in hints.items()
        if cause in causes
        for line in wrapped(f"{cause}: {hint}", first="    ", rest="    ")
    ]
    return lines
