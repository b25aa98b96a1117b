"""The units a labelled set is made of, and what more units of the same kinds would add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judgekit.stats.clusters import cluster_codes, design_effects
from judgekit.stats.kappa import value_and_pull
from judgekit.stats.strata import Strata

if TYPE_CHECKING:
    import numpy.typing as npt

    from judgekit.stats.arrays import FloatArray, IntArray
    from judgekit.stats.table import Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The different units of a sample: cases, else items with several raters, else single pairs.

    Units whose pairs are the same are one kind, so that a plain table of a scale with k levels has
    at most k * k kinds, however many items there are.

    Attributes:
        human: (P,) levels of the pairs of one unit of each kind.
        judge: (P,) the judge's.
        weight: (P,) their sampling weights, or None when all are equal.
        unit: (P,) the kind each of these pairs belongs to.
        often: (U,) how many units of each kind the sample has.
        stratum: (U,) the sampling stratum of each kind; 0 throughout without strata.
        clustered: Whether any unit has several pairs.
        cases: Whether the units are cases, and not the items of several raters.
    """

    human: IntArray
    judge: IntArray
    weight: FloatArray | None
    unit: IntArray
    often: FloatArray
    stratum: IntArray
    clustered: bool
    cases: bool

    @classmethod
    def of(cls, pairs: Pairs) -> Kinds:
        """Return the kinds of units that these pairs make."""
        weight = pairs.weight
        weight = None if weight is None or np.ptp(weight) == 0 else weight
        n, codes = len(pairs), cluster_codes(pairs)
        units = np.arange(n) if codes is None else codes
        strata = np.zeros(n, dtype=np.int64)
        if weight is not None and pairs.strata is not None:
            strata = pairs.strata
        columns = [strata, pairs.human, pairs.judge]
        facts = np.column_stack(columns if weight is None else [*columns, weight])
        order = np.lexsort((*facts.T, units))
        ends = np.cumsum(np.bincount(units))[:-1]
        whole = [rows.tobytes() for rows in np.split(facts[order], ends)]
        kinds: dict[bytes, int] = {}
        kind = np.array([kinds.setdefault(one, len(kinds)) for one in whole])
        first = np.unique(kind, return_index=True)[1]
        shown = np.flatnonzero(np.isin(units, first))
        stratum = np.zeros(len(kinds), dtype=np.int64)
        stratum[kind[units[shown]]] = strata[shown]
        return cls(
            human=pairs.human[shown],
            judge=pairs.judge[shown],
            weight=None if weight is None else weight[shown],
            unit=kind[units[shown]],
            often=np.bincount(kind).astype(np.float64),
            stratum=stratum,
            clustered=codes is not None,
            cases=codes is not None and pairs.clusters is not None,
        )

    def more(self, units: int, runs: int, rng: np.random.Generator) -> FloatArray:
        """Return how often each kind stands in the sample with more units drawn: (runs, U).

        Further units are spent on the strata as the present ones are.
        """
        times = np.tile(self.often, (runs, 1))
        held = np.bincount(self.stratum, weights=self.often)
        edges = np.round(np.concatenate([[0.0], np.cumsum(held)]) * units / held.sum())
        for stratum, new in enumerate(np.diff(edges).astype(int)):
            within = np.flatnonzero(self.stratum == stratum)
            times[:, within] += rng.multinomial(new, self.often[within] / held[stratum], size=runs)
        return times

    def tables(self, times: FloatArray, k: int, *, weighted: bool = True) -> FloatArray:
        """Return the (runs, k, k) tables of samples, weighted or plain counts of pairs."""
        cells = np.zeros((self.often.size, k * k))
        mass = self.weight if weighted and self.weight is not None else np.ones(self.unit.size)
        np.add.at(cells, (self.unit, self.human * k + self.judge), mass)
        return (times @ cells).reshape(-1, k, k)

    def recoded(self, human: IntArray, judge: IntArray) -> Kinds:
        """Return the same units with other codes: ``human`` and ``judge`` say for each old one."""
        return replace(self, human=human[self.human], judge=judge[self.judge])

    def kappa_effects(
        self, tables: FloatArray, weights: FloatArray, times: FloatArray
    ) -> FloatArray:
        """Return the design effect of kappa in each sample; (runs,)."""
        if self.plain:
            return np.ones(len(tables))
        shares = tables / tables.sum(axis=(1, 2), keepdims=True)
        pull = np.nan_to_num(value_and_pull(shares, weights)[1])
        return self.effects(pull[:, self.human, self.judge], times)

    def effects(
        self, scores: FloatArray, times: FloatArray, among: npt.NDArray[np.bool_] | None = None
    ) -> FloatArray:
        """Return design effects of a statistic with these (runs, P) influence values.

        ``among`` (P,) says which pairs it is about; all, unless given.
        """
        if self.plain:
            return np.ones(len(scores))
        chosen = np.ones(self.unit.size, dtype=bool) if among is None else among
        present, unit = np.unique(self.unit[chosen], return_inverse=True)
        strata = None
        if self.strata > 1:
            member = self.stratum[:, None] == np.arange(self.strata)
            drawn = times @ member
            strata = Strata(self.stratum[present], drawn - times[:, present] @ member[present])
        return design_effects(
            scores[:, chosen],
            unit.reshape(-1),
            weight=None if self.weight is None else self.weight[chosen],
            strata=strata,
            times=times[:, present],
        )

    @property
    def plain(self) -> bool:
        """Whether all pairs are independent and weigh the same."""
        return self.weight is None and not self.clustered

    @property
    def strata(self) -> int:
        """How many sampling strata there are."""
        return int(self.stratum.max(initial=0)) + 1
