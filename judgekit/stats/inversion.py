"""Shares of the levels with the judge's known confusions taken out, for any number of levels.

M[j, i] is the share of labelled items of human level i to which the judge gives level j. Where M
holds for the scored items too, the shares q the judge gives them satisfy q = M pi, with pi the
shares humans would give. So pi solves a linear system, and is moved to the nearest point whose
shares are not negative and add up to 1. With two levels this is Rogan and Gladen's estimator, with
the same assumption: the mix of levels may be another one, the treatment of each level may not.

*Too confused a judge.* When two levels look alike to the judge, M is nearly singular and pi is
noise. There is no answer when the condition number of M is above :data:`MOST_CONDITION` or its
smallest singular value below :data:`LEAST_SINGULAR`.

*Interval.* Quantiles of pi over draws of M and q: each row of the table is drawn from the Dirichlet
distribution of its counts plus 1/k, the scored shares likewise from their counts plus 1/2, and each
solution is moved onto the simplex. A bootstrap of the counts is the same with nothing added: it
collapses where a level was never mistaken, and in simulations with twenty labels a level and a
shifted mix it misses the truth in up to 17% of samples; so drawn, in 3% to 8%. The interval reaches
at least as far as draws of q alone do with M as counted: mistakes that were added, and never seen,
explain no level away that is rare. Weights and cases enter as counts divided by the design effect.

Tables here are (k, k): rows are the human's levels, columns the judge's.

References: Buonaccorsi (2010), Measurement Error, ch. 3; Forman (2008), Data Mining and Knowledge
Discovery 17:164 (counts adjusted by the confusion matrix); Duchi et al. (2008), ICML, 272
(projection onto the simplex).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import FloatArray, square
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.quantiles import critical
from judgekit.stats.samples import Sample, cases_of, inflation

MOST_CONDITION = 10.0
LEAST_SINGULAR = 0.1
DRAWS = 2000
_METHOD = "share/inversion"


def confusion_matrix(table: npt.ArrayLike) -> FloatArray | Undefined:
    """Return M (k, k): column i holds how the judge spreads the items of human level i.

    ``Undefined("empty")`` without labels, ``Undefined("no_positive")`` when a level has none.

    Raises:
        ValueError: Not a square table of counts.
    """
    T = square("table", table)
    if (T < 0).any():
        raise ValueError("the table holds a negative count")
    total = T.sum(axis=1)
    if not total.all():
        n = round(float(total.sum()))
        return Undefined("no_positive" if n else "empty", n, _METHOD)
    found: FloatArray = (T / total[:, None]).T
    return found


def condition_number(table: npt.ArrayLike) -> float | Undefined:
    """Largest over smallest singular value of the confusion matrix: 1 is the best, infinity none.

    How much larger relative errors in the judge's shares can become. Undefined and errors as
    :func:`confusion_matrix`; ``Undefined("ill_conditioned")`` for a singular matrix.
    """
    M = confusion_matrix(table)
    if isinstance(M, Undefined):
        return M
    singular = np.linalg.svd(M, compute_uv=False)
    if singular[-1] <= 1e-15:
        return Undefined("ill_conditioned", method=_METHOD)
    return float(singular[0] / singular[-1])


def on_simplex(shares: npt.ArrayLike) -> FloatArray:
    """Return the nearest shares (..., k) that are not negative and add up to 1."""
    v = np.asarray(shares, dtype=np.float64)
    falling = -np.sort(-v, axis=-1)
    excess = (np.cumsum(falling, axis=-1) - 1) / np.arange(1, v.shape[-1] + 1)
    last = (falling > excess).sum(axis=-1, keepdims=True) - 1
    found: FloatArray = np.maximum(v - np.take_along_axis(excess, last, axis=-1), 0.0)
    return found


def class_shares(table: npt.ArrayLike, judged: npt.ArrayLike) -> FloatArray | Undefined:
    """Return the corrected (k,) shares of the levels, not negative and adding up to 1.

    ``table`` is (k, k), rows human and columns judge; ``judged`` is (k,), how often the judge gives
    each level to the scored items. ``Undefined("ill_conditioned")`` for a judge that is too
    confused (see the head of this module), ``Undefined("empty")`` without scored items, else as
    :func:`confusion_matrix`.

    Raises:
        ValueError: A table that is not square, counts of another length, or a negative count.
    """
    M, counts = confusion_matrix(table), np.asarray(judged, dtype=np.float64)
    if isinstance(M, Undefined):
        return M
    if counts.shape != (len(M),) or not (counts >= 0).all():
        raise ValueError(f"judged must be {len(M)} counts, one for each level")
    if counts.sum() == 0:
        return Undefined("empty", 0, _METHOD)
    singular = np.linalg.svd(M, compute_uv=False)
    if singular[-1] < LEAST_SINGULAR or singular[0] > MOST_CONDITION * singular[-1]:
        return Undefined("ill_conditioned", method=_METHOD)
    return on_simplex(np.linalg.solve(M, counts / counts.sum()))


def inverted_shares(
    labelled: Sample,
    judged: Sample,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    draws: int = DRAWS,
) -> tuple[Estimate | Undefined, ...]:
    """Corrected share of each level among the items in ``judged``, in scale order.

    Each interval is at ``confidence`` on its own. Undefined as :func:`class_shares`, all or none,
    and ``too_few_clusters`` when items share cases and a sample has fewer than ten.

    Raises:
        ValueError: The labelled sample has no labels, or the samples have different scales.
    """
    aim = _Aim(_METHOD, np.eye(labelled.k), confidence, draws)
    found = _inverted(labelled, judged, aim, rng)
    return (found,) * labelled.k if isinstance(found, Undefined) else found


def inverted_mean(
    labelled: Sample,
    judged: Sample,
    values: Sequence[float],
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Corrected mean of the (k,) level ``values`` among the items in ``judged``.

    Undefined and errors as :func:`inverted_shares`; ``ValueError`` for values that do not fit.
    """
    v = np.asarray(values, dtype=np.float64)
    if v.shape != (labelled.k,) or not np.isfinite(v).all():
        raise ValueError(f"values must be one finite number for each of the {labelled.k} levels")
    aim = _Aim("mean_level/inversion", v[None, :], confidence, draws)
    found = _inverted(labelled, judged, aim, rng)
    return found if isinstance(found, Undefined) else found[0]


class _Aim(NamedTuple):
    """Which figures (c, k), linear in the shares, are wanted, and how surely."""

    method: str
    figures: FloatArray
    confidence: float
    draws: int


def _inverted(
    labelled: Sample, judged: Sample, aim: _Aim, rng: np.random.Generator
) -> tuple[Estimate, ...] | Undefined:
    if labelled.human is None or labelled.k != judged.k:
        raise ValueError("corrections need a labelled sample and judgments on the same scale")
    n, T, q = len(labelled) + len(judged), labelled.table(), judged.judged()
    shares = class_shares(T, q)
    if isinstance(shares, Undefined):
        return Undefined(shares.reason, n, aim.method)
    cases = cases_of(labelled, judged)
    if cases.too_few:
        return Undefined("too_few_clusters", n, aim.method, clusters=cases.fewest)
    a, b = _pulls(labelled, judged, shares, aim.figures)
    effect = float(inflation(a, b, cases, cases.mean_size).max()) * labelled.inflation
    counts = T * labelled.n_eff / T.sum() / effect, q * judged.n_eff / effect
    # The normal tail beyond the t quantile: as much wider as few cases make it.
    tail = NormalDist().cdf(-critical(aim.confidence, cases.df))
    both = [
        np.quantile(shares @ aim.figures.T, [tail, 1 - tail], axis=0)
        for shares in _drawn(*counts, aim.draws, rng)
    ]
    lows, highs = np.min(both, axis=0)[0], np.max(both, axis=0)[1]
    return tuple(
        Estimate(
            value,
            min(float(low), value),
            max(float(high), value),
            n,
            aim.method,
            aim.confidence,
            clusters=cases.total if cases.clustered else None,
            design_effect=effect,
        )
        for value, low, high in zip((aim.figures @ shares).tolist(), lows, highs, strict=True)
    )


def _drawn(
    T: FloatArray, q: FloatArray, draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return (draws, k) solutions on the simplex: both parts drawn, and the scored shares only."""
    k = len(q)
    tables = rng.standard_gamma(T + 1 / k, (draws, k, k))
    scored = rng.standard_gamma(q + 1 / 2, (draws, k))
    scored /= scored.sum(axis=1, keepdims=True)
    M = np.swapaxes(tables / tables.sum(axis=2, keepdims=True), 1, 2)
    counted = (T / T.sum(axis=1, keepdims=True)).T
    both = np.linalg.solve(M, scored[..., None])[..., 0]
    return on_simplex(both), on_simplex(np.linalg.solve(counted, scored.T).T)


def _pulls(
    labelled: Sample, judged: Sample, shares: FloatArray, figures: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the pull of each item on each figure: labelled items, then scored ones.

    A label of level i pulls on pi by -M^-1 pi_i (e_j - M_i), a scored item by M^-1 (e_j - q).
    """
    T = labelled.table()
    M = (T / T.sum(axis=1, keepdims=True)).T
    reach = np.linalg.solve(M.T, figures.T).T
    weight = np.ones(len(labelled)) if labelled.weight is None else labelled.weight
    human = np.empty((0, labelled.k)) if labelled.human is None else labelled.human
    member = human * weight[:, None] / T.sum(axis=1) * shares
    said = member.sum(axis=1)[:, None] * reach.T[labelled.judge]
    a = member @ (reach @ M).T - said
    b = judged.shares[:, None] * (reach.T[judged.judge] - reach @ judged.judged())
    return a, b
