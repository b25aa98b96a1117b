"""One batch, step by step: each is written down before it is done and after it was done."""

from __future__ import annotations

import asyncio
import time

from judgekit.errors import JudgingError, ModelCallError
from judgekit.running.batch_client import UNSURE, BatchClient
from judgekit.running.batch_record import BatchRecord, Seen
from judgekit.running.batch_remote import RemoteBatch
from judgekit.storage.batches import BatchStore

SETTLE_S = 20.0
"""How long a batch may take to appear in the provider's list after it was asked for."""


async def submit_one(store: BatchStore, client: BatchClient, record: BatchRecord) -> BatchRecord:
    """Bring a batch to the provider from wherever its submission stands.

    Raises:
        ModelCallError: a step failed; the next try goes on from there.
    """
    record = await look_for(store, client, record)
    if record.state == "planned":
        name = f"judgekit-{record.id}.jsonl"
        file_id = await client.upload(name, store.input(record.id))
        record = store.save(record.but(state="uploaded", file_id=file_id))
    if record.state == "uploaded" and record.file_id is not None:
        record = store.save(record.but(state="creating", creating_at=time.time()))
        try:
            remote = await client.create(record.file_id or "", record.id)
        except ModelCallError as failure:
            if failure.cause not in UNSURE:  # it was refused, so it is not there
                store.save(record.but(state="planned", file_id=None, creating_at=None))
            raise
        record = _is_there(store, record, remote)
    return record


async def look_for(
    store: BatchStore, client: BatchClient, record: BatchRecord, *, decide: bool = True
) -> BatchRecord:
    """Find out whether a batch that was asked for is there; if not, it may be asked for again.

    Args:
        store: Where it is written down.
        client: Its endpoint.
        record: The batch.
        decide: Wait as long as it may still appear; else look once, and leave it open.

    Raises:
        JudgingError: the provider cannot be asked.
    """
    if record.state != "creating" or record.file_id is None or record.creating_at is None:
        return record
    while True:
        try:
            remote = await client.find(record.file_id, record.id, record.creating_at)
        except ModelCallError as failure:
            raise JudgingError(
                f"batch {record.id}: it was asked for, and whether the provider has made it cannot "
                f"be told ({failure.message})",
                hint=f"try again; or look for the metadata judgekit={record.id} at the provider, "
                f"and give the batch up here: judgekit batch forget {record.id} --force",
            ) from None
        if remote is not None:
            return _is_there(store, record, remote)
        if not decide:
            return record
        wait = record.creating_at + SETTLE_S - time.time()
        if wait <= 0:
            return store.save(record.but(state="uploaded", creating_at=None))
        await asyncio.sleep(min(wait, SETTLE_S) + 0.01)


def _is_there(store: BatchStore, record: BatchRecord, remote: RemoteBatch) -> BatchRecord:
    return store.save(record.but(state="submitted", batch_id=remote.id, seen=_seen(remote)))


async def look_at(store: BatchStore, client: BatchClient, record: BatchRecord) -> BatchRecord:
    """Ask the provider how a batch stands, unless it is known to have ended."""
    if record.state != "submitted" or record.ended or record.batch_id is None:
        return record
    remote = await client.retrieve(record.batch_id)
    return store.save(record.but(seen=_seen(remote)))


async def cancel_one(store: BatchStore, client: BatchClient, record: BatchRecord) -> BatchRecord:
    """Cancel a batch: at the provider if it is there, else here."""
    record = await look_for(store, client, record)
    if record.interrupted:
        return store.save(record.but(state="withdrawn"))
    record = await look_at(store, client, record)
    if record.batch_id is None or record.ended or record.over:
        return record
    remote = await client.cancel(record.batch_id)
    return store.save(record.but(seen=_seen(remote)))


def _seen(remote: RemoteBatch) -> Seen:
    return Seen(
        status=remote.status,
        total=remote.total,
        completed=remote.completed,
        failed=remote.failed,
        deadline=remote.deadline,
        output_file=remote.output_file,
        error_file=remote.error_file,
        errors=remote.errors,
        at=time.time(),
    )
