"""Why kappa is low where raw agreement is high, or the other way round.

Kappa depends on how common the levels are and on whether both sides use them at the same rate
(Feinstein and Cicchetti 1990). Two indices say how far (Byrt, Bishop and Carlin 1993, J Clin
Epidemiol 46:423). For a level i with human share r_i, judge share c_i and both on it P_ii, against
the rest of the scale:

- prevalence index  PI = r_i + c_i - 1: both give it, less both do not. 1 is always, -1 is never.
- bias index        BI = r_i - c_i: the human gives it more often than the judge.

On two levels PI and BI of one level are those of the other with the opposite sign, and
kappa = (PABAK - PI^2 + BI^2) / (1 - PI^2 + BI^2) with PABAK = 2 p_o - 1.

The remedy for a rare level is more labels of it, re-weighted to the population; never another
coefficient that happens to be high. Recall of each level, with the count behind it, says what the
judge can and cannot see.

A level is called common when PI >= 0.6 (a mean share of 0.8 or more). On two levels that is
abs(PI) >= 0.6. On more, abs(PI) would mark every level of a balanced scale of five (each has
PI = -0.6), so rareness is judged by the number of labels instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray
from judgekit.stats.chance import bennett_s
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.kappa import checked, kappa
from judgekit.stats.kappa_max import kappa_max
from judgekit.stats.levels import recall
from judgekit.stats.moments import of_one_table, shares
from judgekit.stats.table import Pairs

Condition = Literal["common_level", "chance_gap", "rare_level", "rate_shift", "low_ceiling"]
"""What makes kappa hard to read.

- ``common_level``: one level is nearly all there is; observed is its prevalence index.
- ``chance_gap``: agreement with even margins in mind exceeds kappa; observed is the difference.
- ``rare_level``: few human labels of a level; observed is their number.
- ``rate_shift``: human and judge give a level at different rates; observed is its bias index.
- ``low_ceiling``: the margins keep kappa down; observed is the largest kappa they allow.
"""

LIMITS: dict[Condition, float] = {
    "common_level": 0.6,
    "chance_gap": 0.2,
    "rare_level": 10,
    "rate_shift": 0.10,
    "low_ceiling": 0.8,
}
"""Where each condition begins: at or above the limit, but below it for the last and the rare."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One condition that holds.

    Attributes:
        condition: Which one.
        observed: The number that was looked at.
        limit: The number it was compared with.
        level: Code of the level it speaks of, or None for the whole table.
    """

    condition: Condition
    observed: float
    limit: float
    level: int | None = None


@dataclass(frozen=True, slots=True)
class LevelMargins:
    """How one level is used.

    Attributes:
        level: Its code.
        labels: Number of pairs with this human level.
        prevalence_index: r_i + c_i - 1, in [-1, 1].
        bias_index: r_i - c_i, in [-1, 1].
        recall: Of those pairs, the share the judge met, with its interval.
    """

    level: int
    labels: int
    prevalence_index: float
    bias_index: float
    recall: Estimate | Undefined


@dataclass(frozen=True, slots=True)
class Paradox:
    """The work-up of a table whose kappa surprises.

    Attributes:
        kappa: Kappa with the weights given.
        raw_agreement: Weighted observed agreement p_o, in [0, 1].
        even_agreement: Bennett's S with the same weights: chance as if all levels were equally
            common. With two levels it is PABAK.
        ceiling: Largest kappa the margins allow.
        levels: One entry for each level, in scale order.
        signs: The conditions that hold; none means that there is nothing to warn of.
    """

    kappa: float | Undefined
    raw_agreement: float
    even_agreement: float | Undefined
    ceiling: float | Undefined
    levels: tuple[LevelMargins, ...]
    signs: tuple[Sign, ...]


def prevalence_index(table: npt.ArrayLike, level: int = 0) -> float | Undefined:
    """PI of a level against the rest, r_i + c_i - 1, in [-1, 1].

    On a 2 x 2 table [[a, b], [c, d]] with the default level it is (a - d) / n.
    ``Undefined("empty")`` without pairs.

    Raises:
        ValueError: Not a square table of counts, or no such level.
    """
    return of_one_table(
        table, lambda T: _margins(T, level).sum(axis=0) - 1, "prevalence_index", "empty"
    )


def bias_index(table: npt.ArrayLike, level: int = 0) -> float | Undefined:
    """BI of a level against the rest, r_i - c_i, in [-1, 1]; positive when the human gives it more.

    On a 2 x 2 table [[a, b], [c, d]] with the default level it is (b - c) / n; with codes 0 for
    fail and 1 for pass that is the judge's pass rate less the human's. ``Undefined("empty")``
    without pairs.

    Raises:
        ValueError: Not a square table of counts, or no such level.
    """
    return of_one_table(
        table, lambda T: _margins(T, level)[0] - _margins(T, level)[1], "bias_index", "empty"
    )


def kappa_by_byrt(pabak: float, prevalence: float, bias: float) -> float | Undefined:
    """Kappa of two levels from its parts: (PABAK - PI^2 + BI^2) / (1 - PI^2 + BI^2).

    An identity, here to show which part pulls kappa down. ``Undefined("single_category")`` when
    everything lies on one level (PI^2 = 1, BI = 0).
    """
    spread = 1 - prevalence**2 + bias**2
    if spread < 1e-12:
        return Undefined("single_category", 0, "cohen_kappa")
    return (pabak - prevalence**2 + bias**2) / spread


def paradox(
    pairs: Pairs, weights: npt.ArrayLike, *, confidence: float = 0.95
) -> Paradox | Undefined:
    """Work up what the margins do to kappa, with the conditions worth a warning.

    ``weights`` are the (levels, levels) agreement weights. Answers of the judge that are no level
    are left out: they are no matter of margins. ``Undefined("empty")`` without pairs.

    Raises:
        ValueError: The weights do not fit the scale.
    """
    usable = pairs.usable()
    T, w = checked(usable.table(), weights)
    if not len(usable):
        return Undefined("empty", 0, "paradox", 0)
    P = T / T.sum()
    plain, even, ceiling = kappa(T, w), bennett_s(T, w), kappa_max(T, w)
    levels = _levels(usable, P, confidence)
    signs = _margin_signs(levels) + _kappa_signs(plain, even, ceiling)
    return Paradox(plain, float((P * w).sum()), even, ceiling, levels, signs)


def _levels(pairs: Pairs, P: FloatArray, confidence: float) -> tuple[LevelMargins, ...]:
    labels = np.bincount(pairs.human, minlength=pairs.levels)
    r, c = P.sum(axis=1), P.sum(axis=0)
    return tuple(
        LevelMargins(i, int(labels[i]), float(r[i] + c[i] - 1), float(r[i] - c[i]), met)
        for i, met in enumerate(recall(pairs, confidence=confidence))
    )


def _margin_signs(levels: tuple[LevelMargins, ...]) -> tuple[Sign, ...]:
    signs = []
    for at in levels:
        if _reaches(at.prevalence_index, "common_level"):
            signs.append(_sign("common_level", at.prevalence_index, at.level))
        if at.labels < LIMITS["rare_level"]:
            signs.append(_sign("rare_level", at.labels, at.level))
        # Of two levels the first has the bias of the second, turned round.
        twin = len(levels) == 2 and at.level == 0
        if _reaches(abs(at.bias_index), "rate_shift") and not twin:
            signs.append(_sign("rate_shift", at.bias_index, at.level))
    return tuple(signs)


def _kappa_signs(
    plain: float | Undefined, even: float | Undefined, ceiling: float | Undefined
) -> tuple[Sign, ...]:
    signs = []
    if not isinstance(plain, Undefined) and not isinstance(even, Undefined):
        gap = even - plain
        if _reaches(gap, "chance_gap"):
            signs.append(_sign("chance_gap", gap))
    if not isinstance(ceiling, Undefined) and ceiling < LIMITS["low_ceiling"]:
        signs.append(_sign("low_ceiling", ceiling))
    return tuple(signs)


def _reaches(observed: float, condition: Condition) -> bool:
    # Differences of shares carry rounding: 0.6 - 0.5 is a little less than 0.1.
    return observed >= LIMITS[condition] - 1e-12


def _sign(condition: Condition, observed: float, level: int | None = None) -> Sign:
    return Sign(condition, float(observed), LIMITS[condition], level)


def _margins(table: FloatArray, level: int) -> FloatArray:
    """Shares of human and judge on a level: (2,)."""
    P = shares(table)
    if not 0 <= level < P.shape[-1]:
        raise ValueError(f"no level {level} on a scale of {P.shape[-1]}")
    return np.stack([P.sum(axis=-1)[level], P.sum(axis=-2)[level]])
