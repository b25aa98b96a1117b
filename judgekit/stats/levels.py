"""How the judge does on each level, and on each side of the pass mark.

Every figure is a share of some of the pairs, with Wilson's interval. Where the chosen pairs share
clusters, the interval is that of n / design effect pairs with Student's t, and with fewer than ten
clusters there is none (``too_few_clusters``). ``n`` counts items, ``pairs`` the denominator.

An answer of the judge that is no level (an extra judge column) counts as a miss in recall,
sensitivity and specificity; call :meth:`judgekit.stats.table.Pairs.usable` first to leave it out.
"""

from __future__ import annotations

from typing import Literal

import numpy.typing as npt

from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.shares import Mask, share
from judgekit.stats.table import Pairs, pass_decision


def recall(pairs: Pairs, *, confidence: float = 0.95) -> tuple[Estimate | Undefined, ...]:
    """For each level of the scale: of the pairs with that human level, the share the judge met.

    T[i, i] / sum of row i, in [0, 1]. ``Undefined("no_positive")`` for a level no human gave.
    """
    return tuple(
        _share(pairs, pairs.judge == level, pairs.human == level, "recall", confidence)
        for level in range(pairs.levels)
    )


def precision(pairs: Pairs, *, confidence: float = 0.95) -> tuple[Estimate | Undefined, ...]:
    """For each level of the scale: of the pairs with that judge level, the share that is right.

    T[i, i] / sum of column i, in [0, 1]. ``Undefined("no_positive")`` for a level the judge never
    gave.
    """
    return tuple(
        _share(pairs, pairs.human == level, pairs.judge == level, "precision", confidence)
        for level in range(pairs.levels)
    )


def sensitivity(
    pairs: Pairs, passes: npt.ArrayLike, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Of what the human passes, the share the judge passes (true positive rate), in [0, 1].

    ``passes`` says of each level, in scale order, whether it passes.
    ``Undefined("no_positive")`` when the human passes nothing.

    Raises:
        ValueError: ``passes`` does not fit the scale.
    """
    two = pass_decision(pairs, passes)
    return _share(two, two.judge == 1, two.human == 1, "sensitivity", confidence)


def specificity(
    pairs: Pairs, passes: npt.ArrayLike, *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Of what the human fails, the share the judge fails (true negative rate), in [0, 1].

    ``passes`` says of each level, in scale order, whether it passes.
    ``Undefined("no_negative")`` when the human fails nothing.

    Raises:
        ValueError: ``passes`` does not fit the scale.
    """
    two = pass_decision(pairs, passes)
    return _share(
        two, two.judge == 0, two.human == 0, "specificity", confidence, empty="no_negative"
    )


def _share(
    pairs: Pairs,
    hit: Mask,
    among: Mask,
    name: str,
    confidence: float,
    *,
    empty: Literal["no_positive", "no_negative"] = "no_positive",
) -> Estimate | Undefined:
    return share(pairs, hit, among, name=name, confidence=confidence, undefined=empty)
