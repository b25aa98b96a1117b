"""The stub's model: turns one chat request into one response, fault or no fault, and counts."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Any

from judgekit.testing.answers import answer, contradict, digest_of, prompt_of
from judgekit.testing.faults import choose_fault
from judgekit.testing.responses import ERRORS, SPOILT, completion, error_sent, holds, refusal
from judgekit.testing.stub_settings import StubSettings, StubStats
from judgekit.testing.wire import Received, Sent

Reply = Callable[[dict[str, Any]], str | Sent]
"""Makes the text of a reply from the request, or the whole response."""


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
            return error_sent(400, "the body is not JSON", "invalid_request_error", None)
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
        refused = next((refusal(n) for n in self.settings.refuses if holds(request, n)), None)
        if refused:
            return refused
        if fault in ERRORS:
            status, text, kind, code = ERRORS[fault]
            headers = {"retry-after": f"{self.settings.retry_after:g}"} if fault == "429" else {}
            return error_sent(status, text, kind, code, headers=headers)
        served = self.settings.served or request.get("model")
        try:
            made = self._message(request, fault)
        except StubError as raised:
            return Sent(raised.status, json.dumps({"error": raised.error}).encode())
        if isinstance(made, Sent):
            return made
        body = json.dumps(completion(request, *made, served, fault)).encode()
        if fault == "bad_body":
            body = b"<html><body>upstream proxy says hello</body></html>"
        if fault == "half_body":
            return Sent(200, body, cut="half")
        return Sent(200, body, cut="reset" if fault == "reset" else None)

    def _message(
        self, request: dict[str, Any], fault: str | None
    ) -> tuple[dict[str, Any], str] | Sent:
        text = self._text(request)
        if isinstance(text, Sent):
            return text
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

    def _text(self, request: dict[str, Any]) -> str | Sent:
        if self._reply is not None:
            return self._reply(request)
        prompt = prompt_of(request)
        for part, text in self._answers.items():
            if part in prompt:
                return text
        return answer(request, self.settings.levels)
