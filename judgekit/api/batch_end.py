"""Ending batches: cancelling them, and taking them off the list."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.api.batch_endpoints import Endpoints
from judgekit.api.batch_steps import cancel_one
from judgekit.errors import InputError
from judgekit.running.batch_record import BatchRecord
from judgekit.running.bridge import run_blocking
from judgekit.storage.batches import BatchStore
from judgekit.storage.project import Project


def cancel_batch(project: Project, name: str) -> BatchRecord:
    """Cancel a batch; blocking twin of `cancel_batch_async`."""
    return run_blocking(lambda: cancel_batch_async(project, name))


async def cancel_batch_async(project: Project, name: str) -> BatchRecord:
    """Cancel a batch. What was answered by then is paid for and can still be collected.

    Raises:
        UnknownName: there is no such batch.
        ModelCallError: the provider failed.
    """
    store = BatchStore(project.batches)
    async with store.lock(), Endpoints(project) as endpoints:
        (record,) = store.some([name])
        if record.over or record.state in ("planned", "uploaded"):
            state = record.state if record.over else "withdrawn"
            return store.save(record.but(state=state))
        client = await endpoints.client(record)
        return await cancel_one(store, client, record)


def forget_batches(
    project: Project, ids: Sequence[str] = (), *, force: bool = False
) -> list[BatchRecord]:
    """Remove batches that are over from the list, or those named; return them.

    Args:
        project: Where they were submitted from.
        ids: Which; all that are over by default.
        force: Also those from which replies are still to come: these are then lost.

    Raises:
        UnknownName: there is no such batch.
        InputError: replies are still to come from it.
    """

    async def under_lock() -> list[BatchRecord]:
        store = BatchStore(project.batches)
        async with store.lock():
            records = [r for r in store.some(ids) if ids or r.over]
            going = [record for record in records if not record.over]
            if going and not force:
                raise InputError(
                    f"replies are still to come from batch {going[0].id}",
                    hint=f"judgekit batch collect {going[0].id}; or cancel it first",
                )
            for record in records:
                store.forget(record.id)
            return records

    return run_blocking(under_lock)
