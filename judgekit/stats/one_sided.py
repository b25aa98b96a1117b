"""How surprising an agreement is if the true kappa is no better than a bar: a one-sided p-value.

The path-score interval turned round (:mod:`judgekit.stats.path_score`): its low end at confidence
1 - 2p lies exactly on the bar. On the path down to independence kappa falls in a straight line, so
the table that has the bar's kappa is known, and so is its standard error:

- t = 1 - bar / kappa
- z = (kappa - bar) / SE(P_t)
- p = 1 - Phi(z), or the tail of Student's t with clusters.

Its use is multiplicity: of several criteria the best-looking one is favoured by luck. Holm's method
(:func:`judgekit.stats.multiplicity.holm`) takes these p-values.

Source: the test that the path-score interval inverts; Holm (1979), Scandinavian Journal of
Statistics 6:65.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from judgekit.stats.clusters import clustering
from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa import influence, kappa_and_variance
from judgekit.stats.quantiles import student_tail
from judgekit.stats.table import Pairs


def p_above(pairs: Pairs, weights: npt.ArrayLike, bar: float) -> float | Undefined:
    """Probability, were the true kappa at ``bar``, of an agreement at least this far above it.

    In (0, 0.5) for a kappa above the bar; 1 for one at or below it, where nothing speaks for the
    judge. ``bar`` is above 0 and below 1. ``weights`` are the (k, k) agreement weights. Clusters,
    sampling weights and strata count as they do in the interval.

    Undefined: as kappa is, and ``too_few_clusters``.

    Raises:
        ValueError: ``bar`` out of range, or weights that do not fit.
    """
    if not 0 < bar < 1:
        raise ValueError(f"the bar must lie between 0 and 1, not {bar}")
    table, w = pairs.table(), np.asarray(weights, dtype=np.float64)
    pull = influence(table, w)
    if isinstance(pull, Undefined):
        return pull
    found = clustering(pull[pairs.human, pairs.judge], pairs)
    if found.too_few:
        return Undefined("too_few_clusters", pairs.n_items, clusters=found.clusters)
    shares = table / table.sum()
    value = float(kappa_and_variance(shares, w)[0])
    if value <= bar:
        return 1.0
    independent = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    tested = shares + (1 - bar / value) * (independent - shares)
    variance = float(kappa_and_variance(tested, w)[1])
    z = (value - bar) / math.sqrt(variance * found.design_effect / len(pairs))
    return NormalDist().cdf(-z) if found.df is None else student_tail(z, found.df)
