"""Requests to ask, and a second, plain model client for tests that need not pay for litellm's."""

# ruff: noqa: ASYNC109  (the protocol has a timeout)

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from judgekit.errors import ModelCallError
from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.running.engine import Answer, Settings, answer_all
from judgekit.running.limits import Limits
from judgekit.running.model import ChatModel
from judgekit.running.retry import RetryPolicy
from judgekit.running.writer import Cache

LEVELS = ["bad", "fair", "good"]
SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "level": {"type": "string", "enum": LEVELS}},
    "required": ["reason", "level"],
    "additionalProperties": False,
}


def question(text: object, api_base: str, **more: Any) -> ModelRequest:
    """Return a request about ``text``."""
    messages = (Message("system", "You grade answers."), Message("user", f"Answer: {text}"))
    given: dict[str, Any] = {"parameters": {"temperature": 0}, "schema": SCHEMA, **more}
    return ModelRequest("openai/stub", messages, api_base=api_base, **given)


def questions(count: int, api_base: str, **more: Any) -> list[ModelRequest]:
    """Return ``count`` different requests."""
    return [question(n, api_base, **more) for n in range(count)]


def wait_until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for ``condition`` to hold."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


class DirectModel:
    """HTTP by hand: one connection a call."""

    def __init__(self) -> None:
        self.closed = False

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
        """Ask once."""
        assert request.api_base is not None
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [m._asdict() for m in request.messages],
        }
        if request.schema:
            form = {"name": "reply", "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        began = time.perf_counter()
        try:
            status, raw = await self._post(request.api_base, json.dumps(body).encode())
        except (OSError, EOFError) as error:
            raise ModelCallError(str(error), cause="connection", transient=True) from None
        if status != 200:
            raise ModelCallError(f"status {status}", cause="server", transient=True)
        choice = json.loads(raw)["choices"][0]
        return ModelReply(
            choice["message"]["content"] or "",
            finish=choice["finish_reason"],
            latency_s=time.perf_counter() - began,
        )

    async def _post(self, api_base: str, body: bytes) -> tuple[int, bytes]:
        address = urlsplit(api_base)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        try:
            head = f"POST {address.path}/chat/completions HTTP/1.1\r\nhost: stub\r\n"
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = answer.lower().partition("content-length:")[2].split("\r\n")[0]
            return int(answer.split()[1]), await reader.readexactly(int(length))
        finally:
            writer.close()

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed = True


QUICK = RetryPolicy(base_s=0.01)


def run(
    requests: Iterable[ModelRequest],
    cache: Cache | None = None,
    open_model: Callable[[], ChatModel] = DirectModel,
    **settings: Any,
) -> list[Answer]:
    """Answer the requests, blocking."""
    return asyncio.run(
        answer_all(requests, open_model=open_model, cache=cache, settings=how(**settings))
    )


def how(**given: Any) -> Settings:
    """Return settings; limits may be given by name as well."""
    names = {"concurrency": "concurrency", "timeout": "timeout_s", "run_timeout": "run_timeout_s"}
    limits = {names[name]: given.pop(name) for name in list(given) if name in names}
    return Settings(**{"retry": QUICK, "limits": Limits(**limits), **given})


class Scripted:
    """A model that does what it is told, call by call."""

    def __init__(self, *script: ModelReply | BaseException) -> None:
        self.script, self.calls, self.closed = list(script), 0, False

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:
        """Return or raise the next line of the script; the last one stays."""
        self.calls += 1
        line = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(line, BaseException):
            raise line
        return line

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed = True
