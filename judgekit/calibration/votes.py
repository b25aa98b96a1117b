"""The single votes behind a judge's levels, beside the labels of the same items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.measure import kappa_of
from judgekit.calibration.pairs import for_the_gate
from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.votes import combine
from judgekit.stats.shares import share
from judgekit.stats.table import Pairs

if TYPE_CHECKING:
    from judgekit.judging.judge import Judge
    from judgekit.rubric.model import Criterion
    from judgekit.stats.arrays import IntArray

Outcome = Judgment | Unjudged
Which = Callable[[Outcome], bool]


@dataclass(frozen=True, slots=True)
class Votes:
    """Rows and outcomes of one criterion, and the judge that says how votes become one.

    Attributes:
        rows: The evidence rows.
        outcomes: The outcomes, with their votes, of items that take part.
        judge: The judge.
        criterion: The criterion.
        spec: Its scale.
    """

    rows: Sequence[Row]
    outcomes: Mapping[str, Outcome]
    judge: Judge
    criterion: Criterion
    spec: ScaleSpec

    def only(self, which: Which) -> Votes:
        """Return what each item comes to by some of its votes; items without any are left out."""
        kept = {i: [v for v in o.singles if which(v)] for i, o in self.outcomes.items()}
        said = {i: combine(v, self.judge, self.criterion) for i, v in kept.items() if v}
        return replace(self, outcomes=said)

    def usable(self, key: Callable[[Outcome], object]) -> list[tuple[str, list[Judgment]]]:
        """Return the usable votes of each item that have the same key; None is no key."""
        found: dict[tuple[str, object], list[Judgment]] = defaultdict(list)
        for item, outcome in self.outcomes.items():
            for vote in outcome.singles:
                if isinstance(vote, Judgment) and key(vote) is not None:
                    found[item, key(vote)].append(vote)
        return [(item, votes) for (item, _), votes in found.items()]

    def agreement(self) -> EstimateRecord:
        """Return kappa with the labels, unusable items counted as disagreement."""
        rows = [_said(row, self.outcomes.get(row.item)) for row in self.rows]
        return kappa_of("agreement", for_the_gate(rows, self.spec), self.spec)

    def share(self, name: str, hits: Sequence[tuple[str, bool]]) -> EstimateRecord:
        """Return the share of hits, each on an item; items that share a case widen its interval."""
        first = {row.item: row for row in reversed(self.rows)}
        items = [first[item] for item, _ in hits]
        nothing = np.zeros(len(hits), dtype=np.int64)
        weighted = any(row.weight is not None for row in items)
        pairs = Pairs(
            nothing,
            nothing,
            1,
            clusters=case_codes(items),
            weight=np.array([row.weight or 1.0 for row in items]) if weighted else None,
            items=_codes(row.item for row in items),
        )
        found = share(pairs, np.array([hit for _, hit in hits], dtype=np.bool_), name=name)
        return EstimateRecord.of(name, found)


def case_codes(rows: Iterable[Row]) -> IntArray:
    """Return the case of each row as a number; an item without one is a case of its own."""
    return _codes((row.case is None, row.case or row.item) for row in rows)


def _codes(names: Iterable[object]) -> IntArray:
    table: dict[object, int] = {}
    return np.array([table.setdefault(name, len(table)) for name in names], dtype=np.int64)


def _said(row: Row, outcome: Outcome | None) -> Row:
    """Return the row with another outcome as what the judge said."""
    if row.set_aside is not None:
        return row
    if isinstance(outcome, Judgment):
        level = outcome.level
        return replace(row, judge=level, judge_na=level is None, cause=None)
    cause = "missing" if outcome is None else outcome.cause
    return replace(row, judge=None, judge_na=False, cause=cause)
