"""Putting replies on disk: one transaction for all that came in meanwhile.

It is made right in the event loop, which is several times cheaper than to hand it to a thread, as
long as nothing has to be waited for. Where another process is writing, where the disk has to catch
up, or where a cache cannot tell, it goes to the thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, runtime_checkable

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running.cache_files import Replaced
from judgekit.running.claims import Claims


class Cache(Protocol):
    """Where replies are kept. ``judgekit.testing.check_cache`` holds one to this."""

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return the replies kept under those of ``keys`` that have one."""
        ...

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep the complete ones of ``entries``, durably and all or none; return how many.

        With no entries at all: do nothing, but raise where nothing could be kept.
        """
        ...

    def close(self) -> None:
        """Let go of what this thread has open; used again, the cache opens it again."""
        ...


@runtime_checkable
class SharedCache(Cache, Protocol):
    """A cache that can tell in one step what another process has kept meanwhile."""

    def add_many(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply]:
        """Keep the complete ones of ``entries`` that are not there yet, durably, all or none.

        Returns:
            What stands under the others.
        """
        ...


@runtime_checkable
class PromptCache(SharedCache, Protocol):
    """A cache that can tell whether keeping something takes waiting."""

    def add_now(self, entries: Iterable[tuple[str, ModelReply]]) -> dict[str, ModelReply] | None:
        """Do what ``add_many`` does, or nothing and return None where it would take waiting."""
        ...


@runtime_checkable
class ClaimedCache(Cache, Protocol):
    """A cache whose runs tell each other what they are asking, so that none asks it twice."""

    def claims(self) -> Claims:
        """Return what a new run takes its requests with."""
        ...

    def others(self) -> bool:
        """Return whether others may have kept replies since this cache was first written to."""
        ...


TURNS = 3
"""After how many turns of the loop a reply is written, with all that came in meanwhile.

A loop with nothing else to do takes its turns at once, a busy one brings a few replies in each.
"""

Waiting = tuple[str, ModelReply, asyncio.Future[ModelReply]]


class CacheWriter:
    """Writes replies to a cache from within an event loop, without holding it up.

    Replies are written every few turns of the loop; those that arrive while the thread is at work
    go together into its next transaction. A reply that another process has kept meanwhile
    stands, so that every run says what a second run will say.

    Args:
        cache: Where to write.
        replace: Let a reply take the place of one that is there, which was asked for anew.

    Raises:
        StorageError: nothing can be kept there. It is known before anything is paid for.
    """

    def __init__(self, cache: Cache, *, replace: bool = False) -> None:
        cache.put_many(())
        self._cache, self._replace = cache, replace
        self._prompt = cache if isinstance(cache, PromptCache) and not replace else None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="judgekit-cache")
        self._collected: list[Waiting] = []
        self._handed: deque[list[Waiting]] = deque()
        self._at_work = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def put(self, key: str, reply: ModelReply) -> ModelReply:
        """Keep one reply; when it is on disk, return the one that stands there."""
        loop = asyncio.get_running_loop()
        committed: asyncio.Future[ModelReply] = loop.create_future()
        if not self._collected:
            self._idle.clear()
            loop.call_soon(self._hand_over, loop, TURNS)
        self._collected.append((key, reply, committed))
        return await committed

    async def aclose(self) -> None:
        """Write what is still waiting and end the thread."""
        await self._idle.wait()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._cache.close)
        self._thread.shutdown()

    def _hand_over(self, loop: asyncio.AbstractEventLoop, turns: int) -> None:
        """Write what the last turns of the loop brought, or give it to the thread."""
        if turns > 1:
            loop.call_soon(self._hand_over, loop, turns - 1)
            return
        batch, self._collected = self._collected, []
        if not self._at_work and (outcomes := self._written_now(batch)) is not None:
            self._told(batch, outcomes)
            self._idle.set()
            return
        self._handed.append(batch)
        if not self._at_work:
            self._at_work = True
            self._thread.submit(self._work, loop)

    def _written_now(self, batch: list[Waiting]) -> list[ModelReply | Exception] | None:
        """Write some replies, as ``_written`` does; None where that is for the thread to do."""
        if self._prompt is None:
            return None
        try:
            others = self._prompt.add_now([(key, reply) for key, reply, _ in batch])
        except Replaced as problem:
            return self._moved(batch, problem)
        except Exception:  # noqa: BLE001  (the thread meets it again, and tells)
            return None
        return None if others is None else [others.get(key, reply) for key, reply, _ in batch]

    # In the thread.

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write until there is nothing left."""
        with contextlib.suppress(RuntimeError):  # the loop is gone, and everyone who waited
            while self._handed:
                batch = [one for _ in range(len(self._handed)) for one in self._handed.popleft()]
                loop.call_soon_threadsafe(self._told, batch, self._written(batch))
            loop.call_soon_threadsafe(self._rest, loop)

    def _written(self, batch: list[Waiting]) -> list[ModelReply | Exception]:
        """Write some replies; return for each the one that stands, or what went wrong."""
        entries = {key: reply for key, reply, _ in batch}
        try:
            others = self._keep(entries)
        except Replaced as problem:
            return self._moved(batch, problem)
        except StorageError as problem:
            return [problem] * len(batch)
        except Exception as problem:  # noqa: BLE001  (handed to the one who waits)
            if len(batch) == 1:
                return [problem]
            return [outcome for one in batch for outcome in self._written([one])]
        return [others.get(key, reply) for key, reply, _ in batch]

    def _moved(self, batch: list[Waiting], problem: Replaced) -> list[ModelReply | Exception]:
        """Keep in the database that is there now what was paid for."""
        with contextlib.suppress(StorageError):
            self._keep({key: reply for key, reply, _ in batch})
        return [problem] * len(batch)

    def _keep(self, entries: dict[str, ModelReply]) -> dict[str, ModelReply]:
        """Keep what is not there yet; return what was."""
        if isinstance(self._cache, SharedCache) and not self._replace:
            return self._cache.add_many(entries.items())
        others = {} if self._replace else self._cache.get_many(entries)
        self._cache.put_many(e for e in entries.items() if e[0] not in others)
        return others

    # In the loop again.

    def _told(self, batch: list[Waiting], outcomes: list[ModelReply | Exception]) -> None:
        for (_, _, committed), outcome in zip(batch, outcomes, strict=True):
            if committed.done():  # its worker was cancelled; the reply is kept all the same
                continue
            if isinstance(outcome, Exception):
                committed.set_exception(outcome)
                committed.exception()  # noted, in case its worker is being cancelled
            else:
                committed.set_result(outcome)

    def _rest(self, loop: asyncio.AbstractEventLoop) -> None:
        """The thread has nothing to do; it goes on with what came in since it looked."""
        self._at_work = bool(self._handed)
        if self._at_work:
            self._thread.submit(self._work, loop)
        elif not self._collected:
            self._idle.set()
