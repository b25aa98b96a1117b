"""The observed table as a world to draw further labels from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.stats import (
    Estimate,
    bounds,
    critical,
    identity,
    kappa,
    newcombe_paired,
    with_disagreeing,
)
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.proportions import wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from judgekit.calibration.evidence import Evidence
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.arrays import FloatArray

    Flags = npt.NDArray[np.bool_]


class _Drawn(NamedTuple):
    """Simulated tables of one size, and what the gate would find of them.

    ``passed`` and ``failed`` are verdicts; a table with neither is undecided.
    """

    enough: Flags
    judged: Flags
    passed: Flags
    failed: Flags

    @property
    def decided(self) -> float:
        return float(np.mean(self.enough & (self.failed | (self.passed & self.judged))))


class World:
    """Draws what more labels of the same kind would show, and holds it against the policy.

    Pairs of one case are alike: fewer, heavier draws stand for them, by the design effect.
    """

    def __init__(
        self, rows: Sequence[Row], spec: ScaleSpec, evidence: Evidence, policy: Policy, look: int
    ) -> None:
        pairs, found = for_the_gate(rows, spec), evidence.gate_agreement
        self.spec, self.policy, self.look = spec, policy, look
        self.observed = pairs.table()
        self.weights = agreement_weights(spec, pairs.extra)
        self.items = max(found.n, 1)
        self.effect, self.clusters = found.design_effect, found.clusters
        self.passes = None if spec.passes is None else np.array(spec.passes)

    def chance(self, more: int, rng: np.random.Generator, runs: int) -> float:
        """Return in what share of simulations ``more`` further items decide."""
        return self._draw(more, rng, runs).decided

    def obstacle(self, rng: np.random.Generator) -> str:
        """Say what keeps even very many labels from deciding."""
        if self._draw(10_000, rng, 400).judged.mean() < 0.9:
            return "as many replies are unusable as may be"
        return "the judge is at the bar itself"

    def _draw(self, more: int, rng: np.random.Generator, runs: int) -> _Drawn:
        pairs = more * self.observed.sum() / self.items
        shares = (self.observed / self.observed.sum()).ravel()
        drawn = rng.multinomial(round(pairs / self.effect), shares, size=runs) * self.effect
        tables = self.observed + drawn.reshape(runs, *self.observed.shape)
        usable = 1 - tables[:, :, -1].sum(axis=1) / tables.sum(axis=(1, 2))
        judged = usable >= self.policy.min_judged - 1e-12
        enough = usable * (self.items + more) >= self.policy.min_items - 1e-9
        df = None if self.clusters is None else self.clusters * (1 + more / self.items) - 1
        passed, failed = self._agreement(tables, self.weights, df)
        passed &= self._classes(tables)
        if self.spec.kind == "ordinal" and self.passes is None:
            shifted = self._level_shifted(tables, df)
            passed, failed = passed & ~shifted, failed | shifted
        if self.passes is not None:
            passed, failed = self._pass_line(tables, df, passed, failed)
        return _Drawn(enough, judged, passed, failed)

    def _agreement(
        self, tables: FloatArray, weights: FloatArray, df: float | None
    ) -> tuple[Flags, Flags]:
        """Tell which tables clear the bar, and which are ruled out.

        Where the judge looks good enough, nearly none is ruled out, and only the cheap half is
        asked; the chance that this leaves out makes the number of labels a little larger.
        """
        asked, z = self.policy.min_agreement, critical(self.policy.look_confidence(self.look), df)
        scaled = tables / self.effect
        value = kappa(tables.sum(axis=0), weights)
        if asked > 0 and isinstance(value, float) and value >= asked:
            return clears(scaled, weights, z, asked), np.zeros(len(tables), dtype=bool)
        low, _ = bounds(scaled, weights, z=z)
        _, high = bounds(scaled, weights, z=critical(0.95, df))
        return np.nan_to_num(low, nan=-2.0) >= asked, np.nan_to_num(high, nan=2.0) < asked

    def _classes(self, tables: FloatArray) -> Flags:
        human = tables.sum(axis=2)[:, : len(self.spec.values)]
        if self.spec.kind == "ordinal":
            if self.passes is None:
                return np.ones(len(tables), dtype=bool)
            human = np.stack([human[:, ~self.passes].sum(1), human[:, self.passes].sum(1)], axis=1)
        enough: Flags = human.min(axis=1) >= self.policy.min_per_class
        return enough

    def _pass_line(
        self, tables: FloatArray, df: float | None, passed: Flags, failed: Flags
    ) -> tuple[Flags, Flags]:
        decided = self._collapsed(tables)
        if self.spec.kind == "ordinal":
            weights = with_disagreeing(identity(2), 2)
            also, never = self._agreement(decided, weights, df)
            shifted = np.array([self._rate_shifted(t, df) for t in decided[:, :2, :2]])
            passed, failed = passed & also & ~shifted, failed | never | shifted
        told = decided[:, :2, :3]  # "not applicable" misses; what is unusable does not count
        totals = np.maximum(told.sum(axis=2), 1e-12)
        coin = told[:, 1, 1] / totals[:, 1] + told[:, 0, 0] / totals[:, 0] <= 1
        return passed & ~coin, failed | coin

    def _collapsed(self, tables: FloatArray) -> FloatArray:
        """Collapse each table to fail, pass, not applicable and unusable."""
        k = len(self.spec.values)
        fold = np.zeros((k + 2, 4))
        fold[np.arange(k), np.array(self.passes, dtype=int)] = 1
        fold[k, 2] = fold[k + 1, 3] = 1
        folded: FloatArray = np.einsum("ia,bij,jc->bac", fold, tables, fold)
        return folded

    def _rate_shifted(self, table: FloatArray, df: float | None) -> bool:
        """Tell whether the judge's pass rate is clearly another; first is the judge, pass first."""
        n_eff = float(table.sum()) / self.effect
        found = newcombe_paired(table.T[::-1, ::-1], n_eff=n_eff or None, df=df)
        allowed = self.policy.max_pass_shift
        return isinstance(found, Estimate) and (found.low > allowed or found.high < -allowed)

    def _level_shifted(self, tables: FloatArray, df: float | None) -> Flags:
        """Tell for each table whether the mean of judge minus human is clearly another than 0."""
        k, v = len(self.spec.values), np.array(self.spec.numbers)
        used, gap = tables[:, :k, :k], v[None, :] - v[:, None]
        n = np.maximum(used.sum(axis=(1, 2)), 2.0)
        mean = (used * gap).sum(axis=(1, 2)) / n
        spread = np.maximum((used * gap**2).sum(axis=(1, 2)) / n - mean**2, 0.0)
        z = critical(0.95, df or 1e6)
        half = z * np.sqrt(self.effect * spread / (n - 1))
        unseen = wilson_bounds(0.0, float(n.mean()) / self.effect, z)[1]
        half = np.where(spread < 1e-12 * np.ptp(v) ** 2, unseen * 2 * np.ptp(v), half)
        allowed = self.policy.max_level_shift * np.ptp(v) / (k - 1)
        shifted: Flags = (mean - half > allowed) | (mean + half < -allowed)
        return shifted


def clears(tables: FloatArray, weights: FloatArray, z: float, asked: float) -> Flags:
    """Tell which tables' path-score low end reaches a bar above 0.

    The low end lies where the path towards independence leaves the interval. To know whether that
    is above the bar, it is enough to ask once, where the path crosses the bar.
    """
    total = tables.sum(axis=(1, 2))
    shares = tables / total[:, None, None]
    independent = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
    value = np.nan_to_num(kappa_and_variance(shares, weights)[0], nan=-1.0)
    way = np.clip(1 - asked / np.maximum(value, asked), 0.0, 1.0)
    crossing = shares + way[:, None, None] * (independent - shares)
    error = np.sqrt(np.nan_to_num(kappa_and_variance(crossing, weights)[1], nan=np.inf) / total)
    found: Flags = (value > asked) & (way * value >= z * error)
    return found
