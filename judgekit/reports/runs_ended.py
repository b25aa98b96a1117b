"""What is to be said at the end of a run beside its result: nothing, when all went well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.reports.amounts import calls_text
from judgekit.reports.words import count


def ended_lines(tally: Mapping[str, Any], run: str | None) -> list[str]:
    """Return notes on requests that were never asked, and on a cache that could not be used.

    Args:
        tally: What the run came to.
        run: Its name; None when it has no record.
    """
    lines = []
    if tally["not_asked"]:
        calls = calls_text(*(tally[n] for n in ("asked", "failed", "cached", "not_asked")))
        lines += [f"note: requests: {calls}", *_see(run, " --unjudged")]
    if n := tally["set_aside"]:
        replies, was = count(n, "cached reply", "cached replies"), "was" if n == 1 else "were"
        lines += [f"note: {replies} could not be used and {was} asked again", *_see(run)]
    return lines


def _see(run: str | None, option: str = "") -> list[str]:
    return [] if run is None else [f"      judgekit runs show {run}{option}"]
