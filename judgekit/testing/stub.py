"""The stub's model: turns one chat request into one response, fault or no fault, and counts."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judgekit.testing.answers import answer, contradict, digest_of, off_scale, prompt_of
from judgekit.testing.faults import check_faults, choose_fault
from judgekit.testing.wire import Received, Sent

Reply = Callable[[dict[str, Any]], str]


class StubError(Exception):
    """Raise it in a ``reply`` function to answer with an error.

    Args:
        status: HTTP status.
        error: The fields of the error body: ``message``, ``type``, ``code``, ``param``.
    """

    def __init__(self, status: int, **error: str) -> None:
        self.status, self.error = status, error
        super().__init__(status, error)


KEPT = 2000
"""How many of the last requests are kept for a test to look at."""


@dataclass(frozen=True, slots=True)
class StubSettings:
    """How the stub behaves.

    Attributes:
        latency_ms: How long a reply takes.
        faults: Rate of each fault, by name (see ``FAULTS``).
        retry_after: What the Retry-After header of a 429 says, in seconds.
        hang_s: How long a hanging reply takes.
        levels: Regular expression that finds the levels in a prompt without a schema.
        served: The model name that replies carry; None repeats the one asked for.
        refuses: Parameters answered by 400 ``unsupported_parameter``.
    """

    latency_ms: float = 0.0
    faults: dict[str, float] = field(default_factory=dict)
    retry_after: float = 1.0
    hang_s: float = 60.0
    levels: str | None = None
    served: str | None = None
    refuses: tuple[str, ...] = ()

    def but(self, **changes: Any) -> StubSettings:
        """Return these settings with some changed; unknown names and rates are refused."""
        known = {name: getattr(self, name) for name in self.__dataclass_fields__}
        merged = StubSettings(**{**known, **changes})
        check_faults(merged.faults)
        return merged


class StubStats(NamedTuple):
    """What the stub has counted since it started or was reset.

    Attributes:
        requests: Chat requests received.
        answered: Responses sent whole, error responses included.
        in_flight: Requests received and not yet answered.
        peak: The most that were in flight at once.
        distinct: Different questions (by their messages).
        duplicates: Requests that repeated an earlier question.
        errors: How often each fault happened.
    """

    requests: int
    answered: int
    in_flight: int
    peak: int
    distinct: int
    duplicates: int
    errors: dict[str, int]


class StubModel:
    """Answers chat requests. Lives on one thread; no sockets."""

    def __init__(
        self, settings: StubSettings, reply: Reply | None, answers: Mapping[str, str]
    ) -> None:
        self.settings, self._reply, self._answers = settings, reply, dict(answers)
        self.reset()

    def reset(self) -> None:
        """Forget every count; the settings stay."""
        self._seen: Counter[bytes] = Counter()
        self._errors: Counter[str] = Counter()
        self._requests = self._answered = self._in_flight = self._peak = 0
        self.received: deque[Received] = deque(maxlen=KEPT)

    @property
    def stats(self) -> StubStats:
        """What was counted so far."""
        return StubStats(
            requests=self._requests,
            answered=self._answered,
            in_flight=self._in_flight,
            peak=self._peak,
            distinct=len(self._seen),
            duplicates=self._requests - len(self._seen),
            errors=dict(self._errors),
        )

    def chat(self, received: Received) -> Sent:
        """Return the response to one chat request and count it."""
        self.received.append(received)
        try:
            request = json.loads(received.body)
        except ValueError:
            return _error(400, "the body is not JSON", "invalid_request_error", None)
        digest = digest_of(request)
        self._seen[digest] += 1
        self._requests += 1
        self._in_flight += 1
        self._peak = max(self._peak, self._in_flight)
        fault = choose_fault(digest, self._seen[digest], self.settings.faults)
        if fault:
            self._errors[fault] += 1
        sent = self._respond(request, fault)
        delay = self.settings.hang_s if fault == "hang" else self.settings.latency_ms / 1000
        seen = self._seen  # a reset in between starts other counts
        return Sent(
            sent.status, sent.body, sent.headers, delay, sent.cut, lambda ok: self._done(ok, seen)
        )

    def _done(self, whole: bool, seen: Counter[bytes]) -> None:  # noqa: FBT001  (a callback)
        if seen is self._seen:
            self._in_flight -= 1
            self._answered += whole

    def _respond(self, request: dict[str, Any], fault: str | None) -> Sent:
        refused = next((p for p in self.settings.refuses if p in request), None)
        if refused:
            return _error(
                400,
                f"Unsupported parameter: '{refused}' is not supported with this model.",
                "invalid_request_error",
                "unsupported_parameter",
                param=refused,
            )
        if fault in ERRORS:
            status, text, kind, code = ERRORS[fault]
            headers = {"retry-after": f"{self.settings.retry_after:g}"} if fault == "429" else {}
            return _error(status, text, kind, code, headers=headers)
        served = self.settings.served or request.get("model")
        try:
            message, finish = self._message(request, fault)
        except StubError as raised:
            return Sent(raised.status, json.dumps({"error": raised.error}).encode())
        body = json.dumps(_completion(request, message, finish, served, fault)).encode()
        if fault == "bad_body":
            body = b"<html><body>upstream proxy says hello</body></html>"
        if fault == "half_body":
            return Sent(200, body, cut="half")
        return Sent(200, body, cut="reset" if fault == "reset" else None)

    def _message(self, request: dict[str, Any], fault: str | None) -> tuple[dict[str, Any], str]:
        text = self._text(request)
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if fault in ("null_content", "refusal"):
            message["content"] = None
        if fault == "refusal":
            message["refusal"] = "I'm sorry, but I can't help with grading this."
        if fault in SPOILT:
            message["content"] = SPOILT[fault](text)
        elif fault == "contradictory":
            message["content"] = contradict(text, request, self.settings.levels)
        finish = {"truncated": "length", "filter_finish": "content_filter"}.get(fault or "", "stop")
        return message, finish

    def _text(self, request: dict[str, Any]) -> str:
        if self._reply is not None:
            return self._reply(request)
        prompt = prompt_of(request)
        for part, text in self._answers.items():
            if part in prompt:
                return text
        return answer(request, self.settings.levels)


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


def _error(
    status: int,
    message: str,
    kind: str,
    code: str | None,
    *,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> Sent:
    error = {"message": message, "type": kind, "param": param, "code": code}
    return Sent(status, json.dumps({"error": error}).encode(), headers or {})


def _completion(
    request: dict[str, Any],
    message: dict[str, Any],
    finish: str,
    served: str | None,
    fault: str | None,
) -> dict[str, Any]:
    tokens_in = len(prompt_of(request)) // 4 + 1
    tokens_out = len(message["content"] or "") // 4 + 1
    choice = {"index": 0, "message": message, "finish_reason": finish}
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
