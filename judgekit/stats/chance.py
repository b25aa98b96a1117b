"""Chance-corrected agreement of two raters other than Cohen's kappa.

All of them are (p_o - p_e) / (1 - p_e): the observed agreement p_o, less what chance explains, as a
share of what chance leaves to be explained. They differ in what they take for chance only. With the
pooled shares of the levels pi = (r + c) / 2, a declared scale of q levels, and agreement weights w
(1 on the diagonal; identity unless given):

- Scott's pi                p_e = sum of w_ij pi_i pi_j, two raters with one common margin
- Bennett's S               p_e = sum of w_ij / q^2, all levels equally likely
- PABAK                     p_e = 1/2, so 2 p_o - 1; Bennett's S of a scale of two levels
- Gwet's AC1, AC2           p_e = sum of w_ij / (q (q - 1)) * sum of pi_i (1 - pi_i)

Only Scott's pi, like Cohen's kappa, asks for agreement on the rare levels. S and PABAK are affine
maps of p_o and hold no more information than it. AC1 near 1 with kappa near 0 means that a rare
level is not recognised. So none of the last three is ever a requirement of its own: they stand
beside kappa to explain it.

q is the size of the declared scale, used or not: a nominal level nobody uses leaves pi alone, but
moves S and AC1. The functions ending in ``_of`` do the same for stacks of tables, of counts or of
shares, with nan where there is no value; they are for resampling.

References: Scott (1955), Public Opinion Quarterly 19:321; Bennett, Alpert and Goldstein (1954),
Public Opinion Quarterly 18:303; Byrt, Bishop and Carlin (1993), J Clin Epidemiol 46:423 (PABAK);
Gwet (2008), British Journal of Mathematical and Statistical Psychology 61:29.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Undefined
from judgekit.stats.kappa import SMALLEST_CHANCE_GAP, checked
from judgekit.stats.weights import identity


def scott_pi(table: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Scott's pi of a (k, k) table of counts; at most 1, 0 at chance, and never above kappa.

    Chance is two raters who draw from the same pooled margin. It is Fleiss' kappa of two raters.
    ``Undefined("empty")`` without pairs; ``Undefined("single_category")`` when both raters used one
    and the same level, or there is one pair only.

    Raises:
        ValueError: Shapes that do not fit, or a negative count.
    """
    return _value("scott_pi", scott_pi_of, table, weights, more_than=1)


def bennett_s(table: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Bennett's S of a (k, k) table of counts, (p_o - 1/q) / (1 - 1/q) with q = k; at most 1.

    Chance is guessing evenly among the declared levels. Two raters who both use one and the same
    level have S = 1. With weights it is Brennan and Prediger's coefficient.
    ``Undefined("empty")`` without pairs; ``Undefined("single_category")`` on a scale of one level.

    Raises:
        ValueError: Shapes that do not fit, or a negative count.
    """
    return _value("bennett_s", bennett_s_of, table, weights)


def pabak(table: npt.ArrayLike) -> float | Undefined:
    """Prevalence-adjusted, bias-adjusted kappa of a (k, k) table, 2 p_o - 1, in [-1, 1].

    What kappa would be if both raters used two levels equally often. ``Undefined("empty")`` without
    pairs.

    Raises:
        ValueError: Not a square table, or a negative count.
    """
    return _value("pabak", lambda tables, _: pabak_of(tables), table, None)


def gwet_ac1(table: npt.ArrayLike) -> float | Undefined:
    """Gwet's AC1 of a (k, k) table of counts; at most 1.

    Chance is guessing on the share of pairs that are hard to tell, estimated by how evenly the
    levels are used: at most 1/q. Two raters who both use one and the same level have AC1 = 1.
    ``Undefined("empty")`` without pairs; ``Undefined("single_category")`` on a scale of one level.

    Raises:
        ValueError: Not a square table, or a negative count.
    """
    return _value("gwet_ac1", lambda tables, _: gwet_ac1_of(tables), table, None)


def gwet_ac2(table: npt.ArrayLike, weights: npt.ArrayLike) -> float | Undefined:
    """Gwet's AC2, which is AC1 with (k, k) agreement weights; at most 1.

    Undefined where AC1 is; the same as AC1 with identity weights.

    Raises:
        ValueError: Shapes that do not fit, or a negative count.
    """
    return _value("gwet_ac2", gwet_ac2_of, table, weights)


def scott_pi_of(tables: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> FloatArray:
    """Scott's pi of a stack (..., k, k) of tables; nan where both raters used one level."""
    P, w = _shares(tables, weights)
    return beyond_chance(_observed(P, w), common_margin_chance(_pooled(P), w))


def bennett_s_of(tables: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> FloatArray:
    """Bennett's S of a stack (..., k, k) of tables; nan for empty ones."""
    P, w = _shares(tables, weights)
    return beyond_chance(_observed(P, w), even_chance(_pooled(P), w))


def pabak_of(tables: npt.ArrayLike) -> FloatArray:
    """2 p_o - 1 of a stack (..., k, k) of tables; nan for empty ones."""
    P, w = _shares(tables, None)
    return 2 * _observed(P, w) - 1


def gwet_ac1_of(tables: npt.ArrayLike) -> FloatArray:
    """Gwet's AC1 of a stack (..., k, k) of tables; nan for empty ones."""
    P, w = _shares(tables, None)
    return beyond_chance(_observed(P, w), hard_item_chance(_pooled(P), w))


def gwet_ac2_of(tables: npt.ArrayLike, weights: npt.ArrayLike) -> FloatArray:
    """Gwet's AC2 of a stack (..., k, k) of tables; nan for empty ones."""
    P, w = _shares(tables, weights)
    return beyond_chance(_observed(P, w), hard_item_chance(_pooled(P), w))


def beyond_chance(observed: FloatArray, chance: FloatArray) -> FloatArray:
    """Agreement beyond chance, (p_o - p_e) / (1 - p_e); nan where chance explains everything."""
    left = np.where(1 - chance < SMALLEST_CHANCE_GAP, np.nan, 1 - chance)
    value: FloatArray = (observed - chance) / left
    return value


def common_margin_chance(pi: FloatArray, weights: FloatArray) -> FloatArray:
    """Chance of Scott and Fleiss: sum of w_ij pi_i pi_j, for margins (..., k)."""
    chance: FloatArray = ((pi @ weights) * pi).sum(axis=-1)
    return chance


def even_chance(pi: FloatArray, weights: FloatArray) -> FloatArray:
    """Chance of Bennett, Brennan and Prediger: sum of w_ij / q^2, whatever the margins (..., k)."""
    return np.full(pi.shape[:-1], float(weights.mean()))


def hard_item_chance(pi: FloatArray, weights: FloatArray) -> FloatArray:
    """Chance of Gwet: sum of w_ij / (q (q - 1)) * sum of pi_i (1 - pi_i), for margins (..., k).

    On a scale of one level everything is chance.
    """
    q = weights.shape[0]
    if q == 1:
        return np.ones(pi.shape[:-1])
    chance: FloatArray = weights.sum() / (q * (q - 1)) * (pi * (1 - pi)).sum(axis=-1)
    return chance


def _value(
    name: str,
    statistic: Callable[[FloatArray, FloatArray], FloatArray],
    table: npt.ArrayLike,
    weights: npt.ArrayLike | None,
    *,
    more_than: float = 0,
) -> float | Undefined:
    T = square("table", table)
    T, w = checked(T, _or_identity(weights, T.shape[0]))
    total = float(T.sum())
    if total <= 0:
        return Undefined("empty", 0, name)
    value = float(statistic(T, w))
    if np.isnan(value) or total <= more_than:
        return Undefined("single_category", round(total), name)
    return value


def _or_identity(weights: npt.ArrayLike | None, k: int) -> FloatArray:
    return identity(k) if weights is None else square("weights", weights)


def _shares(tables: npt.ArrayLike, weights: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    T = np.asarray(tables, dtype=np.float64)
    total = T.sum(axis=(-2, -1), keepdims=True)
    return T / np.where(total > 0, total, np.nan), _or_identity(weights, T.shape[-1])


def _observed(shares: FloatArray, weights: FloatArray) -> FloatArray:
    observed: FloatArray = (shares * weights).sum(axis=(-2, -1))
    return observed


def _pooled(shares: FloatArray) -> FloatArray:
    pooled: FloatArray = (shares.sum(axis=-1) + shares.sum(axis=-2)) / 2
    return pooled
