"""The calls that drafting a rubric takes: through the engine, within one budget, each counted."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from judgekit.api.counts import failed_cost
from judgekit.api.runtime import How, judge_stream
from judgekit.api.setup import JudgeSetup
from judgekit.api.stream import JudgeRun, settings_of
from judgekit.errors import InputError, ModelCallError
from judgekit.judging.item import Item
from judgekit.judging.request import Message, ModelReply, ModelRequest
from judgekit.reports.rows import trial_row
from judgekit.reports.rubric_draft_story import Call
from judgekit.rubric.model import Rubric
from judgekit.running.budget import Budget
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import Answer, answer_all
from judgekit.running.model import KeptModel
from judgekit.running.prices import REPLY_TOKENS, Price, request_tokens

DRAFT_ROOM = 8192
"""Tokens a whole draft may take, thinking included."""

_DRAFT_TOKENS = 1800
"""What a draft usually takes, where a budget has to be estimated."""


@dataclass(frozen=True, slots=True)
class Spending:
    """How the calls are made.

    Attributes:
        max_cost_usd: Most that all of them together may cost.
        offline: Make none: a reply that is not in the cache is an error.
        refresh: Ask anew, past the cache.
    """

    max_cost_usd: float | None = None
    offline: bool = False
    refresh: bool = False


class Desk:
    """Asks one model, for drafts and for trials; it stays open from the first call to the last.

    Args:
        setup: A judge of that model; its rubric is not asked about.
        spending: How the calls are made.

    Raises:
        InputError: there is a budget, and the price of the model is not known.
    """

    def __init__(self, setup: JudgeSetup, spending: Spending) -> None:
        self.setup, self._spending = setup, spending
        self._kept = KeptModel(setup.open_model)
        self.spent_usd = 0.0
        if spending.max_cost_usd is not None and not spending.offline:
            Budget(spending.max_cost_usd, setup.price).meter(setup.judge.model)

    async def close(self) -> None:
        """Let go of the model."""
        await self._kept.close()

    async def ask(
        self, asked: Sequence[tuple[tuple[Message, ...], dict[str, Any], int]], *, long: bool
    ) -> tuple[list[ModelReply], tuple[Call, ...]]:
        """Return the replies to some questions, and what each took.

        Args:
            asked: Messages, the schema of the reply, and the room for it in tokens.
            long: The replies are whole drafts, for the estimate.

        Raises:
            ModelCallError: one of them has no reply; the others are in the cache.
        """
        entry, judge = self.setup.entry, self.setup.judge
        given = {"temperature": entry.temperature, **entry.params}
        parameters = {name: value for name, value in given.items() if value is not None}
        requests = [
            ModelRequest(
                model=judge.members[0].model,
                messages=messages,
                parameters={**parameters, "max_tokens": room},
                schema=schema if entry.output == "schema" else None,
                api_base=judge.members[0].api_base,
            )
            for messages, schema, room in asked
        ]
        settings = settings_of(self.setup, self._how(), len(requests))
        if long:
            settings = replace(settings, price=self._long_price)
        cache = ReplyCache(self.setup.project.cache)
        with contextlib.closing(cache):
            answers = await answer_all(
                requests, open_model=self._kept.open, cache=cache, settings=settings
            )
        calls = tuple(self._count(answer) for answer in answers)
        return [self._reply(answer) for answer in answers], calls

    async def try_on(
        self, rubric: Rubric, file: str, items: Sequence[Item]
    ) -> tuple[tuple[dict[str, Any], ...], tuple[Call, ...], str | None]:
        """Return a row for each item, what each call took, and why it could not be tried, if so.

        Raises:
            ModelCallError: a call failed; what was answered is in the cache.
        """
        judge = replace(self.setup.judge, name=rubric.name, rubric=rubric)
        setup = replace(self.setup, judge=judge, rubric_file=file)
        try:
            JudgeRun(setup).check(items)
        except InputError as error:
            return (), (), str(error.message)
        rows: dict[str, dict[str, Any]] = {}
        answers: list[Answer] = []
        stream = judge_stream(setup, items, how=self._how(), command="rubric draft")
        async with contextlib.aclosing(stream):
            async for batch in stream:
                for judged in batch:
                    answers += judged.answers
                    rows[judged.item.id] = trial_row(judged.outcome, judged.criterion)
        calls = tuple(self._count(answer) for answer in answers)
        for answer in answers:
            if answer.failure is not None and answer.failure.cause != "filtered":
                self._reply(answer)
        return tuple(rows[item.id] for item in items), calls, None

    def _how(self) -> How:
        most, spending = self._spending.max_cost_usd, self._spending
        left = None if most is None else max(0.0, most - self.spent_usd)
        return How(
            max_cost_usd=left,
            offline=spending.offline,
            refresh=spending.refresh,
            open_model=self._kept.open,
        )

    def _long_price(self, model: str) -> Price | None:
        """Return a price by which the engine's estimate fits replies as long as a draft."""
        price = self.setup.price(model)
        return None if price is None else _lengthened(price)

    def _count(self, answer: Answer) -> Call:
        reply = answer.reply
        if reply is None:
            cost = failed_cost(answer, self.setup.price)
            self.spent_usd += self._estimate(answer) if cost is None else cost
            return Call(cached=False, tokens_in=None, tokens_out=None, cost_usd=cost)
        if answer.cached:
            return Call(cached=True, tokens_in=None, tokens_out=None, cost_usd=0.0)
        cost = reply.cost_usd
        self.spent_usd += self._estimate(answer) if cost is None else cost
        return Call(False, reply.tokens_in, reply.tokens_out, cost)  # noqa: FBT003  (cached)

    def _estimate(self, answer: Answer) -> float:
        price = self.setup.price(answer.request.model)
        return price.expected(request_tokens(answer.request), REPLY_TOKENS) if price else 0.0

    def _reply(self, answer: Answer) -> ModelReply:
        failure = answer.failure
        if answer.reply is not None:
            return answer.reply
        if failure is None:
            raise ModelCallError("no reply came", cause="bad_request")
        if failure.cause == "budget":
            raise ModelCallError(
                f"the next call could exceed the budget of {self._spending.max_cost_usd:g} USD "
                f"({self.spent_usd:.4g} USD spent so far)",
                cause="budget",
                hint="run it again with a higher --max-cost: what was answered is kept",
            )
        raise failure


def _lengthened(price: Price) -> Price:
    longer = None if price.longer is None else _lengthened(price.longer)
    return replace(price, output=price.output * _DRAFT_TOKENS / REPLY_TOKENS, longer=longer)
