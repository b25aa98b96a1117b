"""Files and batches of a provider: real litellm against the stub, over HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import pytest

from judgekit.errors import InputError, ModelCallError
from judgekit.running.batch_client import UNSURE, BatchClient
from judgekit.running.batch_files import request_line
from judgekit.running.batch_remote import check_provider
from judgekit.running.retry import RetryPolicy
from judgekit.testing import StubServer

T = TypeVar("T")
QUICK = RetryPolicy(attempts=3, base_s=0.01)
DAY = 86_400


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the key that a test may look for."""
    monkeypatch.setenv("KEY_OF_THE_TEST", "a-very-secret-key")


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    """Return a file of three requests."""
    messages = [{"role": "user", "content": "hi"}]
    body = {"model": "stub", "messages": messages}
    path = tmp_path / "requests.jsonl"
    path.write_bytes(b"".join(request_line(f"key-{n}", body) for n in range(3)))
    return path


def use(
    stub: StubServer | None,
    work: Callable[[BatchClient], Awaitable[T]],
    model: str = "openai/stub",
    base: str | None = None,
) -> T:
    """Do some work with a client; warnings of connections left open are errors here."""

    async def main() -> T:
        client = BatchClient(model, base or (stub and stub.base_url), "KEY_OF_THE_TEST", QUICK)
        await client.prepare()
        try:
            return await work(client)
        finally:
            await client.aclose()

    return asyncio.run(main())


def steps(stub: StubServer) -> list[str]:
    """Return method and path of everything the stub was asked."""
    return [f"{r.method} {r.path.removeprefix('/v1')}" for r in stub.batches.received]


def test_a_batch_from_upload_to_replies(stub: StubServer, requests: Path) -> None:
    """Each state is seen; the files hold a line for each request; each step is one call."""

    async def work(client: BatchClient) -> tuple[list[str], bytes]:
        file_id = await client.upload("mine.jsonl", requests)
        batch = await client.create(file_id, "mark-1")
        assert (batch.mark, batch.input_file) == ("mark-1", file_id)
        assert batch.deadline is not None
        assert DAY - 60 < batch.deadline - time.time() <= DAY
        seen = [batch.status]
        while batch.output_file is None:
            batch = await client.retrieve(batch.id)
            seen.append(batch.status)
        assert (batch.total, batch.completed, batch.failed) == (3, 3, 0)
        return seen, await client.content(batch.output_file)

    seen, content = use(stub, work)

    assert seen == ["validating", "in_progress", "finalizing", "completed"]
    keys = [json.loads(line)["custom_id"] for line in content.splitlines()]
    assert sorted(keys) == ["key-0", "key-1", "key-2"]
    assert steps(stub) == [
        "POST /files",
        "POST /batches",
        *["GET /batches/batch_0001"] * 3,
        "GET /files/file-0002/content",
    ]
    assert {r.headers["authorization"] for r in stub.batches.received} == {
        "Bearer a-very-secret-key"
    }


def test_a_creation_of_unknown_outcome_is_not_repeated(stub: StubServer, requests: Path) -> None:
    """The connection breaks after the batch was made: it is found, by its file or its mark."""

    async def work(client: BatchClient) -> None:
        file_id = await client.upload("mine.jsonl", requests)
        stub.batches.configure(lose=("create",))
        with pytest.raises(ModelCallError) as caught:
            await client.create(file_id, "mark-1")
        assert caught.value.cause in UNSURE
        for found in (
            await client.find(file_id, "another", time.time()),
            await client.find("another", "mark-1", time.time()),
        ):
            assert found is not None
            assert found.id == "batch_0001"
        assert await client.find("another", "another", time.time()) is None

    use(stub, work)

    assert stub.batches.stats.batches == 1


def test_a_batch_is_found_on_a_later_page(stub: StubServer, requests: Path) -> None:
    """The list is gone through to its end, and no further than that."""
    stub.batches.configure(page=2, metadata=False)

    async def work(client: BatchClient) -> None:
        files = [await client.upload("mine.jsonl", requests) for _ in range(5)]
        for file_id in files:
            await client.create(file_id, "mark")
        found = await client.find(files[0], "mark", time.time())
        assert found is not None
        assert found.input_file == files[0]
        assert await client.find("none", "mark", time.time()) is None
        # Batches of long before ours are not gone through.
        assert await client.find(files[0], "mark", time.time() + 2 * DAY) is None

    use(stub, work)

    assert steps(stub).count("GET /batches") == 3 + 3 + 1


def test_what_costs_nothing_is_asked_again(stub: StubServer, requests: Path) -> None:
    """A limit or an outage of the moment ends no upload; a limit ends no creation either."""
    refusals = iter([503, 429, 0, 429, 0])

    class Moody(dict[str, int]):
        """Refuses a step for a while."""

        def __contains__(self, step: object) -> bool:
            self.status = next(refusals, 0) if step in ("upload", "create") else 0
            return bool(self.status)

        def __getitem__(self, step: str) -> int:
            return self.status

    stub.batches.configure(refuse=Moody())

    async def work(client: BatchClient) -> None:
        file_id = await client.upload("mine.jsonl", requests)
        await client.create(file_id, "mark")

    use(stub, work)

    assert stub.batches.stats[:2] == (1, 1)
    assert steps(stub) == ["POST /files"] * 3 + ["POST /batches"] * 2


def test_a_creation_waits_for_a_limit_and_not_for_an_outage(
    stub: StubServer, requests: Path
) -> None:
    """429 is tried again, since nothing was made; after 500 nobody knows."""

    async def create(client: BatchClient, status: int) -> str:
        file_id = await client.upload("mine.jsonl", requests)
        stub.batches.configure(refuse={"create": status})
        with pytest.raises(ModelCallError) as caught:
            await client.create(file_id, "mark")
        stub.batches.configure(refuse={})
        return caught.value.cause

    assert use(stub, lambda client: create(client, 429)) == "rate_limit"
    limited = steps(stub).count("POST /batches")
    assert limited > 1
    assert use(stub, lambda client: create(client, 500)) == "server"
    assert steps(stub).count("POST /batches") == limited + 1


def test_a_login_in_the_address_goes_as_a_header(stub: StubServer, requests: Path) -> None:
    """And into no message."""
    base = stub.base_url.replace("://", "://user:p%40ss-word-1@")
    stub.batches.configure(refuse={"upload": 400})

    async def work(client: BatchClient) -> str:
        with pytest.raises(ModelCallError) as caught:
            await client.upload("mine.jsonl", requests)
        assert await client.find("", "", time.time()) is None
        return f"{caught.value!r} {caught.value}"

    said = use(stub, work, base=base)

    assert "ss-word-1" not in said
    sent = [received.headers["authorization"] for received in stub.batches.received]
    assert sent == ["Basic dXNlcjpwQHNzLXdvcmQtMQ=="] * 2


@pytest.mark.parametrize("model", ["hosted_vllm/stub", "azure/stub", "custom_openai/stub"])
def test_other_providers_of_the_same_format(
    stub: StubServer, requests: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same steps under their own addresses; none falls back to OpenAI's."""
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")
    base = stub.base_url.removesuffix("/v1") if model.startswith("azure") else None

    async def work(client: BatchClient) -> Any:
        batch = await client.create(await client.upload("mine.jsonl", requests), "mark")
        assert await client.find("", "mark", time.time()) is not None
        return (await client.cancel(batch.id)).status

    assert use(stub, work, model, base) == "cancelling"


@pytest.mark.parametrize("model", ["anthropic/claude-x", "bedrock/x", "vertex_ai/x", "ollama/x"])
def test_a_provider_without_batches_is_refused_by_its_name(model: str) -> None:
    """One clear error that says which ones have them."""
    with pytest.raises(InputError, match="no batch API") as caught:
        check_provider(model)

    assert "openai, azure" in (caught.value.hint or "")


def test_a_bare_name_of_another_provider_is_refused(stub: StubServer) -> None:
    """The list of models tells whose model it is."""

    async def work(_: BatchClient) -> None: ...

    with pytest.raises(InputError, match="anthropic has no batch API"):
        use(stub, work, "claude-haiku-4-5-20251001")


def test_a_key_that_is_not_there_is_told(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name of its variable, before anything is sent."""
    monkeypatch.delenv("KEY_OF_THE_TEST")

    async def work(_: BatchClient) -> None: ...

    with pytest.raises(ModelCallError, match="KEY_OF_THE_TEST"):
        use(stub, work)
    assert steps(stub) == []


class Answering(BaseHTTPRequestHandler):
    """Answers whatever is asked, as a server without files does."""

    status, said = 200, b""

    def do_POST(self) -> None:
        """Read what comes, and answer."""
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(self.status)
        self.send_header("content-length", str(len(self.said)))
        self.end_headers()
        self.wfile.write(self.said)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (200, b'{"choices": [{"message": {"content": "hello"}}]}'),
        (200, b"<html>hello</html>"),
        (404, b'{"detail": "Not Found"}'),
        (405, b"not here"),
    ],
)
def test_an_endpoint_without_files_is_told_apart(requests: Path, status: int, said: bytes) -> None:
    """In one sentence, with what to do instead; nobody reads a dump of a parser's."""
    handler = type("Handler", (Answering,), {"status": status, "said": said})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    async def work(client: BatchClient) -> ModelCallError:
        with pytest.raises(ModelCallError) as caught:
            await client.upload("mine.jsonl", requests)
        return caught.value

    try:
        base = f"http://127.0.0.1:{server.server_port}/v1"
        failure = use(None, work, base=base)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

    assert "pydantic" not in str(failure)
    assert "attribute" not in str(failure)
    assert not failure.transient
    assert "judgekit try" in (failure.hint or "")
