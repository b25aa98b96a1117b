"""Item text set between marks that cannot occur in it, so that no text closes its own fence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judgekit.fingerprint import sha256_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MARK_LENGTH = 12


def mark_for(texts: Iterable[object]) -> str:
    """Return a mark derived from the texts that occurs in none of them.

    The same texts always get the same mark, so requests stay cacheable; whoever writes a text
    would have to find a fixed point of sha256 to write its own mark into it, and even then the
    next counter is taken.
    """
    joined = "\x00".join(_shown(text, "") for text in texts)
    counter = 0
    while (mark := sha256_text(f"{counter}:{joined}")[:MARK_LENGTH]) in joined:
        counter += 1
    return mark


def fenced(text: str | Sequence[Mapping[str, Any]], label: str, mark: str) -> str:
    """Return item text between its marks; a list of chat messages becomes one transcript."""
    return f"{opening(label, mark)}\n{_shown(text, mark)}\n{closing(label, mark)}"


def opening(label: str, mark: str) -> str:
    """Return the line an item's text stands below."""
    return f"<<<{label} {mark}"


def closing(label: str, mark: str) -> str:
    """Return the line an item's text stands above."""
    return f"{mark} {label}>>>"


def _shown(text: object, mark: str) -> str:
    if isinstance(text, str):
        return text
    if not isinstance(text, list | tuple):
        return content_text(text)
    lines = []
    for entry in text:
        message = entry if isinstance(entry, Mapping) else {"content": entry}
        who = str(message.get("role") or "unknown")
        role = " ".join(who.split())  # on one line, whatever it holds
        lines += [f"--- {role} {mark} ---", *_said(message)]
    return "\n".join(lines)


def _said(message: Mapping[str, Any]) -> list[str]:
    """Return what a message says: its content, and the calls it makes instead of speaking."""
    calls = message.get("tool_calls") or []
    calls = [*(calls if isinstance(calls, list) else [calls]), message.get("function_call")]
    said = [_call_text(call) for call in calls if call]
    content = content_text(message.get("content"))
    return [content, *said] if content or not said else said


def _call_text(call: Any) -> str:
    function = call.get("function", call) if isinstance(call, Mapping) else call
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return f"[calls {_json(call)}]"
    given = next((function[key] for key in ("arguments", "input") if key in function), "")
    return f"[calls {function['name']}: {given if isinstance(given, str) else _json(given)}]"


def content_text(content: Any) -> str:
    """Return a chat message's content as text; parts that are not text are named, not dropped."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_part_text(part) for part in content)
    return _json(content)


def _part_text(part: Any) -> str:
    if not isinstance(part, Mapping):
        return content_text(part) if isinstance(part, str) else _json(part)
    if isinstance(part.get("text"), str):
        return str(part["text"])
    if part.get("type") == "tool_use":
        return _call_text(part)
    if part.get("type") == "tool_result":
        return content_text(part.get("content"))
    return f"[{part.get('type') or 'part'} not shown]"


def _json(value: Any) -> str:
    """Return a value as JSON text; what JSON has no word for is shown as Python writes it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)
    except (TypeError, ValueError):  # keys of several types, or a value that holds itself
        return str(value)
