"""A certified judge that stays open: asked one item at a time, by whoever, whenever.

Everything in here happens in the background loop: the model's connections, its limits and budget
and the cache are shared by all questions of a process.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence

from judgekit.api.admission import as_typed
from judgekit.api.recording import record_run
from judgekit.api.setup import JudgeSetup
from judgekit.api.stream import How, Judged, JudgeRun, settings_of
from judgekit.calibration.gate import CertifiedJudge
from judgekit.errors import GateRefusal
from judgekit.judging.item import Item, check_item
from judgekit.rubric.model import Criterion
from judgekit.running.cache import ReplyCache
from judgekit.running.desk import Desk
from judgekit.running.model import KeptModel
from judgekit.running.progress import Answer
from judgekit.scoring.score import served_changes


class Session:
    """Asks a certified judge on the criteria it is admitted on.

    Args:
        setup: The judge.
        certified: The same judge, admitted by the gate.
        command: What the run is for, in the record it leaves once a call is made.
        max_cost_usd: Most that all its calls may cost, by an estimate before each.
    """

    def __init__(
        self,
        setup: JudgeSetup,
        certified: CertifiedJudge,
        *,
        command: str,
        max_cost_usd: float | None = None,
    ) -> None:
        self._setup, self._certified, self._command = setup, certified, command
        self._criteria: Sequence[Criterion] = [
            setup.judge.rubric.criterion(name) for name in certified.certificates
        ]
        self._how = How(max_cost_usd=max_cost_usd)
        self._run = JudgeRun(setup, self._criteria, self._how)
        self._cache = ReplyCache(setup.project.cache)
        known = [set(c.models_served) for c in certified.certificates.values()]
        self._model = KeptModel(
            setup.open_model, lambda name: all(name in of for of in known if of)
        )
        self._desk = Desk(self._model.open, self._cache, settings_of(setup, self._how, None))
        self._opening = asyncio.Lock()
        self._cleanup = contextlib.ExitStack()
        self._waiting: Counter[str] = Counter()
        self._in_flight: dict[str, asyncio.Task[Mapping[str, Judged]]] = {}
        self._refusal: GateRefusal | None = None

    async def judge(self, item: Item) -> Mapping[str, Judged]:
        """Return what became of an item, by criterion; the same item asked twice is one question.

        Args:
            item: The item; its id stands for its content.

        Raises:
            InputError: the item lacks an input, or the template fails on it.
            GateRefusal: the endpoint serves a model that was never calibrated; then for ever.
            StorageError: the cache or the record cannot be written.
        """
        if self._refusal is not None:
            raise self._refusal
        check_item(item)
        task = self._in_flight.get(item.id)
        if task is None:
            task = asyncio.create_task(self._judge(item))
            self._in_flight[item.id] = task
            task.add_done_callback(lambda done: self._ended(item.id, done))
        self._waiting[item.id] += 1
        try:
            judged = await asyncio.shield(task)
        finally:
            self._waiting[item.id] -= 1
            if not self._waiting[item.id]:
                del self._waiting[item.id]
        return {name: one._replace(item=item) for name, one in judged.items()}

    async def close(self) -> None:
        """Finish what is waited for and the record, and let go of the model and the cache.

        What nobody waits for any more, after Ctrl-C for example, is not paid for either.
        """
        tasks = dict(self._in_flight)
        for name, task in tasks.items():
            if not self._waiting[name]:
                task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        await self._desk.close()
        await self._model.close()
        self._cleanup.close()
        self._cache.close()

    def _ended(self, name: str, task: asyncio.Task[Mapping[str, Judged]]) -> None:
        del self._in_flight[name]
        if not task.cancelled():
            task.exception()  # seen, should nobody wait for it any more

    async def _judge(self, item: Item) -> Mapping[str, Judged]:
        asks = list(self._run.asks([item]))
        one_each = {ask.key: ask for ask in asks}
        known = {
            key: Answer(one_each[key], reply, cached=True)
            for key, reply in self._cache.get_many(one_each).items()
        }
        missing = [ask for key, ask in one_each.items() if key not in known]
        if missing:
            await self._open()
            answered = await asyncio.gather(*(self._desk.answer(ask) for ask in missing))
            known.update({answer.key: answer for answer, _ in answered})
        answers = [known[ask.key]._replace(ask=ask) for ask in asks]
        judged = {one.criterion.name: one for one in self._run.read(answers)}
        self._check_served(judged)
        return judged

    async def _open(self) -> None:
        """Open the model, and begin the record of what is asked."""
        async with self._opening:
            if self._desk.opened:
                return
            recording = self._cleanup.enter_context(
                record_run(self._setup, self._criteria, self._command)
            )
            how = How(max_cost_usd=self._how.max_cost_usd, recording=recording)
            self._run = JudgeRun(self._setup, self._criteria, how)
            await self._desk.open()

    def _check_served(self, judged: Mapping[str, Judged]) -> None:
        """Raise when a model answered that was never calibrated; what it said is not a value."""
        reasons = [
            reason
            for name, one in judged.items()
            for reason in served_changes(
                {a.reply.served for a in one.answers if a.reply and a.reply.served},
                self._certified.certificates[name],
            )
        ]
        if reasons:
            told = as_typed(reasons, self._setup, self._certified.certificates.values())
            self._refusal = GateRefusal(list(dict.fromkeys(told.reasons)))
            raise self._refusal
