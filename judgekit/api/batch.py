"""Following batches: how they stand, and what they brought."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from judgekit.api.batch_look import Collection, look_once
from judgekit.running.batch_record import BatchRecord
from judgekit.running.bridge import run_blocking
from judgekit.storage.batches import BatchStore
from judgekit.storage.project import Project


def list_batches(project: Project, ids: Sequence[str] = ()) -> list[BatchRecord]:
    """Return the batches as they were last seen; nobody is asked.

    Raises:
        UnknownName: there is no such batch.
    """
    return BatchStore(project.batches).some(ids)


def look_at_batches(project: Project, ids: Sequence[str] = ()) -> Collection:
    """Ask providers once how batches stand; blocking twin of `look_at_batches_async`."""
    return run_blocking(lambda: look_at_batches_async(project, ids))


async def look_at_batches_async(project: Project, ids: Sequence[str] = ()) -> Collection:
    """Ask providers once how batches stand: those named, or all.

    Raises:
        UnknownName: there is no such batch.
    """
    return await look_once(project, ids, collect=False)


def collect_batches(
    project: Project,
    ids: Sequence[str] = (),
    *,
    wait: bool = False,
    poll_s: float = 30.0,
    report: Callable[[Collection], None] | None = None,
) -> Collection:
    """Collect what batches brought; blocking twin of `collect_batches_async`."""
    return run_blocking(
        lambda: collect_batches_async(project, ids, wait=wait, poll_s=poll_s, report=report)
    )


async def collect_batches_async(
    project: Project,
    ids: Sequence[str] = (),
    *,
    wait: bool = False,
    poll_s: float = 30.0,
    report: Callable[[Collection], None] | None = None,
) -> Collection:
    """Put the replies of batches that have ended into the cache; the next run finds them there.

    Args:
        project: Where they were submitted from.
        ids: Which; all by default.
        wait: Stay until all have ended.
        poll_s: Seconds between two looks.
        report: Called after each look.

    Raises:
        UnknownName: there is no such batch.
    """
    fresh: list[str] = []
    while True:
        found = await look_once(project, ids, collect=True)
        fresh += found.fresh
        found = Collection(found.batches, tuple(fresh), found.failures, found.problems)
        if report is not None:
            report(found)
        going = [r for r in found.waiting if not r.interrupted and r.id not in found.problems]
        if not wait or not going:
            return found
        await asyncio.sleep(poll_s)
