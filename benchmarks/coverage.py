"""Does the interval of kappa keep its promise? Simulated coverage and false passes.

Run from the repository: ``python benchmarks/coverage.py`` (some minutes) or ``--quick`` (seconds).
Seeds are fixed, so the tables are the same each time on one version of NumPy.

Each line is a known population, sampled many times. *Coverage* is the share of samples whose
two-sided 95% interval holds the true kappa. A *false pass* is a sample whose low end lies above the
true kappa: a judge exactly at the bar that would be let through; 2.5% are promised at most.
Samples without a kappa (everybody used one level) or with fewer than ten clusters are *undefined*:
coverage and width leave them out, and they are no passes.

Clusters: each pair repeats its case's pair of ratings with probability sqrt(0.3), which gives an
intra-class correlation of 0.3. Other kinds are in :mod:`benchmarks.populations`.

Weights: half of the labels (or another share) are spent on each of the judge's two verdicts, and
each label weighs as many things of the population as it stands for.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks.populations import (
    FOURS,
    HARDER,
    MARGINS,
    Cases,
    draw,
    draw_cases,
    kappa_of,
    shares_of,
    tables_of,
    weights_of,
)
from judgekit.stats import bounds, critical
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.clusters import MIN_CLUSTERS, UNSEEN, design_effects
from judgekit.stats.kappa import kappa_and_variance, value_and_pull
from judgekit.stats.strata import Strata

SEED = 20261130
SIZES = (30, 50, 100, 200)
KAPPAS = (0.4, 0.6, 0.8)
RARE = {"half fail": (0.5, 0.5), "1 in 10 fails": (0.1, 0.9), "1 in 20 fails": (0.05, 0.95)}

# Coverage and false passes rest on every sample; the mean width needs fewer.
MEASURED = 1000

Flags = npt.NDArray[np.bool_]

__all__ = ["MARGINS", "SEED", "Design", "designs", "main", "population", "simulate"]


@dataclass(frozen=True, slots=True)
class Design:
    """One line of the table: a population and how it is sampled.

    ``spent`` is the share of labels spent on what the judge fails, or None for a random sample.
    """

    levels: int
    margins: str
    kappa: float
    n: int
    cases: Cases | None = None
    spent: float | None = None

    @property
    def weights(self) -> FloatArray:
        """Agreement weights: all or nothing for two levels, quadratic for five."""
        return weights_of(self.levels)


class Outcome(NamedTuple):
    """What the simulation of one design found, as shares of the samples."""

    undefined: float
    coverage: float
    false_pass: float
    width: float


class Samples(NamedTuple):
    """Sampled tables, how many independent pairs each is worth, and the clusters, if any."""

    tables: FloatArray
    n_eff: FloatArray
    clusters: int | None = None
    confidence: float = 0.95

    @property
    def z(self) -> float:
        """Half-width in standard errors; nan where clusters are too few for an interval."""
        if self.clusters is None:
            return critical(self.confidence)
        enough = self.clusters >= MIN_CLUSTERS
        return critical(self.confidence, self.clusters - 1) if enough else float("nan")

    @property
    def shares(self) -> FloatArray:
        """Tables that add up to 1."""
        found: FloatArray = self.tables / self.tables.sum(axis=(1, 2), keepdims=True)
        return found

    def of(self, chosen: Flags) -> Samples:
        """Some of the samples."""
        return self._replace(tables=self.tables[chosen], n_eff=self.n_eff[chosen])


def population(design: Design) -> FloatArray:
    """Return the (k, k) shares of a population with the design's margins and kappa."""
    margins = RARE.get(design.margins) or MARGINS[design.levels, design.margins]
    return shares_of(design.levels, margins, design.kappa)


def simulate(
    design: Design, repeats: int, rng: np.random.Generator, unseen: float = UNSEEN
) -> Outcome:
    """Draw ``repeats`` samples of the design and count what their intervals do.

    ``unseen`` is how many worst cases the design effect adds.
    """
    samples = sample(design, repeats, rng, unseen)
    truth = kappa_of(population(design), design.weights)
    passed, defined = clear(samples, design.weights, truth)
    if not defined.any():
        return Outcome(1.0, np.nan, 0.0, np.nan)
    value = kappa_and_variance(samples.shares, design.weights)[0]
    below = defined & (value < truth - 1e-12)
    high = ends(samples.of(below), design.weights)[1]
    missed = float(passed.sum()) + float((high < truth - 1e-12).sum())
    low, high = ends(samples.of(defined & (np.arange(repeats) < MEASURED)), design.weights)
    return Outcome(
        undefined=1 - float(defined.mean()),
        coverage=1 - missed / float(defined.sum()),
        false_pass=float(passed.mean()),
        width=float((high - low).mean()),
    )


def sample(
    design: Design, repeats: int, rng: np.random.Generator, unseen: float = UNSEEN
) -> Samples:
    """Draw samples of a design, with effects as `agreement` finds them."""
    shares = population(design)
    if design.cases is not None:
        return _clustered(design, shares, repeats, rng, unseen)
    if design.spent is not None:
        return _enriched(design, shares, repeats, rng)
    drawn = rng.multinomial(design.n, shares.ravel(), size=repeats).astype(np.float64)
    return Samples(drawn.reshape(-1, *shares.shape), np.full(repeats, float(design.n)))


def clear(samples: Samples, weights: FloatArray, bar: float) -> tuple[Flags, Flags]:
    """Tell which samples' low end lies above the bar, and which have a kappa.

    The low end lies where the path towards independence leaves the interval: to know whether that
    is above the bar, it is enough to ask where the path crosses the bar.
    """
    shares, z = samples.shares, samples.z
    value = kappa_and_variance(shares, weights)[0]
    defined = np.isfinite(value) & np.isfinite(z)
    above = defined & (value > bar + 1e-12)
    way = 1 - bar / np.where(above, value, bar)
    independent = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
    crossing = shares + way[:, None, None] * (independent - shares)
    variance = kappa_and_variance(crossing, weights)[1]
    gap = way * np.where(above, value, 0.0)
    passed: Flags = above & (gap**2 * samples.n_eff >= z**2 * variance)
    return passed, defined


def ends(samples: Samples, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends of the intervals; equal samples are worked out once."""
    k = weights.shape[0]
    rows = np.column_stack([samples.tables.reshape(-1, k * k), samples.n_eff])
    different, which = np.unique(rows, axis=0, return_inverse=True)
    tables, n_eff = different[:, :-1].reshape(-1, k, k), different[:, -1]
    low, high = bounds(tables, weights, z=samples.z, n_eff=n_eff)
    return low[which.reshape(-1)], high[which.reshape(-1)]


def _clustered(
    design: Design,
    shares: FloatArray,
    repeats: int,
    rng: np.random.Generator,
    unseen: float,
) -> Samples:
    cases = design.cases or FOURS
    cells, units = draw_cases(shares, cases, design.n, repeats, rng), cases.of(design.n)
    tables, groups = tables_of(cells, design.levels), int(units[-1]) + 1
    scores = _scores(tables, cells, design.weights)
    n_eff = design.n / design_effects(scores, units, unseen=unseen)
    return Samples(tables, n_eff, groups)


def _enriched(
    design: Design, shares: FloatArray, repeats: int, rng: np.random.Generator
) -> Samples:
    """Weighted tables of labels spent on each verdict of the judge, a stratum each."""
    first = round(design.n * (design.spent or 0.0))
    strata: IntArray = np.repeat([0, 1], [first, design.n - first]).astype(np.int64)
    size = np.bincount(strata)
    human = [draw(shares[:, [j]], (repeats, int(size[j])), rng) for j in (0, 1)]
    cells = np.concatenate([2 * human[0], 2 * human[1] + 1], axis=1)
    weight = (shares.sum(axis=0) / size)[strata] * design.n
    heavy = shares.sum(axis=0) / size * design.n
    tables = tables_of(cells, 2) * heavy[None, None, :]
    scores = _scores(tables, cells, design.weights)
    units = np.arange(design.n)
    effects = design_effects(scores, units, weight=weight, strata=Strata.of(strata, size, units))
    return Samples(tables, design.n / effects)


def _scores(tables: FloatArray, cells: IntArray, weights: FloatArray) -> FloatArray:
    """Influence value of each pair; 0 where kappa is undefined."""
    pull = value_and_pull(tables / tables.sum(axis=(1, 2), keepdims=True), weights)[1]
    flat = np.nan_to_num(pull.reshape(len(tables), -1))
    scores: FloatArray = np.take_along_axis(flat, cells, axis=1)
    return scores


def designs(sizes: tuple[int, ...] = SIZES) -> Iterator[Design]:
    """Every line of the main table, in order."""
    for cases, (levels, margins), truth, n in product((None, FOURS), MARGINS, KAPPAS, sizes):
        yield Design(levels, margins, truth, n, cases)


def dice(design: Design) -> np.random.Generator:
    """Return dice of its own for each design: adding a line does not change the others."""
    return np.random.default_rng([SEED, crc32(repr(design).encode())])


def _main_table(repeats: int, sizes: tuple[int, ...]) -> None:
    print("| levels | margins | clusters | kappa | n | undefined | coverage | false pass | width |")
    print("|---|---|---|---|---|---|---|---|---|")
    for design in designs(sizes):
        found = simulate(design, repeats, dice(design))
        grouped = "none" if design.cases is None else design.cases.name
        seen = f"{found.coverage:.1%} | {found.false_pass:.2%} | {found.width:.2f}"
        print(
            f"| {design.levels} | {design.margins} | {grouped} | {design.kappa} | {design.n} "
            f"| {found.undefined:.1%} | {seen if found.undefined < 1 else '- | - | -'} |"
        )


def _summary(name: str, lines: list[Design], repeats: int, unseen: float = UNSEEN) -> None:
    """Print the worst false pass and coverage of some designs, and the mean width."""
    found = [(simulate(d, repeats, dice(d), unseen), d) for d in lines]
    kept = [(o, d) for o, d in found if o.undefined < 1]
    worst, at = max(kept, key=lambda one: one[0].false_pass)
    least = min(o.coverage for o, _ in kept)
    width = float(np.mean([o.width for o, _ in kept]))
    place = f"{at.levels} levels, {at.margins}, {at.kappa}, n = {at.n}"
    print(f"| {name} | {worst.false_pass:.2%} | {place} | {least:.1%} | {width:.2f} |")


def _harder_table(repeats: int, sizes: tuple[int, ...]) -> None:
    print(
        "| clusters, intra-class correlation | worst false pass | where | least coverage | width |"
    )
    print("|---|---|---|---|---|")
    _summary("none", [d for d in designs(sizes) if d.cases is None], repeats)
    for cases in (FOURS, *HARDER):
        lines = [replace(d, cases=cases) for d in designs(sizes) if d.cases is None]
        _summary(cases.name, lines, repeats)


def _recipes_table(repeats: int, sizes: tuple[int, ...]) -> None:
    print("| worst cases added; clusters | worst false pass | where | least coverage | width |")
    print("|---|---|---|---|---|")
    chosen = (HARDER[0], FOURS, HARDER[1], HARDER[6])
    for unseen, cases in product((0.0, 1.0, 2.0, 3.0), chosen):
        lines = [replace(d, cases=cases) for d in designs(sizes) if d.cases is None]
        _summary(f"{unseen:.0f}; {cases.name}", lines, repeats, unseen)


def _later_table(repeats: int) -> None:
    print("| look | may fail | worst false pass, no clusters | with clusters |\n|---|---|---|---|")
    worst = np.zeros((2, 5))
    for design in designs((50, 100, 200)):
        truth = kappa_of(population(design), design.weights)
        samples = sample(design, repeats, dice(design))
        for look in range(5):
            asked = samples._replace(confidence=1 - 0.1 / 2 ** (look + 1))
            found = float(clear(asked, design.weights, truth)[0].mean())
            worst[int(design.cases is not None), look] = max(
                found, worst[int(design.cases is not None), look]
            )
    for look in range(5):
        plain, grouped = worst[:, look]
        print(f"| {look + 1} | {0.05 / 2 ** (look + 1):.2%} | {plain:.2%} | {grouped:.2%} |")


def _weights_table(repeats: int) -> None:
    print(
        "| population | labels spent on what the judge fails | worst false pass | where "
        "| least coverage | width |"
    )
    print("|---|---|---|---|---|---|")
    for margins, spent in product(RARE, (None, 0.3, 0.5, 0.8)):
        sizes = product(KAPPAS, (100, 200, 400))
        lines = [Design(2, margins, kappa, n, spent=spent) for kappa, n in sizes]
        name = "as they come" if spent is None else f"{spent:.0%}"
        _summary(f"{margins} | {name}", lines, repeats)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples, two sizes")
    quick = parser.parse_args().quick
    repeats, sizes = (1000, (30, 100)) if quick else (10_000, SIZES)
    parts: dict[str, Callable[[], None]] = {
        "The default interval": partial(_main_table, repeats, sizes),
        "Other kinds of clusters": partial(_harder_table, repeats // 2, sizes),
        "Recipes for the design effect": partial(_recipes_table, repeats // 2, sizes),
        "The bounds of later looks": partial(_later_table, repeats),
        "Enriched samples with weights": partial(_weights_table, repeats),
    }
    print(f"Seed {SEED}. False passes: at most 2.5% promised.")
    for title, print_part in parts.items():
        print(f"\n### {title}\n")
        print_part()


if __name__ == "__main__":
    main()
