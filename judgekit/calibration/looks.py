"""Looks at a label set: how often changed judges have already been measured on these items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import AwareDatetime

from judgekit.fingerprint import fingerprint, sha256_text
from judgekit.rubric.scale import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from judgekit.calibration.rows import Row

LOOK_FORMAT: Literal["judgekit.look/1"] = "judgekit.look/1"


Reveal = Literal["full", "none"]
"""What people saw of a measurement: all of it, or the verdict and the labels needed only."""


class Look(Frozen):
    """One event of the ledger: a judge was measured on these test items.

    ``items`` holds a short digest of each item's id, and of its text where that is known, so that
    new names make no new items; ``labels`` is the digest of the human side of the evidence: the
    same judge on the same labels is the same look, however often its missing replies are asked for.
    """

    format: Literal["judgekit.look/1"] = LOOK_FORMAT
    judge: str
    criterion: str
    fingerprint: str
    labels: str
    items: tuple[str, ...]
    verdict: str | None
    looked_at: AwareDatetime
    revealed: Reveal = "full"

    @property
    def identity(self) -> tuple[str, str]:
        """Return what makes it the same look: the judge's fingerprint and the labels."""
        return self.fingerprint, self.labels


def item_digests(rows: Iterable[Row]) -> tuple[str, ...]:
    """Return the sorted short digests by which the items that take part are known again."""
    part = [row for row in rows if row.set_aside is None]
    names = {sha256_text(row.item)[:12] for row in part}
    return tuple(sorted(names | {row.text for row in part if row.text is not None}))


def labels_digest(rows: Iterable[Row]) -> str:
    """Return the digest of who labelled which item how; what the judge said is no part of it."""
    human = {(r.item, r.rater or "", r.human) for r in rows if r.set_aside is None}
    return fingerprint([list(one) for one in sorted(human, key=str)])


def look_number(new: Look, ledger: Sequence[Look]) -> int:
    """Return which look this is (1 is the first).

    Earlier looks are those of the same criterion at overlapping items, by any judge: a
    fingerprint measured anew, or the same judge measured again on changed or added labels.
    An identical re-run keeps the number it had.
    """
    order = list(dict.fromkeys(look.identity for look in _overlapping(new, ledger)))
    return order.index(new.identity) + 1 if new.identity in order else len(order) + 1


def revealed_before(new: Look, ledger: Sequence[Look]) -> int:
    """Return how many earlier looks at these items, of other judges or labels, showed details.

    The budget is spent by every look. Where details were shown, the rubric may since have been
    fitted to these very items, and the labels are then worth less than the budget says.
    """
    shown = {look.identity for look in _overlapping(new, ledger) if look.revealed == "full"}
    return len(shown - {new.identity})


def _overlapping(new: Look, ledger: Sequence[Look]) -> list[Look]:
    items = set(new.items)
    return [
        look
        for look in sorted(ledger, key=lambda one: one.looked_at)
        if look.criterion == new.criterion and not items.isdisjoint(look.items)
    ]
