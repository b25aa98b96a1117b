"""What a model does not take is left out, renamed or moved; once found out, it is remembered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from judgekit.errors import ModelCallError
from judgekit.judging.request import Message, ModelRequest
from judgekit.testing import StubError, StubServer
from tests.running.helpers import question
from tests.running.lanes import LANES, Seen, alike, through

pytestmark = pytest.mark.timeout(60)


def bodies(seen: Seen) -> list[dict[str, Any]]:
    """Return what was sent."""
    return [json.loads(r.body) for r in seen.received]


def complains(name: str, status: int, **error: str) -> Callable[[dict[str, Any]], str]:
    """Return a server that refuses every request with this parameter, in these words."""

    def reply(request: dict[str, Any]) -> str:
        if name in request:
            raise StubError(status, **error)
        return "Level: good"

    return reply


def test_what_is_refused_is_left_out_and_remembered(stub: StubServer) -> None:
    """Complaints 15, 17: refused once, then never sent again, and every reply says so."""
    stub.configure(refuses=("temperature", "response_format", "seed"))
    asked = [
        question(n, stub.base_url, parameters={"temperature": 0, "top_p": 1, "seed": 3})
        for n in "ab"
    ]

    seen = alike(stub, *asked)

    assert [r.left_out for r in seen.replies] == [("response_format", "seed", "temperature")] * 2
    assert [len(b) for b in bodies(seen)] == [6, 5, 4, 3, 3]  # one less each time, then as it was
    assert bodies(seen)[-1]["top_p"] == 1


def test_another_model_at_the_same_address_is_asked_in_full() -> None:
    """What one does not take, another may."""

    def reply(request: dict[str, Any]) -> str:
        if request["model"] == "strict" and "temperature" in request:
            raise StubError(400, message="Unsupported parameter: 'temperature'")
        return "fine"

    with StubServer(reply=reply) as stub:
        asked = question("x", stub.base_url)
        strict = ModelRequest(
            "openai/strict", asked.messages, asked.parameters, None, stub.base_url
        )
        seen = alike(stub, strict, asked, strict)

    assert [r.left_out for r in seen.replies] == [("temperature",), (), ("temperature",)]
    assert len(seen.received) == 4


GPT_5 = (
    "Unsupported value: 'temperature' does not support 0 with this model. "
    "Only the default (1) value is supported."
)
NOT_ALLOWED = "You are not allowed to request logprobs from this model"


@pytest.mark.parametrize(
    ("name", "status", "error", "left_out"),
    [
        (
            "temperature",
            400,
            {"message": GPT_5, "param": "temperature", "code": "unsupported_value"},
            ("temperature",),
        ),
        ("temperature", 400, {"message": GPT_5}, ("temperature",)),
        ("logprobs", 403, {"message": NOT_ALLOWED}, ("logprobs", "top_logprobs")),
        ("top_logprobs", 400, {"message": "top_logprobs is not supported"}, ("top_logprobs",)),
        ("seed", 422, {"message": "seed: Extra inputs are not permitted"}, ("seed",)),
        (
            "response_format",
            400,
            {"message": "Invalid schema for response_format 'reply': too deep"},
            ("response_format",),
        ),
        (
            "response_format",
            400,
            {"message": "This model does not support structured outputs."},
            ("response_format",),
        ),
    ],
)
def test_complaints_are_understood(
    name: str, status: int, error: dict[str, str], left_out: tuple[str, ...]
) -> None:
    """Complaints 15, 16, 17: a value that is not taken, probabilities, a schema."""
    given = {"temperature": 0, "logprobs": True, "top_logprobs": 5, "seed": 1}

    with StubServer(reply=complains(name, status, **error)) as stub:
        seen = alike(stub, question("x", stub.base_url, parameters=given))

    (reply,) = seen.replies
    assert reply.left_out == left_out
    assert reply.text == "Level: good"
    assert len(seen.received) == 2
    assert not set(left_out) & set(bodies(seen)[-1])


@pytest.mark.parametrize("lane", LANES)
def test_a_gateway_repeats_a_complaint(lane: str) -> None:
    """What the model's own endpoint said counts."""
    raw = {"raw": json.dumps({"error": {"message": GPT_5}})}

    def reply(request: dict[str, Any]) -> str:
        if "temperature" in request:
            raise StubError(400, message="Provider returned error", metadata=raw)  # type: ignore[arg-type]
        return "fine"

    with StubServer(reply=reply) as stub:
        (answer,) = through(lane, stub, [question("x", stub.base_url)]).replies

    assert answer.left_out == ("temperature",)


@pytest.mark.parametrize(
    "error",
    [
        {"message": "temperature must be at most 2", "param": "temperature"},
        {"message": "max_tokens is too large: 9. This model supports at most 5 tokens."},
        {"message": "something else is not supported"},
    ],
)
def test_a_wrong_value_is_an_error(error: dict[str, str]) -> None:
    """It is the user's to mend; nothing is left out in silence."""
    given = {"temperature": 9, "max_tokens": 9}

    with StubServer(reply=complains("temperature", 400, **error)) as stub:
        seen = alike(stub, question("x", stub.base_url, parameters=given))

    (failure,) = seen.outcomes
    assert isinstance(failure, ModelCallError)
    assert failure.cause == "bad_request"
    assert error["message"] in str(failure)
    assert len(seen.received) == 1


ROOM = "Unsupported parameter: 'max_tokens' is not supported with this model. Use "


@pytest.mark.parametrize(
    ("asked", "sent"),
    [("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")],
)
def test_room_for_a_reply_has_two_names(asked: str, sent: str) -> None:
    """Complaint 12: the setting counts, by the name that the model knows; the reply says so."""
    error = {"message": ROOM.replace("max_tokens", asked) + f"'{sent}' instead.", "param": asked}

    with StubServer(reply=complains(asked, 400, **error)) as stub:
        seen = alike(stub, *(question(n, stub.base_url, parameters={asked: 7}) for n in "ab"))

    assert [r.adjusted for r in seen.replies] == [((sent, 7),)] * 2
    assert [r.left_out for r in seen.replies] == [()] * 2
    assert [(asked in b, b.get(sent)) for b in bodies(seen)] == [
        (True, None),
        (False, 7),
        (False, 7),
    ]


def test_a_model_that_knows_neither_name_is_asked_without(stub: StubServer) -> None:
    """And it is said."""
    stub.configure(refuses=("max_tokens", "max_completion_tokens"))

    seen = alike(stub, question("x", stub.base_url, parameters={"max_tokens": 7}))

    (reply,) = seen.replies
    assert (reply.left_out, reply.adjusted) == (("max_tokens",), ())
    assert len(seen.received) == 3


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Developer instruction is not enabled for models/gemma-3-1b-it"),
        (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (422, "This model does not support system messages"),
        (400, 'messages: Unexpected role "system".'),
    ],
)
def test_a_system_message_that_is_refused_goes_to_the_user(status: int, said: str) -> None:
    """In front of the user's text, from then on, and the reply says so."""

    def reply(request: dict[str, Any]) -> str:
        if request["messages"][0]["role"] == "system":
            raise StubError(status, message=said)
        return "fine"

    with StubServer(reply=reply) as stub:
        seen = alike(stub, *(question(n, stub.base_url) for n in "ab"))

    assert [r.notes for r in seen.replies] == [("system_in_user",)] * 2
    assert [r.left_out for r in seen.replies] == [()] * 2
    roles = [[m["role"] for m in b["messages"]] for b in bodies(seen)]
    assert roles == [["system", "user"], ["user"], ["user"]]
    assert bodies(seen)[-1]["messages"][0]["content"] == "You grade answers.\n\nAnswer: b"


def test_a_system_message_stays_where_it_must(stub: StubServer) -> None:
    """``system="system"`` makes a refusal an error; so does a complaint where there is none."""
    stub.configure(refuses=("system",))
    (failure,) = alike(stub, question("x", stub.base_url), system="system").failures
    assert failure[0] == "bad_request"

    alone = ModelRequest("openai/stub", (Message("user", "x"),), api_base=stub.base_url)
    with StubServer(reply=complains("model", 400, message="System role not supported")) as other:
        seen = alike(other, ModelRequest("openai/s", alone.messages, api_base=other.base_url))
    assert len(seen.received) == 1
    assert seen.failures[0][0] == "bad_request"


@pytest.mark.parametrize("lane", LANES)
def test_many_find_out_at_once(stub: StubServer, lane: str) -> None:
    """Calls that were under way when it was found out are asked again, and none is lost."""
    stub.configure(refuses=("temperature", "system", "seed"), latency_ms=20)
    asked = [
        question(n, stub.base_url, parameters={"temperature": 0, "seed": 1}) for n in range(20)
    ]

    async def run() -> None:
        model = LANES[lane]()
        await model.prepare()
        try:
            replies = await asyncio.gather(*(model.complete(r, timeout=50) for r in asked))
            sent = stub.stats.requests
            await model.complete(question("later", stub.base_url), timeout=50)
        finally:
            await model.aclose()
        assert {(r.left_out, r.notes) for r in replies} == {
            (("seed", "temperature"), ("system_in_user",))
        }
        assert sent <= 4 * len(asked)
        assert stub.stats.requests == sent + 1

    asyncio.run(run())
