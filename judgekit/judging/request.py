"""What is asked of a model, and what comes back: plain values, no client."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from judgekit.fingerprint import canonical_json, sha256_text

_LOGIN = re.compile(r"^([a-z][a-z0-9+.-]*://)[^/]*@", re.IGNORECASE)

KEY_VERSION = 1
"""Part of every cache key; raised when the meaning of a key changes."""


Content = str | tuple[dict[str, Any], ...]
"""What a message holds: text, or parts in the form chat endpoints take (text and images)."""


class Message(NamedTuple):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: Content

    @property
    def text(self) -> str:
        """Return the text of the message; images are left out."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part["text"] for part in self.content if "text" in part)


@dataclass(frozen=True, slots=True)
class LikelihoodTask:
    """Read a level by the likelihood of each level's label word, without generating text.

    Attributes:
        labels: The label word of each level, in scale order.
        prompts: The item under each few-shot order; the label word would come next.
        held_out: For each prompt, the worked examples that are *not* in it, each as
            ``(prompt text, index of its level)``: what the model says of them is its bias
            under that prompt, taken off before levels are compared.
    """

    labels: tuple[str, ...]
    prompts: tuple[str, ...]
    held_out: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True)
class ModelRequest:
    """One question to a model, complete: equal requests may share one reply.

    Attributes:
        model: The model string as asked for, for example ``openai/gpt-4.1-mini``.
        messages: The chat messages, rubric first, item last.
        parameters: Every sampling parameter to be sent (temperature, max_tokens ...).
        schema: JSON schema the reply should follow, or None.
        api_base: Address of the endpoint, or None for the provider's own.
        replicate: 0 for the first asking, 1 for the second ...; part of the key.
        likelihood: Set for judges read by likelihood; ``messages`` is then empty.
    """

    model: str
    messages: tuple[Message, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    schema: dict[str, Any] | None = None
    api_base: str | None = None
    replicate: int = 0
    likelihood: LikelihoodTask | None = None

    @cached_property
    def key(self) -> str:
        """Return the sha256 that identifies the request: every part of it, and KEY_VERSION."""
        return sha256_text(self.keyed_text())

    def keyed_text(self) -> str:
        """Return the text whose sha256 is the key: canonical JSON."""
        task = self.likelihood
        return canonical_json(
            {
                "key_version": KEY_VERSION,
                "model": self.model,
                "messages": [[m.role, m.content] for m in self.messages],
                "parameters": self.parameters,
                "schema": self.schema,
                "api_base": _address(self.api_base),
                "replicate": self.replicate,
                "likelihood": task and [task.labels, task.prompts, task.held_out],
            }
        )

    def with_key(self, key: str) -> ModelRequest:
        """Return the request itself, told the key it has, so that it is not worked out again."""
        self.__dict__["key"] = key
        return self


def _address(url: str | None) -> str | None:
    """Return an address without the login in it and the slash behind it, which change no reply."""
    return url if url is None else _LOGIN.sub(r"\1", url.rstrip("/"))


class Ask(NamedTuple):
    """A request that is known by its key and built when it is needed.

    Most requests of a second run are answered by the cache, which needs the key alone.

    Attributes:
        key: The ``key`` of the request.
        build: Returns the request.
        place: What it is about; whoever asks decides what stands here.
    """

    key: str
    build: Callable[[], ModelRequest]
    place: Any = None


TokenLogprobs = tuple[str, float, tuple[tuple[str, float], ...]]
"""One token of a reply, its log-probability, and the alternatives with theirs."""


class ModelReply(NamedTuple):
    """What a model answered, whole. Stored as it came; read afresh each time.

    Attributes:
        text: The answer text (for likelihood judges: the JSON of the scores); "" when none came.
        finish: Why it stopped: ``stop``, ``length``, ``content_filter`` ... or None.
        refusal: The provider's refusal text, or None.
        reasoning: Thinking text the provider kept apart from the answer, or None.
        served: The model the endpoint says it used, or None.
        tokens_in: Prompt tokens, or None when unknown.
        tokens_out: Completion tokens, thinking included, or None when unknown.
        cost_usd: Cost in US dollars, or None when unknown. 0.0 means free, never unknown.
        latency_s: Seconds the call took.
        left_out: Parameters that the model does not take and that were not sent.
        adjusted: Parameters sent with another value than asked for, with that value.
        notes: What else is to be known of how it was asked, by short names: ``system_in_user``.
        tokens_cached: Prompt tokens the provider had in its own cache, or None when unknown.
        tokens_reasoning: Completion tokens spent on thinking, or None when unknown.
        logprobs: The tokens of the text with their probabilities, where they were asked for.
    """

    text: str
    finish: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    served: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    left_out: tuple[str, ...] = ()
    adjusted: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    logprobs: tuple[TokenLogprobs, ...] | None = None
