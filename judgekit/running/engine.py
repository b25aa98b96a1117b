"""Asking many questions: cache first, each question once, nothing paid for is lost.

A worker takes its next request only after the reply to the last one is committed to the cache, so
a process that dies at any moment loses at most the calls in flight.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

from judgekit.errors import InputError, JudgekitError, ModelCallError
from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.model import ChatModel, Preparable
from judgekit.running.progress import Answer, Progress, Tally
from judgekit.running.retry import Circuit, RetryPolicy
from judgekit.running.secrets import Secrets
from judgekit.running.writer import Cache, CacheWriter

__all__ = ["Answer", "Progress", "answer_all"]

LOOK_UP = 500
"""How many requests are looked up at a time."""


async def answer_all(  # noqa: PLR0913  (each is a setting of its own)
    requests: Iterable[ModelRequest],
    *,
    open_model: Callable[[], ChatModel],
    cache: Cache | None,
    concurrency: int = 16,
    timeout: float = 120.0,  # noqa: ASYNC109  (per call, not for the whole)
    retry: RetryPolicy | None = None,
    progress: Callable[[Progress], None] | None = None,
    max_cost_usd: float | None = None,
) -> list[Answer]:
    """Answer every request and return the answers in the same order.

    Equal requests share one call. Whatever goes wrong with a call becomes the ``failure`` of its
    answer; only trouble of another kind (the disk, a missing package) is raised, and what was
    answered until then is in the cache.

    Args:
        requests: What to ask.
        open_model: Makes the model; not called when the cache answers everything.
        cache: Where replies are looked up and kept; None asks everything and keeps nothing.
        concurrency: Most calls at once.
        timeout: Seconds after which one call is given up.
        retry: How failed calls are repeated; None is ``RetryPolicy()``.
        progress: Called after each answer.
        max_cost_usd: Once the known cost of this run's calls has reached it, the remaining
            requests fail with cause ``budget``. Calls in flight still end and are kept, so the
            cost may go beyond it by as many calls. A reply without a known price does not count.

    Raises:
        StorageError: the cache cannot be read or written.
    """
    if concurrency < 1:
        raise InputError(f"concurrency is {concurrency!r}; it must be at least 1")
    run = _Run(list(requests), cache, timeout, retry or RetryPolicy(), progress, max_cost_usd)
    missing = await run.look_up()
    if missing:
        await run.ask(missing, open_model, concurrency)
    return run.answers()


class _Run:
    """One run; holds what its workers share."""

    def __init__(
        self,
        requests: list[ModelRequest],
        cache: Cache | None,
        timeout: float,
        retry: RetryPolicy,
        progress: Callable[[Progress], None] | None,
        max_cost_usd: float | None,
    ) -> None:
        self._requests, self._cache, self._timeout = requests, cache, timeout
        self._retry, self._max_cost = retry, max_cost_usd
        self._ended: dict[str, Answer] = {}
        self._tally = Tally(len(requests), progress)
        self._circuit = Circuit(retry.give_up_after)
        self._copies = Counter(request.key for request in requests)

    async def look_up(self) -> list[ModelRequest]:
        """Take from the cache what it has; return one request of each kind that it has not."""
        distinct = {request.key: request for request in self._requests}
        if self._cache is None:
            return list(distinct.values())
        missing, remaining = [], iter(distinct)
        while keys := tuple(islice(remaining, LOOK_UP)):
            found = self._cache.get_many(keys)
            missing += [distinct[key] for key in keys if key not in found]
            if found:
                self._end(*(Answer(distinct[k], r, cached=True) for k, r in found.items()))
            await asyncio.sleep(0)  # a loop that we share has other things to do
        return missing

    async def ask(
        self, missing: list[ModelRequest], open_model: Callable[[], ChatModel], concurrency: int
    ) -> None:
        """Open the model and ask it everything that is missing."""
        async with contextlib.AsyncExitStack() as stack:
            try:
                model = open_model()
                stack.push_async_callback(_close, model)
                if isinstance(model, Preparable):
                    await model.prepare()
            except ModelCallError as failure:
                self._end(*(Answer(request, failure=failure) for request in missing))
                return
            writer = None
            if self._cache is not None:
                writer = CacheWriter(self._cache)
                stack.push_async_callback(writer.aclose)
            queue = deque(missing)
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(concurrency, len(missing))):
                        workers.create_task(self._work(queue, model, writer))
            except BaseExceptionGroup as group:
                raise group.exceptions[0] from None

    def answers(self) -> list[Answer]:
        """Return the answers in the order of the requests."""
        seen: set[str] = set()
        answers = []
        for request in self._requests:
            first = request.key not in seen
            seen.add(request.key)
            answers.append(self._ended[request.key] if first else self._copy(request))
        return answers

    async def _work(
        self, queue: deque[ModelRequest], model: ChatModel, writer: CacheWriter | None
    ) -> None:
        while queue:
            request = queue.popleft()
            answer, met_another = await self._answer_and_keep(request, model, writer)
            if met_another:
                # Another process is at work right here: go elsewhere, or both ask the same.
                queue.rotate(random.randrange(len(queue) + 1))  # noqa: S311  (no secret)
                await asyncio.sleep(0)
            self._end(answer)

    async def _answer_and_keep(
        self, request: ModelRequest, model: ChatModel, writer: CacheWriter | None
    ) -> tuple[Answer, bool]:
        """Return the answer, on disk by now, and whether another process had it there first."""
        if writer is None or self._cache is None:
            return await self._answer(request, model), False
        kept = self._cache.get_many((request.key,)).get(request.key)
        if kept is not None:
            return Answer(request, kept, cached=True), True
        answer = await self._answer(request, model)
        if answer.reply is None:
            return answer, False
        kept = await writer.put(request.key, answer.reply)
        return replace(answer, reply=kept), kept is not answer.reply

    async def _answer(self, request: ModelRequest, model: ChatModel) -> Answer:
        attempts = 0
        failure = self._stop()
        while failure is None:
            attempts += 1
            try:
                reply = await self._call(request, model)
            except ModelCallError as error:
                wait = self._retry.wait_before(attempts + 1, error)
                if wait is None:
                    failure = error
                    self._circuit.record(error)
                    break
                await self._retry.sleep(wait)
                if self._stop() is not None:
                    failure = error
            else:
                self._circuit.record(None)
                return Answer(request, reply, attempts=attempts)
        return Answer(request, failure=failure, attempts=attempts)

    async def _call(self, request: ModelRequest, model: ChatModel) -> ModelReply:
        """Make one call; whatever goes wrong with it becomes a ModelCallError."""
        try:
            async with asyncio.timeout(self._timeout):
                return await model.complete(request, timeout=self._timeout)
        except JudgekitError:
            raise
        except TimeoutError:
            raise ModelCallError(
                f"{request.model}: no answer within {self._timeout:g} s",
                cause="timeout",
                transient=True,
            ) from None
        except Exception as error:
            said = Secrets().hide(f"{type(error).__name__} in the client: {error}")
            raise ModelCallError(f"{request.model}: {said}", cause="bad_request") from error

    def _stop(self) -> ModelCallError | None:
        """Return what requests fail with from now on; None while they may be asked."""
        if self._max_cost is not None and self._tally.cost_usd >= self._max_cost:
            return ModelCallError(
                f"not asked, since the budget of {self._max_cost:g} USD is spent",
                cause="budget",
                hint="run again with a higher budget; what was answered is kept",
            )
        return self._circuit.failure

    def _end(self, *answers: Answer) -> None:
        """Count some answers, each as often as it was asked for."""
        everyone = list(answers)
        for answer in answers:
            key = answer.request.key
            self._ended[key] = answer
            everyone += [self._copy(answer.request)] * (self._copies[key] - 1)
        self._tally.add(*everyone)

    def _copy(self, request: ModelRequest) -> Answer:
        """Return the answer to a request that equals one already answered."""
        first = self._ended[request.key]
        return Answer(request, first.reply, first.failure, cached=first.reply is not None)


async def _close(model: ChatModel) -> None:
    with contextlib.suppress(
        Exception
    ):  # the answers are in; a client that won't go spoils nothing
        await model.aclose()
