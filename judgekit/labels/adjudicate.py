"""From several raters to the reference: pooled, adjudicated, or by majority on request.

Pooled is the default: every rater's label stands, and agreement is measured over the pooled
(item, rater) table. Rows of the rater called ``adjudicated`` replace the other rows of their
item. A majority is taken only when asked for, because it throws disagreement away; its ties are
reported and set aside. "Not applicable" is a statement of the rater: it votes like a level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from judgekit.errors import InputError, LabelError, UnknownName
from judgekit.labels.label import Label
from judgekit.rubric.scale import fold

Rule = Literal["pooled", "majority"]
ADJUDICATED = "adjudicated"
"""The rater whose rows replace the others of their item."""
MAJORITY = "majority"
"""The rater that a majority is reported under."""


class RatedLevel(NamedTuple):
    """A rater and the level given: an index in scale order, None for "not applicable"."""

    rater: str
    level: int | None


class Counts(NamedTuple):
    """What went in and what became of it.

    Attributes:
        items: Items with a label.
        labels: Labels that went in.
        adjudicated: Items that have an adjudicated label.
        replaced: Labels that an adjudicated one replaced.
        voted: Items decided by majority.
        split_votes: Items decided by a majority that was not everybody.
        ties: Items without a majority, set aside.
    """

    items: int
    labels: int
    adjudicated: int
    replaced: int
    voted: int
    split_votes: int
    ties: int


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference labels of one criterion.

    Attributes:
        levels: For each item the (rater, level) rows that stand; items with a tie are absent.
        rule: How they were settled.
        ties: Items that were set aside because no level had more votes than the others.
        counts: What went in and what became of it.
    """

    levels: dict[str, tuple[RatedLevel, ...]]
    rule: Rule
    ties: tuple[str, ...]
    counts: Counts


def adjudicate(
    labels: Iterable[Label], *, rule: Rule = "pooled", adjudicator: str = ADJUDICATED
) -> Reference:
    """Return the reference labels of one criterion.

    Args:
        labels: The labels, all of one criterion.
        rule: ``pooled`` keeps every rater's label; ``majority`` takes one vote an item.
        adjudicator: The rater whose rows replace the others of their item, in any case.

    Raises:
        InputError: the labels are of more than one criterion.
        UnknownName: another adjudicator was named, and no row is by that rater.
        LabelError: an item has two adjudicated labels.
    """
    groups = _by_item(labels)
    name = fold(adjudicator)
    raters = dict.fromkeys(v.rater for rows in groups.values() for v in rows)
    if name != ADJUDICATED and groups and name not in map(fold, raters):
        raise UnknownName("rater", adjudicator, raters)
    levels: dict[str, tuple[RatedLevel, ...]] = {}
    ties: list[str] = []
    adjudicated = replaced = voted = split_votes = 0
    for item, rows in groups.items():
        final = _final(rows, name)
        if final is not None:
            adjudicated, replaced = adjudicated + 1, replaced + len(rows) - 1
            levels[item] = (RatedLevel(final.rater, final.level),)
        elif rule == "pooled":
            levels[item] = tuple(RatedLevel(v.rater, v.level) for v in rows)
        elif winner := _majority(rows):
            voted += 1
            split_votes += any(v.level != winner.level for v in rows)
            levels[item] = (winner,)
        else:
            ties.append(item)
    total = sum(map(len, groups.values()))
    counts = Counts(len(groups), total, adjudicated, replaced, voted, split_votes, len(ties))
    return Reference(levels, rule, tuple(ties), counts)


def _by_item(labels: Iterable[Label]) -> dict[str, list[Label]]:
    groups: dict[str, list[Label]] = {}
    criteria: dict[str, None] = {}
    for label in labels:
        groups.setdefault(label.item, []).append(label)
        criteria[label.criterion] = None
    if len(criteria) > 1:
        raise InputError(f"labels of one criterion are needed, not of {', '.join(criteria)}")
    return groups


def _final(rows: Sequence[Label], adjudicator: str) -> Label | None:
    """Return the adjudicated row of an item, or None."""
    found = [row for row in rows if fold(row.rater) == adjudicator]
    if len(found) > 1:
        lines = " and ".join(str(row.line) for row in found[:2])
        raise LabelError(
            f"item {found[0].item!r} has two adjudicated labels (lines {lines})",
            hint="Keep the one that is final.",
            line=found[1].line,
        )
    return found[0] if found else None


def _majority(rows: Sequence[Label]) -> RatedLevel | None:
    """Return the level with more votes than any other, or None for a tie."""
    (level, most), *others = Counter(row.level for row in rows).most_common()
    return None if others and others[0][1] == most else RatedLevel(MAJORITY, level)
