"""Where calls are made and replies kept: the model, its limits, the cache's writer and claims."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable

from judgekit.errors import ModelCallError
from judgekit.judging.request import Ask, ModelReply
from judgekit.running.calls import Caller
from judgekit.running.claims import Claims, Flight
from judgekit.running.model import ChatModel, Preparable
from judgekit.running.progress import Answer
from judgekit.running.settings import Settings
from judgekit.running.writer import Cache, CacheWriter, ClaimedCache


class Desk:
    """Answers requests that the cache does not, and keeps the replies. Belongs to one event loop.

    Args:
        open_model: Makes the model; not called before the desk is opened.
        cache: Where replies are kept; None keeps nothing.
        settings: How to ask.

    Attributes:
        opened: Whether :meth:`open` was called.
        unready: Why no call can succeed, for example because a key is missing; usually None.
    """

    def __init__(
        self, open_model: Callable[[], ChatModel], cache: Cache | None, settings: Settings
    ) -> None:
        self._open_model, self._cache, self._how = open_model, cache, settings
        self.opened = False
        self.unready: ModelCallError | None = None
        self._caller: Caller | None = None
        self._writer: CacheWriter | None = None
        self._flight: Flight | None = None
        self._cleanup = contextlib.AsyncExitStack()

    async def open(self) -> None:
        """Open the model, and the cache for writing.

        Raises:
            StorageError: the cache cannot be written.
        """
        self.opened = True
        try:
            model = self._open_model()
            self._cleanup.push_async_callback(_close, model)
            if isinstance(model, Preparable):
                await model.prepare()
        except ModelCallError as failure:
            self.unready = failure
            return
        how, cache = self._how, self._cache
        if cache is not None:
            self._writer = CacheWriter(cache, replace=how.refresh)
            look = _nothing if how.refresh else cache.get_many
            if isinstance(cache, ClaimedCache):
                self._flight = Flight(claims := cache.claims(), look, cache.others)
            else:
                self._flight = Flight(claims := Claims(None), look)
            self._cleanup.callback(claims.close)
            self._cleanup.push_async_callback(self._writer.aclose)
        self._caller = Caller(
            model,
            how.limits,
            how.retry,
            max_cost_usd=how.max_cost_usd,
            price=how.price,
            flight=self._flight,
        )

    async def answer(self, ask: Ask) -> tuple[Answer, bool]:
        """Return the answer, on disk by now, and whether another run had it there first."""
        if self._caller is None:
            return Answer(ask, failure=self.unready), False
        answer, met_another = await self._answer_and_keep(ask, self._caller)
        if self._flight is not None:
            self._flight.leave(ask.key)
        return answer, met_another

    async def close(self) -> None:
        """Put on disk what is not yet, and let go of the model."""
        await self._cleanup.aclose()

    async def _answer_and_keep(self, ask: Ask, caller: Caller) -> tuple[Answer, bool]:
        answer = await caller.answer(ask)
        if answer.reply is None or answer.cached or self._writer is None:
            return answer, answer.cached
        kept = await self._writer.put(ask.key, answer.reply)
        return answer._replace(reply=kept), kept is not answer.reply


def _nothing(_: Iterable[str]) -> dict[str, ModelReply]:
    """Find nothing: what is kept is asked anew."""
    return {}


async def _close(model: ChatModel) -> None:
    with contextlib.suppress(Exception):  # the answers are in; a client that won't go spoils none
        await model.aclose()
