"""Does the judge err more often on one part of the items than on the rest?

With x of n pairs wrong in the part and y of m in the rest there are two questions, and two answers:

- How much more: x / n - y / m with Newcombe's interval for separate samples.
- Is it chance: Fisher's exact test, which compares x with what drawing n of the n + m pairs blindly
  gives. Where pairs share clusters, or weigh differently, no such draw was made; a score test takes
  the place: with wrong pairs e = 1, members x = 1 and sampling weights v, the sums S over clusters
  of v (e - mean e) (x - mean x) add up to about 0 if membership does not matter, and

      t = sum of S / sqrt( G / (G - 1) * sum of (S - mean S)^2 )

  is compared with Student's t with G - 1 degrees of freedom. A cluster may lie in both parts.

References: Fisher (1935), The Design of Experiments, section 21; Newcombe (1998), Statistics in
Medicine 17:873; Boos (1992), The American Statistician 46:327, for the robust score test.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import IntArray
from judgekit.stats.clusters import cluster_codes, clustering
from judgekit.stats.estimate import MIN_CLUSTERS, Estimate, Undefined, UndefinedReason
from judgekit.stats.exact import newcombe_independent
from judgekit.stats.quantiles import student_tail
from judgekit.stats.significance import HypothesisTest
from judgekit.stats.table import Pairs

Mask = npt.NDArray[np.bool_]


class ErrorDifference(NamedTuple):
    """How much more often the judge errs in a part, and whether that may be chance.

    Attributes:
        difference: Share of errors in the part less that in the rest, in [-1, 1].
        test: Fisher's exact test or the score test by clusters.
    """

    difference: Estimate | Undefined
    test: HypothesisTest | Undefined


def error_difference(
    pairs: Pairs, wrong: npt.ArrayLike, member: npt.ArrayLike, *, confidence: float = 0.95
) -> ErrorDifference:
    """Compare the errors in a part of the pairs with those in the rest.

    ``wrong`` and ``member`` are (n,) truths: whether the judge erred on a pair, and whether the
    pair belongs to the part. Of the pairs only clusters, items and weights matter.

    Undefined: ``empty`` where one of the two sides has no pair; the test ``zero_variance`` where
    clusters show no spread, as without any error; both ``too_few_clusters`` with fewer than ten.

    Raises:
        ValueError: ``wrong`` or ``member`` is no mask of the pairs.
    """
    e, x = _mask("wrong", wrong, len(pairs)), _mask("member", member, len(pairs))
    clusters, size = cluster_codes(pairs), len(pairs)
    G = size if clusters is None else int(clusters.max()) + 1
    if not x.any() or x.all():
        return _neither("empty", pairs)
    if clusters is not None and G < MIN_CLUSTERS:
        return _neither("too_few_clusters", pairs, G)
    part, rest = (_share(pairs.subset(side), e[side]) for side in (x, ~x))
    difference = newcombe_independent(
        (part.wrong, part.n),
        (rest.wrong, rest.n),
        confidence=confidence,
        n_eff=(part.n_eff, rest.n_eff),
        df=None if clusters is None else G - 1,
        method="error_difference/newcombe",
    )
    if isinstance(difference, Estimate):
        grouped = None if clusters is None else G
        difference = replace(difference, n=pairs.n_items, pairs=size, clusters=grouped)
    if clusters is None and pairs.weight is None:
        return ErrorDifference(difference, _fisher(e, x))
    return ErrorDifference(difference, _score(e, x, pairs, clusters))


class _Share(NamedTuple):
    """Errors in one side, the pairs there, and how many independent pairs they are worth."""

    wrong: float
    n: int
    n_eff: float


def _share(pairs: Pairs, wrong: Mask) -> _Share:
    n, hits = len(pairs), wrong.astype(np.float64)
    share = float(np.average(hits, weights=pairs.weight))
    return _Share(share * n, n, n / clustering(hits - share, pairs).design_effect)


def _fisher(e: Mask, x: Mask) -> HypothesisTest:
    from scipy.stats import fisher_exact

    inside, outside = int((e & x).sum()), int((e & ~x).sum())
    table = [[inside, int(x.sum()) - inside], [outside, int((~x).sum()) - outside]]
    p = min(1.0, float(fisher_exact(table)[1]))
    return HypothesisTest(inside, p, e.size, "error_difference/fisher")


def _score(e: Mask, x: Mask, pairs: Pairs, clusters: IntArray | None) -> HypothesisTest | Undefined:
    method, n = "error_difference/score", pairs.n_items
    units = np.arange(len(pairs)) if clusters is None else clusters
    v = np.ones(len(pairs)) if pairs.weight is None else pairs.weight
    centred = (part - np.average(part, weights=v) for part in (e.astype(float), x.astype(float)))
    S = np.bincount(units, weights=v * np.prod(list(centred), axis=0))
    spread = float(((S - S.mean()) ** 2).sum()) * S.size / (S.size - 1)
    if spread <= 1e-12:
        return Undefined("zero_variance", n, method, len(pairs))
    t = float(S.sum()) / math.sqrt(spread)
    p = min(1.0, 2 * student_tail(abs(t), S.size - 1))
    return HypothesisTest(t, p, n, method)


def _neither(reason: UndefinedReason, pairs: Pairs, clusters: int | None = None) -> ErrorDifference:
    none = Undefined(reason, pairs.n_items, "error_difference", len(pairs), clusters)
    return ErrorDifference(none, none)


def _mask(name: str, values: npt.ArrayLike, size: int) -> Mask:
    mask = np.asarray(values)
    if mask.dtype != np.bool_ or mask.shape != (size,):
        raise ValueError(f"{name} must hold True or False for each of the {size} pairs")
    return mask
