"""One look at batches: how they stand, and what they brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from judgekit.api.batch_collect import Failure, collect_one, failures_of
from judgekit.api.batch_endpoints import Endpoints
from judgekit.api.batch_steps import look_at, look_for
from judgekit.errors import JudgingError
from judgekit.running.batch_record import BatchRecord
from judgekit.running.cache import ReplyCache
from judgekit.storage.batches import BatchStore
from judgekit.storage.project import Project


@dataclass(frozen=True, slots=True)
class Collection:
    """How batches stand, and what was collected.

    Attributes:
        batches: The batches.
        fresh: Ids of those collected just now.
        failures: Requests without a reply, by the id of their batch.
        problems: What went wrong with a batch at the provider, by its id.
    """

    batches: tuple[BatchRecord, ...]
    fresh: tuple[str, ...] = ()
    failures: dict[str, list[Failure]] = field(default_factory=dict)
    problems: dict[str, JudgingError] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[BatchRecord, ...]:
        """Return the batches from which replies are still to come."""
        return tuple(record for record in self.batches if not record.over)

    def without_old(self) -> Collection:
        """Return what is still to come or was collected just now."""
        kept = tuple(r for r in self.batches if not r.over or r.id in self.fresh)
        ids = {record.id for record in kept}
        failures = {name: rows for name, rows in self.failures.items() if name in ids}
        return Collection(kept, self.fresh, failures, self.problems)


async def look_once(project: Project, ids: Sequence[str], *, collect: bool) -> Collection:
    """Look once at batches, and collect those that have ended."""
    store = BatchStore(project.batches)
    fresh: list[str] = []
    records: list[BatchRecord] = []
    problems: dict[str, JudgingError] = {}
    async with store.lock(), Endpoints(project) as endpoints:
        for found in store.some(ids):
            record = found
            try:
                if record.state in ("creating", "submitted"):
                    client = await endpoints.client(record)
                    record = await look_for(store, client, record, decide=False)
                    record = await look_at(store, client, record)
                    if collect and record.ended:
                        with ReplyCache(project.cache) as cache:
                            record = await collect_one(store, client, cache, record)
                        fresh.append(record.id)
            except JudgingError as failure:
                problems[record.id] = failure
            records.append(record)
    failures = {record.id: failures_of(store, record) for record in records if record.lost}
    return Collection(tuple(records), tuple(fresh), failures, problems)
