"""The stub's files and batches: the same model, asked by the file."""

from __future__ import annotations

import json
import re
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from judgekit.testing.stub import KEPT, StubModel
from judgekit.testing.stub_settings import StubSettings
from judgekit.testing.wire import Received, Sent

STEPS = ("validating", "in_progress", "finalizing", "completed")
MOST_LINES = 50_000
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How the stub treats batches.

    Attributes:
        step_s: Seconds a batch stays in each state; None moves it on one state each time it is
            looked at.
        ends: How a batch ends; ``expired`` and ``failed`` as a provider would say it.
        answered: How many requests are answered before a batch expires or is cancelled.
        window_s: Seconds from creation to the deadline.
        lose: Steps (``upload``, ``create``, ``cancel``) that are done but whose response is cut.
        refuse: Answers of steps (``upload``, ``create``, ``list``, ``retrieve``, ``content``,
            ``cancel``) by status: ``{"list": 404}``.
        unlisted_s: Seconds that a new batch takes to appear in the list.
        page: Most batches on one page of the list.
        metadata: Whether the metadata of a batch is kept.
    """

    step_s: float | None = None
    ends: Literal["completed", "expired", "failed"] = "completed"
    answered: int = 0
    window_s: int = 86_400
    lose: tuple[str, ...] = ()
    refuse: dict[str, int] = field(default_factory=dict)
    unlisted_s: float = 0.0
    page: int = 20
    metadata: bool = True


class BatchStats(NamedTuple):
    """What was counted.

    Attributes:
        uploads: Files received.
        batches: Batches created.
        requests: Requests in them.
        answered: Requests that were run, with whatever outcome.
        distinct: Different custom ids in all batches.
    """

    uploads: int
    batches: int
    requests: int
    answered: int
    distinct: int


@dataclass(slots=True)
class _Batch:
    """One batch as the stub keeps it: what it was given, and where it stands."""

    body: Json
    lines: list[Json]
    created: float
    step: int = 0
    final: str | None = None
    cancelling: bool = False
    errors: list[Json] = field(default_factory=list)
    output: str | None = None
    error: str | None = None
    completed: int = 0
    failed: int = 0


class StubBatches:
    """``/v1/files`` and ``/v1/batches``. Lives on the server's thread; no sockets.

    Args:
        model: Answers the requests; its counts are its own, apart from those of the chat endpoint.
    """

    def __init__(self, model: StubModel) -> None:
        self._model = model
        self.settings = BatchSettings()
        self.received: deque[Received] = deque(maxlen=KEPT)
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, _Batch] = {}
        self._uploads = self._answered = 0

    def configure(self, **settings: Any) -> None:
        """Change some settings from the next request on."""
        self.settings = replace(self.settings, **settings)

    @property
    def stats(self) -> BatchStats:
        """What was counted since the start."""
        batches = list(self._batches.values())
        keys = {line["custom_id"] for batch in batches for line in batch.lines}
        requests = sum(len(batch.lines) for batch in batches)
        return BatchStats(self._uploads, len(batches), requests, self._answered, len(keys))

    @property
    def lines(self) -> list[Json]:
        """Every request of every batch, as it was uploaded."""
        return [line for batch in list(self._batches.values()) for line in batch.lines]

    def handle(self, received: Received, settings: StubSettings) -> Sent:
        """Return the response to one request about files or batches."""
        self.received.append(received)
        self._model.settings = settings
        step, name = _route(received)
        if step is None:
            return _error(404, f"no such page: {received.path}")
        if step in self.settings.refuse:
            return _error(self.settings.refuse[step], f"{step} is refused here")
        sent: Sent = getattr(self, f"_{step}")(received, name)
        return replace(sent, cut="reset") if step in self.settings.lose else sent

    def _upload(self, received: Received, _: str) -> Sent:
        content = _file_of(received)
        if content is None:
            return _error(400, "no file in the upload")
        self._uploads += 1
        name = self._keep(content)
        return _json({**_file(name, content), "status": "processed"})

    def _content(self, _: Received, name: str) -> Sent:
        if name not in self._files:
            return _error(404, f"No such File object: {name}")
        return Sent(200, self._files[name])

    def _create(self, received: Received, _: str) -> Sent:
        body = json.loads(received.body)
        content = self._files.get(body.get("input_file_id"))
        if content is None:
            return _error(400, f"No such File object: {body.get('input_file_id')}")
        lines, errors = _read_lines(content)
        batch = _Batch(body, lines, time.time(), errors=errors)
        name = f"batch_{len(self._batches) + 1:04}"
        self._batches[name] = batch
        return _json(self._shown(name))

    def _list(self, received: Received, _: str) -> Sent:
        now = time.time()
        names = [n for n, b in self._batches.items() if now - b.created >= self.settings.unlisted_s]
        names.reverse()  # the newest first
        after = received.query.get("after")
        names = names[names.index(after) + 1 :] if after in names else names
        page = names[: min(self.settings.page, int(received.query.get("limit", "20")))]
        ends = {"first_id": page[0], "last_id": page[-1]} if page else {}
        data = [self._shown(name) for name in page]
        return _json({"object": "list", "data": data, "has_more": len(page) < len(names), **ends})

    def _retrieve(self, _: Received, name: str) -> Sent:
        if name not in self._batches:
            return _error(404, f"No batch found with id '{name}'")
        self._move_on(self._batches[name])
        return _json(self._shown(name))

    def _cancel(self, _: Received, name: str) -> Sent:
        if name not in self._batches:
            return _error(404, f"No batch found with id '{name}'")
        batch = self._batches[name]
        if batch.final is not None:
            return _error(409, f"Cannot cancel a batch with status '{batch.final}'.")
        batch.cancelling = True
        return _json(self._shown(name))

    def _move_on(self, batch: _Batch) -> None:
        if batch.final is not None:
            return
        step_s, last = self.settings.step_s, len(STEPS) - 1
        passed = batch.step + 1 if step_s is None else int((time.time() - batch.created) / step_s)
        batch.step = min(passed, last)
        if batch.errors or (self.settings.ends == "failed" and batch.step):
            told = {"code": "invalid_request", "message": "no such model", "line": None}
            batch.errors = batch.errors or [told]
            batch.final = "failed"
        elif batch.cancelling:
            self._finish(batch, "cancelled")
        elif batch.step == last:
            self._finish(batch, self.settings.ends)

    def _finish(self, batch: _Batch, final: str) -> None:
        """Run what is to be run, and write the files."""
        run = len(batch.lines) if final == "completed" else self.settings.answered
        output: list[Json] = []
        errors: list[Json] = []
        for line in batch.lines[:run]:
            answered = self._run(line)
            (output if answered["error"] is None else errors).append(answered)
        for line in batch.lines[run:]:
            told = {"code": f"batch_{final}", "message": f"This request was not run: {final}."}
            errors.append(_answer(line, None, told))
        # Nobody promises an order, so it is turned round.
        batch.output = self._keep(_text(reversed(output))) if output else None
        batch.error = self._keep(_text(reversed(errors))) if errors else None
        batch.completed, batch.failed = len(output), len(errors)
        batch.final = final

    def _run(self, line: Json) -> Json:
        """Answer one request as the chat endpoint would."""
        self._answered += 1
        body = json.dumps(line["body"]).encode()
        sent = self._model.chat(Received("POST", line["url"], {}, body))
        if sent.done is not None:
            sent.done(True)  # noqa: FBT003  (a callback)
        hung = sent.delay >= self._model.settings.hang_s > 0
        try:
            response = None if sent.cut or hung else json.loads(sent.body)
        except ValueError:
            response = None
        if response is None:
            return _answer(line, None, {"code": "server_error", "message": "No response."})
        error = None if sent.status == 200 else response.get("error")
        return _answer(line, {"status_code": sent.status, "body": response}, error)

    def _keep(self, content: bytes) -> str:
        name = f"file-{len(self._files) + 1:04}"
        self._files[name] = content
        return name

    def _shown(self, name: str) -> Json:
        batch = self._batches[name]
        status = batch.final or ("cancelling" if batch.cancelling else STEPS[batch.step])
        created = int(batch.created)
        counts = {"total": len(batch.lines), "completed": batch.completed, "failed": batch.failed}
        kept = batch.body.get("metadata") if self.settings.metadata else None
        return {
            "id": name,
            "object": "batch",
            "endpoint": batch.body["endpoint"],
            "completion_window": batch.body["completion_window"],
            "input_file_id": batch.body["input_file_id"],
            "status": status,
            "created_at": created,
            "expires_at": created + self.settings.window_s,
            "output_file_id": batch.output,
            "error_file_id": batch.error,
            "errors": {"object": "list", "data": batch.errors} if batch.errors else None,
            "request_counts": counts,
            "metadata": kept,
        }


_ROUTES = (
    (re.compile(r"POST .*/files$"), "upload"),
    (re.compile(r"GET .*/files/([^/]+)/content$"), "content"),
    (re.compile(r"POST .*/batches$"), "create"),
    (re.compile(r"GET .*/batches$"), "list"),
    (re.compile(r"GET .*/batches/([^/]+)$"), "retrieve"),
    (re.compile(r"POST .*/batches/([^/]+)/cancel$"), "cancel"),
)


def _route(received: Received) -> tuple[str | None, str]:
    """Return the step a request asks for, and the file or batch it names."""
    for pattern, step in _ROUTES:
        match = pattern.match(f"{received.method} {received.path}")
        if match:
            return step, match[1] if match.groups() else ""
    return None, ""


def _file_of(received: Received) -> bytes | None:
    """Return the file in a multipart form."""
    boundary = re.search(r"boundary=\"?([^\";]+)", received.headers.get("content-type", ""))
    if boundary is None:
        return None
    for part in received.body.split(b"--" + boundary[1].encode()):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="file"' in head:
            return content.removesuffix(b"\r\n")
    return None


def _read_lines(content: bytes) -> tuple[list[Json], list[Json]]:
    """Return the requests of an input file, and what a provider would find wrong with it."""
    try:
        lines = [json.loads(line) for line in content.splitlines() if line.strip()]
    except ValueError:
        return [], [_trouble("invalid_json_line", "This line is not valid JSON.")]
    if len(lines) > MOST_LINES:
        return [], [_trouble("too_many_tasks", f"More than {MOST_LINES} requests.")]
    if len({line.get("custom_id") for line in lines}) < len(lines):
        return [], [_trouble("duplicate_custom_id", "A custom_id is there twice.")]
    if len({json.dumps(line.get("body", {}).get("model")) for line in lines}) > 1:
        return [], [_trouble("mismatched_model", "All requests must name the same model.")]
    return lines, []


def _trouble(code: str, message: str) -> Json:
    return {"code": code, "message": message, "line": 1}


def _answer(line: Json, response: Json | None, error: Json | None) -> Json:
    key = line["custom_id"]
    return {"id": f"req_{key[:8]}", "custom_id": key, "response": response, "error": error}


def _text(lines: Any) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def _file(name: str, content: bytes) -> Json:
    told = {"id": name, "object": "file", "purpose": "batch", "filename": "requests.jsonl"}
    return {**told, "bytes": len(content), "created_at": int(time.time())}


def _error(status: int, message: str) -> Sent:
    error = {"message": message, "type": "invalid_request_error", "code": None}
    return Sent(status, json.dumps({"error": error}).encode())


def _json(value: Json) -> Sent:
    return Sent(200, json.dumps(value).encode())
