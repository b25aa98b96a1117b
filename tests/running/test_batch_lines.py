"""Lines of batches: written as single calls are sent, and read as single calls are read."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.running.batch_bodies import BodyMaker, Learnt
from judgekit.running.batch_files import in_files, request_line
from judgekit.running.batch_lines import Line, LineReader
from judgekit.running.direct import DirectModel
from judgekit.running.litellm_client import LiteLLMModel, import_litellm
from judgekit.running.prices import Price, cost_of, price_of
from judgekit.running.secrets import Secrets
from judgekit.testing import StubServer
from tests.running.helpers import SCHEMA

DEAR = Price(2e-6, 8e-6)
COMPLETION: dict[str, Any] = {
    "object": "chat.completion",
    "model": "served-1",
    "choices": [{"message": {"content": "Level: good"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
}


def reader(price: Price | None = DEAR, model: str = "openai/stub") -> LineReader:
    """Return a reader of lines from a model with that price."""
    return LineReader(model, Secrets(["a-very-secret-key"]), lambda _: price)


def read(line: dict[str, Any], how: LineReader | None = None) -> Line:
    """Read one line."""
    (found,) = (how or reader()).read(json.dumps({"custom_id": "k", **line}).encode() + b"\n")
    return found


def answered(**changes: Any) -> dict[str, Any]:
    """Return the line of an answered request."""
    body = {**COMPLETION, **changes}
    return {"response": {"status_code": 200, "body": body}, "error": None}


def said(content: str | None, finish: str) -> dict[str, Any]:
    """Return one choice of a completion."""
    return {"message": {"role": "assistant", "content": content}, "finish_reason": finish}


def refused(status: int, **error: Any) -> dict[str, Any]:
    """Return the line of a request that the endpoint refused."""
    return {"response": {"status_code": status, "body": {"error": error}}, "error": None}


def test_an_answer_is_read_whole_and_costs_half() -> None:
    """Text, served model and tokens as they came; half the ordinary price."""
    line = read(answered())

    whole = cost_of(DEAR, 100, 10)
    assert whole is not None
    assert line == Line(
        "k",
        ModelReply(
            "Level: good", "stop", served="served-1", tokens_in=100, tokens_out=10,
            cost_usd=whole / 2,
        ),
    )  # fmt: skip


def test_a_price_that_is_not_known_stays_unknown() -> None:
    """Half of nothing known is nothing known, not 0."""
    line = read(answered(), reader(price=None))

    assert line.reply is not None
    assert line.reply.cost_usd is None


def test_litellms_list_is_asked_by_the_served_model() -> None:
    """Without a stated price it is the served model's, halved."""
    line = read(answered(model="gpt-4.1-mini"), LineReader("openai/mine", Secrets()))

    whole = cost_of(price_of("openai/gpt-4.1-mini"), 100, 10)
    assert line.reply is not None
    assert whole is not None
    assert line.reply.cost_usd == whole / 2


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (refused(400, message="no such value", code=None), "bad_request"),
        (refused(400, message="This model's maximum context length is 9"), "context_length"),
        (refused(401, message="Incorrect API key"), "authentication"),
        (refused(404, message="The model does not exist"), "not_found"),
        (refused(429, message="Rate limit reached"), "rate_limit"),
        (refused(429, message="You exceeded your quota", code="insufficient_quota"), "quota"),
        (refused(500, message="The server had an error"), "server"),
        ({"response": None, "error": {"code": "batch_expired", "message": "late"}}, "expired"),
        ({"response": None, "error": {"code": "batch_cancelled", "message": "-"}}, "cancelled"),
        ({"response": None, "error": {"code": "server_error", "message": "-"}}, "server"),
        ({"response": None, "error": None}, "server"),
        ({"response": {"status_code": 200, "body": "<html>"}, "error": None}, "server"),
        (answered(choices=[said("", "stop")]), "empty"),
        (answered(choices=[]), "empty"),
        (answered(choices=[said("Lev", "length")]), "truncated"),
    ],
)
def test_what_failed_has_the_cause_of_a_single_call(line: dict[str, Any], cause: str) -> None:
    """Whatever comes back instead of a reply is told by its cause, and never kept."""
    found = read(line)

    assert found.cause == cause
    assert found.message is not None
    assert found.message.startswith("openai/stub: ")


@pytest.mark.parametrize(
    "line",
    [
        refused(400, message="The response was filtered", code="content_filter"),
        answered(choices=[said(None, "content_filter")]),
    ],
)
def test_a_content_filter_is_an_answer(line: dict[str, Any]) -> None:
    """As in a single call: it is kept, and told from a failure."""
    found = read(line)

    assert found.cause is None
    assert found.reply is not None
    assert (found.reply.text, found.reply.finish) == ("", "content_filter")


def test_secrets_are_in_no_message_and_no_reply() -> None:
    """An endpoint that says the key back says it to nobody else."""
    failed = read(refused(400, message="bad key a-very-secret-key"))
    replied = read(answered(choices=[said("your key: a-very-secret-key", "stop")]))

    assert "a-very-secret-key" not in f"{failed} {replied}"


def test_lines_that_are_none_are_passed_over() -> None:
    """Broken JSON, other JSON and empty lines; the good one among them is read."""
    good = json.dumps({"custom_id": "k", **answered()}).encode()
    content = b"\n".join([b"{half", b"[1]", b"", b'{"custom_id": 7}', good, b""])

    assert [line.key for line in reader().read(content)] == ["k"]


def test_the_errors_of_a_whole_batch_are_read_like_those_of_a_request() -> None:
    """The first one says what happened to every request."""
    cause, message = reader().refusal([("token_limit_exceeded", "Enqueued token limit reached")])

    assert cause == "bad_request"
    assert "Enqueued token limit reached" in message
    assert reader().refusal([])[0] == "bad_request"


def test_files_keep_within_both_limits() -> None:
    """By number and by size; every line goes into one, in order, and none is cut."""
    lines = [(n, b"x" * 10) for n in range(7)]

    assert [[n for n, _ in f] for f in in_files(lines, 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [len(f) for f in in_files(lines, 100, 25)] == [2, 2, 2, 1]
    assert [len(f) for f in in_files([(0, b"x" * 99), (1, b"x")], 100, 25)] == [1, 1]
    assert list(in_files([])) == []


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        ("openai/stub", {"temperature": 0.0, "max_tokens": 100}),
        ("openai/gpt-4.1-mini", {"temperature": 0.0, "max_tokens": 9, "seed": 3, "top_k": 5}),
        ("openai/o3-mini", {"temperature": 0.0, "max_tokens": 100}),
        ("hosted_vllm/stub", {"max_tokens": 100, "logprobs": True, "top_logprobs": 5}),
        ("gpt-4.1-mini", {"temperature": 0.0, "max_tokens": 100}),
        ("azure/mine", {"temperature": 0.0, "max_tokens": 100}),
        ("o3-mini", {"temperature": 0.0, "max_tokens": 100}),
    ],
)
def test_a_line_holds_the_body_of_a_single_call(
    stub: StubServer, model: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the endpoint gets by either way is equal, and so is what was left out."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    monkeypatch.setenv("AZURE_API_KEY", "sk-of-the-test")
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")
    base = stub.base_url.removesuffix("/v1") if model.startswith("azure") else stub.base_url
    messages = (Message("system", "You grade."), Message("user", "Ünïcode \u2028 and \ud83d"))
    request = ModelRequest(model, messages, parameters, SCHEMA, base)

    async def ask() -> ModelReply:
        client = LiteLLMModel()
        try:
            return await client.complete(request, timeout=30)
        finally:
            await client.aclose()

    single = asyncio.run(ask())
    maker = BodyMaker(import_litellm(), model, Secrets(), "auto", Learnt())
    body, put = maker.body(request)
    sent = json.loads(request_line("k", body))

    assert sent["body"] == json.loads(stub.received[-1].body)
    assert (put.form.left_out, put.form.adjusted) == (single.left_out, single.adjusted)
    assert put.notes == single.notes


def test_what_single_calls_learnt_is_left_out(stub: StubServer) -> None:
    """A model that refused parameters and a system message once is not asked so in a batch."""
    stub.configure(refuses=("temperature", "max_tokens"))
    parameters = {"temperature": 0.0, "max_tokens": 100, "seed": 1}
    request = ModelRequest("openai/stub", (Message("user", "hi"),), parameters, None, stub.base_url)

    async def ask() -> ModelReply:
        client = DirectModel()
        try:
            return await client.complete(request, timeout=30)
        finally:
            await client.aclose()

    learnt = Learnt().also(asyncio.run(ask())).also(ModelReply("", notes=("system_in_user",)))
    asked = ModelRequest("openai/stub", (Message("system", "S"), Message("user", "U")), parameters)
    body, put = BodyMaker(None, "openai/stub", Secrets(), "auto", learnt).body(asked)

    assert body == {
        "model": "stub",
        "messages": [{"role": "user", "content": "S\n\nU"}],
        "max_completion_tokens": 100,
        "seed": 1,
    }
    assert (put.form.left_out, put.notes) == (("temperature",), ("system_in_user",))
