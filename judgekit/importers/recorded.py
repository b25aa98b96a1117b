"""Recorded judgments: what a judge that ran elsewhere said, as its rows declare it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

Order = Literal["AB", "BA"]
"""In which order the two outputs were shown."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One row.

    Attributes:
        item: Item id.
        criterion: Criterion name.
        level_written: The level as the row has it, on the scale or not; None when it has none.
            Pairwise: in item order, A is ``output_a``.
        raw: The reply as the row has it, or None. Pairwise: it speaks of the shown order.
        replicate: Which asking it was.
        judge: Who judged, as declared.
        model: The model, as declared.
        order: Pairwise: the order the outputs were shown in; None when the row says nothing.
        reason: The judge's reason.
        line: Where the row stands in its file.
    """

    item: str
    criterion: str
    level_written: Any | None = None
    raw: str | None = None
    replicate: int = 0
    judge: str | None = None
    model: str | None = None
    order: Order | None = None
    reason: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class RecordedSet:
    """The rows of one judge.

    Attributes:
        rows: The rows, in file order.
        judge: The judge, as declared; None when the file names none.
        level_map: Renames of levels, from ``--level-map``.
        notes: Remarks for people.
        file: The file as the user named it.
    """

    rows: tuple[Recorded, ...]
    judge: str | None = None
    level_map: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    file: str | None = None

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Return the models the rows declare, in order of first appearance."""
        return tuple(dict.fromkeys(row.model for row in self.rows if row.model is not None))

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Return the item ids, in order of first appearance."""
        return tuple(dict.fromkeys(row.item for row in self.rows))

    def of(self, criterion: str) -> RecordedSet:
        """Return the rows of one criterion."""
        return replace(self, rows=tuple(r for r in self.rows if r.criterion == criterion))

    def keep(self, items: Container[str]) -> RecordedSet:
        """Return the rows of the given items."""
        return replace(self, rows=tuple(r for r in self.rows if r.item in items))
