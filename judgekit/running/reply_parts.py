"""Parts of a chat completion: its JSON, its text and thinking, why it stopped, and its tokens."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

import orjson

from judgekit.judging.reading.finish import was_cut, was_filtered

_UNKNOWN = (None, None, None, None)
_THINKING = re.compile(
    r"<(?:think|thinking|budget:thinking)>(.*?)</(?:think|thinking|budget:thinking)>(.*)", re.DOTALL
)


def decode(raw: bytes) -> Any:
    """Return the JSON in ``raw``, with what the strict reader refuses: NaN and half surrogates.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return orjson.loads(raw)
    except ValueError:
        try:
            return json.loads(raw)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def split_thinking(message: dict[str, Any]) -> tuple[str, Any]:
    """Return text and thinking of a message: apart as they came, or cut at the first tags.

    litellm cuts so in its lane; both lanes hand on the same.
    """
    content = message.get("content")
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(part for part in parts if isinstance(part, str))
    text = content if isinstance(content, str) else ""
    for name in ("reasoning_content", "reasoning"):
        if name in message:
            return text, message[name]
    found = _THINKING.match(text) if text.startswith("<") else None
    return (found[2], found[1]) if found else (text, None)


def finish_of(reason: Any) -> str | None:
    """Return why a reply stopped; what means the same is called the same."""
    return _finish(reason) if isinstance(reason, str) and reason else None


@lru_cache(256)
def _finish(reason: str) -> str:
    if was_filtered(reason):
        return "content_filter"
    return "length" if was_cut(reason) else reason


def counts(usage: Any) -> tuple[int | None, int | None, int | None, int | None]:
    """Return tokens in and out, and those of them that were cached and spent on thinking.

    A prompt of no tokens means that nobody counted.
    """
    if not isinstance(usage, dict):
        return _UNKNOWN
    tokens_in, tokens_out = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    if not tokens_in:
        return _UNKNOWN
    into, out = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    cached = count(into.get("cached_tokens")) if isinstance(into, dict) else None
    if cached is None:
        cached = count(usage.get("prompt_cache_hit_tokens"))
    thinking = count(out.get("reasoning_tokens")) if isinstance(out, dict) else None
    return tokens_in, tokens_out, cached, thinking


def count(value: Any) -> int | None:
    """Return a number of tokens, or None for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
