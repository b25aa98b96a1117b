"""Corrected figures with everything a reader must know beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from judgekit.calibration.record import EstimateRecord
from judgekit.calibration.rows import HUMAN_NA
from judgekit.rubric.scale import number_text
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined, UndefinedReason
from judgekit.stats.same_population import same_population_p

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.certificate import Certificate
    from judgekit.calibration.rows import Row
    from judgekit.scoring.samples import Labelled
    from judgekit.stats.powered_levels import Powered
    from judgekit.stats.samples import Sample

Population = Literal["same", "shifted", "unknown"]
WIDEST = 0.5
"""An interval over more than this part of what is possible says nothing."""
CONTRADICTED = 0.001
"""Below this probability, the judge's levels contradict one population."""

_WHY: dict[UndefinedReason, str] = {
    "empty": "no labelled item has a level from the judge",
    "no_positive": "no labelled item passes, or a level has no labels",
    "no_negative": "no labelled item fails",
    "too_few_clusters": f"items come from fewer than {MIN_CLUSTERS} cases",
    "ill_conditioned": "the judge confuses levels so much that its errors cannot be taken out",
    "uninformative": "the interval would cover more than half of what is possible; more labels "
    "are needed",
}


class CorrectedRecord(EstimateRecord):
    """A corrected figure as it stands in JSON.

    Attributes:
        n_labels: Labelled items it rests on.
        effective_labels: How many labels alone would be as precise; None where the labels alone
            are no estimate for these items.
        human_only: What the labels alone say; None likewise.
        population: What was stated of the scored items.
        sampling: How the labelled items were drawn.
        assumption: What the figure stands and falls with.
        note: What else a reader must know, or None.
    """

    n_labels: int
    effective_labels: float | None
    human_only: EstimateRecord | None
    population: Population
    sampling: str
    assumption: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """Corrected figures, or why there are none.

    Attributes:
        figure: The pass rate or mean level; None where there is none.
        levels: The share of each level, for criteria without one figure; else empty.
        why: Why there is no corrected figure.
    """

    figure: CorrectedRecord | None = None
    levels: Mapping[str, CorrectedRecord] = field(default_factory=dict)
    why: str | None = None


class Told(NamedTuple):
    """What every corrected figure of one criterion says beside its numbers.

    Attributes:
        certificate: The certificate.
        labelled: The labelled items.
        population: What is stated of the scored items.
        rows: The evidence rows, or none.
        judged: The scored items the judge alone spoke of.
    """

    certificate: Certificate
    labelled: Labelled
    population: Population
    rows: tuple[Row, ...]
    judged: Sample

    def one(self, metric: str, found: Estimate | Undefined, possible: float) -> Correction:
        """Return a correction that assumes the judge's treatment of each level, and no more."""
        if (why := no_figure(found, possible)) is not None:
            return Correction(why=why)
        return Correction(self._record(metric, found))

    def each(self, found: Sequence[Estimate | Undefined]) -> Correction:
        """Return such a correction of the share of each level; all of them or none."""
        reasons = [why for one in found if (why := no_figure(one, 1.0)) is not None]
        if reasons:
            return Correction(why=reasons[0])
        return Correction(levels=self._by_level([self._record("share", one) for one in found]))

    def powered(self, metric: str, found: Powered, possible: float) -> Correction:
        """Return a prediction-powered correction, or the labels alone if the judge adds nothing."""
        if (why := no_figure(found.reported, possible)) is not None:
            return Correction(why=why)
        note = self._remarks([found])
        return Correction(self._record(metric, found.reported, powered=found, note=note))

    def powered_each(self, found: Sequence[Powered]) -> Correction:
        """Return such a correction of the share of each level: all powered, or all the labels'."""
        nothing = all(one.adds_nothing for one in found)
        chosen = [one.labels_only if nothing else one.corrected for one in found]
        reasons = [why for one in chosen if (why := no_figure(one, 1.0)) is not None]
        if reasons:
            return Correction(why=reasons[0])
        note = self._remarks(found)
        records = [
            self._record("share", one, powered=whole, note=note)
            for one, whole in zip(chosen, found, strict=True)
        ]
        return Correction(levels=self._by_level(records))

    def _by_level(self, records: Sequence[CorrectedRecord]) -> dict[str, CorrectedRecord]:
        values = self.certificate.scale.values
        return {number_text(v): record for v, record in zip(values, records, strict=True)}

    def _remarks(self, found: Sequence[Powered]) -> str | None:
        """Return what is to be said of a prediction-powered figure, or None."""
        if not len(self.judged):
            return "every scored item is labelled; the figure is the labels' own"
        said = [self._contradiction(), self._gain(found)]
        return "; ".join(text for text in said if text is not None) or None

    def _gain(self, found: Sequence[Powered]) -> str | None:
        """Return the remark that the judge adds nothing, where that is so."""
        if not all(one.adds_nothing for one in found):
            return None
        if self.labelled.sample.strata is not None:
            return "the strata leave the judge nothing to add; the figure is the labels' own"
        worth = max(one.effective or 0.0 for one in found)
        return (
            f"the judge adds nothing: with it, {found[0].n} labels are worth {worth:.0f}; the "
            "figure is the labels' own"
        )

    def _contradiction(self) -> str | None:
        """Return the remark that the judge's own levels speak against one population."""
        p = same_population_p(self.labelled.sample, self.judged)
        if p is None or p > CONTRADICTED:
            return None
        return (
            "the judge's levels of labelled and scored items differ more than chance lets items of "
            "one population; if their mix of levels is another, say --population shifted"
        )

    def _record(
        self,
        metric: str,
        found: Estimate | Undefined,
        *,
        powered: Powered | None = None,
        note: str | None = None,
    ) -> CorrectedRecord:
        """Return a figure with its method, its assumption and what the labels alone say."""
        pairs = self.labelled.pairs
        base = EstimateRecord.of(metric, replace(found, pairs=pairs))
        alone = None
        if powered is not None:
            alone = EstimateRecord.of(metric, replace(powered.labels_only, pairs=pairs))
        return CorrectedRecord(
            **base.model_dump(),
            n_labels=len(self.labelled.sample),
            effective_labels=None if powered is None else powered.effective,
            human_only=alone,
            population=self.population,
            sampling=self.certificate.labels.sampling or "",
            assumption=self._assumption(),
            note=note,
        )

    def _assumption(self) -> str:
        """Return what the figures stand and fall with."""
        if self.population == "shifted":
            text = (
                "the judge treats items of each human level as it did when it was calibrated; "
                "how many items there are of each level may differ"
            )
        else:
            drawn = "by strata, with weights that make up for it,"
            if self.certificate.labels.sampling == "random":
                drawn = "at random"
            text = f"the labelled items were drawn {drawn} from the population of the scored ones"
        apart = len({row.item for row in self.rows if row.set_aside == HUMAN_NA})
        if apart:
            text += f"; {apart} labelled with 'does not apply' are left out"
        return text


def no_figure(found: Estimate | Undefined, possible: float) -> str | None:
    """Return why there is no figure to report, or None when there is.

    ``possible`` is the length of the range the figure can lie in.
    """
    if isinstance(found, Undefined):
        return _WHY.get(found.reason, found.reason.replace("_", " "))
    if found.high - found.low > WIDEST * possible:
        return _WHY["uninformative"]
    return None
