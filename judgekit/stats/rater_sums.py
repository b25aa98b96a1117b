"""What the agreement of several raters is made of: sums over units.

Every coefficient of :mod:`judgekit.stats.raters` is a function of sums of what each unit adds.
Leaving out a unit is then one subtraction, however many units there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.chance import common_margin_chance, even_chance, hard_item_chance
from judgekit.stats.kappa import SMALLEST_CHANCE_GAP
from judgekit.stats.leave_one_out import Disagreement
from judgekit.stats.ratings import Ratings
from judgekit.stats.weights import identity

Coefficient = Literal[
    "fleiss_kappa", "conger_kappa", "brennan_prediger", "gwet_ac1", "gwet_ac2", "pairwise_agreement"
]

# Sums of weights below this are what rounding leaves of a zero.
NOTHING = 1e-9


def parts(ratings: Ratings, weights: FloatArray, *, by_rater: bool) -> FloatArray:
    """Return what each unit adds to the sums, (n, 2 + margins).

    Column 0 is the unit's own agreement and column 1 is 1, both 0 with fewer than two ratings; then
    its shares of the levels (k columns), or, by rater, 1 for each rater and level that was given
    (m k columns). Sampling weights multiply whole rows.
    """
    counts = ratings.counts().astype(np.float64)
    size = counts.sum(axis=1)
    pairs = size * (size - 1)
    agreeing = (counts * (counts @ weights.T)).sum(axis=1) - counts @ np.diag(weights)
    own = np.divide(agreeing, pairs, out=np.zeros_like(size), where=pairs > 0)
    if by_rater:
        margins = (ratings.values[:, :, None] == np.arange(ratings.k)).reshape(len(ratings), -1)
    else:
        margins = counts / np.maximum(size, 1)[:, None]
    rows: FloatArray = np.column_stack([own, pairs > 0, margins]).astype(np.float64)
    return rows if ratings.weight is None else rows * ratings.weight[:, None]


def disagreement(kind: Kind, sums: FloatArray, weights: FloatArray) -> Disagreement:
    """Return 1 - p_o and 1 - p_e of a stack (B, 2 + margins) of sums of parts.

    The latter is nan where chance explains all agreement.
    """
    observed = sums[:, 0] / np.where(sums[:, 1] > NOTHING, sums[:, 1], np.nan)
    gap = 1 - kind.chance(sums[:, 2:], weights)
    return Disagreement(1 - observed, np.where(gap < SMALLEST_CHANCE_GAP, np.nan, gap))


def weights_of(
    coefficient: Coefficient, ratings: Ratings, weights: npt.ArrayLike | None
) -> FloatArray:
    """Return the (k, k) agreement weights; identity where none are given.

    Raises:
        ValueError: They do not fit the scale or the coefficient.
    """
    if (coefficient == "gwet_ac1" and weights is not None) or (
        coefficient == "gwet_ac2" and weights is None
    ):
        raise ValueError("gwet_ac2 needs agreement weights, gwet_ac1 takes none")
    w = identity(ratings.k) if weights is None else square("weights", weights)
    if w.shape[0] != ratings.k:
        raise ValueError(f"the weights are {w.shape}, the scale has {ratings.k} levels")
    return w


def _pooled(sums: FloatArray) -> FloatArray:
    shares: FloatArray = sums / sums.sum(axis=1, keepdims=True)
    return shares


def _fleiss_chance(sums: FloatArray, weights: FloatArray) -> FloatArray:
    return common_margin_chance(_pooled(sums), weights)


def _gwet_chance(sums: FloatArray, weights: FloatArray) -> FloatArray:
    return hard_item_chance(_pooled(sums), weights)


def _conger_chance(sums: FloatArray, weights: FloatArray) -> FloatArray:
    """Mean over ordered pairs of different raters of their chance agreement."""
    given = sums.reshape(len(sums), -1, weights.shape[0])
    rated = given.sum(axis=2, keepdims=True)
    rated = np.where(rated > NOTHING, rated, np.inf)
    shares, raters = given / rated, np.isfinite(rated).sum(axis=(1, 2))
    everybody = shares.sum(axis=1)
    with_self = ((shares @ weights) * shares).sum(axis=(1, 2))
    pairs = np.where(raters > 1, raters * (raters - 1), np.nan)
    chance: FloatArray = (((everybody @ weights) * everybody).sum(axis=1) - with_self) / pairs
    return chance


def _no_chance(sums: FloatArray, _weights: FloatArray) -> FloatArray:
    return np.zeros(len(sums))


class Kind(NamedTuple):
    """A coefficient: its chance agreement, and whether that needs each rater's own margin."""

    chance: Callable[[FloatArray, FloatArray], FloatArray]
    by_rater: bool = False


KINDS: dict[Coefficient, Kind] = {
    "fleiss_kappa": Kind(_fleiss_chance),
    "conger_kappa": Kind(_conger_chance, by_rater=True),
    "brennan_prediger": Kind(even_chance),
    "gwet_ac1": Kind(_gwet_chance),
    "gwet_ac2": Kind(_gwet_chance),
    "pairwise_agreement": Kind(_no_chance),
}
