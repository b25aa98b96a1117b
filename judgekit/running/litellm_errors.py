"""What litellm's exceptions mean.

Its own classes are not enough: a refused connection and a body that is not JSON both come as an
internal server error, a missing key too, a filtered prompt as a bad request. So the whole chain of
causes is read.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from judgekit.errors import ModelCallError
from judgekit.running.secrets import Secrets

CONNECTION = frozenset(
    {
        "APIConnectionError",
        "ClientConnectionError",  # aiohttp's, with all its kin
        "ClientPayloadError",
        "ConnectionError",  # Python's, with all its kin
        "NetworkError",  # httpx's
        "ProtocolError",
    }
)
TIMEOUT = frozenset({"Timeout", "APITimeoutError", "TimeoutError"})
FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"}
)
NO_KEY = re.compile(r"Missing credentials|api_?key\b.{0,40}\bset\b", re.IGNORECASE)
QUOTA = re.compile(
    r"insufficient.quota|exceeded your (current )?quota|credit balance|billing", re.IGNORECASE
)
CONTEXT = re.compile(
    r"context.?(length|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)
NOISE = re.compile(r"^(litellm\.)?\w*(Error|Exception|Timeout)(: | - )\s*")

HINTS = {
    "authentication": "check the key: its environment variable, or api_key_env in judgekit.toml",
    "not_found": "check the model string: PROVIDER/MODEL, as litellm writes it",
    "quota": "the account is out of credit or over its spending limit",
    "context_length": "the prompt is too long for this model",
    "connection": "is the endpoint up, and api_base right?",
}


class Facts(NamedTuple):
    """What is known of a failed call.

    Attributes:
        names: Class names of the error and of everything that led to it, bases included.
        status: HTTP status; 500 may be litellm's invention.
        message: The provider's own words.
        said: The same, with the codes of the error body.
    """

    names: set[str]
    status: int | None
    message: str
    said: str


class Rule(NamedTuple):
    """How one kind of failure is told, and what it means."""

    applies: Callable[[Facts], object]
    cause: str
    transient: bool = False
    text: str = "{message}"


RULES = (
    Rule(lambda f: f.names & TIMEOUT, "timeout", transient=True, text="no answer in time"),
    Rule(
        lambda f: f.status in (None, 500) and f.names & CONNECTION,
        "connection",
        transient=True,
        text="the connection failed or broke off ({message})",
    ),
    Rule(
        lambda f: "JSONDecodeError" in f.names,
        "server",
        transient=True,
        text="malformed body: the endpoint's answer is not JSON",
    ),
    Rule(
        lambda f: NO_KEY.search(f.message), "authentication", text="no API key is set ({message})"
    ),
    Rule(lambda f: f.status in (401, 403), "authentication"),
    Rule(lambda f: f.status == 402 or (f.status in (400, 429) and QUOTA.search(f.said)), "quota"),
    Rule(lambda f: f.status == 429, "rate_limit", transient=True),
    Rule(lambda f: "ContextWindowExceededError" in f.names, "context_length"),
    Rule(lambda f: f.status == 400 and CONTEXT.search(f.said), "context_length"),
    Rule(lambda f: f.status == 404 or "Provider NOT provided" in f.message, "not_found"),
    Rule(lambda f: f.status in (408, 409, 425), "server", transient=True),
    Rule(lambda f: f.status is not None and 400 <= f.status < 500, "bad_request"),
    Rule(lambda _: True, "server", transient=True),
)
"""The first rule that applies says what a failure means."""


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield ``error`` and everything that led to it."""
    seen: set[int] = set()
    step: BaseException | None = error
    while step is not None and id(step) not in seen:
        seen.add(id(step))
        yield step
        step = step.__cause__ or step.__context__


def is_filtered(error: BaseException) -> bool:
    """Whether the endpoint's content filter stopped the prompt: the judge's answer, in a way."""
    for step in chain(error):
        if type(step).__name__ == "ContentPolicyViolationError":
            return True
        body = getattr(step, "body", None)
        codes = {str(getattr(step, "code", None))}
        if isinstance(body, dict):
            inner = body.get("innererror")
            codes |= {str(part.get("code")) for part in (body, inner) if isinstance(part, dict)}
        if codes & FILTER_CODES:
            return True
    return False


def translate(error: BaseException, model: str, secrets: Secrets) -> ModelCallError:
    """Return what ``error`` means, without any secret and without the exception itself."""
    message = _clean(error)
    facts = Facts(
        names={cls.__name__ for step in chain(error) for cls in type(step).__mro__},
        status=_status(error),
        message=message,
        said=f"{message} {_codes(error)}",
    )
    rule = next(rule for rule in RULES if rule.applies(facts))
    return ModelCallError(
        secrets.hide(f"{model}: {rule.text.format(message=message)}"),
        cause=rule.cause,
        transient=rule.transient,
        retry_after=retry_after(error) if rule.transient else None,
        hint=HINTS.get(rule.cause),
    )


def _status(error: BaseException) -> int | None:
    for step in chain(error):
        status = getattr(step, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _codes(error: BaseException) -> str:
    """Return the codes and types that the provider's error bodies carry, as one text."""
    found: list[str] = []
    for step in chain(error):
        body = getattr(step, "body", None)
        if isinstance(body, dict):
            found += [str(body[name]) for name in ("code", "type") if body.get(name)]
    return " ".join(found)


def _clean(error: BaseException) -> str:
    """Return the provider's own words: without litellm's prefixes, one line, not too long."""
    text = str(getattr(error, "message", None) or error)
    while (shorter := NOISE.sub("", text, count=1)) != text:
        text = shorter
    text = " ".join(text.split()) or type(error).__name__
    return text if len(text) <= 300 else f"{text[:300]} ..."


def retry_after(error: BaseException) -> float | None:
    """Return the seconds that the provider asked to wait, or None."""
    for step in chain(error):
        headers: Any = getattr(getattr(step, "response", None), "headers", None)
        if headers is None:
            continue
        for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
            wait = _seconds(headers.get(name))
            if wait is not None:
                return wait / unit
    return None


def _seconds(text: str | None) -> float | None:
    if not text:
        return None
    try:
        wait = float(text)
    except ValueError:
        try:
            wait = parsedate_to_datetime(text).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, wait) if math.isfinite(wait) else None
