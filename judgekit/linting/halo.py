"""Whether a judge's levels on two criteria move together more than people's do.

Noise in people's levels lowers their correlation, so that a judge that is merely steadier than
people would look as if it mixed the criteria up. With H the people's levels and J the judge's, and
errors that do not depend on each other, what people mean correlates by r(Ha, Hb) over the root of
the reliabilities of Ha and Hb; and as r(Ja, Ha)^2 is at most the reliability of Ha, by no more than

    most = r(Ha, Hb) / (r(Ja, Ha) r(Jb, Hb)),

or r(Ha, Hb) itself where that is negative. The figure is r(Ja, Jb) - most, over the items on which
both sides have a level on both criteria (people's is the mean of all raters), with a delete-one
jackknife interval over items, or cases: everything in it is measured on the same items. The formula
is that for attenuation (Spearman 1904, American Journal of Psychology 15:72).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.linting.evidence import Evidence, ItemSaid, units_of
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.intervals import unit_estimate

if TYPE_CHECKING:
    from judgekit.stats.arrays import FloatArray, IntArray

FEWEST = 30
"""With fewer items, or cases, nothing is said."""

FOLLOWS = 0.5
"""With a lower correlation of judge and people on one of the criteria, nothing is said either."""


class Halo(NamedTuple):
    """Two criteria that move together.

    Attributes:
        judge: The judge's correlation between them.
        people: People's.
        most: What people's could be without the noise in their levels.
        more: The judge's less that, with its 95% interval.
        items: The items on both criteria on which the judge's levels are alike and people's are
            not, those that show it most first.
    """

    judge: float
    people: float
    most: float
    more: Estimate
    items: tuple[tuple[ItemSaid, ItemSaid], ...]


def halo(one: Evidence, other: Evidence, confidence: float) -> Halo | None:
    """Return how two criteria of one judge move together; None where they do not, clearly.

    Args:
        one: Evidence of one criterion.
        other: Evidence of another criterion of the same judge.
        confidence: What "clearly" means.
    """
    theirs = {item.item: item for item in other.items if item.people and item.judge is not None}
    both = [
        (item, theirs[item.item])
        for item in one.items
        if item.people and item.judge is not None and item.item in theirs
    ]
    if units_of(item for item, _ in both) < FEWEST:
        return None
    levels = np.array([[*_levels(one, a), *_levels(other, b)] for a, b in both])
    known: dict[object, int] = {}
    units = np.array([known.setdefault(item.unit, len(known)) for item, _ in both])

    def more(at: IntArray) -> float | Undefined:
        found = _correlations(levels[at])
        return Undefined("zero_variance") if found is None else found[0] - found[2]

    found, shown = (
        unit_estimate(len(both), more, name="halo", clusters=units, confidence=c, span=(-2, 1))
        for c in (confidence, 0.95)
    )
    whole = _correlations(levels)
    if isinstance(found, Undefined) or found.low <= 0 or isinstance(shown, Undefined):
        return None
    if whole is None:
        return None
    z = (levels - levels.mean(axis=0)) / levels.std(axis=0)
    apart = np.abs(z[:, 1] - z[:, 3]) - np.abs(z[:, 0] - z[:, 2])
    order = np.argsort(-apart, kind="stable")
    return Halo(*whole, shown, tuple(both[i] for i in order if apart[i] > 0))


def _correlations(levels: FloatArray) -> tuple[float, float, float] | None:
    """Return the judge's correlation, people's, and the most that people's could be.

    None where a side does not vary, or the judge hardly follows people: the ratio says nothing.
    """
    if (np.ptp(levels, axis=0) < 1e-12).any():
        return None
    r = np.corrcoef(levels.T).reshape(4, 4)
    if min(r[0, 1], r[2, 3]) < FOLLOWS:
        return None
    follows = float(r[0, 1] * r[2, 3])
    people = float(r[1, 3])
    return float(r[0, 2]), people, min(1.0, max(people, people / follows))


def _levels(evidence: Evidence, item: ItemSaid) -> tuple[float, float]:
    """Return the judge's level of an item, and the mean of people's."""
    people = [evidence.numbers[level] for _, level in item.people]
    return evidence.numbers[item.judge or 0], sum(people) / len(people)
