"""The two lanes side by side: the same requests through each, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from judgekit.errors import ModelCallError
from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.direct import DirectModel
from judgekit.running.litellm_client import LiteLLMModel
from judgekit.testing import StubServer
from judgekit.testing.wire import Received

LANES = {"litellm": LiteLLMModel, "direct": DirectModel}
MEANINGFUL = (
    *("authorization", "content-type", "accept"),
    *("openai-organization", "openai-project"),
)
"""Headers that an endpoint acts upon."""

Outcome = ModelReply | ModelCallError


class Seen(NamedTuple):
    """What one lane sent, and what it made of the answers."""

    outcomes: list[Outcome]
    received: list[Received]

    @property
    def replies(self) -> list[ModelReply]:
        """The replies; the time they took differs and is left out."""
        assert all(isinstance(o, ModelReply) for o in self.outcomes), self.outcomes
        return [o._replace(latency_s=None) for o in self.outcomes if isinstance(o, ModelReply)]

    @property
    def failures(self) -> list[tuple[Any, ...]]:
        """What each failure means."""
        assert all(isinstance(o, ModelCallError) for o in self.outcomes), self.outcomes
        return [meaning(o) for o in self.outcomes if isinstance(o, ModelCallError)]


def meaning(failure: ModelCallError) -> tuple[Any, ...]:
    """Return what a program acts upon."""
    return failure.cause, failure.transient, failure.retry_after, failure.hint


def through(
    lane: str,
    stub: StubServer,
    requests: Sequence[ModelRequest],
    *,
    limit: float = 50.0,
    **how: Any,
) -> Seen:
    """Send the requests through one lane, one after the other, with a limit as the engine's."""

    async def run() -> list[Outcome]:
        model = LANES[lane](**how)
        outcomes: list[Outcome] = []
        await model.prepare()
        try:
            for request in requests:
                try:
                    async with asyncio.timeout(limit):
                        outcomes.append(await model.complete(request, timeout=limit))
                except ModelCallError as failure:
                    outcomes.append(failure)
                except TimeoutError:
                    outcomes.append(ModelCallError("late", cause="timeout", transient=True))
        finally:
            await model.aclose()
        return outcomes

    stub.reset()
    outcomes = asyncio.run(run())
    return Seen(outcomes, stub.received)


def both(stub: StubServer, *requests: ModelRequest, **how: Any) -> dict[str, Seen]:
    """Send the requests through both lanes and check that they sent the same bytes."""
    seen = {lane: through(lane, stub, requests, **how) for lane in LANES}
    litellm, direct = seen["litellm"].received, seen["direct"].received
    assert [r.body for r in direct] == [r.body for r in litellm]
    assert [r.path for r in direct] == [r.path for r in litellm]
    for ours, theirs in zip(direct, litellm, strict=True):
        for name in MEANINGFUL:
            assert ours.headers.get(name) == theirs.headers.get(name), name
    return seen


def alike(stub: StubServer, *requests: ModelRequest, **how: Any) -> Seen:
    """Send the requests through both lanes; everything but the time must be the same."""
    seen = both(stub, *requests, **how)
    litellm, direct = seen["litellm"], seen["direct"]
    for ours, theirs in zip(direct.outcomes, litellm.outcomes, strict=True):
        if isinstance(ours, ModelReply):
            assert isinstance(theirs, ModelReply), theirs
            assert ours._replace(latency_s=None) == theirs._replace(latency_s=None)
        else:
            assert isinstance(theirs, ModelCallError), theirs
            assert meaning(ours) == meaning(theirs), (str(ours), str(theirs))
    return direct
