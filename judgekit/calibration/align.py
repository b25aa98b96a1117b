"""Human labels and judgments brought together, with every item accounted for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from judgekit.calibration.rows import HUMAN_NA, Row
from judgekit.judging.judgment import Judgment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from judgekit.judging.judgment import Unjudged


TIED = "tied_majority"
"""Set aside because its labels are a tie: it has labels, although none of them stands."""


class Subject(NamedTuple):
    """An item as calibration sees it: its id, its case, a digest of its text and its length."""

    id: str
    case: str | None = None
    text: str | None = None
    length: int | None = None


class HumanLevel(NamedTuple):
    """One human's level of an item; ``level`` None means "does not apply"."""

    rater: str
    level: int | None
    weight: float | None = None
    stratum: str | None = None


def align(
    subjects: Iterable[Subject],
    labels: Mapping[str, Sequence[HumanLevel]],
    outcomes: Mapping[str, Judgment | Unjudged],
    set_aside: Mapping[str, str],
) -> list[Row]:
    """Return the evidence rows: one for each (item, human level), one for each item set aside.

    An item nobody labelled and one named in ``set_aside`` are set aside with the reason; a labelled
    item without an outcome is ``missing``. A human's "does not apply" sets that pair aside, and the
    item when every human says so. Labelled items come in even if no subject names them: nothing is
    dropped.
    """
    known = {subject.id: subject for subject in subjects}
    known.update({item: Subject(item) for item in labels if item not in known})
    rows: list[Row] = []
    for subject in known.values():
        human = labels.get(subject.id, ())
        why = set_aside.get(subject.id)
        if not human and why != TIED:
            why = "unlabelled"
        if why is not None:
            rows.append(Row(subject.id, subject.case, set_aside=why))
            continue
        outcome = outcomes.get(subject.id)
        rows.extend(_row(subject, h, outcome) for h in human)
    return rows


def _row(subject: Subject, human: HumanLevel, outcome: Judgment | Unjudged | None) -> Row:
    """Return the pair; beside a human's "does not apply" too stands what the judge said."""
    row = Row(
        item=subject.id,
        case=subject.case,
        rater=human.rater,
        human=human.level,
        set_aside=HUMAN_NA if human.level is None else None,
        text=subject.text,
        weight=human.weight,
        stratum=human.stratum,
        length=subject.length,
    )
    if isinstance(outcome, Judgment):
        return replace(row, judge=outcome.level, judge_na=outcome.level is None)
    return replace(row, cause="missing" if outcome is None else outcome.cause)
