"""Requests and replies as a batch has them: one line of JSON each."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from judgekit.judging.request import ModelReply
from judgekit.running.direct_reply import Reader
from judgekit.running.failures import Facts, error_in, facts_of_error, failure_of, reply_in
from judgekit.running.prices import Price
from judgekit.running.reply_parts import decode
from judgekit.running.secrets import Secrets
from judgekit.running.stored import is_complete

PRICE_SHARE = 0.5
"""What a batch costs, of the price of single calls."""

NEVER_RUN = {"batch_expired": "expired", "batch_cancelled": "cancelled"}
SPOILT = {
    "empty": "the reply has no text",
    "truncated": "the reply was cut off at the token limit",
}


class Line(NamedTuple):
    """What came back for one request.

    Attributes:
        key: The key of the request.
        reply: The reply, or None.
        cause: Why there is no reply worth keeping: a cause of ``ModelCallError``, or ``empty``,
            ``truncated``, ``expired``, ``cancelled``. None when there is one.
        message: The same for people.
    """

    key: str
    reply: ModelReply | None = None
    cause: str | None = None
    message: str | None = None


class LineReader:
    """Reads what came back for the requests to one model, as single calls are read.

    Args:
        model: The model string asked for.
        secrets: What must not stand in any text.
        price: Returns the ordinary price of a model, or None; None asks litellm's price list.
        tokens: Whether the probabilities of the tokens were asked for.
    """

    def __init__(
        self,
        model: str,
        secrets: Secrets,
        price: Callable[[str], Price | None] | None = None,
        *,
        tokens: bool = False,
    ) -> None:
        self._model, self._secrets, self._tokens = model, secrets, tokens
        self._body = Reader(model, secrets, price)

    def read(self, content: bytes) -> Iterator[Line]:
        """Read an output or error file; a line that is none of a provider's is passed over."""
        for raw in io.BytesIO(content):
            try:
                line = decode(raw)
            except ValueError:
                continue
            if isinstance(line, dict) and isinstance(line.get("custom_id"), str):
                yield self._line(line["custom_id"], line)

    def refusal(self, messages: Iterable[tuple[str, str]]) -> tuple[str, str]:
        """Return cause and message for the requests of a batch that the provider did not run.

        Args:
            messages: Code and text of what it found wrong.
        """
        code, said = next(iter(messages), ("", "the provider gives no reason"))
        told = {"code": code, "message": f"the batch was refused: {said}"}
        return self._failed(facts_of_error(told, status=400))

    def _line(self, key: str, line: dict[str, Any]) -> Line:
        response = line.get("response")
        response = response if isinstance(response, dict) else {}
        status, body = response.get("status_code"), response.get("body")
        told = error_in(line) or {}
        if told.get("code") in NEVER_RUN:
            cause = NEVER_RUN[told["code"]]
            return Line(key, None, cause, f"{self._model}: {cause} before it was run")
        if status == 200 and not told:
            found = self._body.read(body, 0.0, tokens=self._tokens)
        else:
            told = {**told, **(error_in(body) or {})}
            found = facts_of_error(told, status=status if isinstance(status, int) else None)
        if isinstance(found, Facts):
            reply = reply_in(found)
            if reply is None:
                return Line(key, None, *self._failed(found))
            found = reply
        return self._reply(key, found)

    def _reply(self, key: str, reply: ModelReply) -> Line:
        cost = None if reply.cost_usd is None else reply.cost_usd * PRICE_SHARE
        reply = reply._replace(cost_usd=cost, latency_s=None)
        if is_complete(reply):
            return Line(key, reply)
        cause = "truncated" if reply.finish == "length" else "empty"
        return Line(key, reply, cause, f"{self._model}: {SPOILT[cause]}")

    def _failed(self, facts: Facts) -> tuple[str, str]:
        failure = failure_of(facts, self._model, self._secrets)
        return failure.cause, failure.message
