"""One event loop in a thread of its own, for judges that are asked from anywhere.

Whoever asks may be plain code, a coroutine of any loop or a thread of a pool; clients, limits and
the cache belong to this loop only, and stay open from one question to the next.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures.thread  # noqa: F401  (see the end of this file)
import contextlib
import os
import selectors
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """A selector that a forked child cannot take connections out of.

    Both share what the system watches. When the child's copies of its parent's connections are
    collected, they end their own watch, and the parent would never hear from them again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._process = os.getpid()

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Watch a file no more, if this process watches it."""
        if self._process != os.getpid():
            return self.get_key(fileobj)
        return super().unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch a file for other events, if this process watches it."""
        if self._process != os.getpid():
            return self.get_key(fileobj)
        return super().modify(fileobj, events, data)


class _Background:
    """The loop of one process."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.loop = asyncio.SelectorEventLoop(_Selector())
        self.thread = threading.Thread(
            target=self.loop.run_forever, name="judgekit-background", daemon=True
        )
        self.thread.start()


_lock = threading.Lock()
_current: _Background | None = None
_closers: dict[Callable[[], object], int] = {}
"""What is to be done before the interpreter ends -> the process that asked for it."""


def _background() -> _Background:
    """Return the loop of this process; a child process begins its own."""
    global _current  # noqa: PLW0603  (one loop for a process is the point)
    with _lock:
        if _current is None or _current.process != os.getpid():
            _current = _Background()
        return _current


def submit(make: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
    """Begin the coroutine that ``make`` makes in the background, and return its future."""

    async def run() -> T:
        return await make()

    return asyncio.run_coroutine_threadsafe(run(), _background().loop)


def wait(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run the coroutine in the background and return its result; works inside a running loop.

    A loop that runs in the calling thread stands still meanwhile: there, :func:`wait_async`.

    Raises:
        RuntimeError: called from the background loop itself, which would wait for ever.
    """
    if threading.current_thread() is _background().thread:
        raise RuntimeError("the background loop cannot wait for itself")
    future = submit(make)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def wait_async(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run the coroutine in the background; awaited from any asyncio loop.

    Cancelling the wait cancels the coroutine.
    """
    return await asyncio.wrap_future(submit(make))


def at_end(close: Callable[[], object]) -> None:
    """Have this done before the interpreter ends, while the background loop still runs."""
    _closers[close] = os.getpid()


def not_at_end(close: Callable[[], object]) -> None:
    """Forget what :func:`at_end` was told."""
    _closers.pop(close, None)


def _close_all() -> None:
    for close, process in list(_closers.items()):
        if process == os.getpid():  # a forked child leaves its parent's to the parent
            with contextlib.suppress(Exception):
                close()


# At a plain ``atexit`` no executor takes work any more, and the cache's last rows need one. What is
# registered here runs before that, as long as the executors' own module is loaded by now.
getattr(threading, "_register_atexit", atexit.register)(_close_all)
