"""Looks at a label set: how often changed judges have already been measured on these items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import AwareDatetime

from judgekit.fingerprint import sha256_text
from judgekit.rubric.scale import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LOOK_FORMAT: Literal["judgekit.look/1"] = "judgekit.look/1"


class Look(Frozen):
    """One event of the ledger: a judge was measured on these test items.

    ``items`` holds a short digest of each item id; ``evidence`` is the sha256 of the evidence,
    so that an identical re-run can be told from a new look.
    """

    format: Literal["judgekit.look/1"] = LOOK_FORMAT
    judge: str
    criterion: str
    fingerprint: str
    evidence: str
    items: tuple[str, ...]
    verdict: str | None
    looked_at: AwareDatetime

    @property
    def identity(self) -> tuple[str, str]:
        """Return what makes it the same look: the judge's fingerprint and the evidence."""
        return self.fingerprint, self.evidence


def item_digests(items: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted short digests of item ids."""
    return tuple(sorted({sha256_text(item)[:12] for item in items}))


def look_number(new: Look, ledger: Sequence[Look]) -> int:
    """Return which look this is (1 is the first).

    Earlier looks are those of the same criterion at overlapping items, by any judge: a
    fingerprint measured anew, or the same judge measured again on changed or added labels.
    An identical re-run keeps the number it had.
    """
    items = set(new.items)
    earlier = dict.fromkeys(
        look.identity
        for look in sorted(ledger, key=lambda one: one.looked_at)
        if look.criterion == new.criterion and not items.isdisjoint(look.items)
    )
    order = list(earlier)
    return order.index(new.identity) + 1 if new.identity in earlier else len(order) + 1
