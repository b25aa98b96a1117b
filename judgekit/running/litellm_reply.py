"""litellm's response object, read into a ModelReply."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from judgekit.judging.request import ModelReply


def read_response(
    response: Any,
    *,
    latency_s: float,
    left_out: tuple[str, ...],
    hide: Callable[[str], str],
) -> ModelReply:
    """Return the reply in ``response``; one without choices or content has an empty text.

    Args:
        response: What ``litellm.acompletion`` returned.
        latency_s: How long the call took.
        left_out: Parameters that were not sent.
        hide: Takes known secrets out of a text.
    """
    choices = getattr(response, "choices", None) or []
    choice = choices[0] if choices else None
    message = getattr(choice, "message", None)
    tokens_in, tokens_out = _usage(getattr(response, "usage", None))

    def text_of(value: Any) -> str | None:
        return hide(value) if isinstance(value, str) and value else None

    return ModelReply(
        text=hide(_content(getattr(message, "content", None))),
        finish=text_of(getattr(choice, "finish_reason", None)),
        refusal=text_of(_refusal(message)),
        reasoning=text_of(getattr(message, "reasoning_content", None)),
        served=text_of(getattr(response, "model", None)),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=_cost(response) if tokens_in is not None else None,
        latency_s=latency_s,
        left_out=left_out,
    )


def _content(content: Any) -> str:
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _refusal(message: Any) -> Any:
    refusal = getattr(message, "refusal", None)
    if refusal:
        return refusal
    fields = getattr(message, "provider_specific_fields", None)
    return fields.get("refusal") if isinstance(fields, dict) else None


def _usage(usage: Any) -> tuple[int | None, int | None]:
    """Return tokens in and out. A prompt of no tokens means that nobody counted."""
    tokens_in = getattr(usage, "prompt_tokens", None)
    tokens_out = getattr(usage, "completion_tokens", None)
    if not isinstance(tokens_in, int) or tokens_in <= 0:
        return None, None
    return tokens_in, tokens_out if isinstance(tokens_out, int) else None


def _cost(response: Any) -> float | None:
    hidden = getattr(response, "_hidden_params", None)
    cost = hidden.get("response_cost") if isinstance(hidden, dict) else None
    if isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0:
        return float(cost)
    return None
