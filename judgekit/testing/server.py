"""The stub model behind a socket: an OpenAI-compatible server in a background thread."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, TypeVar

from judgekit.errors import InputError, JudgekitError
from judgekit.testing.batches import StubBatches
from judgekit.testing.stub import Reply, StubModel
from judgekit.testing.stub_settings import StubSettings, StubStats
from judgekit.testing.wire import Connection, Received, Sent

T = TypeVar("T")
Handler = Callable[[Received], Sent]

MODEL = {"id": "stub", "object": "model", "created": 1700000000, "owned_by": "stub"}


class StubServer:
    """An OpenAI-compatible model server on loopback, for tests without a model.

    It serves ``POST /v1/chat/completions``, ``GET /v1/models``, files and batches (see
    ``batches``), and for other processes ``GET /stats``, ``POST /reset`` and ``POST /config`` (a
    JSON object of settings). What it answers depends on the question alone; what fails, on the
    question and how often it was asked.

    >>> with StubServer(reply=lambda request: "Level: good") as server:
    ...     server.base_url.startswith("http://127.0.0.1:")
    True

    Args:
        reply: Makes the reply text from the request (its JSON); instead of the built-in answer.
            May raise ``StubError``, or return a whole response (``judgekit.testing.wire.Sent``).
        answers: Reply texts by a piece of the prompt; the first piece found decides.
        port: 0 takes any free port.
        settings: See ``StubSettings``: ``latency_ms``, ``faults``, ``retry_after`` ...
    """

    def __init__(
        self,
        *,
        reply: Reply | None = None,
        answers: Mapping[str, str] | None = None,
        port: int = 0,
        **settings: Any,
    ) -> None:
        self._model = StubModel(StubSettings().but(**settings), reply, answers or {})
        self.batches = StubBatches(StubModel(self._model.settings, reply, answers or {}))
        # Where a path leads: the first expression that matches all of it decides.
        self._routes: list[tuple[str, Handler]] = [
            (r".*/chat/completions", self._model.chat),
            (r".*/models", lambda _: _json({"object": "list", "data": [MODEL]})),
            (r"/stats", lambda _: _json(self._model.stats._asdict())),
            (r"/reset", self._reset),
            (r"/config", self._config),
        ]
        self._port = port
        self._connections: set[Connection] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    @property
    def base_url(self) -> str:
        """The address to give a client as ``api_base``."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def stats(self) -> StubStats:
        """What was counted since the start or the last reset."""
        return self._call(lambda: self._model.stats)

    @property
    def received(self) -> list[Received]:
        """The last chat requests as they came in, headers included."""
        return self._call(lambda: list(self._model.received))

    @property
    def connections(self) -> int:
        """How many connections are open now."""
        return self._call(lambda: len(self._connections))

    def configure(self, **settings: Any) -> None:
        """Change some settings from the next request on."""
        changed = self._model.settings.but(**settings)
        self._call(lambda: setattr(self._model, "settings", changed))

    def reset(self) -> None:
        """Forget every count; the settings stay."""
        self._call(self._model.reset)

    def start(self) -> Self:
        """Start the thread and wait until the port is open."""
        opened: Future[int] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(opened)), name="stub-server", daemon=True
        )
        self._thread.start()
        self._port = opened.result(timeout=30)
        return self

    def stop(self) -> None:
        """Drop every connection and end the thread."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(timeout=30)
        self._thread = self._loop = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    async def _serve(self, opened: Future[int]) -> None:
        self._loop = loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        try:
            server = await loop.create_server(
                lambda: Connection(self._handle, self._connections),
                "127.0.0.1",
                self._port,
                backlog=4096,
            )
        except OSError as error:
            opened.set_exception(JudgekitError(f"port {self._port} cannot be opened: {error}"))
            return
        opened.set_result(server.sockets[0].getsockname()[1])
        await self._stopping.wait()
        server.close()
        for connection in tuple(self._connections):
            connection.abort()

    def _call(self, function: Callable[[], T]) -> T:
        """Run ``function`` on the server's thread, so that no count is read half-way."""
        if self._loop is None:
            return function()
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(function())
            except Exception as error:  # noqa: BLE001  (raised again in the calling thread)
                done.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return done.result(timeout=30)

    def _handle(self, received: Received) -> Sent:
        for path, handler in self._routes:
            if re.fullmatch(path, received.path):
                return handler(received)
        return self.batches.handle(received, self._model.settings)

    def _reset(self, _: Received) -> Sent:
        self._model.reset()
        return _json({})

    def _config(self, received: Received) -> Sent:
        try:
            self._model.settings = self._model.settings.but(**json.loads(received.body))
        except (TypeError, ValueError, InputError) as error:
            return _json({"error": {"message": str(error)}}, 400)
        return _json({})


def _json(value: object, status: int = 200) -> Sent:
    return Sent(status, json.dumps(value).encode())
