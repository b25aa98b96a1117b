"""The bodies of the stub's responses, whole ones, errors and spoilt texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from judgekit.testing.answers import digest_of, logprobs_of, off_scale, prompt_of
from judgekit.testing.wire import Sent

ERRORS: dict[str | None, tuple[int, str, str, str | None]] = {
    "400": (400, "this request is not acceptable", "invalid_request_error", None),
    "401": (401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key"),
    "403": (403, "the key may not use this model", "permission_error", None),
    "404": (404, "The model does not exist", "invalid_request_error", "model_not_found"),
    "429": (429, "Rate limit reached for requests", "requests", "rate_limit_exceeded"),
    "500": (500, "The server had an error", "server_error", None),
    "503": (503, "The engine is overloaded", "server_error", None),
    "quota": (429, "You exceeded your quota", "insufficient_quota", "insufficient_quota"),
    "context": (
        400,
        "This model's maximum context length is 8192 tokens; your messages are longer.",
        "invalid_request_error",
        "context_length_exceeded",
    ),
    "filter": (400, "The response was filtered", "invalid_request_error", "content_filter"),
}

SPOILT: dict[str | None, Callable[[str], str]] = {
    "empty": lambda _: "",
    "filter_finish": lambda _: "",
    "truncated": lambda text: text[: max(1, len(text) // 2)],
    "malformed": lambda text: text.replace('"', "'")[:-1],
    "think": lambda text: f"<think>It could be 1, or 5, or neither ...</think>\n{text}",
    "think_only": lambda _: "<think>It could be 1, or 5. Let me look at it again: ",
    "out_of_scale": off_scale,
}


def holds(request: dict[str, Any], name: str) -> bool:
    """Whether a request holds a parameter, a message of the ``system`` or ``images``."""
    messages = [m for m in request.get("messages") or () if isinstance(m, dict)]
    if name == "system":
        return any(m.get("role") == "system" for m in messages)
    if name == "images":
        contents = [m["content"] for m in messages if isinstance(m.get("content"), list)]
        return any(part.get("type") == "image_url" for parts in contents for part in parts)
    return name in request


def refusal(name: str) -> Sent:
    """Return the 400 that says that something in a request is not taken."""
    kind = "invalid_request_error"
    if name == "system":
        return error_sent(400, "System role not supported", kind, None)
    if name == "images":
        return error_sent(400, "This model does not support image input.", kind, None)
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    return error_sent(400, said, kind, "unsupported_parameter", param=name)


def error_sent(
    status: int,
    message: str,
    kind: str,
    code: str | None,
    *,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> Sent:
    """Return an error response as providers write it: status, and the fields of its body."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return Sent(status, json.dumps({"error": error}).encode(), headers or {})


def completion(
    request: dict[str, Any],
    message: dict[str, Any],
    finish: str,
    served: str | None,
    fault: str | None,
) -> dict[str, Any]:
    """Return the body of a chat completion that holds a message."""
    tokens_in = len(prompt_of(request)) // 4 + 1
    tokens_out = len(message["content"] or "") // 4 + 1
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
    if request.get("logprobs"):
        choice["logprobs"] = logprobs_of(message["content"] or "", request)
    return {
        "id": f"chatcmpl-{digest_of(request).hex()}",
        "object": "chat.completion",
        "created": 1700000000,
        "model": served,
        "choices": [] if fault == "no_choices" else [choice],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }
