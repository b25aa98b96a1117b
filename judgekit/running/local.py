"""Models that run in this process: ``local/smollm2-135m`` and ``local/PATH.gguf``.

A model has up to two lanes, one a core it may use: each a server with a thread of its own. Lanes
never share the work on a prompt, so their number changes how long an answer takes, nothing else.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from functools import partial

from judgekit.judging.request import LikelihoodTask, ModelReply, ModelRequest
from judgekit.running.lane import Lane, Part, Patience
from judgekit.running.weights import check_name, weights_identity

__all__ = ["LocalModel", "weights_identity"]

SLOTS = 2
"""Prompts of a likelihood task that stay in the cache, over all lanes."""


class LocalModel:
    """A ``ChatModel`` over weights on this machine. The same question has the same answer.

    Args:
        model: ``local/smollm2-135m`` or ``local/PATH.gguf``.
        lanes: Servers side by side; None takes one per core, at most two.

    Raises:
        UnknownName: there is no such model.
    """

    def __init__(self, model: str, *, lanes: int | None = None) -> None:
        check_name(model)
        count = max(1, min(SLOTS, lanes or _cores()))
        self._lanes = [Lane(model, -(-SLOTS // count)) for _ in range(count)]

    async def prepare(self) -> None:
        """Check and load the weights, outside any call's timeout.

        Raises:
            MissingExtra: the runtime or the weights are not installed.
            InputError: the weights cannot be loaded.
            StorageError: they are not the ones known by that name, or cannot be read.
        """
        await asyncio.gather(*(lane.run(lane.load) for lane in self._lanes))

    async def complete(
        self,
        request: ModelRequest,
        *,
        timeout: float,  # noqa: ASYNC109  (of the work itself: queueing and loading do not count)
    ) -> ModelReply:
        """Return the label scores of a likelihood request as JSON, else a generated answer.

        Raises:
            ModelCallError: the prompt is too long, or it took longer than ``timeout`` seconds.
            JudgekitError: as ``prepare``.
        """
        given_up = threading.Event()
        try:
            if request.likelihood is not None:
                return await self._score(request, request.likelihood, timeout, given_up)
            lane = self._lanes[0]
            return await lane.run(partial(lane.generate, request, Patience(timeout, given_up)))
        finally:
            given_up.set()  # whatever still runs of a call that was cancelled or failed ends soon

    async def aclose(self) -> None:
        """Free the model's memory. A later call would load it again."""
        await asyncio.gather(*(lane.run(lane.unload) for lane in self._lanes))

    async def _score(
        self,
        request: ModelRequest,
        task: LikelihoodTask,
        seconds: float,
        given_up: threading.Event,
    ) -> ModelReply:
        count = len(self._lanes)
        shares = [range(first, len(task.prompts), count) for first in range(count)]
        parts = await asyncio.gather(
            *(
                lane.run(partial(lane.score, task, share, Patience(seconds, given_up)))
                for lane, share in zip(self._lanes, shares, strict=True)
                if share
            )
        )
        return _reply(request, parts)


def _reply(request: ModelRequest, parts: list[Part]) -> ModelReply:
    """Return the scores as ``judgekit.judging.likelihood.read_scores`` reads them."""
    rows = sorted(row for part in parts for row in part.rows)
    scores = {
        "prompts": [row.scores for row in rows],
        "bias": [row.bias for row in rows],
        "mass": [row.mass for row in rows],
    }
    return ModelReply(
        text=json.dumps(scores, allow_nan=False),
        finish="stop",
        served=parts[0].served,
        tokens_in=sum(row.tokens for row in rows),
        tokens_out=0,
        cost_usd=0.0,
        latency_s=max(part.seconds for part in parts),
        left_out=tuple(sorted(request.parameters)),
    )


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
