"""Does the interval of kappa keep its promise? Simulated coverage and false passes.

Run from the repository: ``python benchmarks/coverage.py`` (some minutes) or ``--quick`` (seconds).
Seeds are fixed, so the table is the same each time on one version of NumPy.

Each line is a known population, sampled many times. *Coverage* is the share of samples whose
two-sided 95% interval holds the true kappa. A *false pass* is a sample whose low end lies above the
true kappa: a judge exactly at the bar that would be let through; 2.5% are promised at most.
Samples without a kappa (everybody used one level) or with fewer than ten clusters are *undefined*:
coverage and width leave them out, and they are no passes.

Populations: with two levels, kappa is mixed from chance and identity. With five levels, human and
judge see the same quality through noise (a cut bivariate normal), weights are quadratic. With
clusters, outputs come by fours, and each repeats its case's pair of ratings with probability
sqrt(0.3), which gives an intra-class correlation of 0.3.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from judgekit.stats import Pairs, bounds, critical, design_effect, identity
from judgekit.stats import quadratic as quadratic_weights
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.clusters import MIN_CLUSTERS
from judgekit.stats.kappa import kappa_and_variance

SEED = 20261130
CLUSTER_SIZE = 4
INTRACLASS = 0.3
MARGINS = {
    (2, "balanced"): (0.5, 0.5),
    (2, "90/10"): (0.1, 0.9),
    (5, "balanced"): (0.2,) * 5,
    (5, "90/10"): (0.025, 0.025, 0.025, 0.025, 0.9),
}


@dataclass(frozen=True, slots=True)
class Design:
    """One line of the table: a population and how it is sampled."""

    levels: int
    margins: str
    kappa: float
    n: int
    clustered: bool = False

    @property
    def weights(self) -> FloatArray:
        """Agreement weights: all or nothing for two levels, quadratic for five."""
        return identity(2) if self.levels == 2 else quadratic_weights(range(self.levels))


class Outcome(NamedTuple):
    """What the simulation of one design found, as shares of the samples."""

    undefined: float
    coverage: float
    false_pass: float
    width: float


def simulate(design: Design, repeats: int, rng: np.random.Generator) -> Outcome:
    """Draw ``repeats`` samples of the design and count what their intervals do."""
    shares = population(design)
    truth = _kappa(shares, design.weights)
    draw = _clustered if design.clustered else _independent
    tables, n_eff, z = draw(design, shares, repeats, rng)
    low, high = bounds(tables, design.weights, z=z, n_eff=n_eff)
    known = np.isfinite(low)
    if not known.any():
        return Outcome(1.0, np.nan, 0.0, np.nan)
    low, high = low[known], high[known]
    covered = float(((low <= truth) & (truth <= high)).mean())
    false_pass = float((low > truth).sum()) / repeats
    return Outcome(1 - float(known.mean()), covered, false_pass, float((high - low).mean()))


def population(design: Design) -> FloatArray:
    """Return the (k, k) shares of a population with the design's margins and kappa."""
    p = np.array(MARGINS[design.levels, design.margins])
    if design.levels == 2:
        return (1 - design.kappa) * np.outer(p, p) + design.kappa * np.diag(p)
    near, far = 0.0, 1.0
    for _ in range(40):
        middle = (near + far) / 2
        found = _kappa(_cut_normal(p, middle), design.weights)
        near, far = (middle, far) if found < design.kappa else (near, middle)
    return _cut_normal(p, near)


def _kappa(shares: FloatArray, weights: FloatArray) -> float:
    """Kappa of a population; it has one, since its margins hold several levels."""
    return float(kappa_and_variance(shares, weights)[0])


def _cut_normal(p: FloatArray, correlation: float) -> FloatArray:
    """Cell shares of two normals of this correlation, both cut so that the margins are ``p``."""
    normal, points = NormalDist(), 400
    inner = np.cumsum(p)[:-1]
    cuts = np.array([normal.inv_cdf(float(c)) for c in inner])
    # Each level's slice of the human's normal, at points of equal probability.
    edges = np.concatenate([[0.0], inner])
    u = edges[:, None] + p[:, None] * ((np.arange(points) + 0.5) / points)
    x = np.vectorize(normal.inv_cdf)(u)
    noise = np.sqrt(max(1 - correlation**2, 1e-12))
    below = np.vectorize(normal.cdf)((cuts - correlation * x[..., None]) / noise)
    padded = np.concatenate([np.zeros((*x.shape, 1)), below, np.ones((*x.shape, 1))], axis=-1)
    shares: FloatArray = p[:, None] * np.diff(padded, axis=-1).mean(axis=1)
    return shares


def _independent(
    design: Design, shares: FloatArray, repeats: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Tables of independent pairs, their effective sizes and quantiles."""
    tables = rng.multinomial(design.n, shares.ravel(), size=repeats).astype(np.float64)
    size = np.full(repeats, float(design.n))
    return tables.reshape(-1, *shares.shape), size, np.full(repeats, critical(0.95))


def _clustered(
    design: Design, shares: FloatArray, repeats: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Tables of clustered pairs, their effective sizes and quantiles, as `agreement` finds them."""
    k, clusters = design.levels, np.arange(design.n) // CLUSTER_SIZE
    tables, n_eff, z = np.zeros((repeats, k, k)), np.zeros(repeats), np.full(repeats, np.nan)
    for row, cells in enumerate(_cells(shares, clusters, repeats, rng)):
        pairs = Pairs(cells // k, cells % k, k, clusters=clusters)
        effect, groups = design_effect(pairs, design.weights)
        tables[row], n_eff[row] = pairs.table(), design.n / effect
        if groups >= MIN_CLUSTERS:
            z[row] = critical(0.95, groups - 1)
    return tables, n_eff, z


def _cells(
    shares: FloatArray, clusters: IntArray, repeats: int, rng: np.random.Generator
) -> Iterator[IntArray]:
    """Cell codes of clustered pairs: each pair is its case's, or one of its own."""
    flat = shares.ravel() / shares.sum()
    for _ in range(repeats):
        own = rng.choice(flat.size, size=clusters.size, p=flat)
        case = rng.choice(flat.size, size=int(clusters[-1]) + 1, p=flat)[clusters]
        yield np.where(rng.random(clusters.size) < INTRACLASS**0.5, case, own)


def designs(sizes: tuple[int, ...] = (30, 50, 100, 200)) -> Iterator[Design]:
    """Every line of the table, in order."""
    for clustered, (levels, margins), truth, n in product(
        (False, True), MARGINS, (0.4, 0.6, 0.8), sizes
    ):
        yield Design(levels, margins, truth, n, clustered)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples, two sizes")
    quick = parser.parse_args().quick
    repeats, sizes = (1000, (30, 100)) if quick else (10_000, (30, 50, 100, 200))
    print(f"{repeats} samples a line; seed {SEED}; false passes: at most 2.5% promised")
    print("| levels | margins | clusters | kappa | n | undefined | coverage | false pass | width |")
    print("|---|---|---|---|---|---|---|---|---|")
    for number, design in enumerate(designs(sizes)):
        # A seed of its own for each line: adding a line does not change the others.
        found = simulate(design, repeats, np.random.default_rng([SEED, number]))
        grouped = f"{CLUSTER_SIZE} a case" if design.clustered else "none"
        seen = f"{found.coverage:.1%} | {found.false_pass:.2%} | {found.width:.2f}"
        print(
            f"| {design.levels} | {design.margins} | {grouped} | {design.kappa} | {design.n} "
            f"| {found.undefined:.1%} | {seen if found.undefined < 1 else '- | - | -'} |"
        )


if __name__ == "__main__":
    main()
