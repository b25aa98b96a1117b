"""The humans among themselves, and the judge as one more of them.

Everything here rests on the same items: those that the gate counts and two raters or more gave a
level. Replies that are no level disagree with every human, as in the gate. A "does not apply" of a
human is no level, so it takes no part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.record import EstimateRecord
from judgekit.judging.judgment import INCOMPLETE
from judgekit.rubric.frozen import Frozen
from judgekit.stats.alternative_annotator import (
    EPSILON,
    Annotators,
    Versus,
    alternative_annotator,
)
from judgekit.stats.estimate import Undefined
from judgekit.stats.multiplicity import holm
from judgekit.stats.rater_means import Gap, kappa_gap, kappa_gaps, mean_kappas
from judgekit.stats.rater_pairs import RaterPairs, pair_agreements, rater_pairs
from judgekit.stats.ratings import MISSING, Ratings

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from judgekit.calibration.rows import Row, ScaleSpec

MIN_SHARED = 10
"""Items two raters share before a figure of theirs is told on its own."""
ALPHA = 0.05
"""Chance of calling any rater an outlier when none is."""


class RaterPair(Frozen):
    """Two humans and their kappa on the items both gave a level."""

    first: str
    second: str
    agreement: EstimateRecord


class Person(Frozen):
    """One human beside the others.

    Attributes:
        rater: Who.
        shared: Items that somebody else labelled too.
        agreement: Mean kappa with the other humans.
        gap: That mean less the mean kappa of the others among themselves; needs three humans.
        p: Two-sided p-value of the gap, adjusted for the number of humans (Holm).
        outlier: Whether this human agrees clearly less: p of at most 0.05, and the whole interval
            of the gap below 0.
    """

    rater: str
    shared: int
    agreement: EstimateRecord
    gap: EstimateRecord | None = None
    p: float | None = None
    outlier: bool = False


class StandIn(Frozen):
    """The judge in the place of one human: see :mod:`judgekit.stats.alternative_annotator`."""

    rater: str
    n: int
    advantage: float | None
    p: float | None
    adjusted: float | None
    rejected: bool
    constant: bool


class StandInTest(Frozen):
    """The alternative annotator test, for humans of one kind.

    Attributes:
        annotators: Of what kind the humans are taken to be; nobody said, so each kind is told.
        epsilon: What the judge may be worse by than such humans.
        winning_rate: Share of the tested humans it may stand in for; None where undefined.
        passes: Whether that is 0.5 or more.
        advantage: Average advantage probability.
        tested: The judge against each human tested.
        skipped: Humans with too few items, and how many they have.
        method: Scoring, unit (items or cases) and test.
    """

    annotators: Annotators
    epsilon: float
    winning_rate: float | None
    passes: bool
    advantage: EstimateRecord
    tested: tuple[StandIn, ...]
    skipped: dict[str, int]
    method: str


class HumanEvidence(Frozen):
    """What several raters of the same items show.

    Attributes:
        items: Items with two human levels or more.
        human_agreement: Mean kappa of the humans among themselves: the ceiling. Its high end is
            what the gate holds against the bar.
        judge_agreement: Mean kappa of the judge with each human.
        gap: The second less the first: 0 is a judge as good as one more human.
        pairs: Each two humans who share ten items or more.
        people: Each human beside the others.
        stand_in: The alternative annotator test for experts, skilled annotators and crowd workers.
    """

    items: int
    human_agreement: EstimateRecord
    judge_agreement: EstimateRecord
    gap: EstimateRecord
    pairs: tuple[RaterPair, ...]
    people: tuple[Person, ...]
    stand_in: tuple[StandInTest, ...]


def human_evidence(rows: Sequence[Row], spec: ScaleSpec) -> HumanEvidence | None:
    """Return what several raters show of each other and of the judge; None with one rater."""
    table = _table(rows, spec)
    if len(table.names) < 2:
        return None
    found, judge = table.pairs(spec)
    (among,) = mean_kappas(found, [~judge], method="human_agreement")
    (beside,) = mean_kappas(found, [judge], method="judge_agreement")
    gap = kappa_gap(found, judge, ~judge, method="human_gap")
    return HumanEvidence(
        items=len(table.ratings),
        human_agreement=EstimateRecord.of("human_agreement", among),
        judge_agreement=EstimateRecord.of("judge_agreement", beside),
        gap=EstimateRecord.of("human_gap", gap),
        pairs=_rater_pairs(table, found, ~judge & (found.shared >= MIN_SHARED)),
        people=_people(table, found, ~judge),
        stand_in=tuple(_stand_in(table, spec, kind) for kind in EPSILON),
    )


def human_gap(rows: Sequence[Row], spec: ScaleSpec, *, confidence: float) -> EstimateRecord:
    """Return the gap alone, at another confidence: what a later look is held against."""
    found, judge = _table(rows, spec).pairs(spec)
    gap = kappa_gap(found, judge, ~judge, confidence=confidence, method="human_gap")
    return EstimateRecord.of("human_gap", gap)


class _Table(NamedTuple):
    """Items with two human levels or more; the columns are the humans and, last, the judge."""

    ratings: Ratings
    names: tuple[str, ...]

    def pairs(self, spec: ScaleSpec) -> tuple[RaterPairs, npt.NDArray[np.bool_]]:
        """Return all pairs of raters, and which of them are the judge's."""
        extra = self.ratings.k - len(spec.values)
        found = rater_pairs(self.ratings, agreement_weights(spec, extra))
        return found, found.with_rater(len(self.names))


def _table(rows: Sequence[Row], spec: ScaleSpec) -> _Table:
    part = [row for row in rows if row.set_aside is None and row.cause not in INCOMPLETE]
    pairs = for_the_gate(part, spec)
    names = tuple(sorted({row.rater or "" for row in part}))
    column = {name: i for i, name in enumerate(names)}
    items = np.arange(len(pairs)) if pairs.items is None else pairs.items
    values = np.full((pairs.n_items, len(names) + 1), MISSING, dtype=np.int64)
    values[items, [column[row.rater or ""] for row in part]] = pairs.human
    values[items, -1] = pairs.judge

    def of_item(column: npt.NDArray[np.generic] | None) -> npt.NDArray[np.generic] | None:
        if column is None:
            return None
        each = np.zeros(pairs.n_items, dtype=column.dtype)
        each[items] = column
        return each

    ratings = Ratings(values, pairs.k, of_item(pairs.clusters), of_item(pairs.weight))  # type: ignore[arg-type]
    return _Table(ratings.subset((values[:, :-1] != MISSING).sum(axis=1) >= 2), names)


def _rater_pairs(
    table: _Table, found: RaterPairs, chosen: npt.NDArray[np.bool_]
) -> tuple[RaterPair, ...]:
    which = np.flatnonzero(chosen)
    return tuple(
        RaterPair(
            first=table.names[found.first[p]],
            second=table.names[found.second[p]],
            agreement=EstimateRecord.of("agreement", estimate),
        )
        for p, estimate in zip(which, pair_agreements(found, chosen), strict=True)
    )


def _people(table: _Table, found: RaterPairs, humans: npt.NDArray[np.bool_]) -> tuple[Person, ...]:
    shared = (table.ratings.values[:, :-1] != MISSING).sum(axis=0)
    known = [i for i in range(len(table.names)) if shared[i]]
    own = [humans & found.with_rater(i) for i in known]
    gaps = kappa_gaps(found, [(mask, humans & ~mask) for mask in own]) if len(known) > 2 else ()
    adjusted = iter(holm([gap.p for gap in gaps if gap.p is not None]).tolist())
    means = mean_kappas(found, own, method="rater_agreement")
    return tuple(
        _person(
            Person(
                rater=table.names[i],
                shared=int(shared[i]),
                agreement=EstimateRecord.of("rater_agreement", mean),
            ),
            gap,
            None if gap is None or gap.p is None else next(adjusted),
        )
        for i, mean, gap in zip(known, means, gaps or [None] * len(known), strict=True)
    )


def _person(known: Person, gap: Gap | None, p: float | None) -> Person:
    if gap is None:
        return known
    record = EstimateRecord.of("rater_gap", gap.estimate)
    below = record.high is not None and record.high < 0
    outlier = below and p is not None and p <= ALPHA
    return known.model_copy(update={"gap": record, "p": p, "outlier": outlier})


def _stand_in(table: _Table, spec: ScaleSpec, kind: Annotators) -> StandInTest:
    values, k = table.ratings.values, len(spec.values)
    humans = Ratings(values[:, :-1], k, table.ratings.clusters)
    numbers = spec.numbers if spec.kind == "ordinal" else None
    found = alternative_annotator(humans, values[:, -1], epsilon=EPSILON[kind], values=numbers)
    if isinstance(found, Undefined):
        return StandInTest(
            annotators=kind,
            epsilon=EPSILON[kind],
            winning_rate=None,
            passes=False,
            advantage=EstimateRecord.of("average_advantage", found),
            tested=(),
            skipped={},
            method=found.method,
        )
    return StandInTest(
        annotators=kind,
        epsilon=found.epsilon,
        winning_rate=found.winning_rate,
        passes=found.passes,
        advantage=EstimateRecord.of("average_advantage", found.advantage),
        tested=tuple(_against(table, versus) for versus in found.versus),
        skipped={table.names[versus.rater]: versus.n for versus in found.skipped},
        method=found.method,
    )


def _against(table: _Table, versus: Versus) -> StandIn:
    return StandIn(
        rater=table.names[versus.rater],
        n=versus.n,
        advantage=versus.advantage,
        p=versus.p,
        adjusted=versus.adjusted,
        rejected=versus.rejected,
        constant=versus.constant,
    )
