"""Fewer garbage collections while many answers pass through.

An answer passes through in a few hundred small objects that reference counting frees at once.
Python's collector, which looks for cycles after every 700 of them, finds none and takes a fifth
of the time.
"""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

ALLOCATIONS = 50_000
"""How many objects more than were freed start a collection."""

_lock = threading.Lock()
_runs = 0
_before = 0


@contextlib.contextmanager
def fewer_collections() -> Iterator[None]:
    """Let the collector run less often; as before once the last run inside has ended."""
    global _before, _runs  # noqa: PLW0603  (the collector is the process's own)
    with _lock:
        first, *others = gc.get_threshold()
        if not _runs:
            _before = first
            if 0 < first < ALLOCATIONS:  # 0 is switched off
                gc.set_threshold(ALLOCATIONS, *others)
        _runs += 1
    try:
        yield
    finally:
        with _lock:
            _runs -= 1
            if not _runs:
                gc.set_threshold(_before, *gc.get_threshold()[1:])
