"""What is known of a run: label and text for each thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from judgekit.reports.amounts import cost_text, duration
from judgekit.reports.runs_summary import RunSummary
from judgekit.reports.words import listed


def run_facts(about: Mapping[str, Any], summary: RunSummary) -> list[tuple[str, str]]:
    """Return what is known of a run, each with its label; what is not known is left out."""
    calls = f"{summary.asked:,} asked, {summary.cached:,} cached, {summary.failed:,} failed"
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
    lane = about.get("transport")
    return f"{about['model']}" + (f" ({lane})" if lane else "") if about.get("model") else ""


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
    return f"{n:,} {'reply' if n == 1 else 'replies'}"


def _slow(summary: RunSummary) -> list[tuple[float, str, str]]:
    return [call for call in sorted(summary.slowest, reverse=True) if call[0] > 0]
