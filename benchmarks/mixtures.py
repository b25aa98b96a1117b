"""Populations of items that several raters rate, with known agreement of every two of them.

Items are of kinds. A rater of *loading* 1 would always give the level of the kind, a rater of
loading 0 draws from the margins; given the kind, raters err independently. So the table of two
raters is exactly a sum over kinds, and so is everything that follows from it.

- Two levels: a kind for each level. A rater gives it with the probability of the loading, and
  else draws from the margins; kappa of two raters is the product of their loadings.
- Five levels: kinds are points of a normal quality. A rater sees quality and noise, correlated
  with quality by the loading, cut into levels: near levels are confused more often than far ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from benchmarks.populations import FOURS, MARGINS, kappa_of, weights_of
from judgekit.stats.arrays import FloatArray, IntArray

POINTS = 200
"""Points of equal probability that stand for a normal quality."""


@dataclass(frozen=True, slots=True)
class Items:
    """A population of items: levels of the scale, and their margins by name."""

    levels: int
    margins: str

    def __str__(self) -> str:
        return f"{self.levels} levels, {self.margins}"

    @property
    def weights(self) -> FloatArray:
        """Agreement weights: all or nothing for two levels, quadratic for five."""
        return weights_of(self.levels)

    @property
    def shares(self) -> FloatArray:
        """Return the (t,) shares of the kinds of item."""
        p = np.array(MARGINS[self.levels, self.margins])
        return p if self.levels == 2 else np.full(POINTS, 1 / POINTS)

    def said(self, loading: float) -> FloatArray:
        """How often a rater of this loading gives each level to each kind: (t, k)."""
        p = np.array(MARGINS[self.levels, self.margins])
        if self.levels == 2:
            found: FloatArray = loading * np.eye(2) + (1 - loading) * p
            return found
        from scipy.special import ndtr, ndtri

        quality = ndtri((np.arange(POINTS) + 0.5) / POINTS)
        cuts = ndtri(np.cumsum(p)[:-1])
        noise = np.sqrt(max(1 - loading**2, 1e-12))
        below = ndtr((cuts - loading * quality[:, None]) / noise)
        ends = np.hstack([np.zeros((POINTS, 1)), below, np.ones((POINTS, 1))])
        return np.diff(ends, axis=1)

    def table(self, first: float, second: float) -> FloatArray:
        """Return the (k, k) shares of two raters of these loadings."""
        found: FloatArray = (self.said(first) * self.shares[:, None]).T @ self.said(second)
        return found

    def draw(
        self,
        loadings: tuple[float, ...],
        size: tuple[int, int],
        rng: np.random.Generator,
        cases: IntArray | None = None,
    ) -> IntArray:
        """Levels (repeats, n, m) that m raters give to n items, several times.

        With ``cases`` (n,) an item is of its case's kind with probability sqrt(0.3), so that two
        items of a case are of one kind because of it in 0.3.
        """
        ends = np.cumsum(self.shares)
        kind = np.searchsorted(ends[:-1], rng.random(size))
        if cases is not None:
            common = np.searchsorted(ends[:-1], rng.random((size[0], int(cases[-1]) + 1)))
            copied = rng.random(size) < FOURS.alike**0.5
            kind = np.where(copied, common[:, cases], kind)
        given = []
        for loading in loadings:
            steps = np.cumsum(self.said(loading), axis=1)[:, :-1]
            given.append((rng.random(size)[..., None] > steps[kind]).sum(axis=-1))
        return np.stack(given, axis=-1).astype(np.int64)


ITEMS = tuple(Items(levels, margins) for levels, margins in MARGINS)


@lru_cache(maxsize=64)
def alike(items: Items, kappa: float) -> float:
    """Return the loading of raters whose kappa with one another is this."""
    return _solve(lambda loading: kappa_of(items.table(loading, loading), items.weights), kappa)


@lru_cache(maxsize=64)
def beside(items: Items, other: float, kappa: float) -> float:
    """Return the loading of a rater whose kappa with one of loading ``other`` is this."""
    return _solve(lambda loading: kappa_of(items.table(loading, other), items.weights), kappa)


def _solve(rising: Callable[[float], float], wanted: float) -> float:
    near, far = 0.0, 1.0
    for _ in range(40):
        middle = (near + far) / 2
        near, far = (middle, far) if rising(middle) < wanted else (near, middle)
    return near
