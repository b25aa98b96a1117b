"""Figures beside kappa, each with its interval: shown, explained, and never gated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.pairs import agreement_weights
from judgekit.calibration.record import EstimateRecord
from judgekit.stats.chance import bennett_s_of, gwet_ac1_of, gwet_ac2_of, pabak_of, scott_pi_of
from judgekit.stats.confusion import balanced_accuracy, mcc_of
from judgekit.stats.correlation import kendall_tau_b_of, lin_ccc_of, pearson_of, spearman_of
from judgekit.stats.intervals import Interval, table_estimate
from judgekit.stats.kappa import kappa_of
from judgekit.stats.level_errors import absolute_error
from judgekit.stats.table import pass_decision
from judgekit.stats.weights import identity

if TYPE_CHECKING:
    from judgekit.calibration.rows import ScaleSpec
    from judgekit.stats.arrays import FloatArray
    from judgekit.stats.table import Pairs

    Statistic = Callable[[FloatArray], FloatArray]


MOST_LEVELS = 10
"""Levels up to which score intervals are worked out: their cost grows with the fourth power."""


def coefficients(pairs: Pairs, spec: ScaleSpec) -> dict[str, EstimateRecord]:
    """Return every coefficient that this kind of scale has, over the pairs with two levels.

    Ordinal scales have the weighted and the rank-based ones, by the values of the levels.
    """
    usable = pairs.usable()
    interval: Interval = "score" if len(spec.values) <= MOST_LEVELS else "jackknife"
    found = {
        name: table_estimate(usable, statistic, name=name, interval=interval)
        for name, statistic in _statistics(spec).items()
    }
    if spec.passes is not None:
        found["balanced_accuracy"] = balanced_accuracy(pass_decision(usable, np.array(spec.passes)))
    if spec.kind == "ordinal":
        found["mean_absolute_error"] = absolute_error(usable, spec.numbers)
    return {name: EstimateRecord.of(name, estimate) for name, estimate in found.items()}


def _statistics(spec: ScaleSpec) -> dict[str, Statistic]:
    k, weights = len(spec.values), agreement_weights(spec)
    same = identity(k)
    found: dict[str, Statistic] = {
        "scott_pi": lambda t: scott_pi_of(t, weights),
        "bennett_s": lambda t: bennett_s_of(t, weights),
        "gwet_ac1": gwet_ac1_of,
        "mcc": mcc_of,
    }
    if k == 2:
        found["pabak"] = pabak_of
    if spec.weights != "unweighted":
        found["unweighted_kappa"] = lambda t: kappa_of(t, same)
        found["gwet_ac2"] = lambda t: gwet_ac2_of(t, weights)
    if spec.kind == "ordinal":
        values = np.array(spec.numbers)
        found["pearson"] = lambda t: pearson_of(t, values)
        found["spearman"] = lambda t: spearman_of(t, values)
        found["kendall_tau_b"] = lambda t: kendall_tau_b_of(t, values)
        found["lin_ccc"] = lambda t: lin_ccc_of(t, values)
    return found
