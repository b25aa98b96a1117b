"""From recorded judgments to outcomes: a judgment or an unjudged cause, never a guess."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from judgekit.importers.recorded import Order, Recorded, RecordedSet
from judgekit.judging.judgment import Cause, Judgment, Unjudged
from judgekit.judging.reply import combine
from judgekit.labels.levels import OFF, LevelReader, quoted, scale_text
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import Scale, fold

Outcome = Judgment | Unjudged
TIES = frozenset({"tie", "equal", "same", "both", "neither", "draw"})


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
    recorded: RecordedSet, criterion: Criterion, read: Callable[[str], Reading]
) -> list[Outcome]:
    """Return one outcome for each item and replicate, in file order.

    A level column counts before the raw reply; a row with neither is ``missing``. Pairwise: a
    level is in item order, a reply speaks of the shown order and is mapped back; without an order
    the outputs were shown as A, B. Where both orders of an item were asked, they must agree:
    otherwise it is a tie, or ``contradictory`` on a scale without one. If one of the two is
    unusable, so is the outcome.

    Args:
        recorded: The rows of one judge; those of other criteria are passed over.
        criterion: The criterion.
        read: Reads one reply text.
    """
    levels = LevelReader(criterion, recorded.level_map)
    groups: dict[tuple[str, int], list[Recorded]] = {}
    for row in recorded.rows:
        if row.criterion == criterion.name:
            groups.setdefault((row.item, row.replicate), []).append(row)
    return [
        _both_orders([_outcome(row, levels, read) for row in _in_order(rows)], criterion.scale)
        for rows in groups.values()
    ]


def one_per_item(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    """Return one outcome for each item: the level most of its usable replicates gave.

    A tie between levels is ``contradictory``; without a usable replicate the first cause stands.
    """
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.item, []).append(outcome)
    return {item: combine(group) for item, group in groups.items()}


def _in_order(rows: Sequence[Recorded]) -> list[Recorded]:
    return sorted(rows, key=lambda row: row.order == "BA")


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
        row.item, row.criterion, level, reason, row.raw, row.replicate, served=row.model
    )


def _unjudged(row: Recorded, cause: Cause, detail: str | None) -> Unjudged:
    return Unjudged(
        row.item, row.criterion, cause, detail, row.raw, row.replicate, served=row.model
    )


def _both_orders(outcomes: Sequence[Outcome], scale: Scale) -> Outcome:
    """Return the one outcome of the orders an item was shown in."""
    first = outcomes[0]
    for outcome in outcomes:
        if isinstance(outcome, Unjudged):
            return outcome
    levels = {outcome.level for outcome in outcomes if isinstance(outcome, Judgment)}
    if len(levels) == 1:
        return first
    tie = None if None in levels else tie_level(scale)
    if tie is not None and isinstance(first, Judgment):
        return replace(first, level=tie)
    return Unjudged(
        first.item,
        first.criterion,
        "contradictory",
        "the two orders disagree",
        first.raw,
        first.replicate,
        served=first.served,
    )


def tie_level(scale: Scale) -> int | None:
    """Return the index of a pairwise scale's tie, or None when it has none."""
    rest = [i for i in range(len(scale.levels)) if i not in scale.sides]
    named = [i for i in rest if {fold(scale.names[i]), fold(str(scale.values[i]))} & TIES]
    return named[0] if named else rest[0] if len(rest) == 1 else None
