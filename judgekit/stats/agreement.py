"""Agreement of judge and human: kappa with an interval that knows about clusters."""

from __future__ import annotations

import numpy.typing as npt

from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import influence
from judgekit.stats.path_score import path_score
from judgekit.stats.table import Pairs


def agreement(
    pairs: Pairs,
    weights: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    method: str = "cohen_kappa",
) -> Estimate | Undefined:
    """Kappa over the declared scale, with its two-sided path-score interval.

    1 is perfect, 0 is what chance gives, below 0 is worse than chance. ``weights`` are the (k, k)
    agreement weights, extra judge columns included
    (:func:`judgekit.stats.weights.with_disagreeing`). ``method`` names the statistic in the result.

    When pairs share clusters, or items where no clusters are declared (several raters), the
    interval is that of n / design effect pairs with Student's t. ``n`` counts items, ``pairs``
    counts pairs. Sampling weights act through the table and the design effect.

    Undefined: ``empty``; ``single_category`` (everybody used one and the same level, or there is
    one pair only); ``too_few_clusters`` (clusters matter, and there are fewer than ten).

    Raises:
        ValueError: The weights do not fit the scale.
    """
    table, n = pairs.table(), len(pairs)
    pull = influence(table, weights)
    if isinstance(pull, Undefined):
        return Undefined(pull.reason, pairs.n_items, f"{method}/path_score", n)
    found = clustering(pull[pairs.human, pairs.judge], pairs)
    if found.too_few:
        name = f"{method}/path_score"
        return Undefined("too_few_clusters", pairs.n_items, name, n, clusters=found.clusters)
    estimate = path_score(
        table,
        weights,
        confidence=confidence,
        design_effect=found.design_effect,
        df=found.df,
        method=method,
    )
    return counted(estimate, pairs, found)
