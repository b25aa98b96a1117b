"""Looks at a label set: how often changed judges have already been measured on these items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import AwareDatetime, Field

from judgekit.fingerprint import fingerprint, sha256_text
from judgekit.rubric.frozen import Frozen

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

    ``answers`` holds a digest of what the judge said of each item. A judge that is said to be the
    same and answers otherwise is measured anew: else verdicts could be drawn until some pass. Only
    a live judge that was calibrated may be asked again for its renewal.

    ``path``, ``options`` and ``split`` say which file it was, as in a certificate, so that what was
    shown can be found again; they make no other look of it.
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
    answers: dict[str, str] = Field(default_factory=dict)
    recorded: bool = False
    path: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    split: str | None = None

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


def answer_digests(rows: Iterable[Row]) -> dict[str, str]:
    """Return a short digest of what the judge said of each item it gave a usable answer on."""
    said = {row.item: row for row in rows if row.set_aside is None and row.cause is None}
    return {
        sha256_text(item)[:12]: sha256_text(f"{item}\n{row.judge_na or row.judge}")[:12]
        for item, row in sorted(said.items())
    }


def look_number(new: Look, ledger: Sequence[Look]) -> int:
    """Return which look this is (1 is the first).

    Earlier looks are those of the same criterion at overlapping items, by any judge: a
    fingerprint measured anew, the same judge measured again on changed or added labels, or one that
    answers otherwise. An identical re-run keeps the number it had, and so does one that fills in
    what was missing.
    """
    order = _distinct(_overlapping(new, ledger))
    places = [place for place, one in enumerate(order, start=1) if _same(new, one)]
    return places[0] if places else len(order) + 1


def known_look(new: Look, ledger: Sequence[Look]) -> Look | None:
    """Return the entry of the ledger that this measurement repeats, or None."""
    return next((one for one in _overlapping(new, ledger) if _same(new, one)), None)


def revealed_before(new: Look, ledger: Sequence[Look]) -> int:
    """Return how many earlier looks at these items, of other judges or labels, showed details.

    The budget is spent by every look. Where details were shown, the rubric may since have been
    fitted to these very items, and the labels are then worth less than the budget says.
    """
    shown = _distinct([one for one in _overlapping(new, ledger) if one.revealed == "full"])
    return sum(not _same(new, one) for one in shown)


def _distinct(looks: Sequence[Look]) -> list[Look]:
    """Return the looks without those that repeat an earlier one."""
    found: list[Look] = []
    for one in looks:
        if not any(_same(one, other) for other in found):
            found.append(one)
    return found


def _same(new: Look, old: Look) -> bool:
    """Tell whether a measurement repeats an earlier one."""
    if new.identity != old.identity:
        return False
    if old.verdict == "calibrated" and not new.recorded:
        return True
    return all(old.answers.get(item, said) == said for item, said in new.answers.items())


def _overlapping(new: Look, ledger: Sequence[Look]) -> list[Look]:
    items = set(new.items)
    return [
        look
        for look in sorted(ledger, key=lambda one: one.looked_at)
        if look.criterion == new.criterion and not items.isdisjoint(look.items)
    ]
