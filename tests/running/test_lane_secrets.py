"""Planted secrets: an endpoint that says them back in every way, and neither lane repeats one."""

from __future__ import annotations

import base64
import json
import logging
import traceback
from typing import Any

import pytest

from judgekit.errors import ModelCallError
from judgekit.testing import StubServer
from judgekit.testing.wire import Received, Sent
from tests.running.helpers import question
from tests.running.lanes import LANES, Outcome, through

pytestmark = pytest.mark.timeout(60)

KEY = "sk-planted-0123456789abcdefghij"
OTHER = "another-planted-token-98765"
PASSWORD = "hunter2%40planted"
BASIC = base64.b64encode(b"me:hunter2@planted").decode()
PLANTED = (KEY, OTHER, PASSWORD, "hunter2@planted", BASIC)


def everything(outcome: Outcome) -> str:
    """Return all that a careless program could print of an outcome."""
    if not isinstance(outcome, ModelCallError):
        return repr(outcome)
    parts = [*traceback.format_exception(outcome), repr(outcome), repr(vars(outcome))]
    parts += [repr(step) for step in (outcome.__context__, outcome.__cause__) if step]
    return "\n".join(parts)


def said(received: Received | None = None) -> str:
    """Return a text with every secret in it, as endpoints repeat what they were sent."""
    return f"you sent {KEY}, {OTHER}, http://me:{PASSWORD}@host/ and Authorization: Basic {BASIC}"


def error(status: int) -> Sent:
    """Return an error that repeats everything, in every field."""
    text = said()
    inner = {
        "message": text,
        "type": text,
        "code": text,
        "param": text,
        "innererror": {"code": text},
    }
    return Sent(status, json.dumps({"error": inner}).encode(), {"x-said": KEY})


def reply(**fields: Any) -> Sent:
    """Return a reply that repeats everything, in every field."""
    text = said()
    tokens = [{"token": part, "logprob": -0.1, "bytes": None, "top_logprobs": []}
              for part in (text[:15], text[15:40], text[40:])]  # fmt: skip
    message = {"role": "assistant", "content": text, "refusal": text, **fields}
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": text,
        "logprobs": {"content": tokens},
    }
    return Sent(200, json.dumps({"id": text, "model": text, "choices": [choice]}).encode())


SAID: dict[str, Sent] = {
    **{f"status {status}": error(status) for status in (400, 401, 403, 404, 422, 429, 500)},
    "error under 200": Sent(200, error(400).body),
    "a page": Sent(502, f"<html>{said()}</html>".encode()),
    "bare text": Sent(500, said().encode()),
    "no JSON": Sent(200, said().encode()),
    "no choices": Sent(200, json.dumps({said(): said()}).encode()),
    "a detail": Sent(422, json.dumps({"detail": [{"loc": [said()], "msg": said()}]}).encode()),
    "a reply": reply(),
    "reasoning": reply(reasoning_content=said()),
    "tags": reply(content=f"<think>{said()}</think>{said()}"),
}


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.parametrize("way", SAID)
def test_planted_secrets_stay_out(
    lane: str,
    way: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not in errors, not in replies, not in what is printed or logged."""
    monkeypatch.setenv("PLANTED_KEY", KEY)
    monkeypatch.setenv("OTHER_TOKEN", OTHER)
    caplog.set_level(logging.DEBUG)
    more = {"parameters": {"logprobs": True}, "schema": None}

    with StubServer(reply=lambda _: SAID[way]) as stub:
        login = stub.base_url.replace("://", f"://me:{PASSWORD}@")
        asked = [question("key", stub.base_url, **more), question("login", login, **more)]
        seen = through(lane, stub, asked, api_key_env="PLANTED_KEY")

    sent = [r.headers["authorization"] for r in seen.received]
    assert sent == [f"Bearer {KEY}", f"Basic {BASIC}"]  # they were planted, and they were used
    shown = [*map(everything, seen.outcomes), *capfd.readouterr()]
    shown += [record.getMessage() for record in caplog.records if record.name != "LiteLLM"]
    for secret in PLANTED[:2]:
        assert secret not in shown[0]
    for secret in PLANTED:  # the login was sent with the second call only
        assert secret not in "\n".join(shown[1:])
    replied = way in ("a reply", "reasoning", "tags")
    assert [isinstance(o, ModelCallError) for o in seen.outcomes] == [not replied] * 2


@pytest.mark.parametrize("lane", LANES)
def test_an_unreachable_endpoint_does_not_show_its_login(
    lane: str, stub: StubServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The address is in the exception, the login must not be."""
    caplog.set_level(logging.DEBUG)
    asked = question("x", f"http://me:{PASSWORD}@127.0.0.1:9/v1")

    (failure,) = through(lane, stub, [asked]).outcomes

    assert isinstance(failure, ModelCallError)
    assert failure.cause == "connection"
    shown = everything(failure) + str([r.getMessage() for r in caplog.records])
    for secret in PLANTED:
        assert secret not in shown
