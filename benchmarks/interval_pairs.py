"""Samples of human and judge: every figure that is made of their table.

A judge of kappa 0.6 or 0.9, that gives too low a level three times as often as one too high.
Populations with the same rows: :mod:`benchmarks.coverage`, which has the interval of kappa itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from benchmarks.populations import FOURS, MARGINS, draw_cases, shares_of, weights_of
from benchmarks.simulated import CASES, Effort, Figures, Interval, Line, dice, lines
from judgekit.stats import confusion, correlation
from judgekit.stats.agreement import agreement
from judgekit.stats.arrays import FloatArray
from judgekit.stats.chance import bennett_s_of, gwet_ac1_of, gwet_ac2_of, scott_pi_of
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.exact import kappa_fixed_margins
from judgekit.stats.intervals import Interval as Kind
from judgekit.stats.intervals import table_estimate
from judgekit.stats.kappa import kappa_of
from judgekit.stats.level_errors import absolute_error, mean_absolute_error_of
from judgekit.stats.levels import precision, recall
from judgekit.stats.quantiles import critical
from judgekit.stats.resampling import Statistic
from judgekit.stats.shift import mean_signed_error, rate_shift
from judgekit.stats.spread import spread_ratio
from judgekit.stats.table import Pairs

DRAWS = 500


@dataclass(frozen=True, slots=True)
class Population:
    """Human and judge: a scale, how often its levels occur, and how good the judge is."""

    levels: int
    margins: str
    kappa: float

    def __str__(self) -> str:
        return f"{self.levels} levels, {self.margins}, {self.kappa}"

    @property
    def shares(self) -> FloatArray:
        """Return the (k, k) shares of the population."""
        even = shares_of(self.levels, MARGINS[self.levels, self.margins], self.kappa)
        leaning = even + (np.tril(even, -1) - np.triu(even, 1)) / 2
        found: FloatArray = leaning / leaning.sum()
        return found

    @property
    def values(self) -> FloatArray:
        """Return the numeric values of the levels."""
        return np.arange(self.levels, dtype=np.float64)

    def samples(
        self, n: int, repeats: int, *, clustered: bool = False
    ) -> Iterator[tuple[Pairs, int]]:
        """Draw samples of n pairs; equal ones come once, with their number."""
        k, rng = self.levels, dice(self, n, clustered)
        if clustered:
            for cells in draw_cases(self.shares, FOURS, n, repeats, rng):
                yield Pairs(cells // k, cells % k, k, clusters=FOURS.of(n)), 1
            return
        drawn = rng.multinomial(n, self.shares.ravel(), size=repeats)
        for table, times in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True):
            cells = np.repeat(np.arange(k * k), table)
            yield Pairs(cells // k, cells % k, k), int(times)


POPULATIONS = tuple(Population(*scale, kappa) for scale, kappa in product(MARGINS, (0.6, 0.9)))


def chance_corrected(effort: Effort) -> Iterator[Line]:
    """Path-score intervals of statistics of the table, other than kappa."""
    yield from _section(effort.few, effort.sizes, scores)


def kappas(effort: Effort) -> Iterator[Line]:
    """Kappa, with every interval there is for it."""
    yield from _section(effort.some, effort.sizes, kinds_of_kappa)


def errors(effort: Effort) -> Iterator[Line]:
    """Errors, shifts and shares of right answers."""
    yield from _section(effort.many, effort.sizes, errors_and_shares)


def clustered(effort: Effort) -> Iterator[Line]:
    """Some of the same with four outputs of each case."""
    sizes = tuple(n for n in effort.sizes if n > 40)
    for population, n in product(POPULATIONS[::2], sizes):
        figures = {**scores(population), **errors_and_shares(population)}
        chosen = {name: figures[name] for name in SOME if name in figures}
        drawn = population.samples(n, effort.few, clustered=True)
        yield from lines(f"{population}, {CASES}", n, drawn, chosen)


SOME = (
    "Scott's pi",
    "Pearson",
    "mean absolute error",
    "mean signed error",
    "balanced accuracy",
    "F1 of the rarest level",
    "recall of the rarest level",
    "spread ratio",
)


def scores(population: Population) -> Figures[Pairs]:
    """Path-score figures; those that are another one on two levels are left out there."""
    v, w = population.values, weights_of(population.levels)
    found: dict[str, Statistic] = {
        "Scott's pi": partial(scott_pi_of, weights=w),
        "S (and PABAK)": bennett_s_of,
        "AC1": gwet_ac1_of,
        "AC2": partial(gwet_ac2_of, weights=w),
        "MCC": confusion.mcc_of,
        "Pearson": partial(correlation.pearson_of, values=v),
        "Spearman": partial(correlation.spearman_of, values=v),
        "Kendall": partial(correlation.kendall_tau_b_of, values=v),
        "CCC": partial(correlation.lin_ccc_of, values=v),
    }
    if population.levels == 2:
        found = {name: found[name] for name in ("Scott's pi", "S (and PABAK)", "AC1", "MCC")}
    return {name: _of_table(population, name, statistic) for name, statistic in found.items()}


def kinds_of_kappa(population: Population) -> Figures[Pairs]:
    """Kappa with its default interval and with the others, for comparison."""
    w = weights_of(population.levels)
    statistic, rng = partial(kappa_of, weights=w), dice("draws", population)
    truth = float(statistic(population.shares[None])[0])

    def resampled(kind: Kind) -> Callable[[Pairs], Interval]:
        return lambda pairs: table_estimate(
            pairs, statistic, name="kappa", interval=kind, rng=rng, draws=DRAWS
        )

    found: dict[str, Callable[[Pairs], Interval]] = {
        "kappa, path-score": lambda pairs: agreement(pairs, w),
        "kappa, jackknife": resampled("jackknife"),
        "kappa, percentile": resampled("percentile"),
        "kappa, BCa": resampled("bca"),
    }
    if population.levels == 2:
        found["kappa, fixed margins"] = lambda pairs: kappa_fixed_margins(pairs.table())
    return {name: (truth, estimate) for name, estimate in found.items()}


def errors_and_shares(population: Population) -> Figures[Pairs]:
    """Errors, shifts and shares of right answers; level 0 is the rarest."""
    cells, v = population.shares, population.values
    r, c, passes = cells.sum(axis=1), cells.sum(axis=0), v >= population.levels - 1.5
    far, spread = float(mean_absolute_error_of(cells, v)), _deviation(c, v) / _deviation(r, v)
    return {
        "mean absolute error": (far, lambda pairs: absolute_error(pairs, v)),
        "mean absolute error, Student's t instead": (far, _student),
        "mean signed error": (float((c - r) @ v), lambda pairs: mean_signed_error(pairs, v)),
        "pass rate shift": (float((c - r)[passes].sum()), lambda p: rate_shift(p, passes)),
        "balanced accuracy": (
            float(confusion.balanced_accuracy_of(cells)),
            confusion.balanced_accuracy,
        ),
        "F1 of the rarest level": (
            float(confusion.f1_of(cells)[0]),
            lambda pairs: confusion.f1(pairs)[0],
        ),
        "recall of the rarest level": (
            float(cells[0, 0] / r[0]),
            lambda pairs: recall(pairs)[0],
        ),
        "precision of the rarest level": (
            float(cells[0, 0] / c[0]),
            lambda pairs: precision(pairs)[0],
        ),
        "spread ratio": (spread, lambda pairs: spread_ratio(pairs, v)),
        "spread ratio, Pitman and Morgan instead": (spread, _pitman_morgan),
    }


def _section(
    repeats: int, sizes: tuple[int, ...], figures: Callable[[Population], Figures[Pairs]]
) -> Iterator[Line]:
    for population, n in product(POPULATIONS, sizes):
        drawn = population.samples(n, repeats)
        yield from lines(str(population), n, drawn, figures(population))


def _of_table(
    population: Population, name: str, statistic: Statistic
) -> tuple[float, Callable[[Pairs], Interval]]:
    truth = float(statistic(population.shares[None])[0])
    return truth, lambda pairs: table_estimate(pairs, statistic, name=name)


def _deviation(margin: FloatArray, values: FloatArray) -> float:
    return float(np.sqrt(margin @ values**2 - (margin @ values) ** 2))


def _student(pairs: Pairs) -> Interval:
    """Mean distance with Student's interval, which is what many would take."""
    far = np.abs(pairs.judge - pairs.human).astype(np.float64)
    n, value = far.size, float(far.mean())
    half = critical(0.95, n - 1) * float(far.std(ddof=1)) / math.sqrt(n)
    return Estimate(value, value - half, value + half, n, "t")


def _pitman_morgan(pairs: Pairs) -> Interval:
    """Ratio of standard deviations with the interval for normal numbers."""
    x, y, n = pairs.judge, pairs.human, len(pairs)
    if not (np.ptp(x) and np.ptp(y)):
        return Undefined("zero_variance")
    ratio, r = float(x.var() / y.var()), float(np.corrcoef(x, y)[0, 1])
    t = critical(0.95, n - 2)
    middle = 1 + 2 * max(1 - r * r, 0.0) * t * t / (n - 2)
    wide = math.sqrt(max(middle**2 - 1, 0.0))
    ends = math.sqrt(ratio * (middle - wide)), math.sqrt(ratio * (middle + wide))
    return Estimate(math.sqrt(ratio), *ends, n, "pitman_morgan")
