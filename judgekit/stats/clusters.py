"""What clustering costs: outputs of one case are alike, so they tell less than independent ones.

A statistic whose pairs have influence values u (mean 0) has variance sum(u^2) / n^2 when pairs are
independent. When pairs fall into G clusters, only the sums of u over clusters are independent, and
the variance is G / (G - 1) * sum over clusters of (sum of u)^2 / n^2. The ratio of the two is the
design effect: n pairs are worth n / design effect independent ones. It is floored at 1, since a
ratio below 1 is luck more often than a gain, and intervals use Student's t with G - 1 degrees of
freedom, because the variance is known from G numbers only.

The promise is a little weaker than for independent pairs: in simulations of kappa with strongly
alike outputs (intra-class correlation 0.6) a low end meant to fail 2.5% of the time failed up to 5%
of the time, with 0.3 about 3%. Below :data:`MIN_CLUSTERS` clusters there is no interval.

When u is 0 throughout (no disagreement was seen) the ratio is 0 / 0. The mean cluster size stands
in: the worst case for clusters of equal size, as if all pairs of a cluster were one.

With sampling weights v (mean 1), v u takes the place of u in the cluster sums, and without clusters
the design effect is Kish's n sum(v^2) / sum(v)^2.

References: Kish (1965), Survey Sampling; Williams (2000), Biometrics 56:645, for cluster sums.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import influence
from judgekit.stats.table import Pairs

# With fewer clusters the cluster-robust variance is too rough for a verdict.
MIN_CLUSTERS = 10


class Clustering(NamedTuple):
    """How far clusters widen an interval.

    Attributes:
        design_effect: Variance inflation, at least 1.
        clusters: Number of clusters, or None when no two pairs share one.
        df: Degrees of freedom of the t quantile, or None for the normal.
    """

    design_effect: float
    clusters: int | None = None
    df: float | None = None

    @property
    def too_few(self) -> bool:
        """Whether there are clusters, but not enough of them for an interval."""
        return self.clusters is not None and self.clusters < MIN_CLUSTERS


def design_effect(pairs: Pairs, weights: npt.ArrayLike) -> tuple[float, int]:
    """Variance inflation of kappa by clusters, at least 1, and the number of clusters.

    ``weights`` are the (k, k) agreement weights. Pairs without clusters are clustered by item,
    where items are known. When no two pairs share a cluster the answer is 1 (Kish's effect under
    sampling weights) and the number of pairs. An undefined kappa has no influence values: the mean
    cluster size stands in, as it does when no disagreement was seen.
    """
    pull = influence(pairs.table(), weights)
    scores = np.zeros(len(pairs)) if isinstance(pull, Undefined) else pull[pairs.human, pairs.judge]
    found = clustering(scores, pairs)
    return found.design_effect, len(pairs) if found.clusters is None else found.clusters


def clustering(scores: FloatArray, pairs: Pairs) -> Clustering:
    """Return the design effect of a statistic whose (n,) influence values are ``scores``.

    The scores need only be right up to a common factor; their (weighted) mean is 0.
    """
    n, weight = len(pairs), pairs.weight
    kish = (
        1.0 if weight is None or n == 0 else n * float((weight**2).sum()) / float(weight.sum()) ** 2
    )
    codes = cluster_codes(pairs)
    if codes is None:
        return Clustering(kish)
    G = int(codes.max()) + 1
    weighted = scores if weight is None else scores * weight
    independent = float((weighted * scores).sum())
    if independent <= 1e-12 * n:
        return Clustering(max(1.0, kish * n / G), G, G - 1 or None)
    sums = np.bincount(codes, weights=weighted)
    clustered = G / max(G - 1, 1) * float((sums**2).sum())
    return Clustering(max(1.0, clustered / independent), G, G - 1 or None)


def counted(
    estimate: Estimate | Undefined, pairs: Pairs, found: Clustering
) -> Estimate | Undefined:
    """Return the estimate with the items, pairs and clusters it rests on filled in."""
    n, size = pairs.n_items, len(pairs)
    if isinstance(estimate, Undefined):
        return replace(estimate, n=n, pairs=size)
    effect = found.design_effect
    return replace(estimate, n=n, pairs=size, clusters=found.clusters, design_effect=effect)


def cluster_codes(pairs: Pairs) -> IntArray | None:
    """Return the cluster of each pair, or None when no two pairs share one.

    Clusters are the declared ones, else the items: several raters of one item are a cluster.
    """
    codes = pairs.items if pairs.clusters is None else pairs.clusters
    if codes is None or codes.size == 0 or int(codes.max()) + 1 == codes.size:
        return None
    return codes
