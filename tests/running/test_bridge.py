"""Blocking calls from anywhere."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from judgekit.running.bridge import run_blocking

VARIABLE = contextvars.ContextVar("VARIABLE", default="unset")


async def work() -> str:
    """Wait a little and say where."""
    await asyncio.sleep(0.001)
    return f"{threading.current_thread().name} {VARIABLE.get()}"


async def fail() -> None:
    """Raise something."""
    await asyncio.sleep(0)
    raise LookupError("from within")


def test_without_a_loop() -> None:
    """In this thread."""
    assert run_blocking(work) == "MainThread unset"


def test_inside_a_running_loop() -> None:
    """A notebook, or a test of the user's under an event loop: a fresh thread, the same context."""

    async def cell() -> str:
        VARIABLE.set("set")
        return run_blocking(work)

    assert asyncio.run(cell()) == "judgekit-blocking set"


@pytest.mark.parametrize("inside", [False, True])
def test_an_exception_comes_out(inside: bool) -> None:  # noqa: FBT001
    """Unchanged, wherever it ran."""

    async def cell() -> None:
        run_blocking(fail)

    with pytest.raises(LookupError, match="from within"):
        asyncio.run(cell()) if inside else run_blocking(fail)


def test_each_call_has_its_own_loop() -> None:
    """Two calls in one cell do not trip over each other."""

    async def cell() -> list[str]:
        return [run_blocking(work), run_blocking(work)]

    assert len(asyncio.run(cell())) == 2
