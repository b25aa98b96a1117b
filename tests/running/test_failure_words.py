"""The words of a failure: what a client puts behind them is no part of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judgekit.judging.request import ModelReply
from judgekit.running.facts import Facts
from judgekit.running.failures import failure_of
from judgekit.running.secrets import Secrets
from judgekit.testing import StubServer
from tests.running.helpers import question
from tests.running.lanes import through

TRACE = """Traceback (most recent call last):
  File "/lib/litellm/main.py", line 928, in acompletion
    response = await billing_quota(init_response)
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"""
CHAINED = "\nDuring handling of the above exception, another exception occurred:\n\n"
NOTICE = "\n\nThis looks like a bug in LiteLLM. File it: https://example.org/?title=KeyError"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (f"no key\n{TRACE}ValueError: no key{NOTICE}", "no key"),
        (f"no key\n{TRACE}ValueError: no key", "no key"),
        (f"failed\n{TRACE}KeyError: 'x'{NOTICE}", "failed KeyError: 'x'"),
        (f"{TRACE}KeyError: 'x'\n", "KeyError: 'x'"),
        (f"failed\n{TRACE}KeyError: 'x'\n{CHAINED}{TRACE}OSError: y\n", "failed OSError: y"),
        (f"failed\n{TRACE}", "failed"),
        (TRACE, "HTTP 500"),
        ("two\nlines", "two lines"),
    ],
)
def test_tracebacks_are_left_out(message: str, said: str) -> None:
    """What was said before it stays, and the error that it ends with; its code means nothing."""
    failure = failure_of(Facts(status=500, message=message), "m", Secrets())

    assert failure.message == f"m: {said}"
    assert failure.cause == "server"


def test_a_secret_in_a_traceback_is_hidden_whole() -> None:
    """Also one of several lines, of which only the first would be left."""
    secret = "first-line-of-it\nsecond-line-of-it"
    message = f"failed\n{TRACE}ValueError: bad {secret}"

    failure = failure_of(Facts(status=500, message=message), "m", Secrets([secret]))

    assert failure.message == "m: failed ValueError: bad ***"


def test_the_missing_key_of_a_native_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Google's client in litellm finds no key: one sentence says so, and no call was made."""
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    asked = replace(question("x", ""), model="gemini/gemini-2.0-flash", api_base=None)
    with StubServer() as stub:
        (failure,) = through("litellm", stub, [asked]).outcomes

    assert not isinstance(failure, ModelReply)
    assert failure.cause == "authentication"
    assert not failure.asked
    assert "no API key is set (" in failure.message
    assert "Traceback" not in failure.message
    assert "https:" not in failure.message
    assert failure.message.endswith(")")
