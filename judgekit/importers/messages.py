"""Item text: plain text, or a list of chat messages, checked."""

from __future__ import annotations

import json
from typing import Any

from judgekit.judging.item import Text

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
"""Who may speak in a chat transcript."""


class NotText(ValueError):
    """A value that is no item text.

    Attributes:
        hint: What would be.
    """

    def __init__(self, message: str, hint: str) -> None:
        self.hint = hint
        super().__init__(message)


def as_field(name: str, value: Any) -> Text:
    """Return the value of an item's text field; numbers and true/false become text.

    A list is one of chat messages, or of the parts of one: text and images.

    Raises:
        NotText: it is null, an object, or a list of something other than chat messages.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):  # true and false among them
        return json.dumps(value)
    if isinstance(value, list):
        _check_messages(name, value)
        return value
    what = "null" if value is None else "an object"
    raise NotText(f"{name!r} is {what}", "It must be text or a list of chat messages.")


def _check_messages(name: str, messages: list[Any]) -> None:
    shape = 'Each message is {"role": "user", "content": "..."}.'
    if not messages:
        raise NotText(f"{name!r} is an empty list", "It must be text or a list of chat messages.")
    if _is_parts(messages) and not any("role" in part for part in messages):
        return
    for number, message in enumerate(messages, 1):
        where = f"{name!r}, message {number}"
        if not isinstance(message, dict):
            raise NotText(f"{where}: {_short(message)} is no chat message", shape)
        role, content = message.get("role"), message.get("content")
        if role not in ROLES:
            known = f"Roles are {', '.join(ROLES)}."
            raise NotText(f"{where}: {_short(role)} is no role", known)
        calls = message.get("tool_calls") or message.get("function_call")
        if not (isinstance(content, str) or _is_parts(content) or (content is None and calls)):
            raise NotText(f"{where}: the content is {_short(content)}, not text", shape)


def _is_parts(content: Any) -> bool:
    """Tell whether a content is a list of typed parts, as several providers write it."""
    return isinstance(content, list) and all(
        isinstance(part, dict) and isinstance(part.get("type"), str) for part in content
    )


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"
