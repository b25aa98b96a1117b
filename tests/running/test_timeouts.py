"""Time limits of many calls at once: as `asyncio.timeout` would keep them."""

from __future__ import annotations

import asyncio

import pytest

from judgekit.running.timeouts import Timeouts


async def said(word: str, after_s: float) -> str:
    """Say a word after a while."""
    await asyncio.sleep(after_s)
    return word


def test_only_calls_that_take_too_long_are_given_up() -> None:
    """Those begun before and after them come to their end; nothing is left running."""

    async def main() -> list[object]:
        timeouts = Timeouts()
        calls = [
            timeouts.within(0.05, said("in time", 0.01)),
            timeouts.within(0.05, said("too late", 5)),
            timeouts.within(0.05, said("too late as well", 5)),
            timeouts.within(5, said("has more time", 0.15)),
        ]
        outcomes: list[object] = await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
        return outcomes

    first, second, third, fourth = asyncio.run(main())
    assert (first, fourth) == ("in time", "has more time")
    assert isinstance(second, TimeoutError)
    assert isinstance(third, TimeoutError)


def test_a_call_begun_later_has_its_whole_time() -> None:
    """The one timer is set anew for it."""

    async def main() -> str:
        timeouts = Timeouts()
        with pytest.raises(TimeoutError):
            await timeouts.within(0.03, said("too late", 5))
        assert await timeouts.within(0.5, said("next", 0.05)) == "next"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(timeouts.within(0.03, said("too late", 5)), 3)
        return "done"

    assert asyncio.run(main()) == "done"


def test_whoever_is_cancelled_is_cancelled() -> None:
    """That is no timeout, also when both come at once."""

    async def main() -> None:
        timeouts = Timeouts()
        call = asyncio.create_task(timeouts.within(5, said("never", 5)))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

        both = asyncio.create_task(timeouts.within(0.0, said("never", 5)))
        await asyncio.sleep(0)
        both.cancel()
        with pytest.raises(asyncio.CancelledError):
            await both

    asyncio.run(main())


def test_a_failure_is_the_calls_own() -> None:
    """It goes through as it is, and a task goes on after a timeout as if never cancelled."""

    async def fails() -> None:
        raise ValueError("mine")

    async def main() -> None:
        timeouts = Timeouts()
        with pytest.raises(ValueError, match="mine"):
            await timeouts.within(1, fails())
        with pytest.raises(TimeoutError):
            await timeouts.within(0.01, said("never", 5))
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0

    asyncio.run(main())
