"""How long something takes, told so that a busy machine does not matter more than it must."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def cpu_seconds(call: Callable[[], object], *, times: int = 1, rounds: int = 3) -> float:
    """Return the CPU seconds of one call, in the best of a few rounds.

    Only this thread counts: what threads of other tests still do is not the call's. Nor is the
    collection of the garbage of the whole test run, which grows with the number of tests.

    Args:
        call: What to do.
        times: How often, in each round.
        rounds: How many rounds.
    """
    best = float("inf")
    collects = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            start = time.thread_time()
            for _ in range(times):
                call()
            best = min(best, (time.thread_time() - start) / times)
    finally:
        if collects:
            gc.enable()
    return best
