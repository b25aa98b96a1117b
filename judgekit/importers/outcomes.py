"""From recorded judgments to outcomes: a judgment or an unjudged cause, never a guess."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from judgekit.importers.recorded import Order, Recorded, RecordedSet
from judgekit.judging.judge import Inconsistent, Rule
from judgekit.judging.judgment import Cause, Judgment, Unjudged
from judgekit.judging.votes import Outcome, settle_orders, settle_votes, tie_level
from judgekit.labels.levels import OFF, LevelReader, quoted, scale_text
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Scale

__all__ = ["Outcome", "Reading", "one_per_item", "tie_level", "to_outcomes"]


class Reading(Protocol):
    """What was read from a reply: a level, "not applicable", or the cause why neither."""

    @property
    def level(self) -> int | None:
        """Index of the level in scale order."""

    @property
    def not_applicable(self) -> bool:
        """True when the judge said that the criterion does not apply."""

    @property
    def cause(self) -> Cause | None:
        """Why there is no usable level."""

    @property
    def reason(self) -> str | None:
        """The judge's reason."""

    @property
    def detail(self) -> str | None:
        """More on the cause."""


def to_outcomes(
    recorded: RecordedSet,
    criterion: Criterion,
    read: Callable[[str], Reading],
    *,
    inconsistent: Inconsistent = "tie",
) -> list[Outcome]:
    """Return one outcome for each item and replicate, in file order.

    A level column counts before the raw reply; a row with neither is ``missing``. Pairwise: a
    level is in item order, a reply speaks of the shown order and is mapped back; without an order
    the outputs were shown as A, B. Where both orders of an item were asked they become one as those
    of a live judge do (:func:`judgekit.judging.votes.settle_orders`).

    Args:
        recorded: The rows of one judge; those of other criteria are passed over.
        criterion: The criterion.
        read: Reads one reply text.
        inconsistent: What a pair is whose two orders disagree.
    """
    levels = LevelReader(criterion, recorded.level_map)
    groups: dict[tuple[str, int], list[Outcome]] = {}
    for row in recorded.rows:
        if row.criterion == criterion.name:
            outcome = _outcome(row, levels, read)
            groups.setdefault((row.item, row.replicate), []).append(outcome)
    return [settle_orders(votes, criterion.scale, inconsistent) for votes in groups.values()]


def one_per_item(outcomes: Iterable[Outcome], *, rule: Rule = "majority") -> dict[str, Outcome]:
    """Return one outcome for each item, its replicates made one as those of a live judge are.

    See :func:`judgekit.judging.votes.settle_votes`.
    """
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.item, []).append(outcome)
    return {item: settle_votes(group, rule) for item, group in groups.items()}


def _outcome(row: Recorded, levels: LevelReader, read: Callable[[str], Reading]) -> Outcome:
    """Return what one row says, in item order."""
    if row.level_written is not None:
        return _from_level(row, row.level_written, levels)
    if row.raw is None:
        return _unjudged(row, "missing", "the row has neither a level nor a reply")
    if levels.renames and levels.rename(row.raw) != row.raw:  # the reply is a bare level
        return _from_level(row, row.raw, levels, shown=row.order)
    reading = read(row.raw)
    if reading.cause is not None:
        return _unjudged(row, reading.cause, reading.detail)
    level = _in_item_order(reading.level, levels.criterion.scale, row.order)
    return _judgment(row, level, reading.reason or row.reason)


def _in_item_order(level: int | None, scale: Scale, shown: Order | None) -> int | None:
    return scale.swap[level] if level is not None and shown == "BA" else level


def _from_level(
    row: Recorded, written: object, levels: LevelReader, shown: Order | None = None
) -> Outcome:
    level = levels.read(written)
    if level is OFF:
        scale = scale_text(levels.criterion.scale)
        detail = f"level {quoted(written)} is not on the scale ({scale})"
        return _unjudged(row, "out_of_scale", detail)
    return _judgment(row, _in_item_order(level, levels.criterion.scale, shown), row.reason)


def _judgment(row: Recorded, level: int | None, reason: str | None) -> Judgment:
    return Judgment(
        row.item,
        row.criterion,
        level,
        reason,
        row.raw,
        row.replicate,
        served=row.model,
        order=row.order,
    )


def _unjudged(row: Recorded, cause: Cause, detail: str | None) -> Unjudged:
    return Unjudged(
        row.item,
        row.criterion,
        cause,
        detail,
        row.raw,
        row.replicate,
        served=row.model,
        order=row.order,
    )
