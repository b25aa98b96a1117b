"""A judge that sees nothing but length: what agreement is worth when characters alone reach it.

People often like long answers, and models like them more. A judge that does no better than a count
of characters has read nothing that the count does not say, whatever its kappa. So the count is made
into a judge of the same scale, as good a one as the labels allow:

- Ordered levels, and any two levels: the longer, the higher (or the lower). The lengths are cut so
  that each level gets the share of items that people gave it (equipercentile). For two levels the
  cut with the most kappa would do as well on the items it is sought on, and less well on others: in
  simulations it wavered so much that it let through four times as many judges that only count.
- Unordered levels: five bins of equal size, and in each the commonest level, or the one that stands
  out most there beside its overall share.
- Pairs, told by the length of A less that of B: the longer wins (or the shorter), and the pairs
  nearest to 0 are ties, as many as people called ties.

Direction and rule are those with more kappa on the items they are fitted to, and those are never
the items they are asked of: the items are dealt into folds, and each fold is judged by the rule
fitted to the others. A rule whose kappa there is not :data:`SURE` standard errors above chance is
none, and one level is said throughout: few labels must not make a rival out of noise. Only the
order of lengths matters, so it is all the same for their logarithms.

References: Dubois et al. (2024), arXiv:2404.04475, for what length alone wins; Stone (1974), JRSS B
36:111, for fitting on the other folds; Kolen and Brennan (2014), Test Equating, for equipercentile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray, codes, pair_weights, scale_codes, square
from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa import kappa_and_variance
from judgekit.stats.table import contingency

Order = Literal["ordered", "nominal", "pairwise"]
Rule = Callable[[FloatArray], IntArray]
"""From lengths to levels."""

BINS = 5
"""Bins of equal size, for unordered levels."""
SURE = 2.0
"""How many standard errors (of no agreement) a rule must lie above chance where it is fitted."""


class _Seen(NamedTuple):
    """The items a rule is fitted to: lengths, human levels, sampling weights; and how they count.

    ``sides`` are the levels "A is better" and "B is better" of a pairwise scale.
    """

    length: FloatArray
    human: IntArray
    weight: FloatArray
    agreement: FloatArray
    sides: tuple[int, int]

    @property
    def k(self) -> int:
        return len(self.agreement)

    def shares(self) -> FloatArray:
        counts = np.bincount(self.human, weights=self.weight, minlength=self.k)
        shares: FloatArray = counts / counts.sum()
        return shares

    def kappa(self, rule: Rule) -> tuple[float, float]:
        """Return the kappa of a rule on these items, and its standard error if it had none."""
        table = contingency(self.human, rule(self.length), self.k, self.weight)
        shares = table / table.sum()
        independent = np.outer(shares.sum(axis=1), shares.sum(axis=0))
        value = kappa_and_variance(shares, self.agreement)[0]
        variance = kappa_and_variance(independent, self.agreement)[1]
        if not np.isfinite(value):
            return 0.0, np.inf
        return float(value), float(np.sqrt(variance / len(self.human)))


def length_judge(
    length: npt.ArrayLike,
    human: npt.ArrayLike,
    folds: npt.ArrayLike,
    agreement: npt.ArrayLike,
    *,
    order: Order = "ordered",
    sides: tuple[int, int] = (0, 1),
    weight: npt.ArrayLike | None = None,
) -> IntArray | Undefined:
    """Levels that length alone gives: (n,) codes, each by a rule fitted to the other folds.

    Args:
        length: (n,) finite lengths; for pairs, of A less of B.
        human: (n,) codes of the human's levels.
        folds: (n,) codes of the folds; all items of one case belong in one.
        agreement: (k, k) agreement weights of the scale, by which rules are compared.
        order: How the levels lie: ``ordered``, ``nominal``, or ``pairwise``.
        sides: The levels that say "A is better" and "B is better", for pairs.
        weight: (n,) sampling weights, or None.

    ``Undefined("empty")`` without items, ``Undefined("too_few_items")`` when all items are in one
    fold, so that there is nothing to fit a rule to.

    Raises:
        ValueError: Lengths that differ or are not finite, a code off the scale, sides off it.
    """
    w = square("agreement", agreement)
    x = np.asarray(length, dtype=np.float64)
    levels, of = scale_codes("human", human, len(w)), codes("folds", folds)
    if not (x.shape == levels.shape == of.shape and np.isfinite(x).all()):
        raise ValueError("length, human and folds must be of one size, and lengths finite")
    if not all(0 <= side < len(w) for side in sides) or sides[0] == sides[1]:
        raise ValueError(f"{sides} are not two levels of the scale")
    if x.size == 0:
        return Undefined("empty", 0, "length_judge")
    sampling = pair_weights(weight, x.size)
    v = np.ones(x.size) if sampling is None else sampling
    commonest = int(np.bincount(levels, weights=v).argmax())
    said = np.zeros(x.size, dtype=np.int64)
    for fold in np.unique(of):
        here = of == fold
        if here.all():
            return Undefined("too_few_items", x.size, "length_judge")
        seen = _Seen(x[~here], levels[~here], v[~here], w, sides)
        rule = _fit(seen, order)
        said[here] = commonest if rule is None else rule(x[here])
    return said


def _fit(seen: _Seen, order: Order) -> Rule | None:
    """Return the better of the two rules for such a scale, or None when neither is one."""
    if order == "pairwise":
        rules = _longer_wins(seen, *seen.sides), _longer_wins(seen, *seen.sides[::-1])
    elif order == "ordered" or seen.k == 2:
        rules = _equipercentile(seen, 1.0), _equipercentile(seen, -1.0)
    else:
        rules = _by_bins(seen), _by_bins(seen, beside=seen.shares())
    found = [seen.kappa(rule) for rule in rules]
    best = int(found[1][0] > found[0][0])
    value, error = found[best]
    return rules[best] if value > SURE * error else None


def _equipercentile(seen: _Seen, sign: float) -> Rule:
    """Cut the lengths so that each level has the share of items that people gave it."""
    cuts = _quantiles(sign * seen.length, seen.weight, np.cumsum(seen.shares())[:-1])

    def rule(length: FloatArray) -> IntArray:
        return np.searchsorted(cuts, sign * length, side="left").astype(np.int64)

    return rule


def _by_bins(seen: _Seen, beside: FloatArray | None = None) -> Rule:
    """Give each bin its commonest level, or the one most above the shares ``beside``."""
    cuts = _quantiles(seen.length, seen.weight, np.arange(1, BINS) / BINS)
    place = np.searchsorted(cuts, seen.length, side="left")
    counts = np.zeros((BINS, seen.k))
    np.add.at(counts, (place, seen.human), seen.weight)
    counts[counts.sum(axis=1) == 0] = seen.shares()  # a bin that ties left empty
    shares = counts / counts.sum(axis=1, keepdims=True)
    level: IntArray = (shares if beside is None else shares - beside).argmax(axis=1)

    def rule(length: FloatArray) -> IntArray:
        return level[np.searchsorted(cuts, length, side="left")]

    return rule


def _longer_wins(seen: _Seen, longer: int, shorter: int) -> Rule:
    """Call the longer better, and the pairs that are nearest in length ties."""
    shares, sides = seen.shares(), np.array(seen.sides)
    ties = np.delete(np.arange(seen.k), sides)
    tied = float(shares[ties].sum())
    among = ties if tied > 0 else sides  # without ties, equal lengths go to the commoner side
    equal = among[shares[among].argmax()]
    band = max(0.0, float(_quantiles(np.abs(seen.length), seen.weight, np.array([tied]))[0]))

    def rule(length: FloatArray) -> IntArray:
        wins = np.where(length > 0, longer, shorter)
        return np.where(np.abs(length) <= band, equal, wins).astype(np.int64)

    return rule


def _quantiles(values: FloatArray, weight: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the smallest values that have at least these shares of the weight up to them.

    A share of 0 lies below every value, a share of 1 above: a level nobody gave gets no items.
    """
    order = np.argsort(values, kind="stable")
    up_to = np.cumsum(weight[order]) / weight.sum()
    place = np.minimum(np.searchsorted(up_to, shares - 1e-9, side="left"), values.size - 1)
    found = np.where(shares <= 1e-9, -np.inf, values[order][place])
    quantiles: FloatArray = np.where(shares >= 1 - 1e-9, np.inf, found)
    return quantiles
