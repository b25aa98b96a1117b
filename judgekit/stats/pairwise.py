"""Judges that compare two candidates: how often they agree, and what the order of showing does.

A verdict is one of three codes in scale order: A is better, tie, B is better (0, 1, 2); 3 stands
for an answer that is no verdict. A judge asked in both orders gives two verdicts; both are about
the *candidates*, not the slots: the slot "first" means A in the order AB and B in the order BA.

Agreement comes in two set-ups, which have different denominators and must not be mixed (Zheng et
al. 2023, MT-Bench, arXiv:2306.05685):

- S1: all pairs, ties included; verdicts that change with the order count as ties. Guessing evenly
  among the three agrees in 1/3.
- S2: only pairs where both sides chose a candidate. Guessing agrees in 1/2. Say with it what share
  of the pairs that is (the coverage): a judge may call every hard pair a tie.

All figures are shares with Wilson's intervals, and with the design effect of clusters.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from judgekit.stats.arrays import IntArray, pair_weights, scale_codes
from judgekit.stats.clusters import clustering, counted
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.proportions import newcombe_paired
from judgekit.stats.shares import share
from judgekit.stats.table import Pairs

A, TIE, B, NO_VERDICT = 0, 1, 2, 3
"""The codes of the verdicts; the last is the extra judge column of :class:`Pairs`."""


def both_orders(first: npt.ArrayLike, second: npt.ArrayLike) -> IntArray:
    """One verdict (n,) from those of the orders AB and BA: the same one, else a tie.

    Without a verdict in one of the orders there is none.

    Raises:
        ValueError: Lengths that differ, or a code above 3.
    """
    ab, ba = _two_orders(first, second)
    none = (ab == NO_VERDICT) | (ba == NO_VERDICT)
    return np.where(none, NO_VERDICT, np.where(ab == ba, ab, TIE)).astype(np.int64)


def agreement_s1(pairs: Pairs, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Share of all pairs with the same verdict, ties included, in [0, 1] (set-up S1).

    ``pairs`` hold verdict codes. Answers of the judge that are no verdict agree with nothing.
    ``Undefined("empty")`` without pairs; ``too_few_clusters``.

    Raises:
        ValueError: Not a scale of three verdicts.
    """
    _check(pairs)
    return share(pairs, pairs.human == pairs.judge, name="agreement_s1", confidence=confidence)


def agreement_s2(pairs: Pairs, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Of the pairs where both sides chose a candidate, the share with the same one (set-up S2).

    Show it with :func:`coverage_s2`. ``Undefined("empty")`` when there is no such pair;
    ``too_few_clusters``.

    Raises:
        ValueError: Not a scale of three verdicts.
    """
    return share(
        pairs,
        pairs.human == pairs.judge,
        _decisive(pairs),
        name="agreement_s2",
        confidence=confidence,
    )


def coverage_s2(pairs: Pairs, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Share of all pairs where both sides chose a candidate: what S2 speaks of.

    ``Undefined("empty")`` without pairs; ``too_few_clusters``.

    Raises:
        ValueError: Not a scale of three verdicts.
    """
    return share(pairs, _decisive(pairs), name="coverage_s2", confidence=confidence)


def position_consistency(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    weight: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """Share of the pairs whose verdict stays when the two are shown in the other order, in [0, 1].

    ``first`` and ``second`` (n,) are the codes in the orders AB and BA, ``clusters`` (n,) the group
    of each pair, ``weight`` (n,) sampling weights. A tie in both orders is consistent; a pair
    without a verdict in one of them is not. ``Undefined("empty")`` without pairs;
    ``too_few_clusters``.

    Raises:
        ValueError: Lengths that differ, or a code above 3.
    """
    ab, ba = _two_orders(first, second)
    pairs = _units(ab.size, clusters, weight)
    same = (ab == ba) & (ab != NO_VERDICT)
    return share(pairs, same, name="position_consistency", confidence=confidence)


def first_slot_lead(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    weight: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """How much more often the slot shown first wins than the second, in [-1, 1]; 0 is even.

    Of the n pairs decided in both orders, b went to the first slot both times and c to the second
    both times: (b - c) / n with Newcombe's interval for paired shares (A's wins when shown first,
    and when shown second). Arguments as for :func:`position_consistency`.

    Undefined: ``empty`` when no pair was decided in both orders; ``too_few_clusters``.

    Raises:
        ValueError: Lengths that differ, or a code above 3.
    """
    method, (ab, ba) = "first_slot_lead/newcombe", _two_orders(first, second)
    decided = np.isin(ab, (A, B)) & np.isin(ba, (A, B))
    pairs = _units(ab.size, clusters, weight).subset(decided)
    n = len(pairs)
    if n == 0:
        return Undefined("empty", 0, method, 0)
    wins = replace(pairs, human=(ab[decided] == A) * 1, judge=(ba[decided] == A) * 1, k=2)
    gaps = (wins.human - wins.judge).astype(np.float64)
    found = clustering(gaps - np.average(gaps, weights=wins.weight), wins)
    if found.too_few:
        return Undefined("too_few_clusters", wins.n_items, method, n, clusters=found.clusters)
    lead = newcombe_paired(
        wins.table()[::-1, ::-1],
        confidence=confidence,
        n_eff=n / found.design_effect,
        df=found.df,
        method=method,
    )
    return counted(lead, wins, found)


def _two_orders(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    ab, ba = scale_codes("first", first, 4), scale_codes("second", second, 4)
    if ab.shape != ba.shape:
        raise ValueError(f"there are {ab.size} verdicts in one order and {ba.size} in the other")
    return ab, ba


def _units(n: int, clusters: npt.ArrayLike | None, weight: npt.ArrayLike | None) -> Pairs:
    """Return n pairs of nothing in particular, with their clusters and weights."""
    nothing = np.zeros(n, dtype=np.int64)
    groups = None if clusters is None else np.asarray(clusters)
    return Pairs(nothing, nothing, 1, groups, pair_weights(weight, n))


def _decisive(pairs: Pairs) -> npt.NDArray[np.bool_]:
    _check(pairs)
    found: npt.NDArray[np.bool_] = np.isin(pairs.human, (A, B)) & np.isin(pairs.judge, (A, B))
    return found


def _check(pairs: Pairs) -> None:
    if pairs.levels != 3:
        raise ValueError(f"verdicts are A, tie and B; the scale has {pairs.levels} levels")
