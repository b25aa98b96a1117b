"""The facts of a failed call, read from what an endpoint answered."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from judgekit.running.error_body import codes_in, error_in, place_in, status_in, words_in

Kind = Literal["said", "timeout", "connection", "not_json", "malformed", "too_big", "unsendable"]


class Facts(NamedTuple):
    """What is known of a failed call.

    Attributes:
        kind: How far it came: the endpoint ``said`` what is wrong, or it never came to that.
        status: HTTP status, where the endpoint gave one.
        message: The endpoint's own words, or the client's.
        codes: Codes and types in the body of the error.
        param: The part of the request that the error is about, where the endpoint names one.
        retry_after: Seconds that it asked to wait, or None.
        answered: The endpoint's own response tells it; else a client may never have called.
    """

    kind: Kind = "said"
    status: int | None = None
    message: str = ""
    codes: frozenset[str] = frozenset()
    param: str | None = None
    retry_after: float | None = None
    answered: bool = False

    @property
    def said(self) -> str:
        """Return message and codes as one text."""
        return " ".join((self.message, *sorted(self.codes)))

    def is_one_of(self, codes: frozenset[str]) -> bool:
        """Whether the error carries one of these codes."""
        return not codes.isdisjoint(self.codes)


def facts_of_answer(status: int, headers: Mapping[str, str], body: bytes) -> Facts:
    """Return the facts in an endpoint's error response."""
    try:
        document = json.loads(body)
    except ValueError:
        text = body.decode("utf-8", "replace").strip()
        said = {} if text.startswith("<") else {"message": text}  # a page of a proxy says little
    else:
        said = error_in(document) or {}
    facts = facts_of_error(said, status=status, retry_after=retry_after(headers))
    return facts._replace(answered=True)


def facts_of_error(
    error: Mapping[str, Any], *, status: int | None = None, retry_after: float | None = None
) -> Facts:
    """Return the facts in the ``error`` of a body.

    Args:
        error: The object, as ``error_in`` finds it.
        status: Status of the response; None when it said 200, and the error has to tell.
        retry_after: Seconds to wait, from the headers.
    """
    param = error.get("param")
    if status is None:
        status = status_in(error.get("code"))
    return Facts(
        status=status,
        message=words_in(error) or (f"HTTP {status}" if status else "an error without words"),
        codes=frozenset(codes_in(error)),
        param=param if isinstance(param, str) else place_in(error.get("detail")),
        retry_after=retry_after,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait, or None."""
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
        from email.utils import parsedate_to_datetime

        try:
            wait = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    # None, or a moment that has passed, says nothing of how long to wait.
    return wait if math.isfinite(wait) and wait > 0 else None
