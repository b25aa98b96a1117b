"""Krippendorff's alpha: agreement of any number of raters, with gaps, on any kind of scale.

alpha = 1 - D_o / D_e, at most 1, 0 at chance. A unit that m >= 2 raters rated holds m (m - 1)
ordered pairs of values, each of weight 1 / (m - 1); a unit with one value holds none and is left
out entirely. With the coincidences o_ck (weight of pairs c, k over all units), their margins n_c
(how often a pairable value is c), their sum n, and a squared difference d_ck of levels:

- observed disagreement  D_o = sum of o_ck d_ck / n
- expected disagreement  D_e = sum of n_c n_k d_ck / (n (n - 1))

The difference depends on the kind of scale, with level values v:

- ``nominal``   d = 1 for different levels
- ``ordinal``   d = (R_c - R_k)^2 with the mean ranks R of the levels among all pairable values;
  the same as Krippendorff's (sum of n_g for g from c to k, less (n_c + n_k) / 2)^2
- ``interval``  d = (v_c - v_k)^2
- ``ratio``     d = ((v_c - v_k) / (v_c + v_k))^2

Ordinal differences are made of the margins: alpha of two samples in which levels are used
differently often is not measured with one ruler.

With two raters and no gaps, nominal alpha = pi + (1 - pi) / (2 n) with Scott's pi of n units. The
small-sample term n - 1 is what sets alpha apart from Fleiss' kappa.

References: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Hayes and Krippendorff
(2007), Communication Methods and Measures 1:77. R's ``irr::kripp.alpha`` (0.84.1) leaves out the
weight 1 / (m - 1) when three raters and more have no gaps, and is off for few units.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.differences import Metric, fixed_differences, ranked_differences, scaled_ranks
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.leave_one_out import Disagreement, estimate, grouped, without_each
from judgekit.stats.ratings import Ratings

# Values that are left over from rounding, as a share of all.
NOTHING = 1e-12


def krippendorff_alpha(
    ratings: Ratings, metric: Metric, values: Sequence[float] | FloatArray | None = None
) -> float | Undefined:
    """Krippendorff's alpha over the declared scale; at most 1, 0 at chance.

    ``values`` are the numeric values of all declared levels, for ``interval`` (evenly spaced unless
    given) and ``ratio`` (needed); the other metrics know only levels and their order.

    ``Undefined("empty")`` when no unit has two values; ``Undefined("single_category")`` when all
    pairable values are one level.

    Raises:
        UnknownName: No such metric.
        ValueError: Values that do not fit the scale or the metric.
    """
    full = _Pairable(ratings, metric, values)
    return full.undefined() or float(full.disagreement().value[0])


def krippendorff_alpha_estimate(
    ratings: Ratings,
    metric: Metric,
    values: Sequence[float] | FloatArray | None = None,
    *,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """Krippendorff's alpha with its two-sided interval, leaving out one unit at a time.

    Or one cluster, where clusters repeat; see :mod:`judgekit.stats.leave_one_out`. Ordinal
    differences are taken anew each time. The cost is linear in the number of units. ``n`` counts
    the units with two values and more, ``pairs`` their values.

    Undefined: where alpha is; ``too_few_clusters`` with fewer than ten clusters; ``too_few_items``
    when one unit only has two values.

    Raises:
        UnknownName: No such metric.
        ValueError: As :func:`krippendorff_alpha`, or ``confidence`` out of range.
    """
    full = _Pairable(ratings, metric, values)
    return full.undefined() or estimate(
        full.disagreement(), full.left_out, full.ratings, name=full.name, confidence=confidence
    )


def coincidences(ratings: Ratings) -> FloatArray:
    """Return the (k, k) coincidences: o_ck, the weight of ordered pairs of values c and k.

    Its rows add up to how often each level occurs among the values of units with two and more.
    """
    full = _Pairable(ratings, "nominal", None)
    return full.coincidences()


class _Pairable:
    """The units with two values and more, and the disagreement among them."""

    def __init__(
        self, ratings: Ratings, metric: Metric, values: Sequence[float] | FloatArray | None
    ) -> None:
        self.name = f"krippendorff_alpha_{metric}"
        self.fixed = fixed_differences(metric, values, ratings.k)
        self.ratings = ratings.subset(ratings.sizes() > 1)
        self.counts = self.ratings.counts().astype(np.float64)
        self.sizes = self.counts.sum(axis=1)
        weight = self.ratings.weight
        self.weight = np.ones(len(self.ratings)) if weight is None else weight
        self.margins = self.weight @ self.counts

    def undefined(self) -> Undefined | None:
        n, given = len(self.ratings), int(self.sizes.sum())
        if n == 0:
            return Undefined("empty", 0, self.name, 0)
        if _one_level(self.margins[None])[0]:
            return Undefined("single_category", n, self.name, given)
        return None

    def disagreement(self) -> Disagreement:
        d = ranked_differences(self.margins) if self.fixed is None else self.fixed
        return _of_sums(self._parts(d).sum(axis=0)[None], d)

    def left_out(self, clusters: IntArray | None) -> Disagreement:
        d = self.fixed
        if d is None:
            return self._ordinal_left_out(clusters)
        return without_each(grouped(self._parts(d), clusters), lambda sums: _of_sums(sums, d))

    def coincidences(self) -> FloatArray:
        share = self.counts * (self.weight / (self.sizes - 1))[:, None]
        pairs: FloatArray = self.counts.T @ share - np.diag(share.sum(axis=0))
        return pairs

    def _parts(self, d: FloatArray) -> FloatArray:
        """What each unit adds: the differences of its pairs, and how often it has each level."""
        own = ((self.counts @ d) * self.counts).sum(axis=1) / (self.sizes - 1)
        parts: FloatArray = np.column_stack([own, self.counts]) * self.weight[:, None]
        return parts

    def _ordinal_left_out(self, clusters: IntArray | None) -> Disagreement:
        """Without a group the ranks R are others, and with them the differences of all pairs.

        For pairs of total weight o and margins n, sum of o_ck (R_c - R_k)^2 =
        2 (sum of n_c R_c^2 - R' o R); of one unit it is 2 / (m - 1) (m sum(n R^2) - (sum(n R))^2).
        """
        counts, sizes = self.counts, self.sizes
        margins = self.margins - grouped(counts * self.weight[:, None], clusters)
        R, n = scaled_ranks(margins), margins.sum(axis=1)
        own = R if clusters is None else R[clusters]
        squares, means = (counts * own**2).sum(axis=1), (counts * own).sum(axis=1)
        unit = self.weight * 2 / (sizes - 1) * (sizes * squares - means**2)
        everybody = 2 * (R**2 @ self.margins - ((R @ self.coincidences()) * R).sum(axis=1))
        expected = 2 * (n * (margins * R**2).sum(axis=1) - (margins * R).sum(axis=1) ** 2)
        return Disagreement(
            (everybody - grouped(unit[:, None], clusters)[:, 0]) / n,
            np.where(_one_level(margins), np.nan, expected / (n * (n - 1))),
        )


def _of_sums(sums: FloatArray, d: FloatArray) -> Disagreement:
    """Observed and expected disagreement of a stack (B, 1 + k) of sums of parts."""
    margins = sums[:, 1:]
    n = margins.sum(axis=1)
    expected = ((margins @ d) * margins).sum(axis=1) / (n * (n - 1))
    return Disagreement(sums[:, 0] / n, np.where(_one_level(margins), np.nan, expected))


def _one_level(margins: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether all values are one level, for margins (B, k)."""
    n = margins.sum(axis=1)
    one: npt.NDArray[np.bool_] = margins.max(axis=1) >= n * (1 - NOTHING)
    return one
