"""What endpoints send that is no plain chat completion: both lanes make the same of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judgekit.judging.reading import read
from judgekit.judging.request import ModelReply
from judgekit.running.stored import is_complete
from judgekit.testing import StubServer
from judgekit.testing.wire import Sent
from tests.judging.reading.cases import SCALES
from tests.running.helpers import question
from tests.running.lanes import alike, through

pytestmark = pytest.mark.timeout(60)

USAGE = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
SAID = '{"reason": "r", "level": "good"}'


def choice(content: Any = SAID, finish: Any = "stop", **more: Any) -> dict[str, Any]:
    """One choice of a chat completion."""
    message = {"role": "assistant", "content": content}
    return {"index": 0, "message": message, "finish_reason": finish, **more}


def completion(*choices: Any, **more: Any) -> bytes:
    """A chat completion, with whatever Python's JSON can write."""
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "usage": USAGE}
    return json.dumps({**body, "choices": list(choices), **more}).encode()


READ = {
    "no model is named": completion(choice(), model=None),
    "the model is a number": completion(choice(), model=5),
    "no reason to stop": completion(choice(finish=None)),
    "two parts": completion(choice([{"type": "text", "text": t} for t in (SAID[:9], SAID[9:])])),
    "usage is not a number": completion(choice(), usage={"prompt_tokens": float("nan")}),
    "usage in words": completion(choice(), usage={"prompt_tokens": "20"}),
    "usage is a list": completion(choice(), usage=[20, 5]),
    "half a token": completion(choice(), usage={"prompt_tokens": 20.5, "completion_tokens": 5}),
    "tokens are true": completion(choice(), usage={"prompt_tokens": True}),
    "no usage": completion(choice(), usage=None),
    "the same twice": completion(choice(), choice(index=1)),
    "extra": completion(choice(), metrics={"a": [1]}, system_fingerprint=None),
}


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_what_can_be_read_is_read_alike(body: bytes) -> None:
    """Nothing is made up that was not said: no model, no tokens, no cost."""
    with StubServer(reply=lambda _: Sent(200, body)) as stub:
        seen = alike(stub, question("x", stub.base_url))

    (reply,) = seen.replies
    told = json.loads(body)
    assert reply.text == SAID
    assert reply.served == (told["model"] if isinstance(told["model"], str) else None)
    assert (reply.tokens_in is None) == (told["usage"] != USAGE)


BROKEN = {
    "two that differ": completion(choice(), choice('{"reason": "r", "level": "bad"}', index=1)),
    "an error in a choice": completion(choice("go", "error", error={"code": 502, "message": "x"})),
    "stopped by an error": completion(choice(finish="error")),
    "aborted": completion(choice(finish="abort")),
    "cancelled": completion(choice(finish="cancelled")),
    "choices are no list": completion(choices={"0": choice()}),
    "an error beside choices": completion(choice(), error={"message": "m", "code": 500}),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("lane", ["direct", "litellm"])
def test_what_broke_is_no_answer(body: bytes, lane: str) -> None:
    """A text beside it is not taken for one, and it may be asked again."""
    with StubServer(reply=lambda _: Sent(200, body)) as stub:
        seen = through(lane, stub, [question("x", stub.base_url)])

    ((cause, transient, _, _),) = seen.failures
    assert (cause, transient) == ("server", True)


@pytest.mark.parametrize("finish", ["error", "abort", "model_error", "Cancelled", "failed"])
def test_a_kept_reply_that_broke_off_is_not_read(finish: str) -> None:
    """Recorded by another runner, for example; nor is it kept."""
    reply = ModelReply(SAID, finish=finish)

    assert read(reply, SCALES["grounded"]).cause == "provider_error"
    assert not is_complete(reply)
