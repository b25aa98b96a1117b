"""Time limits of many calls at once, with one timer for all of them.

``asyncio.timeout`` sets and takes back a timer for each call, which costs more than all the rest
of holding calls back. Calls of one run all may take as long as each other, so the one begun first
is due first, and only its timer need run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Due:
    """A call under way: whose it is, when it is due, whether it was given up."""

    __slots__ = ("at", "cancelling", "given_up", "task")

    def __init__(self, task: asyncio.Task[Any], at: float) -> None:
        self.task, self.at, self.cancelling = task, at, task.cancelling()
        self.given_up = False


class Timeouts:
    """Gives up calls that take too long; belongs to one event loop."""

    def __init__(self) -> None:
        self._under_way: dict[_Due, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def within(self, seconds: float, call: Coroutine[Any, Any, T]) -> T:
        """Return what a call returns, as ``asyncio.timeout`` does.

        Args:
            seconds: How long it may take. It is not due before those begun earlier: it may take
                longer than asked where they may take longer still.
            call: What is waited for.

        Raises:
            TimeoutError: it took longer.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("calls are made in a task")
        loop = asyncio.get_running_loop()
        due = _Due(task, loop.time() + seconds)
        self._under_way[due] = None
        if self._timer is None:
            self._timer = loop.call_at(due.at, self._look, loop)
        try:
            return await call
        except asyncio.CancelledError as error:
            if due.given_up and task.uncancel() <= due.cancelling:
                raise TimeoutError from error
            raise
        finally:
            del self._under_way[due]

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give up the calls that are due, and wait for the next."""
        self._timer = None
        for due in self._under_way:
            if due.given_up:
                continue
            if due.at > loop.time():
                self._timer = loop.call_at(due.at, self._look, loop)
                return
            due.given_up = True
            due.task.cancel()
