"""Does the judge do as well on each slice of the items? Evidence for each, and no average."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judgekit.calibration.pairs import agreement_weights, for_the_gate, paired
from judgekit.calibration.record import EstimateRecord
from judgekit.judging.judgment import INCOMPLETE
from judgekit.rubric.frozen import Frozen
from judgekit.stats.agreement import agreement
from judgekit.stats.error_difference import ErrorDifference, error_difference
from judgekit.stats.estimate import Undefined
from judgekit.stats.homogeneity import SMALLEST_SLICE, homogeneity, kappa_homogeneity
from judgekit.stats.levels import sensitivity, specificity
from judgekit.stats.multiplicity import benjamini_hochberg, holm
from judgekit.stats.quantiles import critical
from judgekit.stats.table import pass_decision

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.significance import HypothesisTest
    from judgekit.stats.table import Pairs

DECLARED_LEVEL, EXPLORED_LEVEL = 0.05, 0.10
"""Chance of any false alarm among declared slices; share of false ones among explored alarms."""


class SignificanceRecord(Frozen):
    """A test as it stands in JSON; ``p`` is null when undefined.

    ``adjusted`` allows for the other tests of its kind; None where it stands alone.
    """

    method: str
    statistic: float | None
    p: float | None
    n: int
    df: int | None = None
    adjusted: float | None = None
    undefined: str | None = None

    @classmethod
    def of(cls, found: HypothesisTest | Undefined) -> SignificanceRecord:
        """Return the record of a test, or of the reason why there is none."""
        if isinstance(found, Undefined):
            return cls(
                method=found.method, statistic=None, p=None, n=found.n, undefined=found.reason
            )
        return cls(
            method=found.method, statistic=found.statistic, p=found.p, n=found.n, df=found.df
        )


class SliceEvidence(Frozen):
    """One slice.

    Attributes:
        value: What the items of the slice have in common.
        items: Items the gate counts.
        usable: Whether there are enough of them to say anything.
        kappa: The gate's kappa within the slice.
        sensitivity: Share of human passes that the judge passes, where there is a pass line.
        specificity: Share of human fails that the judge fails.
        errors: Wrong pairs: on the other side of the pass line, or without one at another level.
        pairs: Pairs the errors are counted among.
        difference: Share of errors less that of all other slices together; None if not usable.
        test: Whether that difference may be chance.
        differs: Whether it is told apart, all other slices allowed for.
    """

    value: str
    items: int
    usable: bool
    kappa: EstimateRecord
    sensitivity: EstimateRecord | None
    specificity: EstimateRecord | None
    errors: int
    pairs: int
    difference: EstimateRecord | None = None
    test: SignificanceRecord | None = None
    differs: bool = False


class SliceReport(Frozen):
    """The slices of one column. Prevalence moves kappa: look at both sides of the pass line too.

    Attributes:
        column: What the items are sliced by.
        declared: Whether these slices were named beforehand, or are being explored.
        correction: How the tests allow for each other: Holm's for declared slices,
            Benjamini and Hochberg's for explored ones.
        level: What adjusted p-values are held against.
        slices: The slices, largest first.
        unusable: Those with too few items.
        homogeneity: Fleiss' test that all usable slices have one kappa.
        unsliced: Items that are in no slice.
    """

    column: str
    declared: bool
    correction: Literal["holm", "benjamini_hochberg"]
    level: float
    slices: tuple[SliceEvidence, ...]
    unusable: tuple[str, ...]
    homogeneity: SignificanceRecord
    unsliced: int


def slice_evidence(
    rows: Sequence[Row],
    spec: ScaleSpec,
    of: Mapping[str, object],
    *,
    column: str = "slice",
    declared: bool = False,
) -> SliceReport:
    """Return the evidence on each slice of one column; see :func:`slice_reports`.

    Args:
        rows: The evidence rows of one criterion.
        spec: Its scale.
        of: The slice of each item, by item id; items it does not name are in none.
        column: What the slices are called.
        declared: Whether they were named before anybody looked.
    """
    return slice_reports(rows, spec, {column: of}, declared=[column] if declared else [])[0]


def slice_reports(
    rows: Sequence[Row],
    spec: ScaleSpec,
    columns: Mapping[str, Mapping[str, object]],
    *,
    declared: Collection[str] = (),
) -> tuple[SliceReport, ...]:
    """Return the evidence on the slices of several columns, their tests allowing for each other.

    Each usable slice (30 items or more) is held against the rest of its column by its errors.
    Declared columns are one family of tests (Holm at 5%), the others another (Benjamini and
    Hochberg at 10%). Kappas are compared by Fleiss' test and never averaged into a verdict.
    """
    drawn = [_Column(rows, spec, name, of) for name, of in columns.items()]
    adjusted: dict[tuple[str, str], float] = {}
    for of_kind, correct in ((True, holm), (False, benjamini_hochberg)):
        family = {
            (column.name, value): found.p
            for column in drawn
            if (column.name in declared) == of_kind
            for value, found in column.tests().items()
        }
        adjusted |= dict(zip(family, map(float, correct(list(family.values()))), strict=True))
    return tuple(c.report(adjusted, declared=c.name in declared) for c in drawn)


class _Held(NamedTuple):
    """A slice, and how it compares with the rest."""

    evidence: SliceEvidence
    pairs: Pairs
    apart: ErrorDifference


class _Column:
    """The slices of one column, each measured."""

    def __init__(
        self, rows: Sequence[Row], spec: ScaleSpec, name: str, of: Mapping[str, object]
    ) -> None:
        self.name, self.spec = name, spec
        taking = [r for r in rows if r.set_aside is None and r.cause not in INCOMPLETE]
        self.rows = [row for row in taking if of.get(row.item) is not None]
        self.unsliced = len({r.item for r in taking} - {r.item for r in self.rows})
        self.place = np.array([str(of[row.item]) for row in self.rows], dtype=object)
        self.pairs = for_the_gate(self.rows, spec)
        self.wrong = _wrong(self.pairs, spec)
        held = [self._held(value) for value in dict.fromkeys(self.place)]
        self.held = sorted(held, key=lambda one: (-one.evidence.items, one.evidence.value))

    def _held(self, value: str) -> _Held:
        inside: np.ndarray = self.place == value
        own = [row for row, mine in zip(self.rows, inside, strict=True) if mine]
        pairs, usable = for_the_gate(own, self.spec), paired(own, self.spec)
        sides: list[EstimateRecord | None] = [None, None]
        if self.spec.passes is not None:
            passes = np.array(self.spec.passes)
            sides[0] = EstimateRecord.of("sensitivity", sensitivity(usable, passes))
            sides[1] = EstimateRecord.of("specificity", specificity(usable, passes))
        weights = agreement_weights(self.spec, pairs.extra)
        evidence = SliceEvidence(
            value=value,
            items=pairs.n_items,
            usable=pairs.n_items >= SMALLEST_SLICE,
            kappa=EstimateRecord.of("gate_agreement", agreement(pairs, weights)),
            sensitivity=sides[0],
            specificity=sides[1],
            errors=int(self.wrong[inside].sum()),
            pairs=len(pairs),
        )
        return _Held(evidence, pairs, error_difference(self.pairs, self.wrong, inside))

    def tests(self) -> dict[str, HypothesisTest]:
        """Return the test of each usable slice; of two slices only one, as they ask the same."""
        usable = [one for one in self.held if one.evidence.usable]
        asked = usable[:1] if len(self.held) == 2 else usable
        return {
            one.evidence.value: one.apart.test
            for one in asked
            if not isinstance(one.apart.test, Undefined)
        }

    def report(self, adjusted: Mapping[tuple[str, str], float], *, declared: bool) -> SliceReport:
        """Return what was found, with the adjusted p-values."""
        level = DECLARED_LEVEL if declared else EXPLORED_LEVEL
        same = next(iter(self.tests()), None) if len(self.held) == 2 else None
        return SliceReport(
            column=self.name,
            declared=declared,
            correction="holm" if declared else "benjamini_hochberg",
            level=level,
            slices=tuple(
                _told(one, adjusted.get((self.name, same or one.evidence.value)), level)
                for one in self.held
            ),
            unusable=tuple(one.evidence.value for one in self.held if not one.evidence.usable),
            homogeneity=self._homogeneity(),
            unsliced=self.unsliced,
        )

    def _homogeneity(self) -> SignificanceRecord:
        """Compare the kappas there are; where a slice shows no error, by their intervals."""
        usable = [one for one in self.held if one.evidence.usable]
        told = [one for one in usable if one.evidence.kappa.value is not None]
        weights = agreement_weights(self.spec, self.pairs.extra)
        found = kappa_homogeneity([one.pairs for one in told], weights)
        if isinstance(found, Undefined) and found.reason == "zero_variance":
            kappas = [one.evidence.kappa for one in told]
            ends = np.array([(k.value, k.low, k.high) for k in kappas], dtype=np.float64)
            errors = (ends[:, 2] - ends[:, 1]) / (2 * critical(0.95))
            sizes = [one.evidence.items for one in told]
            found = homogeneity(ends[:, 0], errors, sizes, method="homogeneity/path_score")
        return SignificanceRecord.of(found if isinstance(found, Undefined) else found.test)


def _told(one: _Held, adjusted: float | None, level: float) -> SliceEvidence:
    """Return the evidence of a slice with its comparison, which only a usable one has."""
    if not one.evidence.usable:
        return one.evidence
    test = SignificanceRecord.of(one.apart.test).model_copy(update={"adjusted": adjusted})
    return one.evidence.model_copy(
        update={
            "difference": EstimateRecord.of("error_difference", one.apart.difference),
            "test": test,
            "differs": adjusted is not None and adjusted <= level,
        }
    )


def _wrong(pairs: Pairs, spec: ScaleSpec) -> np.ndarray:
    """Tell which pairs the judge got wrong: no usable answer is one."""
    decided = pairs if spec.passes is None else pass_decision(pairs, np.array(spec.passes))
    wrong: np.ndarray = decided.human != decided.judge
    return wrong
