"""A clock that jumps to the next thing that is due, so that waiting takes no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from judgekit.errors import ModelCallError

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Waits for nothing: has the loop's clock jump ahead instead."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> Any:
        """Return what is ready now; if nothing is, it is later."""
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "everybody waits for somebody else"
            self.loop.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while everybody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Return the seconds since the loop was made."""
        return self.now


def now() -> float:
    """Return the time of the running loop."""
    return asyncio.get_running_loop().time()


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run ``main`` in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def failed(cause: str = "server", **more: Any) -> ModelCallError:
    """Return a failure that may pass, or one that will not."""
    permanent = (
        *("authentication", "not_found", "quota", "bad_request", "context_length", "filtered"),
        "budget",
    )
    return ModelCallError("it failed", cause=cause, transient=cause not in permanent, **more)
