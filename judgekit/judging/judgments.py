"""The judgments of one judge over many items. A container on purpose without a mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.judging.item import Item
    from judgekit.judging.judgment import Judgment, Unjudged


@dataclass(frozen=True)
class Judgments:
    """What a judge said of each item, criterion by criterion.

    A number over items exists only behind the gate: see :func:`judgekit.score`.

    Attributes:
        judge: The judge's name.
        fingerprints: Fingerprint of the judge on each criterion.
        items: The items, in the order they came in.
        outcomes: ``criterion -> item id -> Judgment | Unjudged``; every item is there.
        replies: ``criterion -> model -> replies``: which model, as the endpoint names it, gave how
            many replies, replicates included; a reply that names none counts as ``(not named)``.
        left_out: Parameters that some reply's model did not take.
        cost_usd: What the calls cost; None when any price is unknown.
        asked: Requests for which calls were made; ``failed``: those of them without reply.
        cached: Requests answered by the cache; ``not_asked``: without reply and without a call.
    """

    judge: str
    fingerprints: Mapping[str, str]
    items: Sequence[Item]
    outcomes: Mapping[str, Mapping[str, Judgment | Unjudged]]
    replies: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    cost_usd: float | None = None
    asked: int = 0
    cached: int = 0
    failed: int = 0
    not_asked: int = 0

    def __len__(self) -> int:
        return len(self.items)
