"""What is known of a run: label and text for each thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from judgekit.reports.amounts import calls_text, cost_text, duration
from judgekit.reports.runs_summary import RunSummary
from judgekit.reports.words import count, listed


def run_facts(about: Mapping[str, Any], summary: RunSummary) -> list[tuple[str, str]]:
    """Return what is known of a run, each with its label; what is not known is left out."""
    calls = calls_text(summary.asked, summary.failed, summary.cached, summary.not_asked)
    document = summary.json()
    cost = cost_text(document["cost_usd"], summary.unpriced, summary.asked)
    facts = [
        ("began", _when(about)),
        ("model", _model(about)),
        ("served by", _counted(summary.served)),
        ("calls", calls),
        ("cost", cost.removeprefix("cost ")),
        ("tokens", _tokens(document["tokens_in"], summary)),
        ("parameters", _pairs(about.get("parameters") or {})),
        ("left out", _counted(summary.left_out)),
        ("schema", _schema(summary.schema)),
        ("noted", _counted(summary.notes)),
        ("set aside", set_aside_text(about.get("tally") or {})),
        ("rubric", _rubric(about.get("rubric") or {})),
        ("fingerprint", _pairs({n: f[:12] for n, f in (about.get("fingerprints") or {}).items()})),
        ("slowest", "; ".join(f"{i}, {c}: {duration(s)}" for s, i, c in _slow(summary))),
    ]
    return [(label, text) for label, text in facts if text]


def _when(about: Mapping[str, Any]) -> str:
    if not about.get("started_at"):
        return ""
    began = datetime.fromisoformat(about["started_at"]).astimezone(UTC)
    text = f"{began:%Y-%m-%d %H:%M:%S} UTC"
    if about.get("ended_at"):
        took = datetime.fromisoformat(about["ended_at"]) - began
        text += f", took {duration(max(0.0, took.total_seconds()))}"
    return text


def _tokens(known: int | None, summary: RunSummary) -> str:
    if known is None:
        return "unknown"
    missing = f", {_replies(summary.uncounted)} not counted" if summary.uncounted else ""
    return f"{summary.tokens_in:,} in, {summary.tokens_out:,} out{missing}"


def _model(about: Mapping[str, Any]) -> str:
    if not about.get("model"):
        return ""
    chosen, taken = about.get("transport"), about.get("lanes")
    lane = ", ".join(map(str, taken)) if isinstance(taken, list) else ""
    if chosen == "auto" and lane not in ("", "local"):
        lane = f"auto: {lane}"
    lane = lane or chosen or ""
    return f"{about['model']}" + (f" ({lane})" if lane else "")


def set_aside_text(tally: Mapping[str, Any]) -> str:
    """Return what a run says of rows of the cache that it could not use; empty without any."""
    n = tally.get("set_aside") or 0
    if not n:
        return ""
    rows = tally.get("set_aside_rows") or ()
    each = [f"{str(row.get('key'))[:12]} {row.get('why')}" for row in rows]
    rest = [f"and {n - len(each):,} more"] if n > len(each) else []
    what = count(n, "cached reply", "cached replies")
    was = "was" if n == 1 else "were"
    return f"{what} could not be used and {was} asked again: {'; '.join([*each, *rest])}"


def _rubric(rubric: Mapping[str, Any]) -> str:
    if not rubric.get("name"):
        return ""
    told = rubric.get("sha256") or ()
    each = told.values() if isinstance(told, Mapping) else [told] if told else []
    meaning = f", meaning {listed([str(digest)[:12] for digest in each])}" if each else ""
    return f"{rubric['name']} version {rubric.get('version')}{meaning}"


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _counted(counter: Counter[str]) -> str:
    told = [f"{name} ({_replies(n)})" for name, n in counter.most_common()]
    return listed(told)


def _schema(counter: Counter[str]) -> str:
    words = {"left_out": "left out in", "not_followed": "not followed in"}
    return ", ".join(f"{words[w]} {_replies(counter[w])}" for w in words if counter[w])


def _replies(n: int) -> str:
    return count(n, "reply", "replies")


def _slow(summary: RunSummary) -> list[tuple[float, str, str]]:
    return [call for call in sorted(summary.slowest, reverse=True) if call[0] > 0]
