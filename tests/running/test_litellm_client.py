"""The real litellm against a server on loopback: what each fault becomes."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from judgekit.errors import ModelCallError
from judgekit.judging.request import LikelihoodTask, ModelReply, ModelRequest
from judgekit.running.litellm_client import LiteLLMModel, import_litellm
from judgekit.running.model import open_model
from judgekit.running.prices import Price
from judgekit.testing import FAULTS, StubError, StubServer, check_model
from tests.running.helpers import question, wait_until

pytestmark = pytest.mark.timeout(60)

ERRORS = {
    "400": ("bad_request", False),
    "401": ("authentication", False),
    "403": ("authentication", False),
    "404": ("not_found", False),
    "429": ("rate_limit", True),
    "500": ("server", True),
    "503": ("server", True),
    "quota": ("quota", False),
    "context": ("context_length", False),
    "bad_body": ("server", True),
    "half_body": ("connection", True),
    "reset": ("connection", True),
    "hang": ("timeout", True),
}
REPLIES: dict[str, dict[str, Any]] = {
    "filter": {"text": "", "finish": "content_filter"},
    "filter_finish": {"text": "", "finish": "content_filter"},
    "refusal": {"text": "", "refusal": "I'm sorry, but I can't help with grading this."},
    "empty": {"text": "", "finish": "stop"},
    "null_content": {"text": "", "finish": "stop"},
    "no_choices": {"text": "", "finish": None},
    "truncated": {"finish": "length"},
    "malformed": {"finish": "stop"},
    "think": {"reasoning": "It could be 1, or 5, or neither ..."},
    "think_only": {"text": "<think>It could be 1, or 5. Let me look at it again: "},
    "out_of_scale": {"finish": "stop"},
    "contradictory": {"finish": "stop"},
}


def ask(*requests: ModelRequest, timeout: float = 20.0, **settings: Any) -> list[ModelReply]:
    """Ask a fresh client, one request after the other."""

    async def run() -> list[ModelReply]:
        model = LiteLLMModel(**settings)
        await model.prepare()
        try:
            return [await model.complete(request, timeout=timeout) for request in requests]
        finally:
            await model.aclose()

    return asyncio.run(run())


def failure(*requests: ModelRequest, **settings: Any) -> ModelCallError:
    """Return how asking fails."""
    with pytest.raises(ModelCallError) as caught:
        ask(*requests, **settings)
    return caught.value


def test_every_fault_has_its_expectation() -> None:
    """A new fault of the stub needs a line here."""
    assert set(FAULTS) == set(ERRORS) | set(REPLIES)


@pytest.mark.parametrize("fault", ERRORS)
def test_a_fault_becomes_a_failure_with_its_cause(stub: StubServer, fault: str) -> None:
    """The cause and whether to ask again; one call, since litellm must not retry by itself."""
    stub.configure(faults={fault: 1.0}, retry_after=7, hang_s=5)

    error = failure(question(fault, stub.base_url), timeout=0.5 if fault == "hang" else 20)

    assert (error.cause, error.transient) == ERRORS[fault]
    assert error.retry_after == (7 if fault == "429" else None)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert stub.stats.requests == 1


@pytest.mark.parametrize("fault", REPLIES)
def test_a_fault_in_the_answer_is_a_reply(stub: StubServer, fault: str) -> None:
    """Complaints 1, 2, 18, 19: broken, cut, filtered and empty answers are told from errors."""
    stub.configure(faults={fault: 1.0})

    (reply,) = ask(question(fault, stub.base_url))

    assert {name: getattr(reply, name) for name in REPLIES[fault]} == REPLIES[fault]
    assert stub.stats.requests == 1


def test_a_reply_comes_whole(stub: StubServer) -> None:
    """Text, model served, tokens and an unknown price that is not 0 (complaint 54)."""
    stub.configure(served="stub-2026-11-30")

    (reply,) = ask(question("x", stub.base_url))

    assert json.loads(reply.text)["level"] in ("bad", "fair", "good")
    assert reply.served == "stub-2026-11-30"
    assert reply.tokens_in
    assert reply.tokens_out
    assert reply.cost_usd is None
    assert reply.latency_s is not None
    assert reply.left_out == ()


def test_a_known_price_is_a_cost(stub: StubServer) -> None:
    """From the price list that litellm carries, without fetching it."""
    request = question("x", stub.base_url)

    (reply,) = ask(ModelRequest("openai/gpt-4o-mini", request.messages, api_base=stub.base_url))

    assert reply.cost_usd is not None
    assert 0 < reply.cost_usd < 0.001


def test_the_request_is_sent_as_it_stands(stub: StubServer) -> None:
    """Messages, parameters and the strict schema; nothing else of substance."""
    request = question("x", stub.base_url, parameters={"temperature": 0, "max_tokens": 99})

    ask(request)

    sent = json.loads(stub.received[-1].body)
    assert sent == {
        "model": "stub",
        "messages": [m._asdict() for m in request.messages],
        "temperature": 0,
        "max_tokens": 99,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": request.schema, "strict": True},
        },
    }


def test_what_the_endpoint_refuses_is_left_out_and_recorded(stub: StubServer) -> None:
    """Complaints 15, 17: refused once, then never sent again, and the reply says so."""
    stub.configure(refuses=("temperature", "response_format"))
    first, second = (question(n, stub.base_url) for n in "ab")

    replies = ask(first, second)

    assert [r.left_out for r in replies] == [("response_format", "temperature")] * 2
    assert stub.stats.requests == 4  # two refusals, two answers


def test_what_litellm_knows_to_be_refused_is_left_out_too(stub: StubServer) -> None:
    """Complaint 15: o-series models take no temperature; no call is spent on finding out."""
    request = question("x", stub.base_url)
    reasoning = ModelRequest(
        "openai/o3-mini",
        request.messages,
        {"temperature": 0, "top_p": 0.5, "max_tokens": 50},
        api_base=stub.base_url,
    )

    (reply,) = ask(reasoning)

    assert reply.left_out == ("temperature", "top_p")
    assert stub.stats.requests == 1
    assert json.loads(stub.received[-1].body)["max_completion_tokens"] == 50


def test_a_wrong_value_is_an_error_not_left_out() -> None:
    """temperature=9 is a mistake of the user's, and said so."""

    def reply(request: dict[str, Any]) -> str:
        raise StubError(400, message="temperature must be at most 2", param="temperature")

    with StubServer(reply=reply) as stub:
        error = failure(question("x", stub.base_url, parameters={"temperature": 9}))

    assert error.cause == "bad_request"
    assert "at most 2" in error.message


def test_a_body_that_is_not_json_is_called_that(stub: StubServer) -> None:
    """Not "Expecting value: line 1 column 1"."""
    stub.configure(faults={"bad_body": 1.0})

    assert "malformed body" in failure(question("x", stub.base_url)).message


def test_a_refused_connection_is_no_internal_server_error() -> None:
    """Which is what litellm calls it."""
    error = failure(question("x", "http://127.0.0.1:9/v1"))

    assert (error.cause, error.transient) == ("connection", True)


def test_a_named_key_is_sent_and_a_missing_one_is_said(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """api_key_env names a variable; without it no call is made."""
    monkeypatch.setenv("MY_GATEWAY", "gateway-key-123456")
    ask(question("x", stub.base_url), api_key_env="MY_GATEWAY")
    assert stub.received[-1].headers["authorization"] == "Bearer gateway-key-123456"

    monkeypatch.delenv("MY_GATEWAY")
    error = failure(question("x", stub.base_url), api_key_env="MY_GATEWAY")

    assert error.cause == "authentication"
    assert "'MY_GATEWAY'" in error.message
    assert stub.stats.requests == 1


def test_no_key_at_all_is_authentication(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which litellm calls an internal server error."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    error = failure(ModelRequest("openai/gpt-4o-mini", question("x", "").messages))

    assert (error.cause, error.transient) == ("authentication", False)


NATIVE = {
    "groq/llama": {"GROQ_API_KEY": "a-key-12345678"},
    "azure/mine": {"AZURE_API_KEY": "a-key-12345678", "AZURE_API_VERSION": "2024-10-21"},
    "mistral/some": {"MISTRAL_API_KEY": "a-key-12345678"},
    "gpt-4o-mini": {"OPENAI_API_KEY": "a-key-12345678"},
}


@pytest.mark.parametrize("model", NATIVE)
@pytest.mark.parametrize("fault", [*ERRORS, "filter"])
def test_faults_mean_the_same_whoever_is_asked(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch, model: str, fault: str
) -> None:
    """Complaint 18: litellm has its own ways with each provider, and other exceptions."""
    for name, value in NATIVE[model].items():
        monkeypatch.setenv(name, value)
    stub.configure(faults={fault: 1.0}, retry_after=7, hang_s=5)
    asked = ModelRequest(
        model, question(fault, "").messages, {"max_tokens": 9}, api_base=stub.base_url
    )

    if fault == "filter":
        assert ask(asked)[0].finish == "content_filter"
        return
    error = failure(asked, timeout=0.5 if fault == "hang" else 20)

    assert (error.cause, error.transient) == ERRORS[fault]
    assert error.retry_after == (7 if fault == "429" else None)
    assert stub.stats.requests == 1


def test_what_litellm_refuses_by_itself_is_left_out(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Complaint 16: probabilities that a provider does not give; no call is spent on it."""
    monkeypatch.setenv("MISTRAL_API_KEY", "a-key-12345678")
    given = {"max_tokens": 9, "logprobs": True, "top_logprobs": 2}

    (reply,) = ask(
        ModelRequest("mistral/some", question("x", "").messages, given, api_base=stub.base_url)
    )

    assert reply.left_out == ("logprobs", "top_logprobs")
    assert stub.stats.requests == 1


def test_a_key_that_a_provider_lacks_is_authentication(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which litellm calls a connection error, and would be asked again."""
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)

    error = failure(ModelRequest("gemini/gemini-2.5-flash", question("x", "").messages))

    assert (error.cause, error.transient) == ("authentication", False)


def test_a_model_string_that_names_no_provider_is_not_found() -> None:
    """With the way out in the hint."""
    error = failure(ModelRequest("nonsense-7b", question("x", "").messages))

    assert error.cause == "not_found"
    assert "PROVIDER/MODEL" in (error.hint or "")


@pytest.mark.parametrize(
    "more",
    [
        {"parameters": {"stream": True}},
        {"parameters": {"api_key": "abc"}},
        {"likelihood": LikelihoodTask(("a", "b"), ("p",), ((),))},
    ],
)
def test_what_is_no_question_for_this_lane_is_refused(
    stub: StubServer, more: dict[str, Any]
) -> None:
    """Before anything is sent."""
    assert failure(question("x", stub.base_url, **more)).cause == "bad_request"
    assert stub.stats.requests == 0


def test_the_lane_is_chosen_by_prefix() -> None:
    """And nothing is opened yet."""
    assert isinstance(open_model("openai/gpt-4.1-mini"), LiteLLMModel)
    assert type(open_model("local/smollm2-135m")).__name__ == "LocalModel"


def test_it_keeps_the_contract(stub: StubServer) -> None:
    """The same check that users run on their own clients."""
    stub.configure(latency_ms=20)

    check_model(LiteLLMModel(), question("x", stub.base_url), timeout=20)


def test_connections_are_closed_with_the_last_client_of_a_loop(stub: StubServer) -> None:
    """Run after run in one process leaves no socket behind, and none is closed under another."""

    async def run() -> None:
        first, second = LiteLLMModel(), LiteLLMModel()
        await first.prepare()
        await second.prepare()
        await first.complete(question("a", stub.base_url), timeout=20)
        await first.aclose()
        await first.aclose()
        await second.complete(question("b", stub.base_url), timeout=20)
        assert stub.connections > 0
        await second.aclose()

    asyncio.run(run())

    wait_until(lambda: stub.connections == 0)


@pytest.mark.parametrize(
    ("price", "told"), [(Price(2e-6, 6e-6), (2e-6, 6e-6)), (None, None)], ids=["known", "unknown"]
)
def test_litellm_is_told_a_price_that_is_known(
    stub: StubServer, price: Price | None, told: tuple[float, float] | None
) -> None:
    """So that it need not look for it after every call; an unknown price stays unknown."""
    name = f"priced-{told is not None}"
    request = replace(question(1, stub.base_url), model=f"openai/{name}")

    (reply,) = ask(request, price=lambda _: price)

    entry = import_litellm().model_cost.get(f"custom_openai/{name}")
    assert (entry and (entry["input_cost_per_token"], entry["output_cost_per_token"])) == told
    assert (reply.cost_usd is None) == (told is None)
