"""The reply to a judgment, or to the cause why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.likelihood import read_scores
from judgekit.judging.reading import Reading, read
from judgekit.judging.tokens import level_probabilities

if TYPE_CHECKING:
    from judgekit.judging.judge import Judge
    from judgekit.judging.judgment import Order
    from judgekit.judging.request import ModelReply
    from judgekit.rubric.model import Criterion


class Reader:
    """Reads the replies of one judge on one criterion.

    Args:
        judge: The judge.
        criterion: The criterion.
    """

    __slots__ = ("_allow_na", "_likelihood", "_name", "_scale")

    def __init__(self, judge: Judge, criterion: Criterion) -> None:
        self._name, self._scale = criterion.name, criterion.scale
        self._allow_na = criterion.not_applicable is not None
        self._likelihood = judge.scoring == "likelihood"

    def read(
        self,
        item: str,
        reply: ModelReply,
        *,
        replicate: int = 0,
        cached: bool = False,
        member: int = 0,
        order: Order | None = None,
    ) -> Judgment | Unjudged:
        """Read one reply. The raw text is kept whatever comes of it.

        A pair that was shown in the order ``BA`` is read as shown; the level and the probabilities
        that are returned are in item order.
        """
        if self._likelihood:
            reading = _scored(reply.text, self._scale.names)
        else:
            reading = read(reply, self._scale, allow_na=self._allow_na)
        level = reading.level
        if reading.cause is not None:
            return Unjudged(
                item, self._name, reading.cause, reading.detail, reply.text, replicate,
                reply.served, cached, member, order,
            )  # fmt: skip
        chances = None
        if reply.logprobs is not None and level is not None:
            found = level_probabilities(reply.text, reply.logprobs, self._scale, level)
            chances = None if found is None else found.probabilities
        if order == "BA" and level is not None:
            swap = self._scale.swap
            level, chances = swap[level], chances and tuple(chances[i] for i in swap)
        return Judgment(
            item, self._name, level, reading.reason, reply.text, replicate, reply.served, cached,
            member, order, chances,
        )  # fmt: skip


def read_reply(  # noqa: PLR0913  (all that is known of an asking)
    judge: Judge,
    criterion: Criterion,
    item: str,
    reply: ModelReply,
    *,
    replicate: int = 0,
    cached: bool = False,
    member: int = 0,
    order: Order | None = None,
) -> Judgment | Unjudged:
    """Read one reply, as :meth:`Reader.read` does; for many, make a reader once."""
    return Reader(judge, criterion).read(
        item, reply, replicate=replicate, cached=cached, member=member, order=order
    )


def _scored(text: str, names: tuple[str, ...]) -> Reading:
    """Return what the scores of a judge read by likelihood say."""
    scores = read_scores(text, names)
    cause = None if scores.level is not None else scores.cause or "unreadable"
    told = scores.detail
    return Reading(scores.level, not_applicable=False, cause=cause, reason=told, detail=told)
