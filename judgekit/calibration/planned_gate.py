"""The gate's checks, held against many simulated labelled sets at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.calibration.pairs import agreement_weights
from judgekit.calibration.world import clears
from judgekit.stats import Estimate, Undefined, bounds, critical, identity, influence
from judgekit.stats.clusters import design_effects
from judgekit.stats.estimate import MIN_CLUSTERS
from judgekit.stats.proportions import newcombe_paired, wilson_bounds
from judgekit.stats.strata import Strata

if TYPE_CHECKING:
    import numpy.typing as npt

    from judgekit.calibration.planned_world import Design
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.rows import ScaleSpec
    from judgekit.stats.arrays import FloatArray, IntArray

    Flags = npt.NDArray[np.bool_]


class Sets(NamedTuple):
    """Simulated labelled sets of one size.

    Attributes:
        tables: (B, k, k) counts of pairs, weighted where items were chosen.
        labels: (B, k) human labels of each level, counted.
        items: Labelled items in each.
        df: Degrees of freedom of the t quantile where clusters count, else None.
        agreement: (B,) design effect of kappa.
        decision: (B,) design effect of the kappa of the pass decision.
        shift: (B,) design effect of the judge's shift.
    """

    tables: FloatArray
    labels: FloatArray
    items: int
    df: int | None
    agreement: FloatArray
    decision: FloatArray
    shift: FloatArray

    @property
    def too_few(self) -> bool:
        """Return whether clusters count and are too few for any interval."""
        return self.df is not None and self.df + 1 < MIN_CLUSTERS


class Gate(NamedTuple):
    """What is asked: the scale, the policy, and the confidence of the look."""

    spec: ScaleSpec
    policy: Policy
    confidence: float


def independent(tables: FloatArray, items: int) -> Sets:
    """Return sets of independent pairs."""
    one = np.ones(len(tables))
    return Sets(tables, tables.sum(axis=2), items, None, one, one, one)


def clustered(human: IntArray, judge: IntArray, spec: ScaleSpec, per_case: int) -> Sets:
    """Return sets whose pairs of one case (else of one item) belong together.

    ``human`` is (B, n, raters), ``judge`` (B, n); n is a multiple of ``per_case``.
    """
    runs, items, raters = human.shape
    said = np.repeat(judge, raters, axis=1)
    pairs = human.reshape(runs, -1)
    if raters == per_case == 1:
        return independent(tables_of(pairs, said, len(spec.values)), items)
    units = np.arange(items * raters) // (per_case * raters)
    return _measured(pairs, said, spec, items, units)


def gathered(design: Design, each: FloatArray, runs: int, rng: np.random.Generator) -> Sets:
    """Return sets with ``each`` items of each of the judge's levels, weighted to the population."""
    share = design.table.sum(axis=0)
    strata = np.repeat(np.arange(share.size), each.astype(np.int64))
    below = np.cumsum(design.table / share, axis=0)[:-1, strata]
    human = (rng.random((runs, strata.size)) >= below[:, None, :]).sum(axis=0)
    weight = (share / each)[strata] * strata.size
    judge = np.broadcast_to(strata, human.shape)
    return _measured(human, judge, design.spec, strata.size, None, weight)


def tables_of(
    human: IntArray, judge: IntArray, k: int, weight: FloatArray | None = None
) -> FloatArray:
    """Count codes (B, n) in tables (B, k, k); weights (n,), where there are any, add up."""
    runs = len(human)
    cells = human * k + judge + np.arange(runs)[:, None] * k * k
    heavy = None if weight is None else np.broadcast_to(weight, human.shape).ravel()
    counts = np.bincount(cells.ravel(), weights=heavy, minlength=runs * k * k)
    return counts.reshape(runs, k, k).astype(np.float64)


def _measured(
    human: IntArray,
    judge: IntArray,
    spec: ScaleSpec,
    items: int,
    units: IntArray | None,
    weight: FloatArray | None = None,
) -> Sets:
    """Return sets of pairs (B, n) with the design effects of units, or of weights and strata."""
    k, strata = len(spec.values), None
    if units is None:
        units = np.arange(human.shape[1])
        strata = Strata.of(judge[0], np.bincount(judge[0], minlength=k), units)
    counts = tables_of(human, judge, k).sum(axis=2)
    tables = tables_of(human, judge, k, weight)

    def effect(scores: FloatArray) -> FloatArray:
        return design_effects(scores, units, weight=weight, strata=strata)

    agreed = effect(_pulls(tables, agreement_weights(spec), human, judge))
    decision = shift = np.ones(len(human))
    if spec.kind == "ordinal":
        values = np.array(spec.numbers)
        if spec.passes is not None:
            side = np.array(spec.passes, dtype=np.int64)
            folded = tables_of(side[human], side[judge], 2, weight)
            decision = effect(_pulls(folded, identity(2), side[human], side[judge]))
            values = side.astype(np.float64)
        apart = values[judge] - values[human]
        mean = np.average(apart, axis=1, weights=weight)
        shift = effect(apart - mean[:, None])
    df = int(units[-1]) if strata is None else None
    return Sets(tables, counts, items, df, agreed, decision, shift)


def _pulls(tables: FloatArray, weights: FloatArray, human: IntArray, judge: IntArray) -> FloatArray:
    """Influence value of every pair; 0 throughout a set without kappa."""
    values = np.zeros_like(tables)
    for value, table in zip(values, tables, strict=True):
        pull = influence(table, weights)
        if not isinstance(pull, Undefined):
            value[:] = pull
    pulled: FloatArray = values[np.arange(len(tables))[:, None], human, judge]
    return pulled


def hold(sets: Sets, gate: Gate) -> dict[str, Flags]:
    """Return which sets pass each check, by the check's name."""
    spec, policy, tables = gate.spec, gate.policy, sets.tables
    found = {
        "agreement": _low_end(tables, sets.agreement, agreement_weights(spec), sets, gate),
        "labelled_items": np.full(len(tables), sets.items >= policy.min_items),
    }
    passes = None if spec.passes is None else np.array(spec.passes)
    if spec.kind != "ordinal":
        found["labels_per_class"] = sets.labels.min(axis=1) >= policy.min_per_class
    if passes is None:
        if spec.kind == "ordinal":
            found["level_shift"] = ~_level_shifted(sets, gate)
        return found
    folded = _folded(tables, passes)
    if spec.kind == "ordinal":
        sides = np.stack([sets.labels[:, ~passes].sum(1), sets.labels[:, passes].sum(1)], axis=1)
        found["labels_per_class"] = sides.min(axis=1) >= policy.min_per_class
        found["pass_agreement"] = _low_end(folded, sets.decision, identity(2), sets, gate)
        found["pass_rate_shift"] = ~_rate_shifted(folded, sets, gate)
    right = np.einsum("bii->bi", folded) / np.maximum(folded.sum(axis=2), 1e-12)
    found["better_than_chance"] = right.sum(axis=1) > 1
    return found


def _low_end(
    tables: FloatArray, effect: FloatArray, weights: FloatArray, sets: Sets, gate: Gate
) -> Flags:
    asked = gate.policy.bar
    if sets.too_few:
        return np.zeros(len(tables), dtype=bool)
    scaled, z = tables / effect[:, None, None], critical(gate.confidence, sets.df)
    if asked > 0:
        return clears(scaled, weights, z, asked)
    low = bounds(tables, weights, z=z, n_eff=scaled.sum(axis=(1, 2)))[0]
    reached: Flags = np.nan_to_num(low, nan=-2.0) >= asked
    return reached


def _folded(tables: FloatArray, passes: Flags) -> FloatArray:
    """Collapse each table to fail and pass."""
    fold = np.stack([~passes, passes], axis=1).astype(np.float64)
    folded: FloatArray = np.einsum("ia,bij,jc->bac", fold, tables, fold)
    return folded


def _rate_shifted(folded: FloatArray, sets: Sets, gate: Gate) -> Flags:
    """Tell where the judge's pass rate is clearly another, or cannot be told.

    An interval that lies outside has its value outside, so only those tables are looked at.
    """
    if sets.too_few:
        return np.ones(len(folded), dtype=bool)
    allowed, pairs = gate.policy.max_pass_shift, folded.sum(axis=(1, 2))
    outside: Flags = np.abs(folded[:, 0, 1] - folded[:, 1, 0]) > allowed * pairs
    for run in np.flatnonzero(outside):
        n_eff = float(pairs[run] / sets.shift[run])
        # Newcombe's first is the judge, and pass comes first.
        found = newcombe_paired(folded[run].T[::-1, ::-1], n_eff=n_eff, df=sets.df)
        outside[run] = isinstance(found, Estimate) and (
            found.low > allowed or found.high < -allowed
        )
    return outside


def _level_shifted(sets: Sets, gate: Gate) -> Flags:
    """Tell where the mean of judge minus human is clearly another than 0, or cannot be told."""
    if sets.too_few:
        return np.ones(len(sets.tables), dtype=bool)
    v, tables, n = np.array(gate.spec.numbers), sets.tables, float(sets.tables[0].sum())
    span, gap = float(np.ptp(v)), v[None, :] - v[:, None]
    allowed = gate.policy.max_level_shift * span / (len(v) - 1)
    mean = (tables * gap).sum(axis=(1, 2)) / n
    outside: Flags = np.abs(mean) > allowed
    z = critical(0.95, n - 1 if sets.df is None else sets.df)
    for run in np.flatnonzero(outside):
        value, effect = abs(float(mean[run])), float(sets.shift[run])
        spread = max(float((tables[run] * gap**2).sum()) / n - value**2, 0.0)
        half = z * math.sqrt(effect * spread / (n - 1 if sets.df is None else n))
        if spread < 1e-12 * span**2:
            unseen = wilson_bounds(0.0, n / effect, critical(0.95, sets.df))[1]
            half = unseen * (span + value)
        outside[run] = value - half > allowed
    return outside
