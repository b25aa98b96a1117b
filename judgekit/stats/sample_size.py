"""How many pairs a fixed-size study of kappa needs, by large-sample formulas.

Both formulas rest on sigma = SE * sqrt(n), the standard deviation that one pair adds, taken from a
*planned* table (:mod:`judgekit.stats.planned_tables`). No rule of thumb replaces the table: for a
balanced pass/fail scale sigma^2 is 1 - kappa^2, and at 90/10 and kappa 0.6 it is 2.9 times that.

They are first answers. The path-score interval asks for a few more pairs than the test formula
says, and neither formula knows of labels needed in each class;
:mod:`judgekit.calibration.planning` simulates the gate itself.

References: Flack, Afifi, Lachenbruch and Schouten (1988), Psychometrika 53:321,
doi:10.1007/BF02294215. Reference implementation: ``N.cohen.kappa`` of R's irr.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy.typing as npt

from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa import checked, kappa_and_variance, why_undefined
from judgekit.stats.quantiles import critical

_NORMAL = NormalDist()
_ROUNDING = 1e-9
_METHOD = "sample_size"


def sigma(table: npt.ArrayLike, weights: npt.ArrayLike) -> float | Undefined:
    """Standard deviation that one pair adds to kappa: SE * sqrt(n) (Fleiss, Cohen, Everitt 1969).

    ``table`` is (k, k) with the shares of a planned table, or with counts of a pilot study; only
    their ratios matter. The value is 0 or above, and 0 for perfect agreement.

    Undefined: ``empty`` without entries, ``single_category`` when both sides use one and the same
    level.

    Raises:
        ValueError: Shapes that do not fit, or a negative entry.
    """
    T, w = checked(table, weights)
    total = float(T.sum())
    if total <= 0:
        return Undefined("empty", 0, _METHOD)
    # Shares stand for any number of pairs: only a single level leaves nothing to plan.
    if (why := why_undefined(2 * T / total, w)) is not None:
        return Undefined(why.reason, 0, _METHOD)
    return math.sqrt(max(float(kappa_and_variance(T / total, w)[1]), 0.0))


def n_for_half_width(
    table: npt.ArrayLike,
    weights: npt.ArrayLike,
    half_width: float,
    *,
    confidence: float = 0.95,
    design_effect: float = 1.0,
) -> int | Undefined:
    """Pairs for an interval of kappa that reaches ``half_width`` to either side.

    n = design effect * (z sigma / h)^2, rounded up; z is the two-sided normal quantile. A balanced
    pass/fail scale at kappa 0.6 needs 246 pairs for 0.10, at kappa 0.8 it needs 139.

    ``design_effect``, 1 or above, is what clustering costs: 1 + (m - 1) icc for m outputs of a case
    with this intra-class correlation, or what :func:`judgekit.stats.design_effect` measured.

    Undefined: as :func:`sigma`; ``zero_variance`` when the table shows no disagreement, from which
    no width can be told.

    Raises:
        ValueError: A half-width that is not positive, or a number out of range.
    """
    if not half_width > 0:
        raise ValueError(f"a half-width is positive, not {half_width}")
    z, spread = critical(confidence), sigma(table, weights)
    if isinstance(spread, Undefined):
        return spread
    if spread == 0:
        return Undefined("zero_variance", 0, _METHOD)
    return _pairs((z * spread / half_width) ** 2, design_effect)


def n_for_test(
    null: npt.ArrayLike,
    alternative: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    power: float = 0.80,
    design_effect: float = 1.0,
) -> int | Undefined:
    """Pairs for a one-sided test of kappa that finds the alternative with chance ``power``.

    n = design effect * [(z_{1-alpha} sigma0 + z_{power} sigma1) / (kappa1 - kappa0)]^2, rounded up.
    ``null`` and ``alternative`` are planned (k, k) tables, usually with the same margins; their
    kappas are kappa0 < kappa1. The gate's low end of a two-sided 95% interval is a test at
    ``alpha`` = 0.025. With two levels this is Flack et al. (1988); with more, their formula takes
    the worst table with the given margins, this one the table that is planned.

    A power below 1/2 at small distances can make the bracket 0 or less: one pair is the least.

    Undefined: as :func:`sigma`.

    Raises:
        ValueError: An alternative not above the null, or a number out of range.
    """
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"{name} lies between 0 and 1, not {value}")
    sigma0, sigma1 = sigma(null, weights), sigma(alternative, weights)
    if isinstance(sigma0, Undefined):
        return sigma0
    if isinstance(sigma1, Undefined):
        return sigma1
    distance = _kappa(alternative, weights) - _kappa(null, weights)
    if not distance > _ROUNDING:
        raise ValueError("the alternative's kappa must lie above the null's")
    reach = _NORMAL.inv_cdf(1 - alpha) * sigma0 + _NORMAL.inv_cdf(power) * sigma1
    return _pairs((max(reach, 0.0) / distance) ** 2, design_effect)


def _kappa(table: npt.ArrayLike, weights: npt.ArrayLike) -> float:
    T, w = checked(table, weights)
    return float(kappa_and_variance(T / T.sum(), w)[0])


def _pairs(n: float, design_effect: float) -> int:
    if not design_effect >= 1:
        raise ValueError(f"a design effect is at least 1, not {design_effect}")
    return max(1, math.ceil(n * design_effect - _ROUNDING))
