"""One answer of a run as a person reads it: what was shown, what came back, how it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.reports.runs_story_facts import story_facts
from judgekit.reports.words import labelled, printable, wrapped

_COLUMN = 12


def prompt_of(row: Mapping[str, Any], about: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the messages of a row as they were shown; None when it made no call.

    Args:
        row: The row.
        about: The ``about`` of the run that it stands in, with the messages that rows share.
    """
    parts = row.get("prompt")
    if not isinstance(parts, list):
        return None
    shared = (about.get("shared") or {}).get(row.get("criterion")) or []
    messages = []
    for i, part in enumerate(parts):
        if isinstance(part, dict):
            messages.append(part)
        elif part is not None:
            messages.append({"role": "user", "content": str(part)})
        elif i < len(shared):
            messages.append(shared[i])
        else:
            messages.append({"role": "system", "content": "(not in the record)"})
    return messages


def row_line(row: Mapping[str, Any]) -> list[str]:
    """Return an unjudged row in one line, wrapped."""
    detail = f": {row['detail']}" if row.get("detail") else ""
    return wrapped(f"{_name(row)}: {_said(row)}{detail}", rest="    ")


def story_lines(
    row: Mapping[str, Any], prompt: Sequence[Mapping[str, Any]] | None, elsewhere: str | None
) -> list[str]:
    """Return the whole story of a row.

    Args:
        row: The row.
        prompt: Its messages, or None when they are nowhere kept.
        elsewhere: The run whose record has them, where it is not this one.
    """
    lines = wrapped(f"{_name(row)}: {_said(row)}")
    for label, text in story_facts(row):
        lines += [f"  {line}" for line in labelled(label, text, width=78, column=_COLUMN)]
    if elsewhere is not None:
        lines += wrapped(f"asked in run {elsewhere}, which has the prompt", first="  ", rest="  ")
    for message in prompt or ():
        lines += [f"--- {message.get('role')} ---", *_text(message.get("content"))]
    if prompt is None:
        lines.append("  the prompt is in no record: the call was made before, or by someone else")
    for name in ("reasoning", "refusal", "raw"):
        if row.get(name):
            what = "reply" if name == "raw" else name
            lines += [f"--- {what} ---", *_text(row[name])]
    if row.get("raw") == "":
        lines.append("--- the reply is empty ---")
    return lines


def _text(value: Any) -> list[str]:
    return printable(str(value)).split("\n")


def _name(row: Mapping[str, Any]) -> str:
    parts = [str(row["item"]), str(row.get("criterion"))]
    if row.get("replicate"):
        parts.append(f"replicate {row['replicate']}")
    if row.get("member") is not None:
        parts.append(str(row.get("model")))
    if row.get("order"):
        parts.append(f"shown {row['order']}")
    return ", ".join(parts)


def _said(row: Mapping[str, Any]) -> str:
    if row["status"] == "unjudged":
        return f"unjudged ({str(row.get('cause')).replace('_', ' ')})"
    if row["status"] == "not_applicable":
        return "not applicable"
    return f"{row.get('level')} ({row.get('value')})"
