"""What a batch that has ended brought: replies for the cache, and why the rest has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from judgekit.running.batch_client import BatchClient
from judgekit.running.batch_lines import Line, LineReader
from judgekit.running.batch_record import BatchRecord, Place, Seen, Trouble
from judgekit.running.cache import ReplyCache
from judgekit.running.prices import Price, price_per_million
from judgekit.storage.batches import BatchStore

_CHUNK = 500


class Failure(NamedTuple):
    """One request of a batch that has no reply: what it is about, and why."""

    place: Place
    cause: str
    message: str


async def collect_one(
    store: BatchStore, client: BatchClient, cache: ReplyCache, record: BatchRecord
) -> BatchRecord:
    """Put the replies of a batch that has ended into the cache, and write down what failed.

    Done again after it was interrupted, it comes to the same: a reply that is in the cache stays.
    """
    if record.seen is None or not record.ended:
        return record
    reader = LineReader(record.model, client.secrets, _stated_price(record), tokens=record.tokens)
    wanted = {place.key: place for place in store.places(record.id)}
    found: dict[str, Line] = {}
    for file_id in (record.seen.output_file, record.seen.error_file):
        if file_id is not None:
            lines = reader.read(await client.content(file_id))
            ours = (_as_asked(line, wanted, record) for line in lines if line.key in wanted)
            while chunk := list(islice(ours, _CHUNK)):
                _keep(cache, chunk, found)
    troubles = _troubles(record, wanted, found, reader)
    store.save_troubles(record.id, troubles)
    paid = [line.reply.cost_usd for line in found.values() if line.reply is not None]
    known = [cost for cost in paid if cost is not None]
    return store.save(
        record.but(
            state="collected",
            kept=len(wanted) - len(troubles),
            lost=len(troubles),
            cost_usd=float(sum(known)) if known or not paid else None,
            unpriced=len(paid) - len(known),
        )
    )


def failures_of(store: BatchStore, record: BatchRecord) -> list[Failure]:
    """Return the requests of a collected batch that have no reply, item by item."""
    troubles = {trouble.key: trouble for trouble in store.troubles(record.id)}
    if not troubles:
        return []
    return [
        Failure(place, troubles[place.key].cause, troubles[place.key].message)
        for place in store.places(record.id)
        if place.key in troubles
    ]


def _keep(cache: ReplyCache, lines: Sequence[Line], found: dict[str, Line]) -> None:
    """Put complete replies into the cache; of two lines for one request the better one counts."""
    for line in lines:
        if line.key not in found or (found[line.key].cause and not line.cause):
            found[line.key] = line
    fresh = {line.key: line.reply for line in lines if line.reply and line.cause is None}
    known = cache.get_many(fresh)
    cache.put_many((key, reply) for key, reply in fresh.items() if key not in known)


def _as_asked(line: Line, wanted: dict[str, Place], record: BatchRecord) -> Line:
    """Return a line whose reply says how it was asked."""
    if line.reply is None:
        return line
    reply = line.reply._replace(
        left_out=record.left_out, adjusted=record.adjusted, notes=wanted[line.key].notes
    )
    return line._replace(reply=reply)


def _troubles(
    record: BatchRecord, wanted: Iterable[str], found: dict[str, Line], reader: LineReader
) -> list[Trouble]:
    """Return why each request without a reply has none, also those that nothing came back for."""
    seen = record.seen or Seen(status="")
    cause, message = "not_returned", f"{record.model}: nothing came back for this request"
    if seen.status == "failed":
        cause, message = reader.refusal(seen.errors)
    elif seen.status in ("expired", "cancelled"):
        cause, message = seen.status, f"{record.model}: {seen.status} before it was run"
    troubles = []
    for key in wanted:
        line = found.get(key)
        if line is None:
            troubles.append(Trouble(key, cause, message))
        elif line.cause is not None:
            troubles.append(Trouble(key, line.cause, line.message or ""))
    return troubles


def _stated_price(record: BatchRecord) -> Callable[[str], Price | None] | None:
    """Return what gives the price that the project states; None where it states none."""
    stated = record.price
    if stated is None:
        return None
    price = price_per_million(*stated)
    return lambda _: price
