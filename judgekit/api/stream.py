"""A judge over any number of items: asked, read, recorded and handed on as the answers come."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judgekit.api.counts import Counts
from judgekit.api.recording import Recording
from judgekit.api.setup import JudgeSetup
from judgekit.errors import ModelCallError
from judgekit.judging.item import Item
from judgekit.judging.judgment import Cause, Judgment, Order, Unjudged
from judgekit.judging.prompt import Asker
from judgekit.judging.reply import Reader
from judgekit.judging.request import Ask
from judgekit.judging.votes import combine
from judgekit.rubric.model import Criterion
from judgekit.running.budget import Budget
from judgekit.running.cache import ReplyCache
from judgekit.running.collector import fewer_collections
from judgekit.running.engine import Answer, Settings, answer_stream
from judgekit.running.limits import Limits
from judgekit.running.model import ChatModel
from judgekit.running.progress import Progress

Report = Callable[[Progress], None]
Only = Callable[[Criterion, Item], bool]


@dataclass(frozen=True, slots=True)
class How:
    """How a run asks; none of it changes what a judge says.

    Attributes:
        progress: Called after each batch of answers.
        max_cost_usd: Most that the calls may cost.
        offline: Make no call; a reply that is not in the cache is an error.
        refresh: Ask anew, past the cache.
        only: Leaves out (criterion, item) pairs it is false for.
        open_model: Opens the model to ask; the judge's own by default.
        recording: The record that the run is part of; by default one of its own.
    """

    progress: Report | None = None
    max_cost_usd: float | None = None
    offline: bool = False
    refresh: bool = False
    only: Only | None = None
    open_model: Callable[[], ChatModel] | None = None
    recording: Recording | None = None


class Judged(NamedTuple):
    """What became of one item on one criterion, and the answers it rests on."""

    criterion: Criterion
    item: Item
    outcome: Judgment | Unjudged
    answers: tuple[Answer, ...]


class Part(NamedTuple):
    """One criterion of a run: how it is asked, how it is read."""

    criterion: Criterion
    asker: Asker
    reader: Reader
    places: Sequence[tuple[int, Order | None, int]]


Place = tuple[Part, Item, int, Order | None, int]
"""What a request is about: part, item, member, order, replicate."""


class JudgeRun:
    """One run of a judge; ``counts`` grows as it goes.

    Args:
        setup: The judge.
        criteria: Which criteria; all by default.
        how: How to ask.
    """

    def __init__(
        self, setup: JudgeSetup, criteria: Sequence[Criterion] | None = None, how: How | None = None
    ) -> None:
        self.setup, self.how = setup, how or How()
        judge = setup.judge
        self.parts = [
            Part(c, Asker(judge, c), Reader(judge, c), judge.places(c))
            for c in criteria or judge.rubric.criteria
        ]
        self.counts = Counts(
            replies={p.criterion.name: Counter() for p in self.parts}, price=setup.price
        )
        if self.how.recording is not None:
            self.how.recording.follow(self.counts)
        self._waiting: dict[tuple[str, str], list[tuple[Judgment | Unjudged, Answer]]] = {}

    async def judge(
        self, items: Iterable[Item], *, total: int | None = None
    ) -> AsyncGenerator[list[Judged], None]:
        """Yield what becomes of each item and criterion, in the order the answers come.

        Every item ends as a judgment or as unjudged with its cause. Replies are cached as they
        come: a run that is killed goes on where it was.

        Args:
            items: The items, each id once; taken as needed.
            total: How many there are, for the progress.

        Raises:
            InputError: an item lacks an input.
            ModelCallError: offline, and some reply is not in the cache.
        """
        if total is not None:
            total = None if self.how.only else total * sum(len(p.places) for p in self.parts)
        _check_prices(self.setup, self.how)
        cache = ReplyCache(self.setup.project.cache)
        stream = answer_stream(
            self.asks(items),
            open_model=self.how.open_model or self.setup.open_model,
            cache=cache,
            settings=settings_of(self.setup, self.how, total),
        )
        offline = 0
        with fewer_collections(), contextlib.closing(cache):
            try:
                async with contextlib.aclosing(stream):
                    async for answers in stream:
                        if judged := self.read(answers):
                            yield judged
                        if self.how.offline:
                            offline += sum(a.failure is not None for a in answers)
            finally:
                self.counts.set_aside.update(cache.set_aside)
            _keep_small(self.setup, cache)
        if offline:
            are = "is" if offline == 1 else "are"
            raise ModelCallError(
                f"{offline:,} of the replies {are} not in the cache, and no call is made offline",
                cause="offline",
                hint="run it once without --offline, or bring them in: judgekit cache import FILE",
            )

    def check(self, items: Iterable[Item]) -> None:
        """Raise for the first item that cannot be asked about, before anything is asked.

        Raises:
            InputError: it lacks an input, or the template fails on it; names the item.
        """
        for _ in self.asks(items):
            pass

    def asks(self, items: Iterable[Item]) -> Iterator[Ask]:
        """Yield what has to be asked about items."""
        only = self.how.only
        for item in items:
            for part in self.parts:
                if only is None or only(part.criterion, item):
                    for member, order, replicate in part.places:
                        yield part.asker.ask(
                            item,
                            replicate=replicate,
                            member=member,
                            order=order,
                            place=(part, item, member, order, replicate),
                        )

    def read(self, answers: list[Answer]) -> list[Judged]:
        """Read answers, count and record them; return what is complete with them."""
        judged: list[Judged] = []
        counts, recording = self.counts, self.how.recording
        outcome: Judgment | Unjudged
        for answer in answers:
            ask, reply, _, cached, _ = answer
            part, item, member, order, replicate = ask.place
            criterion, _, reader, places = part
            counts.answer(criterion.name, answer)
            if reply is not None:
                outcome = reader.read(
                    item.id,
                    reply,
                    replicate=replicate,
                    cached=cached,
                    member=member,
                    order=order,
                )
            else:
                outcome = _failed(criterion, answer)
            if recording is not None:
                recording.row(criterion, outcome, answer)
            if len(places) == 1:
                judged.append(Judged(criterion, item, outcome, (answer,)))
                counts.outcome(outcome)
            elif complete := self._gather(part, item, outcome, answer):
                judged.append(complete)
                counts.outcome(complete.outcome)
        if recording is not None:
            recording.flush()
        return judged

    def _gather(
        self, part: Part, item: Item, outcome: Judgment | Unjudged, answer: Answer
    ) -> Judged | None:
        """Keep one vote; return the item once all its votes are in."""
        key = (part.criterion.name, item.id)
        votes = self._waiting.setdefault(key, [])
        votes.append((outcome, answer))
        if len(votes) < len(part.places):
            return None
        del self._waiting[key]
        votes.sort(key=lambda vote: vote[1].ask.place[2:])
        said = combine([o for o, _ in votes], self.setup.judge, part.criterion)
        return Judged(part.criterion, item, said, tuple(a for _, a in votes))


def _check_prices(setup: JudgeSetup, how: How) -> None:
    """Raise when a budget cannot be kept, for any model of the judge, before anything is asked."""
    if how.max_cost_usd is not None and not how.offline:
        budget = Budget(how.max_cost_usd, setup.price)
        for member in setup.judge.members:
            budget.meter(member.model)


def _keep_small(setup: JudgeSetup, cache: ReplyCache) -> None:
    """Take the oldest replies out of a cache that has grown beyond the project's wish."""
    most = setup.project.configuration.cache.max_bytes
    if most is not None:
        cache.prune(max_bytes=most, now=time.time())


_LOCAL_LANES = 4
_LOCAL_PATIENCE = 900.0
"""A model in this process queues its calls, and its first call measures its own bias."""


def settings_of(setup: JudgeSetup, how: How, total: int | None) -> Settings:
    """Return how the engine is to ask this judge."""
    entry, local = setup.entry, setup.judge.model.startswith("local/")
    limits = Limits(
        concurrency=min(entry.concurrency, _LOCAL_LANES) if local else entry.concurrency,
        requests_per_minute=entry.requests_per_minute,
        tokens_per_minute=entry.tokens_per_minute,
        timeout_s=max(entry.timeout, _LOCAL_PATIENCE) if local else entry.timeout,
        run_timeout_s=entry.run_timeout,
    )
    return Settings(
        limits=limits,
        max_cost_usd=how.max_cost_usd,
        price=setup.price,
        offline=how.offline,
        refresh=how.refresh,
        progress=how.progress,
        total=total,
    )


def _failed(criterion: Criterion, answer: Answer) -> Unjudged:
    """Return what an item is whose request had no reply."""
    _, item, member, order, replicate = answer.ask.place
    causes: dict[str, Cause] = {"budget": "budget", "filtered": "filtered"}
    failure = answer.failure
    return Unjudged(
        item=item.id,
        criterion=criterion.name,
        cause=causes.get(failure.cause, "provider_error") if failure else "provider_error",
        detail=None if failure is None else str(failure),
        replicate=replicate,
        member=member,
        order=order,
    )
