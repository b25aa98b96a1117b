"""The facts in litellm's exceptions.

Its own classes are not enough: a refused connection and a body that is not JSON both come as an
internal server error, a missing key too, a filtered prompt as a bad request. So the whole chain of
causes is read; where the endpoint answered, its response is in there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judgekit.errors import ModelCallError
from judgekit.running.facts import Facts, Kind, facts_of_answer, facts_of_error, retry_after
from judgekit.running.failures import FILTER_CODES, failure_of, reply_in
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
_NOISE = re.compile(r"^(litellm\.)?\w*(Error|Exception|Timeout)(: | - )\s*")
_NO_CHOICES = re.compile(r"provider returned .*choices|invalid response|Invalid response object")


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield ``error`` and everything that led to it."""
    seen: set[int] = set()
    step: BaseException | None = error
    while step is not None and id(step) not in seen:
        seen.add(id(step))
        yield step
        step = step.__cause__ or step.__context__


def facts_of(error: BaseException) -> Facts:
    """Return what ``error`` and its causes tell."""
    steps = list(chain(error))
    names = {cls.__name__ for step in steps for cls in type(step).__mro__}
    answered = _answer(steps)
    if answered is not None:
        facts = facts_of_answer(*answered)
    else:
        kind = _kind(names, steps)
        facts = _error_in_a_body(steps) or _from_attributes(error, steps, kind)
    extra: set[str] = set()
    if "ContentPolicyViolationError" in names:
        extra |= FILTER_CODES
    if "ContextWindowExceededError" in names:
        extra.add("context_length_exceeded")
    return facts._replace(codes=facts.codes | extra)


def _answer(steps: list[BaseException]) -> tuple[int, Any, bytes] | None:
    """Return status, headers and body of the endpoint's error response, if there was one."""
    for step in steps:
        # litellm's own exceptions carry responses that it made up.
        if type(step).__module__.partition(".")[0] not in {"openai", "httpx"}:
            continue
        response: Any = getattr(step, "response", None)
        status = getattr(response, "status_code", None)
        if isinstance(status, int) and status >= 300:
            try:
                body = response.content
            except RuntimeError:  # not read, or read as a stream
                continue
            return status, response.headers, body
    return None


def _kind(names: set[str], steps: list[BaseException]) -> Kind:
    if names & TIMEOUT:
        return "timeout"
    if names & {"JSONDecodeError", "UnicodeDecodeError"}:
        return "not_json"
    # litellm calls everything it did not expect a connection error.
    real = {c.__name__ for s in steps if not _is_litellm_s(s) for c in type(s).__mro__}
    if real & CONNECTION and _status(steps) in (None, 500):
        return "connection"
    if "UnicodeEncodeError" in names:
        return "unsendable"
    if any(_NO_CHOICES.search(str(step)) for step in steps):
        return "malformed"
    return "said"


def _is_litellm_s(error: BaseException) -> bool:
    return type(error).__module__.startswith("litellm.")


def _error_in_a_body(steps: list[BaseException]) -> Facts | None:
    """Return the facts of an error that came with status 200; litellm raises a bare exception."""
    for step in steps:
        if type(step) is Exception and hasattr(step, "status_code"):
            said = {"code": step.status_code, "message": getattr(step, "message", "")}
            return facts_of_error(said)
    return None


def _from_attributes(error: BaseException, steps: list[BaseException], kind: Kind) -> Facts:
    facts = facts_of_error(_body(steps), status=_status(steps), retry_after=_wait(steps))
    message = "the answer is no chat completion" if kind == "malformed" else _clean(error)
    return facts._replace(kind=kind, message=message)


def _status(steps: list[BaseException]) -> int | None:
    codes = (getattr(step, "status_code", None) for step in steps)
    return next((code for code in codes if isinstance(code, int)), None)


def _body(steps: list[BaseException]) -> dict[str, Any]:
    bodies = (getattr(step, "body", None) for step in steps)
    return next((body for body in bodies if isinstance(body, dict)), {})


def _wait(steps: list[BaseException]) -> float | None:
    for step in steps:
        headers: Any = getattr(getattr(step, "response", None), "headers", None)
        wait = None if headers is None else retry_after(headers)
        if wait is not None:
            return wait
    return None


def _clean(error: BaseException) -> str:
    """Return the provider's own words: without litellm's prefixes."""
    text = str(getattr(error, "message", None) or error)
    while (shorter := _NOISE.sub("", text, count=1)) != text:
        text = shorter
    return text or type(error).__name__


def is_filtered(error: BaseException) -> bool:
    """Whether the endpoint's content filter stopped the prompt: the judge's answer, in a way."""
    reply = reply_in(facts_of(error))
    return reply is not None and reply.finish == "content_filter"


def translate(error: BaseException, model: str, secrets: Secrets) -> ModelCallError:
    """Return what ``error`` means, without any secret and without the exception itself."""
    return failure_of(facts_of(error), model, secrets)
