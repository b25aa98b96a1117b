"""What one human rater said of one item and criterion, and a whole file of that."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from judgekit.fingerprint import canonical_json, sha256_text
from judgekit.rubric.frozen import Frozen

Source = Literal["human", "demonstration"]
"""Who wrote a label. ``model`` is not among them: such rows never become labels."""


class Label(Frozen):
    """One label.

    Attributes:
        item: Item id.
        criterion: Criterion name.
        rater: Who gave it.
        level: Index of the level in scale order, or None when the rater said "not applicable".
        source: ``human``, or ``demonstration`` for labels written for an example.
        note: The rater's remark.
        split: The split the row says it belongs to.
        weight: Sampling weight of the item.
        stratum: Sampling stratum of the item.
        case: The group the item belongs to, where the label file says so.
        line: Where it stands in its file.
    """

    item: str
    criterion: str
    rater: str
    level: int | None
    source: Source = "human"
    note: str | None = None
    split: str | None = None
    weight: float | None = None
    stratum: str | None = None
    case: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class LabelSet:
    """All labels of one file, with what was assumed while reading it.

    Attributes:
        labels: The labels, in file order.
        notes: Remarks for people: columns taken under another name, rows left out, levels renamed.
        file: The file as the user named it.
    """

    labels: tuple[Label, ...]
    notes: tuple[str, ...] = ()
    file: str | None = None

    @cached_property
    def sha256(self) -> str:
        """Return the hash of what the labels say; row order, notes and line numbers are outside."""
        rows = sorted(canonical_json(_meaning(label)) for label in self.labels)
        return sha256_text("\n".join(rows))

    @cached_property
    def source(self) -> Source:
        """Return ``demonstration`` as soon as one label is a demonstration."""
        return "demonstration" if any(v.source != "human" for v in self.labels) else "human"

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """Return the raters, in order of first appearance."""
        return tuple(dict.fromkeys(v.rater for v in self.labels))

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Return the item ids, in order of first appearance."""
        return tuple(dict.fromkeys(v.item for v in self.labels))

    def by_item(self) -> dict[str, tuple[Label, ...]]:
        """Return the labels of each item, both in file order."""
        groups: dict[str, list[Label]] = {}
        for label in self.labels:
            groups.setdefault(label.item, []).append(label)
        return {item: tuple(labels) for item, labels in groups.items()}

    def of(self, criterion: str) -> LabelSet:
        """Return the labels of one criterion."""
        return replace(self, labels=tuple(v for v in self.labels if v.criterion == criterion))

    def keep(self, items: Container[str]) -> LabelSet:
        """Return the labels of the given items."""
        return replace(self, labels=tuple(v for v in self.labels if v.item in items))


def _meaning(label: Label) -> list[str | float | None]:
    who = [label.item, label.criterion, label.rater]
    sampling = [label.split, label.weight, label.stratum, label.case]
    return [*who, label.level, label.source, *sampling]
