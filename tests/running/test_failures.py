"""What goes wrong means the same in both lanes, whatever litellm calls it."""

from __future__ import annotations

import json
from email.utils import formatdate
from typing import Any

import pytest

from judgekit.errors import ModelCallError
from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.running import facts
from judgekit.running.facts import Facts, facts_of_answer, retry_after
from judgekit.running.failures import failure_of, reply_in
from judgekit.running.secrets import Secrets
from judgekit.testing import FAULTS, StubServer
from judgekit.testing.wire import Sent
from tests.running.helpers import question
from tests.running.lanes import LANES, alike, through

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_means_the_same_in_both_lanes(stub: StubServer, fault: str) -> None:
    """Cause, whether and when to ask again, the way out; or the reply that it is.

    Complaints 1, 2, 18, 19: a broken, cut, filtered or empty answer is told from an error.
    """
    stub.configure(faults={fault: 1.0}, retry_after=7, hang_s=5)

    seen = alike(stub, question(fault, stub.base_url), limit=1.0 if fault == "hang" else 50.0)

    assert len(seen.received) == 1  # nobody asks again on his own account
    (outcome,) = seen.outcomes
    if isinstance(outcome, ModelCallError):
        assert outcome.__cause__ is None
        assert outcome.__context__ is None
        assert outcome.retry_after == (7 if fault == "429" else None)


def says(status: int, headers: dict[str, str] | None = None, **error: Any) -> Sent:
    """Return an error response in OpenAI's form."""
    return Sent(status, json.dumps({"error": error}).encode(), headers or {})


def plain(status: int, body: object = b"", **headers: str) -> Sent:
    """Return a response with this body."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Sent(status, raw, {name.replace("_", "-"): value for name, value in headers.items()})


AZURE = {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}
FLAGGED = "Invalid prompt: your prompt was flagged as potentially violating our usage policy."
CASES: dict[str, tuple[Sent, tuple[str, bool, float | None]]] = {
    "429 of any body": (plain(429, b"slow down", retry_after="2"), ("rate_limit", True, 2.0)),
    "429 in milliseconds": (
        says(429, {"retry-after-ms": "1500", "retry-after": "2"}, message="wait"),
        ("rate_limit", True, 1.5),
    ),
    "429 by the billing": (says(429, message="Check your billing details"), ("quota", False, None)),
    "402": (says(402, message="Insufficient credits"), ("quota", False, None)),
    "400 by the balance": (
        says(400, message="Your credit balance is too low"),
        ("quota", False, None),
    ),
    "500 of a proxy": (plain(500, b"upstream died"), ("server", True, None)),
    "502 of a proxy": (plain(502, b"<html>Bad gateway</html>"), ("server", True, None)),
    "503 with a wait": (plain(503, b"", retry_after="3"), ("server", True, 3.0)),
    "408": (plain(408), ("server", True, None)),
    "409": (says(409, message="conflict"), ("server", True, None)),
    "413": (plain(413, b"Request Entity Too Large"), ("bad_request", False, None)),
    "context, of vLLM": (
        plain(400, {"object": "error", "message": "maximum context length is 10 tokens"}),
        ("context_length", False, None),
    ),
    "context, by its code alone": (
        says(400, message="too long", code="context_length_exceeded"),
        ("context_length", False, None),
    ),
    "404, a bare word": (plain(404, {"error": "model x not loaded"}), ("not_found", False, None)),
    "422 of a validator": (
        plain(422, {"detail": [{"loc": ["body", "messages"], "msg": "field required"}]}),
        ("bad_request", False, None),
    ),
    "an error under 200": (
        plain(200, {"error": {"message": "Provider returned error", "code": 502}}),
        ("server", True, None),
    ),
    "a limit under 200": (
        plain(200, {"error": {"message": "Rate limited", "code": 429}}),
        ("rate_limit", True, None),
    ),
    "a limit under 200, by name": (
        plain(200, {"error": {"message": "slow", "code": "rate_limit_exceeded"}}),
        ("rate_limit", True, None),
    ),
    "a key under 200": (
        plain(200, {"error": {"message": "no such key", "code": 401}}),
        ("authentication", False, None),
    ),
    "something under 200": (plain(200, {"error": "bad things"}), ("server", True, None)),
    "nothing": (plain(200), ("server", True, None)),
    "no JSON": (plain(200, b'{"choices": ['), ("server", True, None)),
    "no UTF-8": (plain(200, b'{"choices": "\xff"}'), ("server", True, None)),
    "null": (plain(200, None), ("server", True, None)),
    "a list": (plain(200, [1]), ("server", True, None)),
    "a number": (plain(200, 3), ("server", True, None)),
    "no choices at all": (plain(200, {"id": "x"}), ("server", True, None)),
    "choices that are none": (plain(200, {"choices": None}), ("server", True, None)),
    "a choice without a message": (
        plain(200, {"choices": [{"index": 0, "finish_reason": "stop"}]}),
        ("server", True, None),
    ),
    "a message that is none": (
        plain(200, {"choices": [{"index": 0, "message": None}]}),
        ("server", True, None),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_endpoints_say_means_the_same_in_both_lanes(case: str) -> None:
    """Errors as real endpoints word them, and bodies that are no answer."""
    sent, expected = CASES[case]

    with StubServer(reply=lambda _: sent) as stub:
        (failure,) = alike(stub, question("x", stub.base_url)).failures

    assert failure[:3] == expected


ANSWERS: dict[str, tuple[Sent, str]] = {
    "Azure's filter": (says(400, message="The response was filtered", **AZURE), "content_filter"),
    "OpenAI's filter": (
        says(400, message="no", code="content_policy_violation"),
        "content_filter",
    ),
    "a flagged prompt": (says(400, message=FLAGGED, code="invalid_prompt"), "content_filter"),
    "a filter that looks like a limit": (
        says(429, {"retry-after": "9"}, message="too many", code="content_filter"),
        "content_filter",
    ),
    "a budget spent on thinking": (
        says(
            400,
            message="Could not finish the message because max_tokens or model output limit was "
            "reached. Please try again with higher max_tokens.",
        ),
        "length",
    ),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_some_errors_are_answers(case: str) -> None:
    """Complaints 2, 13, 18: filtered is no rate limit, a spent budget is a reply cut short."""
    sent, finish = ANSWERS[case]

    with StubServer(reply=lambda _: sent) as stub:
        (reply,) = alike(stub, question("x", stub.base_url)).replies

    assert (reply.text, reply.finish) == ("", finish)
    assert (reply.tokens_in, reply.cost_usd) == (None, None)


@pytest.mark.parametrize("lane", LANES)
def test_what_was_said_is_told(lane: str) -> None:
    """The endpoint's own words, and those that a gateway repeats."""
    raw = {"message": "Provider returned error", "metadata": {"raw": "the GPU is on fire"}}

    with StubServer(reply=lambda _: says(400, **raw)) as stub:
        (failure,) = through(lane, stub, [question("x", stub.base_url)]).outcomes

    assert str(failure) == "openai/stub: Provider returned error the GPU is on fire"


@pytest.mark.parametrize("lane", LANES)
def test_a_refused_connection_is_one(lane: str, stub: StubServer) -> None:
    """Not an internal server error, which litellm calls it."""
    (failure,) = through(lane, stub, [question("x", "http://127.0.0.1:9/v1")]).failures

    assert failure == ("connection", True, None, "is the endpoint up, and api_base right?")


@pytest.mark.parametrize("status", [400, 404, 500])
@pytest.mark.parametrize(
    "said",
    [
        "This model does not support image input.",
        "Invalid content type. image_url is only supported by certain models.",
        "No endpoints found that support image input",
        "stub is not a multimodal model",
        "At most 0 image(s) may be provided in one prompt.",
        "messages[0].content must be a string",
    ],
)
def test_a_model_that_takes_no_images_is_said_to(said: str, status: int) -> None:
    """And is not asked without them."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}

    with StubServer(reply=lambda _: says(status, message=said)) as stub:
        shown = ModelRequest(
            "openai/stub",
            (Message("user", ({"type": "text", "text": "x"}, image)),),
            {"temperature": 0},
            api_base=stub.base_url,
        )
        seen = alike(stub, shown)

    (failure,) = seen.outcomes
    assert isinstance(failure, ModelCallError)
    assert (failure.cause, failure.transient) == ("bad_request", False)
    assert str(failure) == f"openai/stub: the model takes no images ({said})"
    assert "sees images" in (failure.hint or "")
    assert len(seen.received) == 1


def test_an_image_that_is_broken_is_no_model_without_eyes() -> None:
    """The user can mend it."""
    facts = Facts(status=400, message="The image data you provided does not represent an image")
    failure = failure_of(facts._replace(message="Invalid image data"), "m", Secrets(), images=True)

    assert str(failure) == "m: Invalid image data"


def test_the_wait_is_read_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds, milliseconds, dates; never negative, never without end."""
    monkeypatch.setattr(facts.time, "time", lambda: 1_000_000.0)
    later = formatdate(1_000_030, usegmt=True)

    assert retry_after({"retry-after": "2.5"}) == 2.5
    assert retry_after({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert retry_after({"retry-after": later}) == 30
    for past in (formatdate(0), "0", "-5"):  # says nothing of how long; our own back-off does
        assert retry_after({"retry-after": past}) is None
    for nonsense in ("", "soon", "inf", "nan", "Wed, 99 Foo 2026"):
        assert retry_after({"retry-after": nonsense}) is None
    assert retry_after({}) is None


def test_facts_of_odd_bodies() -> None:
    """Any JSON may come with an error; a page of a proxy is not repeated."""
    secrets = Secrets()

    def told(body: bytes) -> str:
        return str(failure_of(facts_of_answer(400, {}, body), "m", secrets))

    assert told(b"<html>gone</html>") == told(b"") == told(b"[]") == told(b"7") == "m: HTTP 400"
    assert told(b'[{"error": {"message": "no"}}]') == "m: no"
    assert told(b'{"detail": "no"}') == "m: no"
    assert told(b'{"detail": [{"loc": ["body", "a", 0], "msg": "no"}, 3]}') == "m: a.0: no; 3"
    assert told(b'{"error": {"message": {"deep": 1}}}') == 'm: {"deep": 1}'
    assert told(b'{"error": {"message": "x", "code": 7, "innererror": 3}}') == "m: x"
    assert len(told(b"x" * 9000)) < 400


def test_a_reply_is_found_in_no_broken_connection() -> None:
    """Only what the endpoint said can be an answer."""
    assert reply_in(Facts("connection", message="content_filter")) is None
    assert reply_in(Facts("malformed", codes=frozenset({"content_filter"}))) is None
    assert isinstance(reply_in(Facts(codes=frozenset({"content_filter"}))), ModelReply)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("lane", LANES)
def test_redirects_are_not_followed(lane: str, status: int) -> None:
    """Neither key nor prompt goes on to another place, and no answer of one is taken."""
    with StubServer() as other:
        elsewhere = Sent(status, b"", {"location": f"{other.base_url}/chat/completions"})
        with StubServer(reply=lambda _: elsewhere) as stub:
            seen = through(lane, stub, [question("x", stub.base_url)])
        led = other.stats.requests

    (failure,) = seen.failures
    assert failure == ("not_found", False, None, "give api_base the address it redirects to")
    assert (len(seen.received), led) == (1, 0)
