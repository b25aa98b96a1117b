"""Share of some of the pairs, with Wilson's interval and the clustering of just those pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import Estimate, Undefined, UndefinedReason
from judgekit.stats.proportions import wilson
from judgekit.stats.table import Pairs

Mask = npt.NDArray[np.bool_]


def share(
    pairs: Pairs,
    hit: Mask,
    among: Mask | None = None,
    *,
    name: str,
    confidence: float = 0.95,
    undefined: UndefinedReason = "empty",
) -> Estimate | Undefined:
    """Share of the chosen pairs that are hits, in [0, 1].

    ``hit`` and ``among`` are (n,) masks; without ``among`` all pairs are chosen. Where the chosen
    pairs share clusters, the interval is that of n / design effect pairs with Student's t. ``n``
    counts items, ``pairs`` the denominator. Sampling weights act on the share and the interval.

    Undefined for the given reason when no pair is chosen; ``too_few_clusters`` when clusters
    matter, and the chosen pairs lie in fewer than ten.
    """
    method = f"{name}/wilson"
    chosen, hits = (pairs, hit) if among is None else (pairs.subset(among), hit[among])
    n = len(chosen)
    if n == 0:
        return Undefined(undefined, 0, method, 0)
    values = hits.astype(np.float64)
    value = float(np.average(values, weights=chosen.weight))
    found = clustering(values - value, chosen)
    if found.too_few:
        return Undefined("too_few_clusters", chosen.n_items, method, n, clusters=found.clusters)
    n_eff = n / found.design_effect
    estimate = wilson(value * n, n, confidence=confidence, n_eff=n_eff, df=found.df, method=method)
    return counted(estimate, chosen, found)
