"""How a run is getting on, and what it has cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from judgekit.errors import ModelCallError
from judgekit.judging.request import Ask, ModelReply, ModelRequest


class Answer(NamedTuple):
    """How one request ended: with a reply or with a failure, never with neither.

    Attributes:
        ask: What was asked.
        reply: What was answered, or None.
        failure: Why there is no reply, or None.
        cached: No call was made for it: the reply was kept, or shared with an equal request.
        attempts: Calls made for it.
    """

    ask: Ask
    reply: ModelReply | None = None
    failure: ModelCallError | None = None
    cached: bool = False
    attempts: int = 0

    @property
    def key(self) -> str:
        """Return the key of the request."""
        return self.ask.key

    @property
    def request(self) -> ModelRequest:
        """Return the request, built anew."""
        return self.ask.build()


class Progress(NamedTuple):
    """Where a run stands.

    Attributes:
        done: Requests that have ended, one way or the other.
        total: Requests in all; None when that is not known.
        cached: Those of them that needed no call.
        failed: Those that ended without a reply.
        cost_usd: What the calls of this run cost as far as prices are known; None when replies
            came and none of them has a known price.
        unpriced: Replies of this run whose price is not known.
        elapsed: Seconds since the start.
    """

    done: int
    total: int | None
    cached: int
    failed: int
    cost_usd: float | None
    unpriced: int
    elapsed: float


class Tally:
    """Counts the answers of a run and reports after each batch."""

    def __init__(self, total: int | None, report: Callable[[Progress], None] | None) -> None:
        self._total, self._report, self._start = total, report, time.monotonic()
        self._done = self._cached = self._failed = self._priced = self._unpriced = 0
        self.cost_usd = 0.0

    def add(self, answers: Sequence[Answer]) -> None:
        """Count some answers, then report once."""
        fresh = [answer for answer in answers if not answer.cached]
        self._done += len(answers)
        self._cached += len(answers) - len(fresh)
        for answer in fresh:
            if answer.reply is None:
                self._failed += 1
            else:
                self._price(answer.reply.cost_usd)
        if self._report is not None:
            self._report(self.progress)

    def _price(self, cost_usd: float | None) -> None:
        if cost_usd is None:
            self._unpriced += 1
        else:
            self._priced += 1
            self.cost_usd += cost_usd

    @property
    def progress(self) -> Progress:
        """Where the run stands."""
        known = self._priced or not self._unpriced
        return Progress(
            done=self._done,
            total=self._total,
            cached=self._cached,
            failed=self._failed,
            cost_usd=self.cost_usd if known else None,
            unpriced=self._unpriced,
            elapsed=time.monotonic() - self._start,
        )
