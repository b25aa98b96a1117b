"""Asking a judge about items: requests built, answered through the cache, and read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from judgekit.api.setup import JudgeSetup
from judgekit.errors import InputError, ModelCallError
from judgekit.judging.item import Item
from judgekit.judging.judgment import Cause, Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.judging.prompt import build_request
from judgekit.judging.reply import combine, read_reply
from judgekit.judging.request import ModelRequest
from judgekit.rubric.model import Criterion
from judgekit.running.bridge import run_blocking
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import Answer, answer_all
from judgekit.running.model import ChatModel
from judgekit.running.progress import Progress

Report = Callable[[Progress], None]
NOT_NAMED = "(not named)"
"""The model of a reply that names none."""
_LOCAL_LANES = 4
_LOCAL_PATIENCE = 900.0
"""A model in this process queues its calls, and its first call measures its own bias."""


def judge_items(
    setup: JudgeSetup,
    items: Sequence[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    progress: Report | None = None,
    max_cost_usd: float | None = None,
    only: Callable[[Criterion, Item], bool] | None = None,
) -> Judgments:
    """Ask a judge about items; blocking twin of :func:`judge_items_async`."""
    return run_blocking(
        lambda: judge_items_async(
            setup,
            items,
            criteria=criteria,
            progress=progress,
            max_cost_usd=max_cost_usd,
            only=only,
        )
    )


async def judge_items_async(
    setup: JudgeSetup,
    items: Sequence[Item],
    *,
    criteria: Sequence[Criterion] | None = None,
    progress: Report | None = None,
    max_cost_usd: float | None = None,
    only: Callable[[Criterion, Item], bool] | None = None,
    open_model: Callable[[], ChatModel] | None = None,
) -> Judgments:
    """Ask a judge about items, each criterion in a call of its own.

    Every item ends as a judgment or as unjudged with its cause. Replies are cached as they come:
    a run that is killed goes on where it was.

    Args:
        setup: The judge.
        items: The items; each must have every input of the rubric.
        criteria: Which criteria; all by default.
        progress: Called after each answer.
        max_cost_usd: Stop asking when the known cost reaches it.
        only: Leaves out (criterion, item) pairs it is false for.
        open_model: Opens the model to ask; the judge's own by default.

    Raises:
        InputError: an item lacks an input; nothing was asked.
    """
    judge = setup.judge
    wanted = list(criteria or judge.rubric.criteria)
    repeated = [name for name, n in Counter(item.id for item in items).items() if n > 1]
    if repeated:
        raise InputError(f"item {repeated[0]!r} is there twice", hint="every item needs an id")
    places = _places(setup, items, wanted, only)
    requests = _requests(setup, places)
    answers = await _answers(
        setup, requests, progress, max_cost_usd, open_model or setup.open_model
    )
    outcomes: dict[str, dict[str, list[Judgment | Unjudged]]] = {c.name: {} for c in wanted}
    for (criterion, item, replicate), answer in zip(places, answers, strict=True):
        outcome = _outcome(setup, criterion, item, replicate, answer)
        outcomes[criterion.name].setdefault(item.id, []).append(outcome)
    replies = [a.reply for a in answers if a.reply is not None]
    fresh = [a.reply for a in answers if a.reply is not None and not a.cached]
    return Judgments(
        judge=judge.name,
        fingerprints={c.name: judge.identity(c).fingerprint for c in wanted},
        items=items,
        outcomes={
            name: {item: combine(each) for item, each in by_item.items()}
            for name, by_item in outcomes.items()
        },
        replies=_served(wanted, places, answers),
        left_out=tuple(sorted({name for reply in replies for name in reply.left_out})),
        cost_usd=_cost([reply.cost_usd for reply in fresh]),
        asked=sum(a.attempts > 0 for a in answers),
        cached=sum(a.cached for a in answers),
        failed=sum(a.failure is not None for a in answers),
    )


def first_unasked(
    setup: JudgeSetup, items: Sequence[Item], criteria: Sequence[Criterion]
) -> Item | None:
    """Return the first item for which a call would have to be made; None when all are cached."""
    cache = ReplyCache(setup.project.cache)
    try:
        for item in items:
            keys = [build_request(setup.judge, c, item).key for c in criteria]
            if len(cache.get_many(keys)) < len(set(keys)):
                return item
    finally:
        cache.close()
    return None


Place = tuple[Criterion, Item, int]
"""What one request is about: criterion, item, replicate."""


def _places(
    setup: JudgeSetup,
    items: Sequence[Item],
    criteria: Sequence[Criterion],
    only: Callable[[Criterion, Item], bool] | None,
) -> list[Place]:
    return [
        (criterion, item, replicate)
        for criterion in criteria
        for item in items
        if only is None or only(criterion, item)
        for replicate in range(setup.judge.replicates)
    ]


def _requests(setup: JudgeSetup, places: Sequence[Place]) -> list[ModelRequest]:
    return [build_request(setup.judge, c, item, replicate=r) for c, item, r in places]


def _served(
    criteria: Sequence[Criterion], places: Sequence[Place], answers: Sequence[Answer]
) -> dict[str, Counter[str]]:
    """Count the replies of each model, as the endpoint names it, criterion by criterion."""
    served: dict[str, Counter[str]] = {c.name: Counter() for c in criteria}
    for (criterion, _, _), answer in zip(places, answers, strict=True):
        if answer.reply is not None:
            served[criterion.name][answer.reply.served or NOT_NAMED] += 1
    return served


def forget_replies(
    setup: JudgeSetup,
    items: Sequence[Item],
    criteria: Sequence[Criterion],
    only: Callable[[Criterion, Item], bool],
) -> None:
    """Take the cached replies about these items out, so that the judge is asked anew."""
    requests = _requests(setup, _places(setup, items, criteria, only))
    cache = ReplyCache(setup.project.cache)
    try:
        cache.forget(request.key for request in requests)
    finally:
        cache.close()


async def _answers(
    setup: JudgeSetup,
    requests: list[ModelRequest],
    progress: Report | None,
    max_cost_usd: float | None,
    open_model: Callable[[], ChatModel],
) -> list[Answer]:
    entry, local = setup.entry, setup.judge.model.startswith("local/")
    cache = ReplyCache(setup.project.cache)
    try:
        return await answer_all(
            requests,
            open_model=open_model,
            cache=cache,
            concurrency=min(entry.concurrency, _LOCAL_LANES) if local else entry.concurrency,
            timeout=max(entry.timeout, _LOCAL_PATIENCE) if local else entry.timeout,
            progress=progress,
            max_cost_usd=max_cost_usd,
        )
    finally:
        cache.close()


def _outcome(
    setup: JudgeSetup, criterion: Criterion, item: Item, replicate: int, answer: Answer
) -> Judgment | Unjudged:
    if answer.reply is not None:
        return read_reply(
            setup.judge,
            criterion,
            item.id,
            answer.reply,
            replicate=replicate,
            cached=answer.cached,
        )
    return Unjudged(
        item=item.id,
        criterion=criterion.name,
        cause=_cause(answer.failure),
        detail=None if answer.failure is None else str(answer.failure),
        replicate=replicate,
    )


def _cause(failure: ModelCallError | None) -> Cause:
    if failure is None:
        return "provider_error"
    return {"budget": "budget", "filtered": "filtered"}.get(failure.cause, "provider_error")  # type: ignore[return-value]


def _cost(costs: Sequence[float | None]) -> float | None:
    """Add up prices; one unknown price makes the sum unknown, and nothing asked costs nothing."""
    if any(cost is None for cost in costs):
        return None
    return float(sum(cost for cost in costs if cost is not None))
