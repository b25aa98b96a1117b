"""The reply to a judgment, or to the cause why there is none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.likelihood import read_scores
from judgekit.judging.reading import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.judging.judge import Judge
    from judgekit.judging.request import ModelReply
    from judgekit.rubric.model import Criterion


def read_reply(
    judge: Judge,
    criterion: Criterion,
    item: str,
    reply: ModelReply,
    *,
    replicate: int = 0,
    cached: bool = False,
) -> Judgment | Unjudged:
    """Read one reply. The raw text is kept whatever comes of it."""
    where: dict[str, Any] = {
        "item": item,
        "criterion": criterion.name,
        "raw": reply.text,
        "replicate": replicate,
        "served": reply.served,
        "cached": cached,
    }
    if judge.scoring == "likelihood":
        scores = read_scores(reply.text, criterion.scale.names)
        if scores.level is None:
            return Unjudged(cause=scores.cause or "unreadable", detail=scores.detail, **where)
        return Judgment(level=scores.level, reason=scores.detail, **where)
    reading = read(reply, criterion.scale, allow_na=criterion.not_applicable is not None)
    if reading.cause is not None:
        return Unjudged(cause=reading.cause, detail=reading.detail, **where)
    return Judgment(level=reading.level, reason=reading.reason, **where)


def combine(replicates: Sequence[Judgment | Unjudged]) -> Judgment | Unjudged:
    """Return one outcome of an item's replicates: the level most of the usable ones gave.

    Two levels given equally often are ``contradictory``: there is no majority to report.
    Without any usable replicate the first one's cause stands.
    """
    if len(replicates) == 1:
        return replicates[0]
    usable = [r for r in replicates if isinstance(r, Judgment)]
    if not usable:
        return replicates[0]
    (level, most), *others = Counter(r.level for r in usable).most_common()
    if others and others[0][1] == most:
        first = usable[0]
        return Unjudged(
            item=first.item,
            criterion=first.criterion,
            cause="contradictory",
            detail="the replicates are split between two levels",
            raw=first.raw,
            served=first.served,
            cached=first.cached,
        )
    return next(r for r in usable if r.level == level)
