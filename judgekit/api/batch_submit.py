"""Submitting as batches, at half price, what a judge would ask."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from judgekit.api.batch_endpoints import Endpoints, bare_address
from judgekit.api.batch_steps import submit_one
from judgekit.api.setup import JudgeSetup
from judgekit.api.stream import How, JudgeRun, Only
from judgekit.errors import InputError, JudgingError
from judgekit.judging.item import Item
from judgekit.judging.request import Ask
from judgekit.rubric.model import Criterion
from judgekit.running.batch_bodies import BodyMaker, Learnt
from judgekit.running.batch_files import in_files, request_line
from judgekit.running.batch_lines import PRICE_SHARE
from judgekit.running.batch_record import BatchRecord, Place
from judgekit.running.batch_remote import check_provider
from judgekit.running.bridge import run_blocking
from judgekit.running.cache import ReplyCache
from judgekit.running.form import Put
from judgekit.running.prices import REPLY_TOKENS, request_tokens
from judgekit.storage.batches import BatchStore, new_id
from judgekit.storage.project import Project

GO_ON = "what was submitted is kept; the same command, or judgekit batch resume, goes on"
NOT_BEGUN = (
    "nothing was submitted; the same command, or judgekit batch resume, tries again, and "
    "judgekit batch cancel {} gives it up"
)
_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of the requests that a judge would ask.

    Attributes:
        requests: Different requests in all.
        cached: Those whose reply is in the cache.
        pending: Those in batches from which replies are still to come, these new ones aside.
        over_budget: Those left out, since the cost would go beyond the limit.
        sent: Those in the new batches.
        estimate_usd: About what the new batches cost, at half price; None when that is not known.
        batches: The new batches, and earlier ones whose submission was interrupted and went on.
        left_out: Parameters that are not sent, since the model does not take them.
    """

    requests: int
    cached: int
    pending: int
    over_budget: int
    sent: int
    estimate_usd: float | None
    batches: tuple[BatchRecord, ...]
    left_out: tuple[str, ...]


def submit_batches(
    setup: JudgeSetup,
    items: Sequence[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    only: Only | None = None,
    max_cost_usd: float | None = None,
) -> Submission:
    """Submit as batches what a judge would ask; blocking twin of `submit_batches_async`."""
    return run_blocking(
        lambda: submit_batches_async(
            setup, items, criteria=criteria, only=only, max_cost_usd=max_cost_usd
        )
    )


async def submit_batches_async(
    setup: JudgeSetup,
    items: Sequence[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    only: Only | None = None,
    max_cost_usd: float | None = None,
) -> Submission:
    """Submit as batches what a judge would ask about items, and return at once.

    Left out is what the cache has and what an earlier batch is to bring. An earlier submission of
    some of these requests that was interrupted goes on from where it stood. Each step is written
    down before and after it is done, so that a process that dies loses no batch and submits none
    twice.

    Args:
        setup: The judge.
        items: The items.
        criteria: Which criteria; all by default.
        only: Leaves out (criterion, item) pairs it is false for.
        max_cost_usd: Most that the batches may cost, by the estimate at half price; requests
            beyond it are left out.

    Raises:
        InputError: the model has no batches, an item lacks an input, or a limit is set and the
            price is not known; nothing was sent.
        ModelCallError: the provider failed; the next submission goes on.
    """
    _check(setup)
    run = JudgeRun(setup, criteria, How(only=only))
    asks = {ask.key: ask for ask in run.asks(items)}
    store = BatchStore(setup.project.batches)
    async with store.lock(make=True), Endpoints(setup.project) as endpoints:
        store.sweep()
        held = store.open_keys()
        pending = {key: held[key] for key in asks if key in held}
        begun = [r for r in store.all() if r.interrupted and r.id in pending.values()]
        cached, learnt = _in_cache(setup, [a for key, a in asks.items() if key not in pending])
        missing = [ask for key, ask in asks.items() if key not in cached and key not in pending]
        chosen, costs = _within(setup, missing, max_cost_usd)
        for member, part in _parts(chosen):
            begun += await _plan(setup, store, endpoints, (member, part), costs, learnt)
        batches = await _submit(store, endpoints, begun)
    known = [costs[ask.key] for ask in chosen]
    return Submission(
        requests=len(asks),
        cached=len(cached),
        pending=len(pending),
        over_budget=len(missing) - len(chosen),
        sent=len(chosen),
        estimate_usd=_sum(known),
        batches=tuple(batches),
        left_out=tuple(sorted({name for record in batches for name in record.left_out})),
    )


def resume_batches(project: Project, ids: Sequence[str] = ()) -> list[BatchRecord]:
    """Go on with submissions that were interrupted; blocking twin of `resume_batches_async`."""
    return run_blocking(lambda: resume_batches_async(project, ids))


async def resume_batches_async(project: Project, ids: Sequence[str] = ()) -> list[BatchRecord]:
    """Go on with submissions that were interrupted: those named, or all.

    Raises:
        UnknownName: there is no such batch.
        ModelCallError: the provider failed; the next try goes on.
    """
    store = BatchStore(project.batches)
    async with store.lock(), Endpoints(project) as endpoints:
        begun = [record for record in store.some(ids) if record.interrupted]
        return await _submit(store, endpoints, begun)


def _check(setup: JudgeSetup) -> None:
    for member in setup.judge.members:
        if member.model.startswith("local/"):
            raise InputError(
                f"{member.model} runs in this process: there is nobody to submit a batch to",
                hint="use judgekit try, score or calibrate",
            )
        check_provider(member.model)


def _in_cache(setup: JudgeSetup, asks: Iterable[Ask]) -> tuple[set[str], dict[int, Learnt]]:
    """Return the keys that the cache has, and by member what its replies tell of its model."""
    found: set[str] = set()
    learnt: dict[int, Learnt] = {}
    remaining = iter(asks)
    with ReplyCache(setup.project.cache) as cache:
        while chunk := {ask.key: ask.place[2] for ask in islice(remaining, _AT_ONCE)}:
            for key, reply in cache.get_many(chunk).items():
                found.add(key)
                learnt[chunk[key]] = learnt.get(chunk[key], Learnt()).also(reply)
    return found, learnt


def _within(
    setup: JudgeSetup, asks: Sequence[Ask], max_cost_usd: float | None
) -> tuple[list[Ask], dict[str, float | None]]:
    """Return the requests that fit a limit, and about what each costs at half price."""
    if max_cost_usd is not None and not (math.isfinite(max_cost_usd) and max_cost_usd >= 0):
        raise InputError(f"--max-cost is {max_cost_usd!r}; it must be a number from 0 on")
    costs: dict[str, float | None] = {}
    chosen: list[Ask] = []
    spent = 0.0
    for ask in asks:
        request = ask.build()
        price = setup.price(request.model)
        cost = None
        if price is not None:
            cost = price.expected(request_tokens(request), REPLY_TOKENS) * PRICE_SHARE
        if max_cost_usd is not None:
            if cost is None:
                raise InputError(
                    f"the price of {request.model} is not known, so no limit can be kept",
                    hint="state it in judgekit.toml: price = { input = ..., output = ... } (US "
                    "dollars for a million tokens), or leave --max-cost out",
                )
            if spent + cost > max_cost_usd:
                break
            spent += cost
        costs[ask.key] = cost
        chosen.append(ask)
    return chosen, costs


def _parts(asks: Iterable[Ask]) -> list[tuple[int, list[Ask]]]:
    """Return the requests of each member of a panel: a batch asks one model."""
    by_member: dict[int, list[Ask]] = {}
    for ask in asks:
        by_member.setdefault(ask.place[2], []).append(ask)
    return sorted(by_member.items())


async def _plan(
    setup: JudgeSetup,
    store: BatchStore,
    endpoints: Endpoints,
    part: tuple[int, list[Ask]],
    costs: dict[str, float | None],
    learnt: dict[int, Learnt],
) -> list[BatchRecord]:
    """Write down the batches that ask one member; nothing is sent yet."""
    number, asks = part
    stated = setup.entry.price
    member = setup.judge.members[number]
    record = BatchRecord(
        id=new_id(),
        judge=setup.judge.name,
        model=member.model,
        api_base=bare_address(member.api_base),
        secret_base=bare_address(member.api_base) != member.api_base,
        api_key_env=member.api_key_env or setup.entry.api_key_env,
        requests=0,
        price=None if stated is None else (stated.input, stated.output),
        created_at=0.0,
    )
    client = await endpoints.client(record, member.api_base)
    known = learnt.get(number, Learnt())
    maker = BodyMaker(client.litellm, member.model, client.secrets, setup.entry.system, known)
    planned = []
    for file in in_files(map(_asked_by(maker), asks)):
        forms = [put.form for (_, put), _ in file]
        made = record.but(
            id=new_id(),
            created_at=time.time(),
            requests=len(file),
            left_out=tuple(sorted({name for form in forms for name in form.left_out})),
            adjusted=forms[0].adjusted,
            tokens="logprobs" in forms[0].sent,
            estimate_usd=_sum([costs[ask.key] for (ask, _), _ in file]),
        )
        places = [_place(ask, put) for (ask, put), _ in file]
        planned.append(store.plan(made, places, (line for _, line in file)))
    return planned


def _asked_by(maker: BodyMaker) -> Callable[[Ask], tuple[tuple[Ask, Put], bytes]]:
    def asked(ask: Ask) -> tuple[tuple[Ask, Put], bytes]:
        body, put = maker.body(ask.build())
        return (ask, put._replace(messages=())), request_line(ask.key, body)

    return asked


async def _submit(
    store: BatchStore, endpoints: Endpoints, records: Sequence[BatchRecord]
) -> list[BatchRecord]:
    """Bring batches to their providers, one after the other."""
    done = []
    for record in records:
        try:
            done.append(await submit_one(store, await endpoints.client(record), record))
        except JudgingError as failure:
            (stands,) = store.some([record.id])
            begun = done or stands.state != "planned"
            hint = GO_ON if begun else NOT_BEGUN.format(record.id)
            failure.hint = f"{failure.hint}; {hint}" if failure.hint else hint
            raise
    return done


def _place(ask: Ask, put: Put) -> Place:
    part, item, member, order, replicate = ask.place
    return Place(ask.key, item.id, part.criterion.name, replicate, member, order, put.notes)


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return float(sum(known)) if len(known) == len(costs) else None
