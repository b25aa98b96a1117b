"""Messages as endpoints take them."""

from __future__ import annotations

from typing import Any

from judgekit.judging.request import Message


def system_in_user(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the messages with the text of the system's in front of the first user's."""
    system = "\n\n".join(m.text for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"]
    first = next((i for i, m in enumerate(rest) if m.role == "user"), None)
    if first is None:
        return (Message("user", system), *rest)
    content = rest[first].content
    if isinstance(content, str):
        rest[first] = Message("user", f"{system}\n\n{content}")
    else:
        rest[first] = Message("user", ({"type": "text", "text": system}, *content))
    return tuple(rest)


def is_sendable(content: Any) -> bool:
    """Whether text holds whole characters only; half a pair of surrogates cannot be sent."""
    if not isinstance(content, str):
        return all(is_sendable(p["text"]) for p in content if "text" in p)
    if content.isascii():
        return True
    try:
        content.encode()
    except UnicodeEncodeError:
        return False
    return True


def mended(content: Any) -> Any:
    """Return text whose halves of pairs are joined, or replaced where they stand alone."""
    if not isinstance(content, str):
        return tuple({**p, "text": mended(p["text"])} if "text" in p else p for p in content)
    return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
