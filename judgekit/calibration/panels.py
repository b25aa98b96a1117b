"""What the single votes behind a judge's levels show: its members, its replicates, its two orders.

All of it is beside the gate: the judge is certified as it is, votes put together. But a panel whose
members err together is worth fewer than it has, a judge that changes its mind when asked again has
a noise floor, and one that prefers whatever is shown first says less of the outputs than it seems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.panel_members import PanelEvidence, panel_evidence
from judgekit.calibration.repeats import OrderEvidence, RepeatEvidence, orders, repeats
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.calibration.votes import Outcome, Votes
from judgekit.rubric.frozen import Frozen

if TYPE_CHECKING:
    from judgekit.judging.judge import Judge
    from judgekit.rubric.model import Criterion


class PanelReport(Frozen):
    """What the single votes show; a part is None where there are no votes of that kind."""

    panel: PanelEvidence | None
    repeats: RepeatEvidence | None
    orders: OrderEvidence | None


def panel_report(
    rows: Sequence[Row],
    outcomes: Mapping[str, Outcome],
    judge: Judge,
    criterion: Criterion,
    *,
    rng: np.random.Generator,
) -> PanelReport | None:
    """Return what the single votes show; None where each item was asked about once.

    Args:
        rows: The evidence rows of the criterion; only items that take part count.
        outcomes: The outcome of each item, with its votes.
        judge: The judge.
        criterion: The criterion.
        rng: Dice for the bootstrap of the effective size.
    """
    part = {row.item for row in rows if row.set_aside is None}
    known = {item: outcome for item, outcome in outcomes.items() if item in part}
    if not any(outcome.votes for outcome in known.values()):
        return None
    votes = Votes(rows, known, judge, criterion, ScaleSpec.of(criterion))
    return PanelReport(
        panel=panel_evidence(votes, rng) if len(judge.members) > 1 else None,
        repeats=repeats(votes),
        orders=orders(votes),
    )
