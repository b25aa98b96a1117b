"""A request as it is sent to an endpoint, and what no request may hold."""

from __future__ import annotations

from typing import Any, NamedTuple

from judgekit.errors import ModelCallError
from judgekit.judging.request import Message, ModelRequest
from judgekit.running.refused import FORMAT

OURS = frozenset(
    {
        *("api_base", "api_key", "base_url", "client", "drop_params", "extra_body"),
        *("extra_headers", "extra_query", "fallbacks", "max_retries", "messages"),
        *("mock_response", "model", "n", "num_retries", FORMAT, "stream", "timeout"),
        *("caching", "complete_response", "custom_llm_provider", "default_headers"),
        *("force_timeout", "headers", "logger_fn", "mock_timeout", "mock_tool_calls"),
        *("model_list", "request_timeout", "retry_policy", "retry_strategy"),
        *("shared_session", "silent_model", "stream_options", "stream_timeout"),
        "text_completion",
    }
)
"""Arguments of a call that are no parameters of a judge."""


class Form:
    """What of a request a model may refuse, as it is sent.

    Attributes:
        sent: Parameters and reply schema, in the order of the body.
        left_out: Names of those that are not sent.
        adjusted: Those sent otherwise than asked for.
        tail: The same as bytes, for the lane that needs them.
    """

    __slots__ = ("_of", "adjusted", "left_out", "sent", "tail")

    def __init__(
        self,
        of: tuple[object, object],
        sent: dict[str, Any],
        left_out: tuple[str, ...],
        adjusted: tuple[tuple[str, Any], ...],
    ) -> None:
        self._of = of  # kept alive: this form is found again by their ids
        self.sent, self.left_out, self.adjusted = sent, left_out, adjusted
        self.tail = b""


class Put(NamedTuple):
    """A request as it is put to an endpoint."""

    messages: tuple[Message, ...]
    form: Form
    notes: tuple[str, ...] = ()


def check_request(request: ModelRequest) -> None:
    """Refuse what no endpoint can be asked.

    Raises:
        ModelCallError: it is to be read by likelihood, or holds an argument of a call that is no
            parameter of a judge.
    """
    if request.likelihood is not None:
        raise ModelCallError(
            f"{request.model}: reading by likelihood works with local/ models only",
            cause="bad_request",
        )
    ours = sorted(OURS & request.parameters.keys())
    if ours:
        raise ModelCallError(
            f"{request.model}: {ours[0]!r} is not a parameter of a judge", cause="bad_request"
        )
