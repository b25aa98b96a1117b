"""Planted secrets, looked for everywhere that is kept or shown."""

from __future__ import annotations

import asyncio
import json
import traceback
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import ModelCallError
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import answer_all
from judgekit.running.litellm_client import LiteLLMModel
from judgekit.running.retry import RetryPolicy
from judgekit.running.secrets import Secrets, credentials_of, login_of, without_credentials
from judgekit.testing import StubError, StubServer
from tests.running.helpers import how, question

KEY = "sk-planted-0123456789abcdefghij"
OTHER = "another-planted-token-98765"
PASSWORD = "hunter2%40planted"
PLANTED = (KEY, OTHER, PASSWORD, "hunter2@planted")


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"\\u{ord(c):04x}" for c in KEY),
        "".join(f"\\u{ord(c):04X}" for c in KEY),
        "\\u0073" + KEY[1:],
        KEY.replace("-", "\\-"),
        "\\\\u0073" + KEY[1:],
    ],
)
def test_a_key_escaped_as_json_may_escape_it_is_hidden(text: str) -> None:
    """Decoded it would be the key again."""
    hidden = Secrets([KEY]).hide_values(f'{{"reason": "{text} and \\u0073ome words"}}')

    assert hidden == '{"reason": "*** and \\u0073ome words"}'


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {KEY}.",
        "Incorrect API key provided: sk-unkn****wxyz.",
        "Authorization: Bearer abcdef0123456789",
        "{'Authorization': 'Basic dXNlcjpwYXNzd29yZA=='}",
        "cannot connect to https://user:pass@host/v1",
        "GET https://host/v1?api_key=abcdef0123456789&x=1",
        "https://host/models/m:generate?key=abcdef0123456789",
        "x-api-key: abcdef0123456789",
        '{"api_key": "abcdef0123456789"}',
        "AIzaSyA-abcdefghijklmnopqrstuvw",
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str) -> None:
    """Known or not."""
    hidden = Secrets([KEY]).hide(text)

    for secret in ("planted", "sk-unkn", "abcdef0123456789", "dXNlcjp", "pass@", "AIzaSy"):
        assert secret not in hidden
    assert "***" in hidden


def test_plain_words_are_left_alone() -> None:
    """Short values are no secrets, and a text about keys is a text."""
    text = "test: set OPENAI_API_KEY, the api_key client option; ask-me-anything at http://host/v1"

    assert Secrets(["test", ""]).hide(text) == text


def test_a_secret_inside_another_is_hidden_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is searched too."""
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", OTHER)

    assert Secrets([f"{OTHER}-longer"]).hide_values(f"<{OTHER}-longer> <{OTHER}>") == "<***> <***>"


def test_urls() -> None:
    """Taken apart, and whole without the login."""
    url = f"https://me:{PASSWORD}@host:8000/v1"

    assert login_of(url) == "me:hunter2@planted"
    assert {PASSWORD, "hunter2@planted"} <= set(credentials_of(url))
    assert without_credentials(url) == "https://host:8000/v1"
    assert login_of("https://host/v1") is None
    assert credentials_of("https://host/v1") == ()


def everything(error: BaseException) -> str:
    """Return all that a careless program could print of an error."""
    parts = [*traceback.format_exception(error), repr(error), repr(vars(error))]
    parts += [repr(step) for step in (error.__context__, error.__cause__) if step]
    return "\n".join(parts)


@pytest.mark.parametrize("status", [200, 400, 401, 404, 429, 500])
def test_planted_secrets_stay_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], status: int
) -> None:
    """An endpoint that repeats every secret it was sent, in errors and in replies."""
    monkeypatch.setenv("PLANTED_KEY", KEY)
    monkeypatch.setenv("OTHER_TOKEN", OTHER)

    def reply(request: dict[str, Any]) -> str:
        said = f"you sent {KEY} and {OTHER}"
        if "login" in json.dumps(request):
            said += f" and http://me:{PASSWORD}@127.0.0.1/"
        if status == 200:
            return said
        raise StubError(status, message=said, type=said, code=said)

    cache = ReplyCache(tmp_path / "cache")
    with StubServer(reply=reply) as stub:
        base = stub.base_url.replace("://", f"://me:{PASSWORD}@")
        answers = asyncio.run(
            answer_all(
                [question("key", stub.base_url), question("login", base)],
                open_model=lambda: LiteLLMModel("PLANTED_KEY"),
                cache=cache,
                settings=how(retry=RetryPolicy(1, rate_limited_attempts=1)),
            )
        )
        authorization = {r.headers["authorization"] for r in stub.received}
    cache.close()

    assert f"Bearer {KEY}" in authorization  # it was planted, and it was used
    shown = [repr(a.reply) for a in answers if a.reply]
    shown += [everything(a.failure) for a in answers if a.failure]
    shown += [str(a.failure.hint) for a in answers if a.failure]
    shown += [*capfd.readouterr()]
    kept = b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())
    for secret in PLANTED:
        assert secret not in "\n".join(shown)
        assert secret.encode() not in kept
    assert all(a.reply for a in answers) == (status == 200)


def test_an_unreachable_endpoint_does_not_show_its_login() -> None:
    """The address is in the exception, the login must not be."""
    request = question("x", f"http://me:{PASSWORD}@127.0.0.1:9/v1")

    async def ask() -> None:
        model = LiteLLMModel()
        try:
            await model.complete(request, timeout=20)
        finally:
            await model.aclose()

    with pytest.raises(ModelCallError) as caught:
        asyncio.run(ask())

    for secret in PLANTED:
        assert secret not in everything(caught.value)
