"""One lane of a local model: a loaded server, and the one thread that uses it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from judgekit.errors import ModelCallError
from judgekit.judging.likelihood import bias_of, label_scores, spell_apart
from judgekit.judging.request import LikelihoodTask, ModelReply, ModelRequest
from judgekit.running import llama
from judgekit.running.weights import Weights, find_weights

T = TypeVar("T")

TAKEN = frozenset(
    {"temperature", "max_tokens", "top_p", "top_k", "min_p", "seed", "stop"}
    | {"presence_penalty", "frequency_penalty"}
)
"""Parameters a generated answer depends on; all others are left out, and the reply says so."""

MAX_TOKENS = 512
"""Length of a generated answer where the judge sets none."""

_REMEMBERED = 64
"""Biases kept per lane: two prompts of thirty-two criteria and more."""


class Row(NamedTuple):
    """One prompt's scores; sorts by its place in the task."""

    place: int
    scores: tuple[float, ...]
    bias: tuple[float, ...]
    mass: float
    tokens: int


class Part(NamedTuple):
    """What one lane did of a task."""

    rows: list[Row]
    served: str
    seconds: float


class Patience:
    """How long a lane may still take over a call; its clock starts when the work does.

    ``given_up`` is set when nobody waits for the call any more.
    """

    def __init__(self, seconds: float, given_up: threading.Event) -> None:
        self._seconds, self._given_up = seconds, given_up
        self._started = time.monotonic()

    def start(self) -> None:
        """Start the clock, again if need be: what came before does not count."""
        self._started = time.monotonic()

    def spent(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self._started

    def lost(self) -> bool:
        """Return whether the call is given up or its time is over."""
        return self._given_up.is_set() or self.spent() > self._seconds

    def check(self) -> None:
        """Raise ``ModelCallError`` when it is lost."""
        if self.lost():
            raise ModelCallError(
                f"the local model took longer than {self._seconds:g} s",
                cause="timeout",
                transient=True,
            )


@dataclass(slots=True)
class _Loaded:
    weights: Weights
    slots: llama.Slots
    biases: dict[tuple[Any, ...], tuple[float, ...]] = field(default_factory=dict)


class Lane:
    """One server and its thread. What is asked of it through ``run`` is done in turn."""

    def __init__(self, model: str, slots: int) -> None:
        self._model, self._slots = model, slots
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="judgekit-local")
        self._loaded: _Loaded | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Do ``work`` on the lane's thread; the methods below are called in no other way."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def load(self) -> _Loaded:
        """Return the model, loading it the first time."""
        if self._loaded is None:
            weights = find_weights(self._model)
            server = llama.open_server(weights, self._slots)
            self._loaded = _Loaded(weights, llama.Slots(server, self._slots))
        return self._loaded

    def unload(self) -> None:
        """Free the model's memory."""
        self._loaded = None

    def score(self, task: LikelihoodTask, which: range, patience: Patience) -> Part:
        """Score some of a task's prompts, and find what each says of its held-out examples.

        The bias is a property of the task, long to find and found once: it is not counted in
        the call's time.
        """
        loaded = self.load()
        biases = [_bias(loaded, task, index, slot, patience) for slot, index in enumerate(which)]
        patience.start()
        rows = []
        for slot, index in enumerate(which):
            patience.check()
            scores, mass, tokens = _ask(loaded, task, index, slot, task.prompts[index])
            rows.append(Row(index, scores, biases[slot], mass, tokens))
        return Part(rows, loaded.weights.served, patience.spent())

    def generate(self, request: ModelRequest, patience: Patience) -> ModelReply:
        """Answer the messages; the schema, where llama.cpp knows it, holds the answer to it."""
        loaded = self.load()
        patience.start()
        patience.check()
        left_out = sorted(set(request.parameters) - TAKEN)
        body = _chat_body(request)
        try:
            answer = loaded.slots.chat(body, patience.lost)
        except ValueError:  # raised while the schema is turned into a grammar
            if body.pop("response_format", None) is None:
                raise
            left_out.append("response_format")
            answer = loaded.slots.chat(body, patience.lost)
        if answer["finish"] is None:
            patience.check()
        return ModelReply(
            text=answer["text"],
            finish=answer["finish"],
            reasoning=answer["reasoning"] or None,
            served=loaded.weights.served,
            tokens_in=answer["usage"].get("prompt_tokens"),
            tokens_out=answer["usage"].get("completion_tokens"),
            cost_usd=0.0,
            latency_s=patience.spent(),
            left_out=tuple(left_out),
        )


def _bias(
    loaded: _Loaded, task: LikelihoodTask, index: int, slot: int, patience: Patience
) -> tuple[float, ...]:
    """Return a prompt's bias, from memory where it is known."""
    held_out = task.held_out[index]
    if not held_out:
        return (0.0,) * len(task.labels)
    key = (task.labels, task.prompts[index][: len(shared_prefix(task, index))], held_out)
    if key not in loaded.biases:
        scores = []
        for prompt, _ in held_out:
            patience.start()
            patience.check()
            scores.append(_ask(loaded, task, index, slot, prompt)[0])
        loaded.biases[key] = bias_of(scores, [level for _, level in held_out])
        while len(loaded.biases) > _REMEMBERED:
            del loaded.biases[next(iter(loaded.biases))]
    return loaded.biases[key]


def _ask(
    loaded: _Loaded, task: LikelihoodTask, index: int, slot: int, prompt: str
) -> tuple[tuple[float, ...], float, int]:
    found = loaded.slots.next_tokens(prompt, shared_prefix(task, index), slot)
    return *label_scores(found.tokens, task.labels), found.prompt_tokens


def shared_prefix(task: LikelihoodTask, index: int) -> str:
    """Return the part of a prompt that all items share, up to the item's first tag.

    Examples are parted by an empty line and item text holds none, so it is what precedes the
    last of them. It must begin every held-out prompt as well, or "" is returned.
    """
    prompt = task.prompts[index]
    start = prompt.rfind("\n\n") + 2
    prefix = prompt[: prompt.find(":", start) + 1] if start > 1 else ""
    alike = all(held_out.startswith(prefix) for held_out, _ in task.held_out[index])
    return prefix if alike else ""


def _chat_body(request: ModelRequest) -> llama.Body:
    """Return the request as llama.cpp takes it; a replicate is a seed of its own.

    Raises:
        ModelCallError: it shows images, which local models do not take.
    """
    if any(not isinstance(message.content, str) for message in request.messages):
        raise ModelCallError(
            f"{request.model}: the item holds images, and this model takes text only",
            cause="bad_request",
            hint="use a model that takes images",
        )
    body: llama.Body = {
        "messages": [
            {"role": message.role, "content": llama.utf8(spell_apart(message.text))}
            for message in request.messages
        ],
        "temperature": 0,
        "max_tokens": MAX_TOKENS,
        "seed": request.replicate,
        **{name: value for name, value in request.parameters.items() if name in TAKEN},
    }
    if request.schema is not None:
        schema = {"name": "reply", "schema": request.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body
