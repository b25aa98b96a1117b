"""Runs one below the other: what each was, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.reports.amounts import calls_text, cost_text, duration
from judgekit.reports.words import count, short, table, wrapped


def list_lines(runs: Sequence[Mapping[str, Any]], lines: Mapping[str, int]) -> list[str]:
    """Return two lines for each run: what it was, and what came of it.

    Args:
        runs: The ``about`` of each run.
        lines: For runs without a tally, how many rows they recorded, by id: answers, and requests
            that got none.
    """
    if not runs:
        return ["No record of any run."]
    heads = table([_head(about) for about in runs], indent=0)
    told = [line for h, about in zip(heads, runs, strict=True) for line in (h, _came(about, lines))]
    return [part for line in told for part in _fitted(line)]


def _head(about: Mapping[str, Any]) -> list[str]:
    seconds = (about.get("tally") or {}).get("seconds")
    return [
        about["id"],
        short(str(about.get("command") or "?"), 12),
        short(str(about.get("judge") or "?"), 20),
        about["state"],
        "" if seconds is None else duration(seconds),
    ]


def _came(about: Mapping[str, Any], lines: Mapping[str, int]) -> str:
    tally = about.get("tally")
    if tally is None:
        return f"  {count(lines.get(about['id'], 0), 'row')} recorded"
    lost = sum(tally["unjudged"].values())
    calls = calls_text(
        tally["asked"], tally["failed"], tally["cached"], tally.get("not_asked") or 0
    )
    known = tally.get("known_usd", tally["cost_usd"])
    cost = cost_text(known, tally["unpriced"], tally["asked"])
    return f"  {tally['judged']:,} judged, {lost:,} not; {calls}; {cost}"


def _fitted(line: str) -> list[str]:
    indent = len(line) - len(line.lstrip())
    return [line] if len(line) <= 80 else wrapped(line, rest=" " * (indent + 2))
