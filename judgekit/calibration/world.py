"""The observed table as a world to draw further labels from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.calibration.ceiling import gap_after
from judgekit.calibration.humans import human_gap
from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.units import Kinds
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
    from judgekit.calibration.record import EstimateRecord
    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.stats.arrays import FloatArray

    Flags = npt.NDArray[np.bool_]

MOST_NUMBERS = 2_000_000
"""Numbers in one array of the simulation; more runs than fit are drawn one batch after another."""


class _Drawn(NamedTuple):
    """Simulated samples of one size, and what the gate would find of them.

    ``passed`` and ``failed`` are verdicts; a sample with neither is undecided.
    """

    enough: Flags
    judged: Flags
    passed: Flags
    failed: Flags

    @property
    def decided(self) -> Flags:
        return self.enough & (self.failed | (self.passed & self.judged))


class _Sampled(NamedTuple):
    """Drawn samples: how often each kind of unit stands in each, and the tables that makes."""

    kinds: Kinds
    times: FloatArray
    tables: FloatArray
    counts: FloatArray
    df: float | None


class World:
    """Draws what more labels of the same kind would show, and holds it against the policy.

    What is drawn are the observed units (cases, items, pairs), with their weights and strata, so
    that a drawn sample is as alike within cases as the observed one.
    """

    def __init__(
        self, rows: Sequence[Row], spec: ScaleSpec, evidence: Evidence, policy: Policy, look: int
    ) -> None:
        pairs = for_the_gate(rows, spec)
        self.spec, self.policy, self.look = spec, policy, look
        self.kinds, self.k = Kinds.of(pairs), pairs.k
        self.weights = agreement_weights(spec, pairs.extra)
        self.items = max(evidence.gate_agreement.n, 1)
        self.passes = None if spec.passes is None else np.array(spec.passes)
        self.gap: EstimateRecord | None = None
        if policy.route == "human-level":
            self.gap = human_gap(rows, spec, confidence=policy.look_confidence(look))

    def chance(self, more: int, rng: np.random.Generator, runs: int) -> float:
        """Return in what share of simulations ``more`` further items decide."""
        width = 1 if self.kinds.plain else max(self.kinds.unit.size, 1)
        batch = max(1, min(runs, MOST_NUMBERS // width))
        decided = 0.0
        for start in range(0, runs, batch):
            decided += self._draw(more, rng, min(batch, runs - start)).decided.sum()
        return float(decided) / runs

    def obstacle(self, rng: np.random.Generator) -> str:
        """Say what keeps even very many labels from deciding."""
        if self._draw(10_000, rng, 100).judged.mean() < 0.9:
            return "as many replies are unusable as may be"
        return "the judge is at the bar itself"

    def _draw(self, more: int, rng: np.random.Generator, runs: int) -> _Drawn:
        drawn = self._held(self._sample(more, rng, runs), more)
        if self.gap is None:
            return drawn
        also, never = gap_after(self.gap, more, self.policy.human_margin, rng=rng, runs=runs)
        return drawn._replace(passed=drawn.passed & also, failed=drawn.failed | never)

    def _held(self, sampled: _Sampled, more: int) -> _Drawn:
        """Hold drawn samples against the policy."""
        counts = sampled.counts
        usable = 1 - counts[:, :, -1].sum(axis=1) / counts.sum(axis=(1, 2))
        judged = usable >= self.policy.min_judged - 1e-12
        enough = usable * (self.items + more) >= self.policy.min_items - 1e-9
        passed, failed = self._agreement(sampled, self.weights)
        passed &= self._classes(counts)
        if self.spec.kind == "ordinal" and self.passes is None:
            shifted = self._level_shifted(sampled)
            passed, failed = passed & ~shifted, failed | shifted
        if self.passes is not None:
            passed, failed = self._pass_line(sampled, passed, failed)
        return _Drawn(enough, judged, passed, failed)

    def _sample(self, more: int, rng: np.random.Generator, runs: int) -> _Sampled:
        units = float(self.kinds.often.sum())
        times = self.kinds.more(round(more * units / self.items), runs, rng)
        tables = self.kinds.tables(times, self.k)
        counts = (
            tables
            if self.kinds.weight is None
            else self.kinds.tables(times, self.k, weighted=False)
        )
        df = float(times[0].sum()) - self.kinds.strata if self.kinds.clustered else None
        return _Sampled(self.kinds, times, tables, counts, df)

    def _agreement(self, sampled: _Sampled, weights: FloatArray) -> tuple[Flags, Flags]:
        """Tell which tables clear the bar, and which are ruled out.

        Where the judge looks good enough, nearly none is ruled out, and only the cheap half is
        asked; the chance that this leaves out makes the number of labels a little larger.
        """
        asked, tables = self.policy.bar, sampled.tables
        z = critical(self.policy.look_confidence(self.look), sampled.df)
        effect = sampled.kinds.kappa_effects(tables, weights, sampled.times)
        n_eff = sampled.counts.sum(axis=(1, 2)) / effect
        value = kappa(tables.sum(axis=0), weights)
        if asked > 0 and isinstance(value, float) and value >= asked:
            return clears(tables, weights, z, asked, n_eff), np.zeros(len(tables), dtype=bool)
        low, _ = bounds(tables, weights, z=z, n_eff=n_eff)
        _, high = bounds(tables, weights, z=critical(0.95, sampled.df), n_eff=n_eff)
        return np.nan_to_num(low, nan=-2.0) >= asked, np.nan_to_num(high, nan=2.0) < asked

    def _classes(self, counts: FloatArray) -> Flags:
        human = counts.sum(axis=2)[:, : len(self.spec.values)]
        if self.spec.kind == "ordinal":
            if self.passes is None:
                return np.ones(len(counts), dtype=bool)
            human = np.stack([human[:, ~self.passes].sum(1), human[:, self.passes].sum(1)], axis=1)
        enough: Flags = human.min(axis=1) >= self.policy.min_per_class
        return enough

    def _pass_line(self, sampled: _Sampled, passed: Flags, failed: Flags) -> tuple[Flags, Flags]:
        decided = self._collapsed(sampled)
        if self.spec.kind == "ordinal":
            also, never = self._agreement(decided, with_disagreeing(identity(2), 2))
            shifted = self._rate_shifted(decided)
            passed, failed = passed & also & ~shifted, failed | never | shifted
        told = decided.tables[:, :2, :3]  # "not applicable" misses; what is unusable does not count
        totals = np.maximum(told.sum(axis=2), 1e-12)
        coin = told[:, 1, 1] / totals[:, 1] + told[:, 0, 0] / totals[:, 0] <= 1
        return passed & ~coin, failed | coin

    def _collapsed(self, sampled: _Sampled) -> _Sampled:
        """Collapse the scale to fail, pass, not applicable and unusable."""
        recode = np.concatenate([np.array(self.passes, dtype=np.int64), [2, 3]])
        kinds = sampled.kinds.recoded(recode, recode)
        return _Sampled(
            kinds,
            sampled.times,
            kinds.tables(sampled.times, 4),
            kinds.tables(sampled.times, 4, weighted=False),
            sampled.df,
        )

    def _rate_shifted(self, decided: _Sampled) -> Flags:
        """Tell where the judge's pass rate is clearly another; first is the judge, pass first."""
        kinds, tables = decided.kinds, decided.tables[:, :2, :2]
        pairs = decided.counts[:, :2, :2].sum(axis=(1, 2))
        apart = (kinds.judge - kinds.human).astype(np.float64)
        mean = (tables[:, 0, 1] - tables[:, 1, 0]) / np.maximum(tables.sum(axis=(1, 2)), 1e-12)
        effect = kinds.effects(apart - mean[:, None], decided.times, kinds.judge < 2)
        allowed, found = self.policy.max_pass_shift, np.zeros(len(tables), dtype=bool)
        for run, (table, n_eff) in enumerate(zip(tables, pairs / effect, strict=True)):
            shift = newcombe_paired(table.T[::-1, ::-1], n_eff=n_eff or None, df=decided.df)
            if isinstance(shift, Estimate):
                found[run] = shift.low > allowed or shift.high < -allowed
        return found

    def _level_shifted(self, sampled: _Sampled) -> Flags:
        """Tell for each table whether the mean of judge minus human is clearly another than 0."""
        k, v, kinds = len(self.spec.values), np.array(self.spec.numbers), sampled.kinds
        used, gap = sampled.tables[:, :k, :k], v[None, :] - v[:, None]
        total = np.maximum(used.sum(axis=(1, 2)), 1e-12)
        n = np.maximum(sampled.counts[:, :k, :k].sum(axis=(1, 2)), 2.0)
        mean = (used * gap).sum(axis=(1, 2)) / total
        spread = np.maximum((used * gap**2).sum(axis=(1, 2)) / total - mean**2, 0.0)
        among = kinds.judge < k
        apart = v[np.where(among, kinds.judge, 0)] - v[kinds.human]
        effect = kinds.effects(apart - mean[:, None], sampled.times, among)
        z = critical(0.95, sampled.df or 1e6)
        half = z * np.sqrt(effect * spread / (n if kinds.clustered else n - 1))
        unseen = wilson_bounds(0.0, float((n / effect).mean()), z)[1]
        half = np.where(spread < 1e-12 * np.ptp(v) ** 2, unseen * 2 * np.ptp(v), half)
        allowed = self.policy.max_level_shift * np.ptp(v) / (k - 1)
        shifted: Flags = (mean - half > allowed) | (mean + half < -allowed)
        return shifted


def clears(
    tables: FloatArray,
    weights: FloatArray,
    z: float,
    asked: float,
    n_eff: FloatArray | None = None,
) -> Flags:
    """Tell which tables' path-score low end reaches a bar above 0.

    The low end lies where the path towards independence leaves the interval. To know whether that
    is above the bar, it is enough to ask once, where the path crosses the bar. ``n_eff`` is how
    many independent pairs each table is worth; its total, unless given.
    """
    total = tables.sum(axis=(1, 2))
    shares = tables / total[:, None, None]
    independent = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
    value = np.nan_to_num(kappa_and_variance(shares, weights)[0], nan=-1.0)
    way = np.clip(1 - asked / np.maximum(value, asked), 0.0, 1.0)
    crossing = shares + way[:, None, None] * (independent - shares)
    variance = np.nan_to_num(kappa_and_variance(crossing, weights)[1], nan=np.inf)
    error = np.sqrt(variance / (total if n_eff is None else n_eff))
    found: Flags = (value > asked) & (way * value >= z * error)
    return found
