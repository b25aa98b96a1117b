"""How well two sides tell two neighbouring levels apart: two people, or people and the judge.

Of the pairs in which both sides chose one of the two levels: kappa, as of a scale that has these
two only. It does not depend on how often other levels occur, nor on how well they are told apart.
Items on two neighbouring levels are alike, so that it is lower than kappa over the whole scale. A
border is *confused* when the whole interval lies below :data:`TOLD_APART`; over all borders of a
scale the chance to say so falsely is at most :data:`judgekit.linting.evidence.ALPHA`. Scales
without an order have a border between any two levels. The pairs of an item, or of a case, are one
unit.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.linting.evidence import ALPHA, Evidence, ItemSaid, units_of
from judgekit.stats.agreement import agreement
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.table import Pairs
from judgekit.stats.weights import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TOLD_APART = 0.4
"""Levels that are told apart with a kappa below this are confused."""
FEWEST = 10
"""With fewer items, or cases, nothing is said of a border."""


class Border(NamedTuple):
    """Two levels that are confused.

    Attributes:
        lower: The lower level.
        upper: The level above it.
        kappa: How well they are told apart, with its 95% interval.
        up: Pairs whose first side says ``lower`` and the second ``upper``.
        down: Pairs the other way round.
        differ: The items of both.
    """

    lower: int
    upper: int
    kappa: Estimate
    up: int
    down: int
    differ: tuple[ItemSaid, ...]

    @property
    def figures(self) -> str:
        """Return kappa with its interval, in words."""
        kappa = self.kappa
        interval = f"95% interval {kappa.low:.2f} to {kappa.high:.2f}"
        return f"kappa {kappa.value:.2f}, {interval}, {kappa.n} items".replace("-0.00", "0.00")


def confused_by_people(evidence: Evidence) -> Iterator[Border]:
    """Yield the borders on which any two people who rated an item do not agree."""
    return _confused(evidence, lambda item: list(combinations([v for _, v in item.people], 2)))


def confused_by_judge(evidence: Evidence) -> Iterator[Border]:
    """Yield the borders on which the judge does not agree with people."""
    return _confused(
        evidence,
        lambda item: [] if item.judge is None else [(v, item.judge) for _, v in item.people],
    )


def _confused(
    evidence: Evidence, rated: Callable[[ItemSaid], list[tuple[int, int]]]
) -> Iterator[Border]:
    all_pairs = [(item, *pair) for item in evidence.items for pair in rated(item)]
    levels = range(len(evidence.levels))
    borders = list(pairwise(levels) if evidence.ordered else combinations(levels, 2))
    for border in borders:
        pairs = [p for p in all_pairs if p[1] in border and p[2] in border]
        if units_of(item for item, _, _ in pairs) < FEWEST:
            continue
        kappa = _kappa(pairs, border[1], 1 - ALPHA / len(borders))
        if kappa is not None and kappa.high < TOLD_APART:
            shown = _kappa(pairs, border[1], 0.95)
            differ = {p[0].item: p[0] for p in pairs if p[1] != p[2]}
            up = sum(first < second for _, first, second in pairs)
            down = sum(first > second for _, first, second in pairs)
            yield Border(*border, shown or kappa, up, down, tuple(differ.values()))


def _kappa(
    rows: Sequence[tuple[ItemSaid, int, int]], upper: int, confidence: float
) -> Estimate | None:
    """Return kappa over two levels; None where there is too little for one."""
    weights = np.array([item.weight for item, _, _ in rows])
    pairs = Pairs(
        np.array([first == upper for _, first, _ in rows], dtype=np.int64),
        np.array([second == upper for _, _, second in rows], dtype=np.int64),
        2,
        clusters=_codes([item.unit for item, _, _ in rows]),
        items=_codes([item.item for item, _, _ in rows]),
        weight=weights if np.ptp(weights) else None,
    )
    found = agreement(pairs, identity(2), confidence=confidence)
    return None if isinstance(found, Undefined) else found


def _codes(names: Sequence[object]) -> np.ndarray:
    known: dict[object, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
