"""From blocking code into the one room that awaits, with or without a running event loop."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


def run_blocking(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run the coroutine that ``make`` makes to its end and return its result.

    Inside a running loop (a notebook, a web handler) it runs on a loop of its own in a fresh
    thread, since the running loop cannot be entered again.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    return _in_fresh_thread(make)


def _in_fresh_thread(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    outcome: Future[T] = Future()
    entered = threading.Event()
    cancel: list[Callable[[], object]] = []

    async def main() -> T:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        if task is not None:
            cancel.append(lambda: loop.call_soon_threadsafe(task.cancel))
        entered.set()
        return await make()

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(main()))
        except BaseException as error:  # noqa: BLE001  (raised again in the calling thread)
            outcome.set_exception(error)

    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(run,), name="judgekit-blocking")
    thread.start()
    try:
        return outcome.result()
    except KeyboardInterrupt:
        entered.wait()
        with contextlib.suppress(RuntimeError):  # its loop is closed: it had ended by itself
            for stop in cancel:
                stop()
        raise
    finally:
        thread.join()
