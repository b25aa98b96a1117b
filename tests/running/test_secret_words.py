"""What counts for a secret, and the forms in which it is found."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest

from judgekit.running.secrets import (
    HIDDEN,
    Secrets,
    credentials_of,
    known_secrets,
    looks_secret,
    remember,
    variable_words,
)

SECRET = 'plänted/"key"+<4711> x'


@pytest.mark.parametrize(
    "name",
    [
        *("api_key", "api-key", "apikey", "X-Api-Key", "Ocp-Apim-Subscription-Key", "key"),
        *("auth_token", "token", "azure_ad_token", "password", "passwd", "client_secret"),
        *("Authorization", "X-Auth", "Cookie", "vertex_credentials", "aws_secret_access_key"),
    ],
)
def test_names_of_secrets(name: str) -> None:
    """What providers call them, in every spelling."""
    assert looks_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *("max_tokens", "max_completion_tokens", "stop_token_ids", "logit_bias", "user"),
        *("skip_special_tokens", "prompt_cache_key", "author", "top_logprobs", "seed"),
    ],
)
def test_names_of_parameters(name: str) -> None:
    """Counts of tokens and the like are none."""
    assert not looks_secret(name)


@pytest.mark.parametrize(
    ("variable", "known"),
    [
        *((name, True) for name in ("A_KEY", "A_API_KEY_PROD", "A_API_KEY_2", "A_TOKEN")),
        *((name, True) for name in ("A_PASSWORD", "A_ACCESS_KEY_ID", "A_SECRET_VALUE", "A_KEYS")),
        *((name, False) for name in ("A_KEY_FILE", "A_TOKEN_URL", "A_KEYBOARD", "A_HOME")),
        *((name, False) for name in ("A_SECRET_NAME", "A_AUTH_SOCK", "A_TOKENIZER")),
    ],
)
def test_variables(monkeypatch: pytest.MonkeyPatch, variable: str, known: bool) -> None:  # noqa: FBT001
    """The name tells; a path, an address or a name of a secret is none."""
    monkeypatch.setenv(variable, "value-of-variable")

    assert (Secrets().hide_values("value-of-variable") == HIDDEN) is known


def test_several_keys_in_one_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is one."""
    monkeypatch.setenv("A_API_KEYS", "first-of-the-keys, second-of-the-keys")

    assert Secrets().hide_values("second-of-the-keys") == HIDDEN


def test_the_login_of_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the variable is called."""
    monkeypatch.setenv("SOME_PROXY", "http://somebody:let-me-through@proxy:3128")

    hidden = Secrets().hide_values("somebody used let-me-through at proxy:3128")
    assert hidden == "somebody used *** at proxy:3128"


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        html.escape(SECRET),
    ],
)
def test_forms(form: str) -> None:
    """As an endpoint may say it back."""
    assert "4711" not in Secrets([SECRET]).hide_values(f"<{form}>")
    assert base64.b64encode(SECRET.encode()).decode()[:20] not in Secrets([SECRET]).hide_values(
        form
    )


def test_what_an_address_carries() -> None:
    """Password and keys; a user's name beside a password, a version and a deployment are none."""
    found = credentials_of("https://reader:p%40ssword@h/v1?api-key=k%2B1&api-version=2024&code=c2")

    assert {"p%40ssword", "p@ssword", "reader:p@ssword", "k+1", "c2"} <= set(found)
    assert not {"reader", "2024"} & set(found)
    assert "only-a-token" in credentials_of("https://only-a-token@h")


@pytest.mark.parametrize(
    "text",
    [
        "http://me:pa@ss-word@host/v1 is down",
        "http://host/v1?subscription-key=pass-word&x=1",
        "http://host/?sig=pass-word",
        "cookie: pass-word",
        "{'client_secret': 'pass-word'}",
        "ghp_pass-word",
        "-----BEGIN PRIVATE KEY-----\npass-word\n-----END PRIVATE KEY-----",
        "token eyJhbGciOiJIUzI1NiJ9.eyJwYXNzLXdvcmQ.pass-word",
    ],
)
def test_what_looks_like_one_in_a_message(text: str) -> None:
    """Known or not."""
    assert "word" not in Secrets().hide(text)


def test_a_message_is_hidden_before_it_is_cut() -> None:
    """Half a secret is not known any more."""
    secrets = Secrets(["planted-and-cut-in-two"])
    for at in range(0, 40, 4):
        assert "plant" not in secrets.brief("x" * at + "\n planted-and-cut-in-two", 30)
    assert secrets.brief("two\n  lines") == "two lines"
    assert secrets.brief("x" * 40, 30) == "x" * 30 + " ..."


def test_words_for_a_variable() -> None:
    """Its name, unless somebody put the key there."""
    assert variable_words("MY_KEY") == "the environment variable 'MY_KEY'"
    for name in ("sk-live-0815", "AKIAIOSFODNN7EXAMPLE", "abcdef0123456789"):
        assert name not in variable_words(name)


def test_what_was_remembered() -> None:
    """Counts for every search from then on."""
    remember("a-key-out-of-nowhere", None, " ")

    assert Secrets().hide_values("a-key-out-of-nowhere") == HIDDEN


def test_a_new_secret_is_known_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gathered again when the environment changed, or when something was to be remembered."""
    text = "first-secret-123 second-secret-456"
    before = known_secrets().hide_values(text)

    monkeypatch.setenv("SOME_NEW_TOKEN", "first-secret-123")
    told = known_secrets().hide_values(text)
    remember("second-secret-456")
    both = known_secrets().hide_values(text)
    again = known_secrets()
    monkeypatch.delenv("SOME_NEW_TOKEN")

    assert (before, told, both) == (text, "*** second-secret-456", "*** ***")
    assert again.hide_values(text) == both
    assert known_secrets().hide_values(text) == "first-secret-123 ***"
