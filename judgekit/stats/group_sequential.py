"""A few planned looks at kappa, each with its share of the error that all may spend.

When L looks are planned and each spends alpha_k one-sided, with alpha_1 + ... + alpha_L = alpha, a
judge at the bar passes at any of them with chance alpha at most (Bonferroni), if the interval of
each look keeps its promise. Two ways to share alpha are offered:

- :func:`equal_shares`: alpha / L at each look, for a schedule fixed in advance. The usual one is
  50, 100, 200 and 400 labels.
- :func:`halving_shares`: alpha / 2^k at look k, for looks whose number is not known in advance; the
  sum never exceeds alpha. This is the rule of the ledger of looks at a label set.

Looks at data that keep growing are alike, so Bonferroni is cautious; in exchange it needs no model
of how they hang together. When people look all the time, use :mod:`judgekit.stats.sequential`.

Reference: Pocock (1977), Biometrika 64:191, for equal shares; Lan and DeMets (1983), Biometrika
70:659, for spending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judgekit.stats.agreement import agreement
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.table import Pairs

LOOKS = (50, 100, 200, 400)
"""The usual schedule, in pairs."""


class Look(NamedTuple):
    """One planned look.

    Attributes:
        pairs: How many pairs, from the first on, it saw.
        alpha: One-sided error it may spend.
        agreement: Kappa with its interval at confidence 1 - 2 alpha, or why there is none.
        passed: Whether the low end reaches the bar.
        ruled_out: Whether the high end lies below the bar.
    """

    pairs: int
    alpha: float
    agreement: Estimate | Undefined
    passed: bool
    ruled_out: bool


def equal_shares(looks: int, alpha: float = 0.05) -> tuple[float, ...]:
    """Return alpha / L for each of L looks.

    Raises:
        ValueError: No look, or ``alpha`` outside (0, 1).
    """
    _check(looks, alpha)
    return (alpha / looks,) * looks


def halving_shares(looks: int, alpha: float = 0.05) -> tuple[float, ...]:
    """Return alpha / 2^k for look k = 1 .. L: 0.025, 0.0125, ... of 0.05.

    Raises:
        ValueError: No look, or ``alpha`` outside (0, 1).
    """
    _check(looks, alpha)
    return tuple(alpha / 2.0**k for k in range(1, looks + 1))


def group_sequential(
    pairs: Pairs,
    weights: npt.ArrayLike,
    *,
    bar: float,
    looks: Sequence[int] = LOOKS,
    shares: Sequence[float] | None = None,
) -> tuple[Look, ...]:
    """Return the planned looks up to the one that decides, or to the last that the pairs fill.

    ``pairs`` stand in the order they were labelled in, cases whole where cases repeat. ``weights``
    are the (k, k) agreement weights, ``bar`` the kappa to reach. ``looks`` are rising numbers of
    pairs, ``shares`` the one-sided error of each (:func:`equal_shares` when not given). The last
    look says how it ended: ``passed``, ``ruled_out``, or neither. No look is taken, and the answer
    is empty, when there are fewer pairs than the first asks for.

    Raises:
        ValueError: Looks that do not rise, or as many shares as looks are not given.
    """
    spent = equal_shares(len(looks)) if shares is None else tuple(shares)
    if len(spent) != len(looks):
        raise ValueError(f"{len(spent)} shares for {len(looks)} looks")
    if any(b <= a for a, b in zip((0, *looks), looks, strict=False)):
        raise ValueError("looks are rising numbers of pairs")
    taken: list[Look] = []
    for size, alpha in zip(looks, spent, strict=True):
        if size > len(pairs) or (taken and (taken[-1].passed or taken[-1].ruled_out)):
            break
        seen = pairs.subset(np.arange(len(pairs)) < size)
        found = agreement(seen, weights, confidence=1 - 2 * alpha)
        passed = isinstance(found, Estimate) and found.low >= bar
        ruled_out = isinstance(found, Estimate) and found.high < bar
        taken.append(Look(size, alpha, found, passed, ruled_out))
    return tuple(taken)


def _check(looks: int, alpha: float) -> None:
    if looks < 1:
        raise ValueError(f"one look at least, not {looks}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {alpha}")
