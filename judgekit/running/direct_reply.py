"""An OpenAI-compatible endpoint's answer, read into a ModelReply as litellm would read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from judgekit.judging.reading.finish import broke_off
from judgekit.judging.request import ModelReply, TokenLogprobs
from judgekit.running.error_body import error_in
from judgekit.running.facts import Facts, facts_of_answer, facts_of_error
from judgekit.running.logprobs import token_logprobs
from judgekit.running.prices import Price, cost_of, price_of
from judgekit.running.reply_parts import counts, decode, finish_of, split_thinking
from judgekit.running.secrets import Secrets

_Said = tuple[str, str | None, str | None, str | None, tuple[TokenLogprobs, ...] | None]
_NOTHING: _Said = ("", None, None, None, None)
_MALFORMED = Facts("malformed", message="the answer is no chat completion")


def stopped_short(finish: str | None) -> Facts | None:
    """Return the failure that a reply with this ``finish_reason`` is; None for one to be read."""
    if finish == "stop" or not broke_off(finish):
        return None
    return Facts(status=500, message=f"the answer broke off: finish_reason is {finish!r}")


class Reader:
    """Reads what one model's endpoint answers.

    Args:
        model: The model string asked for.
        secrets: What must not stand in any text.
        price: Returns what a model costs, or None; None asks litellm's price list.
    """

    def __init__(
        self, model: str, secrets: Secrets, price: Callable[[str], Price | None] | None = None
    ) -> None:
        self._model, self._price = model, price
        self._hide = secrets.hide_values
        self._often = lru_cache(64)(self._text)

    def answer(
        self,
        status: int,
        headers: Mapping[str, str],
        body: bytes,
        latency_s: float,
        *,
        tokens: bool,
    ) -> ModelReply | Facts:
        """Return the reply in a response, or the facts of the failure that it tells of."""
        if status >= 300:
            return facts_of_answer(status, headers, body)
        try:
            document = decode(body)
        except ValueError:
            return Facts("not_json")
        return self.read(document, latency_s, tokens=tokens)

    def read(self, document: Any, latency_s: float, *, tokens: bool) -> ModelReply | Facts:
        """Return the reply in an answer, or the facts of the failure that it tells of.

        Args:
            document: The body.
            latency_s: How long the call took.
            tokens: Whether the probabilities of the tokens were asked for.
        """
        failure = _failure_in(document)
        if failure is not None:
            return failure
        choices = document["choices"]
        said = self._said(choices[0], tokens=tokens) if choices else _NOTHING
        if said is None:
            return _MALFORMED
        served, usage = self._word(document.get("model")), document.get("usage")
        tokens_in, tokens_out, cached, thinking = counts(usage)
        text, finish, refusal, reasoning, logprobs = said
        broken = stopped_short(finish)
        if broken is not None:
            return broken
        return ModelReply(
            text=text,
            finish=finish,
            refusal=refusal,
            reasoning=reasoning,
            served=served,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost_usd=self.cost(served, tokens_in, tokens_out, cached, thinking),
            latency_s=latency_s,
            tokens_cached=cached,
            tokens_reasoning=thinking,
            logprobs=logprobs,
        )

    def _said(self, choice: Any, *, tokens: bool) -> _Said | None:
        """Return what a choice says, or None where it holds no message."""
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            return None
        text, reasoning = split_thinking(message)
        hidden = self._hide(text)
        shown = tokens and hidden == text  # tokens would spell out what was hidden
        return (
            hidden,
            # An endpoint that does not say why it stopped is taken to have stopped of itself.
            finish_of(self._word(choice.get("finish_reason") or "stop")),
            self._text(message.get("refusal")),
            self._text(reasoning),
            token_logprobs(choice.get("logprobs")) if shown else None,
        )

    def cost(
        self,
        served: str | None,
        tokens_in: int | None,
        tokens_out: int | None,
        cached: int | None,
        thinking: int | None,
    ) -> float | None:
        """Return what a call cost; None where price or usage is not known."""
        find = self._price
        price = price_of(self._model, served) if find is None else find(self._model)
        return cost_of(price, tokens_in, tokens_out, cached, thinking)

    def _word(self, value: Any) -> str | None:
        """Return a text that comes with every reply."""
        return self._often(value) if isinstance(value, str) else None

    def _text(self, value: Any) -> str | None:
        return self._hide(value) if isinstance(value, str) and value else None


def _failure_in(document: Any) -> Facts | None:
    """Return the failure that a body tells of, or is; None where it has choices to read."""
    if not isinstance(document, dict):
        return _MALFORMED
    if document.get("error") and (error := error_in(document)):
        return facts_of_error(error)
    choices = document.get("choices")
    if not isinstance(choices, list) or not _agree(choices):
        return _MALFORMED
    if choices and (error := _error_of(choices[0])):
        return facts_of_error(error)
    return None


def _agree(choices: list[Any]) -> bool:
    """Whether the choices, of which one was asked for, say the same."""
    if len(choices) < 2:
        return True
    said = [c.get("message") if isinstance(c, dict) else None for c in choices]
    return all(one == said[0] for one in said)


def _error_of(choice: Any) -> dict[str, Any] | None:
    """Return the error that a gateway puts into a choice, or None."""
    error = choice.get("error") if isinstance(choice, dict) else None
    return error_in({"error": error}) if error else None
