"""Waiting one's turn: first come, first served."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[object]]
"""Waits so many seconds."""

_SHORTEST_S = 0.001
"""Shorter waits may end before the clock has moved."""


class Line:
    """Those who wait for something that there is not enough of.

    Only the first in line tries; whoever is cancelled leaves the line as if never there.

    Args:
        sleep: Waits.
    """

    def __init__(self, sleep: Sleep = asyncio.sleep) -> None:
        self._sleep = sleep
        self._waiting: deque[asyncio.Event] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def ring(self) -> None:
        """Have the first in line try again: something has changed."""
        if self._waiting:
            self._waiting[0].set()

    async def wait(self, attempt: Callable[[], T | None], delay: Callable[[], float | None]) -> T:
        """Wait for one's turn, then until ``attempt`` returns something, and return it.

        Args:
            attempt: Takes what is waited for, or returns None.
            delay: Tells, after an attempt that failed, the seconds until another may succeed;
                None when only a ``ring`` can help.
        """
        bell = asyncio.Event()
        self._waiting.append(bell)
        try:
            while True:
                seconds = None
                if self._waiting[0] is bell:
                    bell.clear()
                    taken = attempt()
                    if taken is not None:
                        return taken
                    seconds = delay()
                await self._rung(bell, seconds)
        finally:
            self._waiting.remove(bell)
            self.ring()

    async def _rung(self, bell: asyncio.Event, seconds: float | None) -> None:
        """Return when the bell rings, or after some seconds."""
        if seconds is None:
            await bell.wait()
            return
        timer = asyncio.create_task(self._ring_after(seconds, bell))
        try:
            await bell.wait()
        finally:
            timer.cancel()

    async def _ring_after(self, seconds: float, bell: asyncio.Event) -> None:
        await self._sleep(max(seconds, _SHORTEST_S))
        bell.set()
