"""Two lanes, same bytes: what is sent and what is read is the same through litellm and without."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.testing import StubServer
from judgekit.testing.wire import Sent
from tests.running.helpers import SCHEMA, question
from tests.running.lanes import LANES, alike, through

pytestmark = pytest.mark.timeout(60)

IMAGE = (
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}},
)
AWKWARD = "".join(map(chr, range(0x500))) + "\u2028\ufeff\uffff🎲é判"
TEXTS: dict[str, tuple[Message, ...]] = {
    "one": (Message("user", "Answer: x"),),
    "every role": (Message("system", "s"), Message("user", "u"), Message("assistant", "a")),
    "empty": (Message("system", ""), Message("user", "")),
    "awkward": (Message("user", AWKWARD),),
    "half a pair": (Message("user", "half \ud83d, whole \ud83d\ude00"),),
    "image": (
        Message("system", "s"),
        Message("user", ({"type": "text", "text": "Look: é"}, *IMAGE)),
    ),
    "half a pair and an image": (Message("user", ({"type": "text", "text": "\ud83d"}, *IMAGE)),),
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "none": {},
    "usual": {"max_tokens": 4096, "temperature": 0.0},
    "numbers": {"temperature": 1e-07, "top_p": 0.1, "seed": 2**60, "top_k": 5},
    "of a server's own": {
        "chat_template_kwargs": {"enable_thinking": False, "é": [None, True]},
        "guided_choice": ["a", "b"],
        "user": "me",
    },
    "of a model that thinks": {"reasoning_effort": "low", "max_completion_tokens": 9},
    "probabilities": {"logprobs": True, "top_logprobs": 5, "stop": ["\n", "é"]},
}
MODELS = (
    *("openai/stub", "openai/meta-llama/Llama-3", "openai/gpt-4", "openai/gpt-4o-mini"),
    *("openai/o1", "openai/o3-mini", "openai/gpt-5", "openai/gpt-5-mini-2025-08-07"),
    *("openai/gpt-5.1", "openai/gpt-5-chat-latest", "openai/gpt-4o-audio-preview"),
    *("hosted_vllm/stub", "lm_studio/stub", "llamafile/stub", "litellm_proxy/stub"),
    *("custom_openai/stub", "hosted_vllm/o3-mini"),
)
ALL_OF_IT = {"temperature": 0, "max_tokens": 50, "top_p": 0.5, "logprobs": True, "seed": 1}


@pytest.mark.parametrize("texts", TEXTS)
def test_messages_are_sent_alike(stub: StubServer, texts: str) -> None:
    """Every text and image, byte for byte; half a character is mended, and it is said."""
    request = ModelRequest("openai/stub", TEXTS[texts], {}, SCHEMA, stub.base_url)

    seen = alike(stub, request)

    sent = json.loads(seen.received[0].body)["messages"]
    shown = json.dumps([[m.role, m.content] for m in TEXTS[texts]])
    if "half" in texts:
        shown = (
            shown.replace("\\ud83d\\ude00", "😀")
            .replace("\\ud83d", "\ufffd")
            .replace("😀", "\\ud83d\\ude00")
        )
        assert seen.replies[0].notes == ("mended_text",)
    else:
        assert seen.replies[0].notes == ()
    assert [[m["role"], m["content"]] for m in sent] == json.loads(shown)


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_parameters_are_sent_alike(
    stub: StubServer, parameters: str, schema: dict[str, Any] | None
) -> None:
    """In the order and with the digits they were given, known to litellm or not."""
    given = PARAMETERS[parameters]

    seen = alike(stub, question("x", stub.base_url, parameters=given, schema=schema))

    sent = json.loads(seen.received[0].body)
    strict = {"name": "reply", "schema": SCHEMA, "strict": True}
    form = {"response_format": {"type": "json_schema", "json_schema": strict}} if schema else {}
    assert {n: v for n, v in sent.items() if n not in ("model", "messages")} == given | form
    assert list(sent) == ["model", "messages", *given, *form]


@pytest.mark.parametrize("model", MODELS)
def test_models_are_asked_alike(stub: StubServer, model: str) -> None:
    """Whatever the name makes litellm think of it; the reply names the model as the endpoint does.

    Complaint 15: a model known to refuse a parameter is not sent it, in either lane.
    """
    messages = question("x", "").messages
    request = ModelRequest(model, messages, ALL_OF_IT, SCHEMA, stub.base_url)

    seen = alike(stub, request)

    name = model.partition("/")[2]
    (reply,), (received,) = seen.replies, seen.received
    sent = json.loads(received.body)
    assert sent["model"] == reply.served == name
    assert [m["role"] for m in sent["messages"]] == ["system", "user"]
    thinks = model.startswith("openai/") and name.startswith(("o1", "o3", "gpt-5"))
    thinks = thinks and "chat" not in name
    assert sent.get("max_completion_tokens") == (50 if thinks else None)
    assert reply.adjusted == ((("max_completion_tokens", 50),) if thinks else ())
    refused = ("logprobs", "temperature", "top_p") if thinks and name != "gpt-5.1" else ()
    assert reply.left_out == refused
    assert not set(refused) & set(sent)


@pytest.mark.parametrize(
    "base",
    ["{base}", "{base}/", "http://me:pass%40word-1@{host}/v1", "http://a-token-123456@{host}/v1/"],
)
def test_addresses_are_used_alike(stub: StubServer, base: str) -> None:
    """With a slash or without; a login in it becomes a header."""
    host = stub.base_url.split("/")[2]

    seen = alike(stub, question("x", base.format(base=stub.base_url, host=host)))

    login = "@" in base
    assert seen.received[0].headers["authorization"].startswith("Basic" if login else "Bearer none")


def test_keys_are_sent_alike(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """None, the provider's own, one that is named; and the account it is used for."""
    question_ = question("x", stub.base_url)
    vllm = ModelRequest("hosted_vllm/stub", question_.messages, api_base=stub.base_url)

    def sent(**how: Any) -> list[str]:
        return [r.headers["authorization"] for r in alike(stub, question_, vllm, **how).received]

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert sent() == ["Bearer none", "Bearer none"]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-1234\n")
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "of-the-server")
    assert sent() == ["Bearer sk-of-openai-1234", "Bearer of-the-server"]
    monkeypatch.setenv("MINE", "of-my-own-12345")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    assert sent(api_key_env="MINE") == ["Bearer of-my-own-12345"] * 2


def test_the_provider_s_own_address_is_found_alike(
    stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without api_base the environment says where."""
    monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", stub.base_url)
    messages = question("x", "").messages

    seen = alike(
        stub, ModelRequest("openai/stub", messages), ModelRequest("hosted_vllm/s", messages)
    )

    assert len(seen.replies) == 2


@pytest.mark.parametrize("texts", ["one", "every role", "image"])
def test_the_system_s_text_can_always_go_to_the_user(stub: StubServer, texts: str) -> None:
    """In front of it, as the judge would put it there itself."""
    seen = alike(
        stub, ModelRequest("openai/stub", TEXTS[texts], api_base=stub.base_url), system="user"
    )

    sent = json.loads(seen.received[0].body)["messages"]
    assert {"one": "Answer: x", "every role": "s\n\nu"}.get(texts, sent[0]["content"]) == (
        sent[0]["content"]
    )
    assert "system" not in [m["role"] for m in sent]
    assert seen.replies[0].notes == (() if texts == "one" else ("system_in_user",))


BASE: dict[str, Any] = {
    "id": "x", "object": "chat.completion", "created": 1, "model": "m-2026",
    "usage": {"prompt_tokens": 30, "completion_tokens": 20, "total_tokens": 50},
}  # fmt: skip


def completion(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> Sent:
    """Return a response with this message; ``logprobs`` go to the choice."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    if "logprobs" in more:
        choice["logprobs"] = more.pop("logprobs")
    return Sent(200, json.dumps({**BASE, "choices": [choice], **more}).encode())


DETAILS = {
    "prompt_tokens_details": {"cached_tokens": 25},
    "completion_tokens_details": {"reasoning_tokens": 12},
}
ANSWERS: dict[str, tuple[Sent, dict[str, Any]]] = {
    "text": (completion({"content": "hi"}), {"text": "hi", "finish": "stop", "served": "m-2026"}),
    "half a pair": (completion({"content": "half \ud83d"}), {"text": "half \ud83d"}),
    "reasoning_content": (
        completion({"content": "hi", "reasoning_content": "hm"}),
        {"text": "hi", "reasoning": "hm"},
    ),
    "reasoning": (
        completion({"content": "hi", "reasoning": "hm"}),
        {"text": "hi", "reasoning": "hm"},
    ),
    "reasoning that is empty": (
        completion({"content": "<think>a</think>hi", "reasoning_content": None}),
        {"text": "<think>a</think>hi", "reasoning": None},
    ),
    "tags": (
        completion({"content": "<think>\na</think>\n\nhi</think>"}),
        {"text": "\n\nhi</think>", "reasoning": "\na"},
    ),
    "tags of another name": (
        completion({"content": "<thinking>a</think>hi"}),
        {"text": "hi", "reasoning": "a"},
    ),
    "tags later on": (
        completion({"content": " <think>a</think>hi"}),
        {"text": " <think>a</think>hi", "reasoning": None},
    ),
    "tags without an end": (completion({"content": "<think>a"}), {"text": "<think>a"}),
    "tokens that were cached or thought": (
        completion({"content": "hi"}, usage={**BASE["usage"], **DETAILS}),
        {"tokens_in": 30, "tokens_out": 20, "tokens_cached": 25, "tokens_reasoning": 12},
    ),
    "tokens cached, otherwise told": (
        completion({"content": "hi"}, usage={**BASE["usage"], "prompt_cache_hit_tokens": 7}),
        {"tokens_in": 30, "tokens_cached": 7, "tokens_reasoning": None},
    ),
    "no usage": (
        completion({"content": "hi"}, usage=None),
        {"tokens_in": None, "tokens_out": None},
    ),
    "cut": (completion({"content": "h"}, "max_tokens"), {"finish": "length"}),
    "filtered": (completion({"content": ""}, "SAFETY"), {"finish": "content_filter"}),
    "another end": (completion({"content": "hi"}, "repetition"), {"finish": "repetition"}),
    "no reason to end": (completion({"content": "hi"}, None), {"finish": "stop"}),
    "refusal": (
        completion({"content": None, "refusal": "No."}),
        {"text": "", "refusal": "No.", "finish": "stop"},
    ),
    "error that is empty": (completion({"content": "hi"}, error={}), {"text": "hi"}),
    "an unknown price": (completion({"content": "hi"}), {"cost_usd": None}),
    "a known price": (
        completion({"content": "hi"}, model="gpt-4o-mini"),
        {"cost_usd": pytest.approx((30 * 0.15 + 20 * 0.6) / 1e6)},
    ),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_are_read_alike(answer: str) -> None:
    """Text as it came, thinking apart, tokens of every kind; a price is known or None.

    Complaints 13, 54: what thinking cost is told, and an unknown cost is not 0.
    """
    sent, expected = ANSWERS[answer]

    with StubServer(reply=lambda _: sent) as stub:
        (reply,) = alike(stub, question("x", stub.base_url)).replies

    assert {name: getattr(reply, name) for name in expected} == expected


def test_more_is_read_directly_than_litellm_reads() -> None:
    """Content in parts is text too, and an endpoint that names no model served none."""
    parts = completion({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})
    nameless = completion({"content": "hi"}, model=None)

    with StubServer(reply=lambda request: parts if "1" in str(request) else nameless) as stub:
        seen = through("direct", stub, [question(1, stub.base_url), question(2, stub.base_url)])

    assert [(r.text, r.served) for r in seen.replies] == [("ab", "m-2026"), ("hi", None)]


LISTED = [{"token": "4", "logprob": -0.25, "bytes": [52]}, {"token": "5", "logprob": -1.5}]
PROBABILITIES: dict[str, tuple[Any, Any]] = {
    "two tokens": (
        {"content": [
            {"token": " ", "logprob": 0, "bytes": None, "top_logprobs": []},
            {"token": "4", "logprob": -0.25, "bytes": [52], "top_logprobs": LISTED},
        ]},
        ((" ", 0.0, ()), ("4", -0.25, (("4", -0.25), ("5", -1.5)))),
    ),
    "an alternative that cannot be": (
        {"content": [{"token": "4", "logprob": -0.25, "bytes": None, "top_logprobs": [
            {"token": "4", "logprob": -0.25, "bytes": None},
            {"token": "6", "logprob": -float("inf"), "bytes": None},
        ]}]},
        (("4", -0.25, (("4", -0.25),)),),
    ),
    "a token without": (
        {"content": [{"token": "4", "logprob": float("nan"), "bytes": None, "top_logprobs": []}]},
        None,
    ),
    "none": (None, None),
    "no tokens": ({"content": []}, None),
    "of the old kind": ({"tokens": ["4"], "token_logprobs": [-0.25]}, None),
}  # fmt: skip


@pytest.mark.parametrize("found", PROBABILITIES)
def test_token_probabilities_are_read_alike(found: str) -> None:
    """Finite numbers only, and only where they were asked for."""
    logprobs, expected = PROBABILITIES[found]
    sent = completion({"content": " 4"}, logprobs=logprobs)

    with StubServer(reply=lambda _: sent) as stub:
        asked = question("x", stub.base_url, parameters={"logprobs": True, "top_logprobs": 2})
        with_them, without = alike(stub, asked, question("y", stub.base_url)).replies

    assert with_them.logprobs == expected
    assert without.logprobs is None


def test_the_stub_s_own_probabilities_are_read(stub: StubServer) -> None:
    """They are those of the text, and the levels share what the level's token leaves."""
    asked = question("x", stub.base_url, parameters={"logprobs": True, "top_logprobs": 3})

    (reply,) = alike(stub, asked).replies

    assert reply.logprobs is not None
    assert "".join(token for token, _, _ in reply.logprobs) == reply.text
    level = json.loads(reply.text)["level"]
    (others,) = [others for token, _, others in reply.logprobs if token == level]
    assert {name for name, _ in others} == {"bad", "fair", "good"}


def test_each_question_gets_its_own_reply(stub: StubServer) -> None:
    """One client, many calls, in both lanes."""
    seen = alike(stub, *(question(n, stub.base_url) for n in range(12)))

    assert len({r.text for r in seen.replies}) > 1


@pytest.mark.parametrize("lane", LANES)
def test_a_price_of_the_user_s_own_counts(stub: StubServer, lane: str) -> None:
    """Complaint 54: where the list does not know, the user may say."""
    from judgekit.running.prices import price_per_million

    seen = through(
        lane, stub, [question("x", stub.base_url)], price=lambda _: price_per_million(1, 2)
    )

    (reply,) = seen.replies
    assert isinstance(reply, ModelReply)
    assert reply.tokens_in is not None
    assert reply.tokens_out is not None
    assert reply.cost_usd == pytest.approx((reply.tokens_in + 2 * reply.tokens_out) / 1e6)
