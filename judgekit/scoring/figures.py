"""The figures over judged items: shares and means, with intervals that know about cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from judgekit.calibration.record import EstimateRecord
from judgekit.judging.judgment import Judgment
from judgekit.rubric.scale import number_text
from judgekit.stats import Estimate, Pairs, Undefined, critical, wilson
from judgekit.stats.clusters import clustering, counted
from judgekit.stats.proportions import wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.judging.judgment import Unjudged
    from judgekit.rubric.model import Criterion
    from judgekit.stats.arrays import FloatArray


def figures(
    criterion: Criterion,
    outcomes: Mapping[str, Judgment | Unjudged],
    cases: Mapping[str, str | None],
) -> tuple[EstimateRecord | None, dict[str, EstimateRecord]]:
    """Return the pass rate or mean level, and the share of each level, of the judged items.

    Items the criterion does not apply to, and unjudged ones, are in the tally and in no figure.
    Where items share cases, intervals are those of fewer independent items.

    Args:
        criterion: What was judged. With neither a pass line nor an order there is no one figure.
        outcomes: What the judge said of each item.
        cases: The case of each item, where it is known.
    """
    judged = {
        item: outcome.level
        for item, outcome in outcomes.items()
        if isinstance(outcome, Judgment) and outcome.level is not None
    }
    scale, levels = criterion.scale, np.array([*judged.values()], dtype=np.int64)
    items = _as_pairs(levels, [(cases.get(i) is not None, cases.get(i) or i) for i in judged])
    each = {
        number_text(value): EstimateRecord.of("share", _share(levels == i, items, "share"))
        for i, value in enumerate(scale.values)
    }
    if criterion.passes is not None:
        passed = np.array(criterion.passes)[levels]
        return EstimateRecord.of("pass_rate", _share(passed, items, "pass_rate")), each
    if scale.kind == "ordinal":
        return EstimateRecord.of("mean_level", _mean(levels, scale.values, items)), each
    return None, each


def _as_pairs(levels: np.ndarray, cases: Sequence[tuple[bool, str]]) -> Pairs:
    """Return the items as pairs with a constant: what clustering and counting work on."""
    table: dict[tuple[bool, str], int] = {}
    codes = np.array([table.setdefault(case, len(table)) for case in cases], dtype=np.int64)
    constant = np.zeros_like(levels)
    return Pairs(constant, constant, 1, clusters=codes)


def _share(hits: np.ndarray, items: Pairs, name: str) -> Estimate | Undefined:
    n, method = len(items), f"{name}/wilson"
    if n == 0:
        return Undefined("empty", 0, method, 0)
    found = clustering(hits - hits.mean(), items)
    if found.too_few:
        return Undefined("too_few_clusters", n, method, n)
    n_eff = n / found.design_effect
    share = wilson(float(hits.sum()), n, n_eff=n_eff, df=found.df, method=method)
    return counted(share, items, found)


def _mean(levels: np.ndarray, values: Sequence[Any], items: Pairs) -> Estimate | Undefined:
    """Return the mean level with Student's interval, kept inside the scale.

    Levels that are all alike show no spread: the interval then reaches as far as if Wilson's upper
    limit of 0 of n items had the level farthest away.
    """
    scale: FloatArray = np.array(values, dtype=np.float64)
    given, n, method = scale[levels], len(items), "mean_level/t"
    if n < 2:
        return Undefined("zero_variance" if n else "empty", n, method, n)
    mean = float(given.mean())
    found = clustering(given - mean, items)
    if found.too_few:
        return Undefined("too_few_clusters", n, method, n)
    lowest, highest = float(scale.min()), float(scale.max())
    z = critical(0.95, found.df or n - 1)
    below = above = z * (found.design_effect * float(given.var()) / (n - 1)) ** 0.5
    if np.ptp(given) == 0:
        unseen = wilson_bounds(0.0, n / found.design_effect, z)[1]
        below, above = unseen * (mean - lowest), unseen * (highest - mean)
    low, high = max(lowest, mean - below), min(highest, mean + above)
    return counted(Estimate(mean, low, high, n, method), items, found)
