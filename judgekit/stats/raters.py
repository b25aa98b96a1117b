"""Chance-corrected agreement of two raters and more, who need not all have rated every unit.

With r_ik raters giving level k to unit i, r_i of them in all, agreement weights w (identity unless
given) and q declared levels:

- observed agreement  p_o = mean over units with r_i >= 2 of
  sum over k, l of r_ik w_kl (r_il - [k = l]) / (r_i (r_i - 1)), the weight of a pair of raters
- pooled shares       pi_k = mean over units with r_i >= 1 of r_ik / r_i

and (p_o - p_e) / (1 - p_e) with another chance agreement for each coefficient:

- Fleiss' kappa           p_e = sum of w_kl pi_k pi_l
- Conger's kappa          p_e = mean over pairs of raters of sum of w_kl p_gk p_hl, with p_g the
  shares of rater g among the units g rated: Cohen's kappa for more than two
- Brennan and Prediger    p_e = sum of w_kl / q^2; Randolph's free-marginal kappa
- Gwet's AC1 and AC2      p_e = sum of w_kl / (q (q - 1)) * sum of pi_k (1 - pi_k)
- pairwise agreement      p_e = 0: the plain p_o

A unit with one level has no pair to compare, but it tells how often levels are used: it enters pi,
not p_o. With two raters and no gaps these are Scott's pi, Cohen's kappa, Bennett's S and Gwet's
AC1 of their table.

None has a value ("empty") without any rating, or ("too_few_raters") when no unit has two; Fleiss'
and Conger's kappa have none ("single_category") when everybody used one and the same level.

References: Fleiss (1971), Psychological Bulletin 76:378; Conger (1980), Psychological Bulletin
88:322; Brennan and Prediger (1981), EPM 41:687; Randolph (2005), ERIC ED490661; Gwet (2014),
Handbook of Inter-Rater Reliability, 4th edition, for gaps and weights.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from judgekit.errors import UnknownName
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.leave_one_out import Disagreement, estimate, grouped, without_each
from judgekit.stats.rater_sums import KINDS, Coefficient, disagreement, parts, weights_of
from judgekit.stats.ratings import Ratings


def fleiss_kappa(ratings: Ratings, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Fleiss' kappa: raters who all draw from one pooled margin; at most 1, 0 at chance.

    Scott's pi, not Cohen's kappa, for two raters. Units may have different numbers of raters.

    Raises:
        ValueError: The weights do not fit the scale.
    """
    return _value("fleiss_kappa", ratings, weights)


def conger_kappa(ratings: Ratings, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Conger's kappa: raters who each keep their own margin; at most 1, 0 at chance.

    Cohen's kappa for two raters.

    Raises:
        ValueError: The weights do not fit the scale, or the raters are interchangeable.
    """
    return _value("conger_kappa", ratings, weights)


def brennan_prediger(ratings: Ratings, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Brennan and Prediger's coefficient: raters who guess evenly among the levels; at most 1.

    Bennett's S for two raters, and Randolph's free-marginal kappa. It depends on the size of the
    declared scale. ``Undefined("single_category")`` on a scale of one level only.

    Raises:
        ValueError: The weights do not fit the scale.
    """
    return _value("brennan_prediger", ratings, weights)


def gwet_ac(ratings: Ratings, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Gwet's AC1, or with weights AC2, of any number of raters; at most 1.

    It depends on the size of the declared scale, and stays near 1 when a rare level is never
    recognised. ``Undefined("single_category")`` on a scale of one level only.

    Raises:
        ValueError: The weights do not fit the scale.
    """
    return _value("gwet_ac1" if weights is None else "gwet_ac2", ratings, weights)


def pairwise_agreement(ratings: Ratings, weights: npt.ArrayLike | None = None) -> float | Undefined:
    """Mean agreement of two raters of one unit, in [0, 1]; not corrected for chance.

    Of replicates of one judge it is the self-consistency.

    Raises:
        ValueError: The weights do not fit the scale.
    """
    return _value("pairwise_agreement", ratings, weights)


def raters_estimate(
    ratings: Ratings,
    coefficient: Coefficient,
    weights: npt.ArrayLike | None = None,
    *,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """One of the coefficients of this module, by name, with its two-sided interval.

    ``gwet_ac2`` needs weights and ``gwet_ac1`` takes none; for the others they may be given. The
    interval leaves out one unit at a time, or one cluster where clusters repeat
    (:mod:`judgekit.stats.leave_one_out`); its cost is linear in the number of units. ``n`` counts
    the units with two levels and more, ``pairs`` the levels given to them.

    Undefined: where the coefficient is; ``too_few_clusters`` with fewer than ten clusters;
    ``too_few_items`` when one unit only has two levels.

    Raises:
        UnknownName: No such coefficient.
        ValueError: The weights do not fit the scale or the coefficient, the raters of
            ``conger_kappa`` are interchangeable, or ``confidence`` is out of range.
    """
    value = _value(coefficient, ratings, weights)
    if isinstance(value, Undefined):
        return value
    kind, w = KINDS[coefficient], weights_of(coefficient, ratings, weights)
    rated = ratings.subset(ratings.sizes() > 0)
    rows = parts(rated, w, by_rater=kind.by_rater)

    def of_sums(sums: FloatArray) -> Disagreement:
        return disagreement(kind, sums, w)

    def left_out(clusters: IntArray | None) -> Disagreement:
        return without_each(grouped(rows, clusters), of_sums)

    full = of_sums(rows.sum(axis=0)[None])
    return estimate(full, left_out, rated, name=coefficient, confidence=confidence)


def _value(
    coefficient: Coefficient, ratings: Ratings, weights: npt.ArrayLike | None
) -> float | Undefined:
    if coefficient not in KINDS:
        raise UnknownName("agreement coefficient", coefficient, tuple(KINDS))
    kind, w = KINDS[coefficient], weights_of(coefficient, ratings, weights)
    if kind.by_rater and ratings.interchangeable:
        raise ValueError(f"{coefficient} needs to know which rater gave which level")
    sizes = ratings.sizes()
    n, given = int((sizes > 1).sum()), int(sizes[sizes > 1].sum())
    if n == 0:
        return Undefined("too_few_raters" if sizes.any() else "empty", 0, coefficient, 0)
    sums = parts(ratings, w, by_rater=kind.by_rater).sum(axis=0)[None]
    value = float(disagreement(kind, sums, w).value[0])
    return Undefined("single_category", n, coefficient, given) if np.isnan(value) else value
