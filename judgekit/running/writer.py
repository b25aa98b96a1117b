"""Putting replies on disk: one thread, one transaction for all that came in meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from judgekit.judging.request import ModelReply


class Cache(Protocol):
    """Where replies are kept. ``judgekit.testing.check_cache`` holds one to this."""

    def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
        """Return the replies kept under those of ``keys`` that have one."""
        ...

    def put_many(self, entries: Iterable[tuple[str, ModelReply]]) -> int:
        """Keep the complete ones of ``entries``, durably and all or none; return how many."""
        ...

    def close(self) -> None:
        """Let go of what this thread has open; used again, the cache opens it again."""
        ...


class CacheWriter:
    """Writes replies to a cache from within an event loop, without blocking it.

    Replies that arrive while a transaction runs go together into the next one. A reply that
    another process has kept meanwhile stands, so that every run says what a second run will say.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="judgekit-cache")
        self._waiting: list[tuple[str, ModelReply, asyncio.Future[ModelReply]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def put(self, key: str, reply: ModelReply) -> ModelReply:
        """Keep one reply; when it is on disk, return the one that stands there."""
        committed: asyncio.Future[ModelReply] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, reply, committed))
        self._start()
        return await committed

    async def aclose(self) -> None:
        """Write what is still waiting and end the thread."""
        while self._waiting or self._writing:
            self._start()
            if self._writing is not None:
                await asyncio.shield(self._writing)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._cache.close)
        self._thread.shutdown()

    def _start(self) -> None:
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                entries = {key: reply for key, reply, _ in batch}
                problem: Exception | None = None
                try:
                    others = await loop.run_in_executor(self._thread, self._keep, entries)
                except Exception as error:  # noqa: BLE001  (handed to everyone who waits)
                    problem = error
                for key, reply, committed in batch:
                    if committed.done():  # its worker was cancelled; the reply is kept all the same
                        continue
                    if problem is None:
                        committed.set_result(others.get(key, reply))
                    else:
                        committed.set_exception(problem)
                        committed.exception()  # noted, in case its worker is being cancelled
        finally:
            self._writing = None

    def _keep(self, entries: dict[str, ModelReply]) -> dict[str, ModelReply]:
        """Keep what is not there yet; return what was."""
        others = self._cache.get_many(entries)
        self._cache.put_many(e for e in entries.items() if e[0] not in others)
        return others
