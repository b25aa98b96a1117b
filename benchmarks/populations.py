"""Known populations of human and judge, and ways to sample them, for the simulations.

With two levels, kappa is mixed from chance and identity. With five levels, human and judge see the
same quality through noise (a cut bivariate normal), and weights are quadratic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from judgekit.stats import identity, quadratic
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.kappa import kappa_and_variance

MARGINS = {
    (2, "balanced"): (0.5, 0.5),
    (2, "90/10"): (0.1, 0.9),
    (5, "balanced"): (0.2,) * 5,
    (5, "90/10"): (0.025, 0.025, 0.025, 0.025, 0.9),
}


@dataclass(frozen=True, slots=True)
class Cases:
    """How pairs come in cases: what the pairs of one case share, and how much of it.

    Attributes:
        name: In words.
        sizes: Pairs a case, taken in turn.
        alike: Intra-class correlation of what is shared.
        shares: ``both`` ratings of the case's pair; ``whole`` as ``both``, but all pairs of a case
            or none; ``human`` the human's level only; ``errors`` whether the two agree; ``judge``
            the judge's answer fully and the human's level by ``alike``, as raters of one item do.
    """

    name: str
    sizes: tuple[int, ...]
    alike: float
    shares: str = "both"

    def of(self, n: int) -> IntArray:
        """Return the (n,) case codes of n pairs."""
        sizes = np.tile(self.sizes, n)
        cases = int(np.searchsorted(np.cumsum(sizes), n)) + 1
        return np.repeat(np.arange(cases), sizes[:cases])[:n]


FOURS = Cases("4 outputs a case, 0.3", (4,), 0.3)
HARDER = (
    Cases("4 outputs a case, 0", (4,), 0.0),
    Cases("4 outputs a case, 0.6", (4,), 0.6),
    Cases("4 outputs a case, 0.6, whole cases", (4,), 0.6, "whole"),
    Cases("4 outputs a case, 0.6, errors only", (4,), 0.6, "errors"),
    Cases("4 outputs a case, 0.6, levels only", (4,), 0.6, "human"),
    Cases("2 or 8 outputs a case, 0.3", (2, 8), 0.3),
    Cases("2 or 8 outputs a case, 0.6", (2, 8), 0.6),
    Cases("2 or 8 outputs a case, 0.6, errors only", (2, 8), 0.6, "errors"),
    Cases("2 raters an item, 0.6", (2,), 0.6, "judge"),
    Cases("3 raters an item, 0.6", (3,), 0.6, "judge"),
)


def weights_of(levels: int) -> FloatArray:
    """Agreement weights: all or nothing for two levels, quadratic for five."""
    return identity(2) if levels == 2 else quadratic(range(levels))


@lru_cache(maxsize=64)
def shares_of(levels: int, margins: tuple[float, ...], kappa: float) -> FloatArray:
    """Return the (k, k) shares of a population with these margins on both sides and this kappa."""
    p = np.array(margins)
    if levels == 2:
        return (1 - kappa) * np.outer(p, p) + kappa * np.diag(p)
    near, far = 0.0, 1.0
    for _ in range(40):
        middle = (near + far) / 2
        found = kappa_of(_cut_normal(p, middle), weights_of(levels))
        near, far = (middle, far) if found < kappa else (near, middle)
    return _cut_normal(p, near)


def kappa_of(shares: FloatArray, weights: FloatArray) -> float:
    """Kappa of a population; it has one, since its margins hold several levels."""
    return float(kappa_and_variance(shares, weights)[0])


def draw(shares: FloatArray, size: tuple[int, int], rng: np.random.Generator) -> IntArray:
    """Cell codes (``human * k + judge``) of independent pairs."""
    ends = np.cumsum(shares.ravel() / shares.sum())
    ends[-1] = 1.0
    return np.searchsorted(ends, rng.random(size), side="right").astype(np.int64)


def draw_cases(
    shares: FloatArray, cases: Cases, n: int, repeats: int, rng: np.random.Generator
) -> IntArray:
    """Cell codes (repeats, n) of pairs that come in cases; each pair by itself is ``shares``."""
    units, k = cases.of(n), shares.shape[0]
    count, size = int(units[-1]) + 1, (repeats, n)
    own, common = draw(shares, size, rng), draw(shares, (repeats, count), rng)[:, units]
    if cases.shares == "whole":
        return np.where((rng.random((repeats, count)) < cases.alike)[:, units], common, own)
    copied = rng.random(size) < cases.alike**0.5
    if cases.shares == "both":
        return np.where(copied, common, own)
    if cases.shares == "human":
        human = np.where(copied, common, own) // k
        return human * k + _given(human, shares, rng)
    if cases.shares == "judge":
        judge = common % k
        human = np.where(copied, common // k, _given(judge, shares.T, rng))
        return human * k + judge
    wrong = np.where(copied, common // k != common % k, own // k != own % k)
    off = shares * (1 - np.eye(k))
    return np.where(wrong, draw(off, size, rng), draw(shares - off, size, rng))


def _given(codes: IntArray, shares: FloatArray, rng: np.random.Generator) -> IntArray:
    """Draw the columns that go with these rows of a table of shares."""
    ends = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)
    spot, found = rng.random(codes.shape), np.zeros(codes.shape, dtype=np.int64)
    for column in range(shares.shape[1] - 1):
        found += spot > ends[:, column][codes]
    return found


def tables_of(cells: IntArray, k: int) -> FloatArray:
    """Tables (repeats, k, k) of (repeats, n) cell codes."""
    repeats = cells.shape[0]
    spread = cells + np.arange(repeats)[:, None] * k * k
    counts = np.bincount(spread.ravel(), minlength=repeats * k * k)
    return counts.reshape(repeats, k, k).astype(np.float64)


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
