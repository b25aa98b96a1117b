"""Asking a judge about items: requests built, answered through the cache, and read."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence, Sized
from dataclasses import replace

from judgekit.api.counts import NOT_NAMED, Counts
from judgekit.api.recording import record_run
from judgekit.api.setup import JudgeSetup
from judgekit.api.stream import How, Judged, JudgeRun, Only, Report
from judgekit.errors import InputError
from judgekit.judging.item import Item, check_item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.rubric.model import Criterion
from judgekit.running.bridge import run_blocking
from judgekit.running.cache import ReplyCache

__all__ = [
    "NOT_NAMED",
    "How",
    "Judged",
    "Report",
    "first_unasked",
    "judge_items",
    "judge_items_async",
    "judge_stream",
]


def judge_items(  # noqa: PLR0913  (the options of a run)
    setup: JudgeSetup,
    items: Sequence[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    progress: Report | None = None,
    max_cost_usd: float | None = None,
    offline: bool = False,
    refresh: bool = False,
    only: Only | None = None,
) -> Judgments:
    """Ask a judge about items, each criterion in a call of its own.

    Every item ends as a judgment or as unjudged with its cause. Replies are cached as they come:
    a run that is killed goes on where it was. The run leaves a record under ``.judgekit/runs``.

    Args:
        setup: The judge.
        items: The items; each must have every input of the rubric.
        criteria: Which criteria; all by default.
        progress: Called after each batch of answers.
        max_cost_usd: Most that the calls may cost, by an estimate before each.
        offline: Make no call; a reply that is not in the cache is an error.
        refresh: Ask anew, past the cache; new replies take the place of the old ones.
        only: Leaves out (criterion, item) pairs it is false for.

    Raises:
        InputError: an item lacks an input, or is there twice; nothing was asked.
        ModelCallError: offline, and a reply is not in the cache.
    """
    how = How(
        progress=progress, max_cost_usd=max_cost_usd, offline=offline, refresh=refresh, only=only
    )
    return run_blocking(lambda: judge_items_async(setup, items, criteria=criteria, how=how))


async def judge_items_async(
    setup: JudgeSetup,
    items: Sequence[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    how: How | None = None,
    command: str = "judge",
) -> Judgments:
    """Ask a judge about items; async twin of :func:`judge_items`.

    Args:
        setup: The judge.
        items: The items.
        criteria: Which criteria; all by default.
        how: How to ask.
        command: What the run is for, in its record.
    """
    wanted = list(criteria or setup.judge.rubric.criteria)
    repeated = [name for name, n in Counter(item.id for item in items).items() if n > 1]
    if repeated:
        raise InputError(f"item {repeated[0]!r} is there twice", hint="every item needs an id")
    outcomes: dict[str, dict[str, Judgment | Unjudged]] = {c.name: {} for c in wanted}
    for item in items:
        check_item(item)
    JudgeRun(setup, wanted).check(items)
    with _recorded(setup, wanted, how, command) as settled:
        run = JudgeRun(setup, wanted, settled)
        async for batch in run.judge(items, total=len(items)):
            for judged in batch:
                outcomes[judged.criterion.name][judged.item.id] = judged.outcome
    return _judgments(setup, items, wanted, outcomes, run.counts)


async def judge_stream(
    setup: JudgeSetup,
    items: Iterable[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    how: How | None = None,
    command: str = "judge",
) -> AsyncGenerator[list[Judged], None]:
    """Yield what becomes of each item and criterion as soon as it is known, in small batches.

    For any number of items: they are taken as needed, and none is held once it is handed on. The
    order is that of the answers, not of the items. Ids must differ.

    Args:
        setup: The judge.
        items: The items, for example an ``ItemFile``.
        criteria: Which criteria; all by default.
        how: How to ask.
        command: What the run is for, in its record.
    """
    total = len(items) if isinstance(items, Sized) else None
    wanted = list(criteria or setup.judge.rubric.criteria)
    with _recorded(setup, wanted, how, command) as settled:
        stream = JudgeRun(setup, wanted, settled).judge(items, total=total)
        async with contextlib.aclosing(stream):
            async for batch in stream:
                yield batch


@contextlib.contextmanager
def _recorded(
    setup: JudgeSetup, criteria: Sequence[Criterion], how: How | None, command: str
) -> Iterator[How]:
    """Give the run a record, unless it is part of one."""
    how = how or How()
    if how.recording is not None:
        yield how
        return
    with record_run(setup, criteria, command, needed=not how.offline) as recording:
        yield replace(how, recording=recording)


def first_unasked(
    setup: JudgeSetup, items: Sequence[Item], criteria: Sequence[Criterion]
) -> Item | None:
    """Return the first item for which a call would have to be made; None when all are cached."""
    cache = ReplyCache(setup.project.cache)
    run = JudgeRun(setup, criteria)
    try:
        for item in items:
            keys = {ask.key for ask in run.asks([item])}
            if len(cache.get_many(keys)) < len(keys):
                return item
    finally:
        cache.close()
    return None


def _judgments(
    setup: JudgeSetup,
    items: Sequence[Item],
    criteria: Sequence[Criterion],
    outcomes: dict[str, dict[str, Judgment | Unjudged]],
    counts: Counts,
) -> Judgments:
    """Return the judgments of a run, item by item in the order the items came in."""
    in_order = {
        name: {item.id: found[item.id] for item in items if item.id in found}
        for name, found in outcomes.items()
    }
    return Judgments(
        judge=setup.judge.name,
        fingerprints={c.name: setup.judge.identity(c).fingerprint for c in criteria},
        items=items,
        outcomes=in_order,
        replies=counts.replies,
        left_out=tuple(sorted(counts.left_out)),
        cost_usd=None if counts.unpriced else counts.cost_usd,
        asked=counts.asked,
        cached=counts.cached,
        failed=counts.failed,
        not_asked=counts.not_asked,
    )
