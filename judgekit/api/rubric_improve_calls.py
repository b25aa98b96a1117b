"""The calls that improving a rubric takes: through the engine, out of one budget, each counted."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judgekit.api.counts import failed_cost
from judgekit.api.rubric_draft_calls import DRAFT_ROOM, Desk, Spending
from judgekit.api.runtime import How, Report, judge_stream
from judgekit.api.setup import JudgeSetup
from judgekit.api.stream import JudgeRun
from judgekit.errors import InputError, JudgekitError, ModelCallError
from judgekit.judging.authoring.reading import read_field
from judgekit.judging.improving import asking
from judgekit.judging.improving.asking import Case, Tried
from judgekit.judging.improving.edits import Edit, Refused, read_edits
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.request import Message, ModelReply
from judgekit.reports.rubric_improve_story import Calls
from judgekit.rubric.model import Criterion, Rubric
from judgekit.running.bridge import run_blocking
from judgekit.running.budget import Budget
from judgekit.running.prices import REPLY_TOKENS, request_tokens
from judgekit.running.progress import Answer

COMMAND = "rubric improve"
"""What the runs of it are called in their records."""


class Purse:
    """What all calls together may cost, and what they have cost.

    Args:
        spending: How the calls are made; ``max_cost_usd`` is for all of them.
        judges: Everybody who is asked.

    Raises:
        InputError: there is a limit, and the price of a model is not known.
    """

    def __init__(self, spending: Spending, *, judges: Sequence[JudgeSetup]) -> None:
        self.spending, self.spent_usd = spending, 0.0
        most = spending.max_cost_usd
        for setup in judges if most is not None and not spending.offline else ():
            budget = Budget(most or 0.0, setup.price)
            for member in setup.judge.members:
                budget.meter(member.model)

    @property
    def left_usd(self) -> float | None:
        """What is left; None without a limit."""
        most = self.spending.max_cost_usd
        return None if most is None else max(0.0, most - self.spent_usd)

    @property
    def left(self) -> Spending:
        """How the next calls are made: with what is left."""
        return replace(self.spending, max_cost_usd=self.left_usd)

    def empty(self) -> ModelCallError:
        """Return what is raised when a call is not made because the money is spent."""
        return ModelCallError(
            f"the next call could exceed the budget of {self.spending.max_cost_usd:g} USD "
            f"({self.spent_usd:.4g} USD spent so far); nothing was written",
            cause="budget",
            hint="run it again with a higher --max-cost: what was answered is kept",
        )


class Bench:
    """Judges items by candidates.

    Args:
        setup: The judge; a candidate takes the place of its rubric.
        purse: What pays.
        progress: Called after each batch of answers.
    """

    def __init__(self, setup: JudgeSetup, purse: Purse, progress: Report | None) -> None:
        self._setup, self._purse, self._progress = setup, purse, progress
        self.calls = Calls()

    def why_not(self, rubric: Rubric, criterion: Criterion, items: Sequence[Item]) -> str | None:
        """Return why items cannot be judged by a candidate; None when they can."""
        try:
            JudgeRun(self._with(rubric), [criterion]).check(items)
        except InputError as error:
            return str(error.message)
        return None

    def judge(
        self, rubric: Rubric, criterion: Criterion, items: Sequence[Item]
    ) -> dict[str, Judgment | Unjudged]:
        """Return what becomes of each item.

        Raises:
            ModelCallError: the budget ran out, or offline a reply is not in the cache.
        """
        return run_blocking(lambda: self._judge(self._with(rubric), criterion, items))

    def _with(self, rubric: Rubric) -> JudgeSetup:
        return replace(self._setup, judge=replace(self._setup.judge, rubric=rubric))

    async def _judge(
        self, setup: JudgeSetup, criterion: Criterion, items: Sequence[Item]
    ) -> dict[str, Judgment | Unjudged]:
        purse, made = self._purse, self._purse.spending
        how = How(
            progress=self._progress,
            max_cost_usd=purse.left_usd,
            offline=made.offline,
            refresh=made.refresh,
        )
        found: dict[str, Judgment | Unjudged] = {}
        stream = judge_stream(setup, items, criteria=[criterion], how=how, command=COMMAND)
        async with contextlib.aclosing(stream):
            async for batch in stream:
                for judged in batch:
                    found[judged.item.id] = judged.outcome
                    for answer in judged.answers:
                        self._count(answer)
        singles = (single for outcome in found.values() for single in outcome.singles)
        if any(isinstance(one, Unjudged) and one.cause == "budget" for one in singles):
            raise purse.empty()
        return found

    def _count(self, answer: Answer) -> None:
        reply = answer.reply
        if answer.cached or (reply is None and not answer.attempts):
            self.calls = self.calls.plus(Calls(cached=int(answer.cached)))
            return
        price = self._setup.price
        cost = failed_cost(answer, price) if reply is None else reply.cost_usd
        self.calls = self.calls.plus(Calls(1, 0, cost or 0.0, int(cost is None)))
        known = price(answer.request.model) if cost is None else None
        if known is not None:  # the budget goes on by the estimate
            cost = known.expected(request_tokens(answer.request), REPLY_TOKENS)
        self._purse.spent_usd += cost or 0.0


class Reflector:
    """Asks a model for edits; of one that runs in this process little is asked at once.

    Args:
        setup: The model.
        purse: What pays.
    """

    def __init__(self, setup: JudgeSetup, purse: Purse) -> None:
        self.setup, self._purse, self.calls = setup, purse, Calls()
        self._small = setup.judge.members[0].model.startswith("local/")

    def propose(
        self,
        text: str,
        criterion: Criterion,
        cases: Sequence[Case],
        tried: Sequence[Tried],
        *,
        task: str | None,
    ) -> tuple[Edit, ...] | Refused:
        """Return edits to a rubric, or why what was said is none.

        Args:
            text: The rubric's file.
            criterion: The criterion.
            cases: Items of train.
            tried: What was proposed before.
            task: The task as it stands; None where it cannot be edited.

        Raises:
            ModelCallError: no reply came, or the budget ran out.
        """
        if self._small:
            return self._said_anew(criterion, cases, len(tried))
        messages = asking.messages(text, criterion, cases, tried, task=task)
        room = max(DRAFT_ROOM, self.setup.entry.max_tokens)
        reply = self._ask((messages, asking.schema(criterion), room), long=True)
        return read_edits(reply, criterion.scale)

    def _said_anew(
        self, criterion: Criterion, cases: Sequence[Case], turn: int
    ) -> tuple[Edit, ...] | Refused:
        """Ask for one definition: of a level that some item should have had, or wrongly had."""
        names = criterion.scale.names
        wrong = [case for case in cases if case.differs]
        case = wrong[turn % len(wrong)]
        told = [name for name in (case.people, case.judge) if name in names] or names
        level = told[turn % len(told)]
        question = asking.small_question(criterion, case, level)
        reply = self._ask((question.messages, question.schema, question.room), long=False)
        return asking.small_edits(level, read_field(reply, question.key))

    def _ask(
        self, asked: tuple[tuple[Message, ...], dict[str, Any], int], *, long: bool
    ) -> ModelReply:
        desk = Desk(self.setup, self._purse.left)

        async def ask() -> ModelReply:
            try:
                (reply,), calls = await desk.ask([asked], long=long)
            finally:
                await desk.close()
            for call in calls:
                cost = call.cost_usd
                made = Calls(int(not call.cached), int(call.cached), cost or 0.0, int(cost is None))
                self.calls = self.calls.plus(made)
            return reply

        try:
            return run_blocking(ask)
        except ModelCallError as error:
            raise self._told(error) from None
        finally:
            self._purse.spent_usd += desk.spent_usd

    def _told(self, error: ModelCallError) -> JudgekitError:
        if error.cause == "budget":
            return self._purse.empty()
        error.message = f"the reflector did not answer: {error.message}"
        return error
