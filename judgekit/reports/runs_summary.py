"""What the answers of a run come to. Counts of answers, never of levels."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SLOWEST = 3
"""Slow calls that are named."""


@dataclass
class RunSummary:
    """What the rows of a run come to; grows row by row.

    Attributes:
        rows: Answers, replicates and panel members counted one by one.
        judged: Those with a level or "not applicable"; ``unjudged``: the others, by cause.
        asked: Those for which calls were made; ``failed``: those of them without any reply.
        cached: Those answered by the cache; ``not_asked``: without reply and without a call.
        cost_usd: What the calls with a known cost come to; ``priced`` and ``unpriced``: how many
            had one, and how many had none, calls that timed out among them.
        tokens_in: Prompt tokens, where known; ``tokens_out`` likewise; ``uncounted``: replies
            whose tokens nobody counted.
        served: Replies by the model that gave them, as the endpoint names it.
        left_out: Replies by the parameter that their model did not take.
        notes: Replies by what else was noted of them.
        schema: Replies by what became of the reply schema.
        slowest: The longest calls: seconds, item, criterion.
    """

    rows: int = 0
    judged: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    cached: int = 0
    failed: int = 0
    not_asked: int = 0
    cost_usd: float = 0.0
    priced: int = 0
    unpriced: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    served: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    schema: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str, str]] = field(default_factory=list)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one row."""
        self.rows += 1
        if row["status"] == "unjudged":
            self.unjudged[str(row.get("cause"))] += 1
        else:
            self.judged += 1
        asked = _amount(row, "attempts") > 0
        self.asked += asked
        if "raw" in row:
            self._reply(row)
        elif asked:
            self.failed += 1
            # Where a call that failed has this key, it may have been paid for: it timed out.
            self.unpriced += "cost_usd" in row
        else:
            self.not_asked += 1

    def _reply(self, row: Mapping[str, Any]) -> None:
        self.served[str(row.get("served") or "(not named)")] += 1
        for name, counter in (("left_out", self.left_out), ("notes", self.notes)):
            said = row.get(name)
            if isinstance(said, list):
                for what in said:
                    counter[str(what)] += 1
        if "schema" in row:
            self.schema[str(row["schema"])] += 1
        if row.get("cached"):
            self.cached += 1
            return
        if "cost_usd" in row:
            self.priced += 1
            self.cost_usd += _amount(row, "cost_usd")
        else:
            self.unpriced += 1
        self.uncounted += "tokens_in" not in row
        self.tokens_in += int(_amount(row, "tokens_in"))
        self.tokens_out += int(_amount(row, "tokens_out"))
        call = (_amount(row, "latency_s"), str(row["item"]), str(row.get("criterion")))
        if len(self.slowest) < SLOWEST:
            heapq.heappush(self.slowest, call)
        elif call > self.slowest[0]:
            heapq.heapreplace(self.slowest, call)

    def json(self) -> dict[str, Any]:
        """Return the summary as plain JSON; what nobody knows is null."""
        fresh = self.asked - self.failed
        counted = self.uncounted < fresh or not fresh
        return {
            "rows": self.rows,
            "judged": self.judged,
            "unjudged": dict(self.unjudged.most_common()),
            "asked": self.asked,
            "cached": self.cached,
            "failed": self.failed,
            "not_asked": self.not_asked,
            "cost_usd": self.cost_usd if self.priced or not self.unpriced else None,
            "unpriced": self.unpriced,
            "tokens_in": self.tokens_in if counted else None,
            "tokens_out": self.tokens_out if counted else None,
            "served": dict(self.served.most_common()),
            "left_out": dict(self.left_out.most_common()),
            "notes": dict(self.notes.most_common()),
            "schema": dict(self.schema.most_common()),
            "slowest": [
                {"latency_s": seconds, "item": item, "criterion": criterion}
                for seconds, item, criterion in sorted(self.slowest, reverse=True)
            ],
        }


def summarise(rows: Iterable[Mapping[str, Any]]) -> RunSummary:
    """Return what some rows come to, reading each once."""
    summary = RunSummary()
    for row in rows:
        summary.add(row)
    return summary


def _amount(row: Mapping[str, Any], name: str) -> float:
    """Return a number of a row; 0 for what is none, in a file that anybody may have edited."""
    value = row.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0
