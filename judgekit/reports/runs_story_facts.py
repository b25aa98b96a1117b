"""How one answer of a run came about: label and text for each thing that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.reports.amounts import cost_text, duration
from judgekit.reports.words import count


def story_facts(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what is known of a row, each with its label; what is not known is left out."""
    asked = str(row.get("model"))
    served = row.get("served")
    facts = [
        ("because", str(row.get("detail") or row.get("reason") or "")),
        ("model", f"{asked}, served by {served}" if served else asked),
        ("request", str(row.get("request"))),
        ("call", _call(row)),
        ("stopped", str(row.get("finish") or "")),
        ("sent", _pairs(row.get("sent"))),
        ("left out", _names(row.get("left_out"))),
        ("changed", _pairs(row.get("adjusted"))),
        ("schema", str(row.get("schema") or "").replace("_", " ")),
        ("tokens say", _numbers(row.get("probabilities"))),
        ("noted", _names(row.get("notes"))),
    ]
    return [(label, text) for label, text in facts if text]


def _call(row: Mapping[str, Any]) -> str:
    if row.get("cached"):
        return "none: the reply was in the cache"
    attempts = row.get("attempts")
    if not isinstance(attempts, int) or not attempts:
        return "none was made"
    parts = [count(attempts, "attempt")]
    if isinstance(row.get("latency_s"), int | float):
        parts.append(duration(row["latency_s"]))
    if isinstance(row.get("tokens_in"), int):
        parts.append(f"{count(row['tokens_in'], 'token')} in")
    parts += [
        f"{row[name]:,} {what}"
        for name, what in (
            ("tokens_cached", "of them cached by the provider"),
            ("tokens_out", "out"),
            ("tokens_reasoning", "of them thinking"),
        )
        if isinstance(row.get(name), int)
    ]
    if "raw" in row:
        cost = row.get("cost_usd")
        known = cost if isinstance(cost, int | float) else None
        parts.append(cost_text(known, int(known is None), attempts))
    elif "cost_usd" in row:
        parts.append("cost unknown: it timed out, and may have been paid for")
    return ", ".join(parts)


def _pairs(values: Any) -> str:
    if not isinstance(values, Mapping):
        return ""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _names(values: Any) -> str:
    return ", ".join(map(str, values)) if isinstance(values, list) else ""


def _numbers(values: Any) -> str:
    if not isinstance(values, list):
        return ""
    return ", ".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in values)
