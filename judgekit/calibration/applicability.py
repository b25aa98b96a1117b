"""Does the criterion apply at all? Human and judge may both say no; this measures that answer.

A human's "does not apply" sets the pair aside from the levels, so a judge that grades what cannot
be graded loses nothing there. Here it does: the answer is a table of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import HUMAN_NA, ScaleSpec
from judgekit.rubric.frozen import Frozen
from judgekit.stats.agreement import agreement
from judgekit.stats.shares import share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.rows import Row

_APPLIES = ScaleSpec(
    kind="nominal",
    values=("applies", "does not apply"),
    names=("applies", "does not apply"),
    passes=None,
    weights="unweighted",
)


class Applicability(Frozen):
    """Counts of (item, rater) pairs, and how far human and judge agree on them.

    Attributes:
        table: Rows are the human's answer, columns the judge's: applies, does not apply.
        unusable: Replies that were no answer, by the human's answer; they disagree in the figures.
        unrecorded: Pairs that a human called not applicable in evidence that did not yet keep what
            the judge said of them; they are in no figure.
        agreement: Kappa.
        raw_agreement: Share of pairs with the same answer.
    """

    table: tuple[tuple[int, int], tuple[int, int]]
    unusable: tuple[int, int]
    unrecorded: int
    agreement: EstimateRecord
    raw_agreement: EstimateRecord


def applicability(rows: Sequence[Row]) -> Applicability | None:
    """Return the 2 x 2 of applicability, or None when nobody ever said "does not apply".

    Replies the run never got (provider errors, budget, no record) are left out, as in the gate.
    """
    if not any(row.set_aside == HUMAN_NA or row.judge_na for row in rows):
        return None
    asked = [row for row in rows if row.set_aside in (None, HUMAN_NA)]
    told = [row for row in asked if row.judge_na or not (row.judge is None and row.cause is None)]
    pairs = for_the_gate([_answer(row) for row in told], _APPLIES)
    counts = np.zeros((2, 4), dtype=np.int64)
    np.add.at(counts, (pairs.human, pairs.judge), 1)
    applies, not_ = counts.tolist()
    weights = agreement_weights(_APPLIES, pairs.extra)
    same = share(pairs, pairs.human == pairs.judge, name="raw_agreement")
    return Applicability(
        table=((applies[0], applies[1]), (not_[0], not_[1])),
        unusable=(applies[3], not_[3]),
        unrecorded=len(asked) - len(told),
        agreement=EstimateRecord.of("applicability", agreement(pairs, weights)),
        raw_agreement=EstimateRecord.of("raw_agreement", same),
    )


def _answer(row: Row) -> Row:
    """Return the row with the answers "applies" (0) and "does not apply" (1) for levels."""
    judge = None if row.cause is not None else int(row.judge_na)
    human = int(row.set_aside == HUMAN_NA)
    return replace(row, human=human, judge=judge, judge_na=False, set_aside=None)
