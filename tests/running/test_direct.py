"""The direct lane: when it is taken, what it never loads, and what it does by itself."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import subprocess
import sys
from typing import Any

import pytest

from judgekit.errors import InputError, ModelCallError
from judgekit.judging.request import LikelihoodTask, Message, ModelRequest
from judgekit.running import direct
from judgekit.running.direct import DirectModel
from judgekit.running.litellm_client import LiteLLMModel
from judgekit.running.model import open_model
from judgekit.running.providers import PROVIDERS
from judgekit.testing import StubServer, check_model
from judgekit.testing.wire import Sent
from tests.running.helpers import question, wait_until
from tests.running.lanes import through

pytestmark = pytest.mark.timeout(60)

BASE = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize("prefix", PROVIDERS)
def test_auto_goes_directly_where_both_lanes_send_the_same(prefix: str) -> None:
    """With an address and OpenAI's format."""
    assert isinstance(open_model(f"{prefix}/some/model", api_base=BASE), DirectModel)


@pytest.mark.parametrize(
    ("model", "base"),
    [
        ("openai/gpt-4.1-mini", None),
        ("hosted_vllm/some", None),
        ("gpt-4.1-mini", BASE),
        ("anthropic/claude", BASE),
        ("azure/mine", BASE),
        ("ollama/llama3", BASE),
        ("openai/", BASE),
        # These have no chat endpoint, and litellm asks them in another way.
        ("openai/o3-pro", BASE),
        ("openai/gpt-5.2-pro-2025-12-11", BASE),
        ("openai/gpt-5.1-codex-mini", BASE),
        ("openai/o4-mini-deep-research", BASE),
        ("openai/responses/gpt-4o", BASE),
    ],
)
def test_auto_goes_through_litellm_elsewhere(model: str, base: str | None) -> None:
    """Whatever litellm knows of these is not known here."""
    assert isinstance(open_model(model, api_base=base), LiteLLMModel)


def test_a_transport_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address may also come from the environment, or be the provider's own."""
    monkeypatch.delenv("LM_STUDIO_API_BASE", raising=False)
    assert isinstance(open_model("openai/x", api_base=BASE, transport="litellm"), LiteLLMModel)
    assert isinstance(open_model("openai/gpt-4.1-mini", transport="direct"), DirectModel)
    assert isinstance(open_model("llamafile/x", transport="direct"), DirectModel)
    assert isinstance(open_model("openai/o3-pro", api_base=BASE, transport="direct"), DirectModel)
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", BASE)
    assert isinstance(open_model("hosted_vllm/x", transport="direct"), DirectModel)
    assert type(open_model("local/smollm2-135m", transport="direct")).__name__ == "LocalModel"


@pytest.mark.parametrize(
    ("model", "base", "complaint"),
    [
        ("anthropic/claude", None, "its provider's format is not OpenAI's"),
        ("gpt-4.1-mini", BASE, "its provider's format is not OpenAI's"),
        ("lm_studio/x", None, "the address of 'lm_studio/x' is not known"),
        ("openai/x", "localhost:8000/v1", "api_base of 'openai/x' is no address"),
        ("openai/x", "ftp://me:secret-word-9@host/v1", "api_base of 'openai/x' is no address"),
        ("openai/x", "http:///v1", "api_base of 'openai/x' is no address"),
    ],
)
def test_what_cannot_be_reached_directly_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, model: str, base: str | None, complaint: str
) -> None:
    """With the way out, and without the login."""
    monkeypatch.delenv("LM_STUDIO_API_BASE", raising=False)

    with pytest.raises(InputError, match=complaint) as caught:
        open_model(model, api_base=base, transport="direct")

    assert caught.value.hint
    assert "secret" not in f"{caught.value}{caught.value.hint}"


PROGRAM = """
import asyncio, sys
from judgekit.judging.request import Message, ModelRequest
from judgekit.running.model import open_model

base = sys.argv[1]
def ask(n):
    return ModelRequest("openai/o3-mini", (Message("user", str(n)),), {"seed": n}, {}, base)

async def main():
    model = open_model("openai/o3-mini", api_base=base)
    assert not {"aiohttp", "litellm", "openai", "httpx"} & set(sys.modules), "opened too early"
    await model.prepare()
    replies = [await model.complete(ask(n), timeout=20) for n in range(3)]
    await model.aclose()
    assert replies[0].cost_usd > 0
    assert replies[0].left_out == ("seed",)

asyncio.run(main())
loaded = {"litellm", "openai", "httpx", "sklearn", "numpy", "boto3"} & set(sys.modules)
assert not loaded, loaded
assert "aiohttp" in sys.modules
print("fine")
"""


def test_litellm_is_never_loaded(stub: StubServer) -> None:
    """Not even for a price, a refusal or a reasoning model; aiohttp only with the first call."""
    stub.configure(refuses=("seed",))

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, stub.base_url],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )

    assert (done.stdout, done.stderr) == ("fine\n", "")


def test_it_keeps_the_contract(stub: StubServer) -> None:
    """The same check that users run on their own clients."""
    stub.configure(latency_ms=5)

    check_model(DirectModel(), question("x", stub.base_url), timeout=20)


def test_connections_are_kept_and_closed(stub: StubServer) -> None:
    """As many as calls at once, used again, gone with the client."""
    stub.configure(latency_ms=20)

    async def run() -> None:
        model = DirectModel()
        for _ in range(3):
            asked = [question(n, stub.base_url) for n in range(150)]
            await asyncio.gather(*(model.complete(r, timeout=20) for r in asked))
        assert 100 < stub.connections <= 150
        assert stub.stats.peak > 100
        await model.aclose()
        await model.aclose()

    asyncio.run(run())
    wait_until(lambda: stub.connections == 0)


def test_a_call_that_is_given_up_closes_its_connection(stub: StubServer) -> None:
    """No late answer is taken for that of another question."""
    stub.configure(faults={"hang": 1.0}, hang_s=0.3)

    async def run() -> None:
        model = DirectModel()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await model.complete(question("a", stub.base_url), timeout=0.1)
        await asyncio.to_thread(wait_until, lambda: stub.connections == 0)
        stub.configure(faults={})
        reply = await model.complete(question("b", stub.base_url), timeout=20)
        again = await model.complete(question("b", stub.base_url), timeout=20)
        assert reply.text == again.text
        await model.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("packed", [False, True])
def test_an_endless_answer_is_not_read(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:  # noqa: FBT001
    """By its length where it tells it, else as it comes, however small it is packed."""
    monkeypatch.setattr(direct, "LARGEST", 2**20)
    body = b" " * (2**20 + 1)
    sent = Sent(200, body)
    if packed:
        sent = Sent(200, gzip.compress(body), {"content-encoding": "gzip"})

    with StubServer(reply=lambda _: sent) as stub:
        (failure,) = through("direct", stub, [question("x", stub.base_url)]).outcomes

    assert isinstance(failure, ModelCallError)
    assert (failure.cause, failure.transient) == ("server", False)
    assert "longer than 1 MB" in str(failure)


def test_a_packed_answer_is_unpacked() -> None:
    """Endpoints may pack what they send."""
    body = gzip.compress(b'{"choices": [{"message": {"content": "hi"}}]}')

    with StubServer(reply=lambda _: Sent(200, body, {"content-encoding": "gzip"})) as stub:
        (reply,) = through("direct", stub, [question("x", stub.base_url)]).replies

    assert reply.text == "hi"


def test_a_large_image_is_sent_whole(stub: StubServer) -> None:
    """Several megabytes, without a warning."""
    url = "data:image/png;base64," + "A" * 3_000_000
    part = {"type": "image_url", "image_url": {"url": url}}
    asked = ModelRequest("openai/x", (Message("user", (part,)),), api_base=stub.base_url)

    through("direct", stub, [asked])

    assert len(stub.received[-1].body) > 3_000_000


@pytest.mark.parametrize(
    "more",
    [
        {"parameters": {"stream": True}},
        {"parameters": {"api_key": "abc"}},
        {"parameters": {"extra_body": {"stream": True}}},
        {"likelihood": LikelihoodTask(("a", "b"), ("p",), ((),))},
        {"parameters": {"temperature": float("nan")}},
        {"parameters": {"stop": "half \ud83d"}},
    ],
)
def test_what_is_no_question_for_this_lane_is_refused(
    stub: StubServer, more: dict[str, Any]
) -> None:
    """Before anything is sent."""
    (failure,) = through("direct", stub, [question("x", stub.base_url, **more)]).failures

    assert failure[:2] == ("bad_request", False)
    assert stub.stats.requests == 0


def test_a_missing_key_is_said_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenAI takes nobody without; the variable that is named must be set, to a key."""
    asked = question("x", "")
    bare = ModelRequest("openai/gpt-4.1-mini", asked.messages)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "MY_KEY"):
        monkeypatch.delenv(name, raising=False)

    def complaint(**how: Any) -> str:
        async def run() -> None:
            async with contextlib.aclosing(DirectModel(**how)) as model:
                await model.complete(bare, timeout=20)

        with pytest.raises(ModelCallError) as caught:
            asyncio.run(run())
        assert caught.value.cause == "authentication"
        return str(caught.value)

    assert "no API key is set (OPENAI_API_KEY)" in complaint()
    assert "'MY_KEY' is not set" in complaint(api_key_env="MY_KEY")
    monkeypatch.setenv("MY_KEY", "two\nlines-1234567")
    assert "no header can carry it" in complaint(api_key_env="MY_KEY")


def test_proxies_come_from_the_environment(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As litellm takes them; addresses that the environment excepts are asked directly."""
    proxy = stub.base_url.removesuffix("/v1").replace("://", "://me:proxy-word-12@")
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    asked = question("x", "http://model.invalid:8000/v1")

    (reply,) = through("direct", stub, [asked]).replies
    assert reply.text
    assert stub.received[-1].path == "http://model.invalid:8000/v1/chat/completions"

    monkeypatch.setenv("no_proxy", "model.invalid")
    (failure,) = through("direct", stub, [asked]).outcomes
    assert isinstance(failure, ModelCallError)
    assert failure.cause == "connection"
    assert "proxy-word" not in str(failure)


def test_a_query_in_the_address_stays_at_its_end(stub: StubServer) -> None:
    """Gateways tell deployments apart by it."""
    through("direct", stub, [question("x", f"{stub.base_url}/?api-version=3")])

    (received,) = stub.received
    assert (received.path, received.query) == ("/v1/chat/completions", {"api-version": "3"})
