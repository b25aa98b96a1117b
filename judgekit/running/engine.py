"""Asking many questions: cache first, each question once, nothing paid for is lost.

Questions are taken from their iterator as they are needed and answers handed on as they come, so
that a run of a million needs no more room than one of a thousand. A worker takes its next request
only after the reply to the last one is committed to the cache, so a process that dies at any
moment loses at most the calls in flight. Runs that share a cache tell each other what they ask.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from judgekit.errors import InputError, ModelCallError
from judgekit.judging.request import Ask, ModelRequest
from judgekit.running.cache import is_complete
from judgekit.running.desk import Desk
from judgekit.running.model import ChatModel
from judgekit.running.progress import Answer, Progress, Tally
from judgekit.running.settings import Settings
from judgekit.running.writer import Cache

__all__ = ["Answer", "Progress", "Settings", "answer_all", "answer_stream"]

LOOK_UP = 500
"""How many requests are looked up at a time."""


async def answer_all(
    requests: Iterable[ModelRequest],
    *,
    open_model: Callable[[], ChatModel],
    cache: Cache | None,
    settings: Settings | None = None,
) -> list[Answer]:
    """Answer every request and return the answers in the same order; see `answer_stream`."""
    wanted = [
        Ask(request.key, lambda r=request: r, place)  # type: ignore[misc]
        for place, request in enumerate(requests)
    ]
    settings = replace(settings or Settings(), total=len(wanted))
    answers: dict[int, Answer] = {}
    stream = answer_stream(wanted, open_model=open_model, cache=cache, settings=settings)
    async with contextlib.aclosing(stream):
        async for batch in stream:
            answers.update((answer.ask.place, answer) for answer in batch)
    return [answers[place] for place in range(len(wanted))]


async def answer_stream(
    asks: Iterable[Ask],
    *,
    open_model: Callable[[], ChatModel],
    cache: Cache | None,
    settings: Settings,
) -> AsyncGenerator[list[Answer], None]:
    """Answer every request; yield the answers in batches, in the order they come.

    Equal requests share one call. Whatever goes wrong with a call becomes the ``failure`` of its
    answer; only trouble of another kind (the disk, a missing package) is raised, and what was
    answered until then is in the cache. Whoever stops listening early closes the generator
    (``contextlib.aclosing``): calls in flight are then given up, replies that came are kept.

    Args:
        asks: What to ask; taken as needed.
        open_model: Makes the model; not called when the cache answers everything.
        cache: Where replies are looked up and kept; None asks everything and keeps nothing.
        settings: How to ask.

    Raises:
        StorageError: the cache cannot be read or written.
        InputError: a budget is set, and the price of a model is not known.
    """
    if settings.limits.concurrency < 1:
        raise InputError(f"concurrency is {settings.limits.concurrency!r}; it must be at least 1")
    run = _Run(iter(asks), open_model, cache, settings)
    try:
        async for batch in run.answers():
            run.tally.add(batch)
            yield batch
    finally:
        await run.close()


class _Run:
    """One run: what is looked up, what waits for a worker, what is in flight, what has ended."""

    def __init__(
        self,
        asks: Iterator[Ask],
        open_model: Callable[[], ChatModel],
        cache: Cache | None,
        settings: Settings,
    ) -> None:
        self._asks, self._cache, self._how = asks, cache, settings
        self._desk = Desk(open_model, cache, settings)
        self.tally = Tally(settings.total, settings.progress)
        self._queue: deque[Ask] = deque()
        self._followers: dict[str, list[Ask]] = {}
        """Key of each request that is queued or in flight -> equal requests that came later."""
        self._ended: dict[str, Answer] = {}
        """Answers that the cache does not hold, for equal requests that come later."""
        self._renewed: set[str] = set()
        self._done: list[Answer] = []
        self._moved, self._more = asyncio.Event(), asyncio.Event()
        self._scattered = self._closed = False
        self._problem: BaseException | None = None
        self._workers: list[asyncio.Task[None]] = []

    async def answers(self) -> AsyncIterator[list[Answer]]:
        """Yield the answers; the workers go on while the caller deals with a batch."""
        while chunk := list(islice(self._asks, LOOK_UP)):
            ready, missing = self._look_up(chunk)
            if missing:
                ready += await self._enqueue(missing)
            if ready:
                yield ready
            while len(self._queue) > self._how.limits.concurrency:
                if batch := await self._next():
                    yield batch
            await asyncio.sleep(0)  # a loop that we share has other things to do
        self._closed = True
        self._more.set()
        while self._followers or self._done:
            if batch := await self._next():
                yield batch

    async def close(self) -> None:
        """End the workers, put on disk what they had, and let go of the model."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        await self._desk.close()

    async def _next(self) -> list[Answer]:
        """Wait until something has ended, and return it."""
        if not self._done and self._problem is None:
            self._moved.clear()
            await self._moved.wait()
        if self._problem is not None:
            raise self._problem
        batch, self._done = self._done, []
        return batch

    def _look_up(self, chunk: list[Ask]) -> tuple[list[Answer], list[Ask]]:
        """Return the answers that are known, and one request of each kind that is not."""
        found = {}
        if self._cache is not None:
            keys = [ask.key for ask in chunk]
            if self._how.refresh:
                keys = [key for key in keys if key in self._renewed]
            found = self._cache.get_many(keys)
        ready: list[Answer] = []
        missing: list[Ask] = []
        known = found.get
        for ask in chunk:
            key = ask.key
            reply = known(key)
            if reply is not None:
                ready.append(_hit(Answer, (ask, reply, None, True, 0)))
            elif (followers := self._followers.get(key)) is not None:
                followers.append(ask)
            elif (ended := self._ended.get(key)) is not None:
                ready.append(_copy(ended, ask))
            elif self._how.offline:
                ready.append(Answer(ask, failure=_OFFLINE))
            else:
                self._followers[key] = []
                missing.append(ask)
        return ready, missing

    async def _enqueue(self, missing: list[Ask]) -> list[Answer]:
        """Hand requests to the workers; return the failures if there is no model to ask."""
        ready: list[Answer] = []
        if not self._desk.opened:
            await self._desk.open()
            ready, missing = self._kept_meanwhile(missing)
            if self._desk.unready is None:
                workers = (self._work() for _ in range(self._how.limits.concurrency))
                self._workers = [asyncio.create_task(work) for work in workers]
        if self._desk.unready is None:
            self._queue.extend(_scattered(missing) if self._scattered else missing)
            self._more.set()
            return ready
        failed = [Answer(ask, failure=self._desk.unready) for ask in missing]
        return [a for answer in failed for a in self._with_followers(answer)]

    def _kept_meanwhile(self, missing: list[Ask]) -> tuple[list[Answer], list[Ask]]:
        """Return what others have kept while the model was opened, and what is missing still."""
        if self._cache is None or self._how.refresh or self._desk.unready:
            return [], missing
        found = self._cache.get_many([ask.key for ask in missing])
        ready = [
            a
            for ask in missing
            if (reply := found.get(ask.key)) is not None
            for a in self._with_followers(Answer(ask, reply, cached=True))
        ]
        return ready, [ask for ask in missing if ask.key not in found]

    async def _work(self) -> None:
        try:
            while True:
                if self._queue:
                    await self._one(self._queue.popleft())
                elif self._closed:
                    return
                else:
                    self._more.clear()
                    await self._more.wait()
        except Exception as problem:  # noqa: BLE001  (raised where the answers are waited for)
            self._problem = problem
            self._moved.set()

    async def _one(self, ask: Ask) -> None:
        """Answer one request; when it counts as answered, it is on disk."""
        answer, met_another = await self._desk.answer(ask)
        if self._how.refresh and answer.reply is not None:
            self._renewed.add(ask.key)
        if met_another and not self._scattered:
            # Another process is at work right here: go elsewhere, or both ask the same.
            self._scattered = True
            waiting, self._queue = self._queue, deque()
            self._queue.extend(_scattered(waiting))
        self._done += self._with_followers(answer)
        self._moved.set()

    def _with_followers(self, answer: Answer) -> list[Answer]:
        """Return an answer that is in, and its copies for equal requests that wait for it."""
        followers = self._followers.pop(answer.key)
        if answer.reply is None or self._cache is None or not is_complete(answer.reply):
            self._ended[answer.key] = answer
        return [answer, *(_copy(answer, ask) for ask in followers)]


_hit = tuple.__new__
"""Makes a named tuple at half the price of a call of its class."""

_OFFLINE = ModelCallError("not in the cache, and no call is made offline", cause="offline")


def _scattered(asks: Iterable[Ask]) -> list[Ask]:
    """Return requests in an order that no other process has."""
    order = list(asks)
    random.shuffle(order)
    return order


def _copy(answer: Answer, ask: Ask) -> Answer:
    """Return the answer to a request that equals one already answered."""
    return Answer(ask, answer.reply, answer.failure, cached=answer.reply is not None)
