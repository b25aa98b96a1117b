"""What a failed call means: one table of rules for every lane."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from judgekit.running.facts import Facts

LIMIT_CODES = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "rate_limited", "RESOURCE_EXHAUSTED"}
)

_NO_KEY = re.compile(
    r"Missing (credentials|.{0,20}api.?key)|api_?key\b.{0,40}\bset\b", re.IGNORECASE
)

_QUOTA = re.compile(
    r"insufficient.(quota|balance|credit|funds)|exceeded your (current )?quota|credit balance"
    r"|billing|out of credits?",
    re.IGNORECASE,
)

_CONTEXT = re.compile(
    r"context.?(length|window|size)|maximum context|too many tokens|prompt is too long"
    r"|input is too long|longer than the maximum model length",
    re.IGNORECASE,
)

_NO_IMAGES = re.compile(
    r"(image|vision|multi-?modal).{0,60}(not|n't|only|cannot|unsupported)"
    r"|(not|n't|cannot|unsupported|no endpoints).{0,60}(image|vision|multi-?modal)"
    r"|at most 0 image|content.{0,40}(must|should) be a (valid )?string",
    re.IGNORECASE | re.DOTALL,
)


class Rule(NamedTuple):
    """How one kind of failure is told, and what it means.

    ``asked`` is false for what a client may say before it makes any call.
    """

    applies: Callable[[Facts], object]
    cause: str
    transient: bool = False
    text: str = "{message}"
    hint: str | None = None
    asked: bool = True


KEY = "check the key: its environment variable, or api_key_env in judgekit.toml"
MODEL = "check the model string, PROVIDER/MODEL, and api_base"
NOT_JSON = "malformed body: the endpoint's answer is not JSON"

RULES = (
    Rule(lambda f: f.kind == "timeout", "timeout", transient=True, text="no answer in time"),
    Rule(
        lambda f: f.kind == "connection",
        "connection",
        transient=True,
        text="the connection failed or broke off ({message})",
        hint="is the endpoint up, and api_base right?",
    ),
    Rule(lambda f: f.kind == "not_json", "server", transient=True, text=NOT_JSON),
    Rule(
        lambda f: f.kind == "malformed", "server", transient=True, text="malformed body: {message}"
    ),
    Rule(lambda f: f.kind == "too_big", "server"),
    Rule(lambda f: f.kind == "unsendable", "bad_request", text="cannot be sent: {message}"),
    Rule(
        lambda f: f.status is not None and 300 <= f.status < 400,
        "not_found",
        text="the endpoint redirects elsewhere, and the key is not sent after it",
        hint="give api_base the address it redirects to",
    ),
    Rule(
        lambda f: _NO_KEY.search(f.message),
        "authentication",
        text="no API key is set ({message})",
        hint=KEY,
        asked=False,
    ),
    Rule(lambda f: f.status in (401, 403), "authentication", hint=KEY),
    Rule(
        lambda f: f.status == 402 or (f.status in (None, 400, 429) and _QUOTA.search(f.said)),
        "quota",
        hint="the account is out of credit or over its spending limit",
    ),
    Rule(
        lambda f: f.status == 429 or (f.status is None and f.is_one_of(LIMIT_CODES)),
        "rate_limit",
        transient=True,
    ),
    Rule(
        lambda f: (
            "context_length_exceeded" in f.codes
            or (f.status in (400, 413, 422) and _CONTEXT.search(f.said))
        ),
        "context_length",
        hint="the prompt is too long for this model",
    ),
    Rule(
        lambda f: f.status == 404 or "Provider NOT provided" in f.message, "not_found", hint=MODEL
    ),
    Rule(lambda f: f.status in (408, 409, 425), "server", transient=True),
    Rule(lambda f: f.status is not None and 400 <= f.status < 500, "bad_request"),
    Rule(lambda _: True, "server", transient=True),
)
"""The first rule that applies says what a failure means."""

NO_IMAGES = Rule(
    lambda f: f.status in (400, 404, 415, 422, 500, 501) and _NO_IMAGES.search(f.message),
    "bad_request",
    text="the model takes no images ({message})",
    hint="choose a model that sees images; an item is never judged without its own",
)
"""For requests that hold images, before all others."""
