"""litellm's response object, read into a ModelReply."""

from __future__ import annotations

import math
from typing import Any

from judgekit.judging.request import ModelReply
from judgekit.running.direct_reply import Reader
from judgekit.running.logprobs import token_logprobs
from judgekit.running.reply_parts import count, finish_of
from judgekit.running.secrets import Secrets

PLAIN = "custom_openai"
"""litellm's name for an endpoint in OpenAI's format that it should not try to be clever about."""


def read_response(
    response: Any, *, latency_s: float, secrets: Secrets, tokens: bool, priced: Reader | None
) -> ModelReply:
    """Return the reply in ``response``; one without choices or content has an empty text.

    Args:
        response: What ``litellm.acompletion`` returned.
        latency_s: How long the call took.
        secrets: What must not stand in any text.
        tokens: Whether the probabilities of the tokens were asked for.
        priced: Knows the price; None takes the cost that litellm works out.
    """
    choices = getattr(response, "choices", None) or []
    choice = choices[0] if choices else None
    message = getattr(choice, "message", None)
    served = getattr(response, "model", None)

    def text_of(value: Any) -> str | None:
        return secrets.hide_values(value) if isinstance(value, str) and value else None

    text = _content(getattr(message, "content", None))
    hidden = text_of(text) or ""
    shown = tokens and hidden == text  # tokens would spell out what was hidden
    reply = ModelReply(
        text=hidden,
        finish=text_of(_finish(choice)),
        refusal=text_of(_refusal(message)),
        reasoning=text_of(getattr(message, "reasoning_content", None)),
        served=text_of(served.removeprefix(f"{PLAIN}/") if isinstance(served, str) else None),
        latency_s=latency_s,
        logprobs=_logprobs(choice) if shown else None,
    )
    return _with_usage(reply, response, priced)


def _with_usage(reply: ModelReply, response: Any, priced: Reader | None) -> ModelReply:
    usage = getattr(response, "usage", None)
    tokens_in = count(getattr(usage, "prompt_tokens", None))
    tokens_out = count(getattr(usage, "completion_tokens", None))
    if not tokens_in:  # a prompt of no tokens means that nobody counted
        return reply
    if tokens_out == 0 and reply.finish == "length" and not reply.text:
        # Made up by litellm of an error (`reply_in` in the direct lane); it guesses the tokens.
        return ModelReply("", finish="length")
    into = getattr(usage, "prompt_tokens_details", None)
    out = getattr(usage, "completion_tokens_details", None)
    cached = count(getattr(into, "cached_tokens", None))
    thinking = count(getattr(out, "reasoning_tokens", None))
    if priced is None:
        cost = _cost(response)
    else:
        cost = priced.cost(reply.served, tokens_in, tokens_out, cached, thinking)
    return reply._replace(
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=cost,
        tokens_cached=cached,
        tokens_reasoning=thinking,
    )


def _content(content: Any) -> str:
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _finish(choice: Any) -> str | None:
    """Return why the reply stopped, by the provider's own word where litellm changed it."""
    fields = getattr(choice, "provider_specific_fields", None)
    native = fields.get("native_finish_reason") if isinstance(fields, dict) else None
    return finish_of(native or getattr(choice, "finish_reason", None))


def _refusal(message: Any) -> Any:
    refusal = getattr(message, "refusal", None)
    if refusal:
        return refusal
    fields = getattr(message, "provider_specific_fields", None)
    return fields.get("refusal") if isinstance(fields, dict) else None


def _logprobs(choice: Any) -> Any:
    found = getattr(choice, "logprobs", None)
    dump = getattr(found, "model_dump", None)
    return token_logprobs(found if dump is None else dump())


def _cost(response: Any) -> float | None:
    hidden = getattr(response, "_hidden_params", None)
    cost = hidden.get("response_cost") if isinstance(hidden, dict) else None
    if isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0:
        return float(cost)
    return None
