"""Samples of choices: shares of items, differences of shares, and preferences among candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product

import numpy as np

from benchmarks.simulated import Effort, Figures, Interval, Line, dice, lines
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.bradley_terry import bradley_terry
from judgekit.stats.estimate import Undefined
from judgekit.stats.exact import clopper_pearson, jeffreys, newcombe_independent
from judgekit.stats.pairwise import first_slot_lead
from judgekit.stats.proportions import wilson

TIMES = 1_000_000
"""Outcomes are weighed by their probability: so many samples stand for all of them."""
STRENGTHS = np.array([0.0, 0.5, 1.0, 2.0])
"""Log odds strengths of four candidates."""


def shares(effort: Effort) -> Iterator[Line]:
    """A share, by every number of successes there is: nothing is drawn."""
    from scipy.stats import binom

    kinds: dict[str, Callable[[float, float], Interval]] = {
        "share, Wilson": wilson,
        "share, Clopper and Pearson": clopper_pearson,
        "share, Jeffreys": jeffreys,
    }
    for p, n in product((0.5, 0.9, 0.98), effort.sizes):
        chance = np.rint(binom.pmf(np.arange(n + 1), n, p) * TIMES).astype(int)
        counts = [(x, int(times)) for x, times in enumerate(chance) if times]
        figures = {name: (p, partial(_share, n=n, kind=kind)) for name, kind in kinds.items()}
        yield from lines(f"{p}", n, counts, figures)


def differences(effort: Effort) -> Iterator[Line]:
    """Errors in three tenths of the items less errors in the rest (Newcombe)."""
    for (p, q), n in product(((0.2, 0.1), (0.1, 0.02)), effort.sizes):
        rng, part = dice("difference", p, n), round(0.3 * n)
        sizes = (part, n - part)
        drawn = rng.binomial(sizes, (p, q), size=(effort.many, 2))
        figures: Figures[IntArray] = {
            "difference of error rates": (p - q, partial(_difference, sizes=sizes))
        }
        yield from lines(f"{p} and {q}", n, ((one, 1) for one in drawn), figures)


def preferences(effort: Effort) -> Iterator[Line]:
    """Lead of the first slot, and Bradley and Terry's log odds of four candidates."""
    for lead, n in product((0.0, 0.3), effort.sizes):
        first = _verdict_shares(lead)
        decided = first[:2, :2].sum()
        truth = float((first[0, 1] - first[1, 0]) / decided)
        rng = dice("slots", lead, n)
        drawn = rng.choice(9, p=first.ravel(), size=(effort.many, n))
        slots: Figures[IntArray] = {"lead of the first slot": (truth, _lead)}
        yield from lines(f"lead {truth:.2f}", n, ((one, 1) for one in drawn), slots)
    for n in effort.sizes:
        gap = float(STRENGTHS[2] - STRENGTHS[0])
        games: Figures[FloatArray] = {"Bradley and Terry's log odds": (gap, _log_odds)}
        drawn_games = _games(n, effort.many)
        yield from lines("4 candidates, n games in all", n, drawn_games, games)


def _share(successes: int, *, n: int, kind: Callable[[float, float], Interval]) -> Interval:
    return kind(successes, n)


def _difference(wrong: IntArray, *, sizes: tuple[int, int]) -> Interval:
    first, second = ((float(x), float(n)) for x, n in zip(wrong, sizes, strict=True))
    return newcombe_independent(first, second)


def _verdict_shares(lead: float) -> FloatArray:
    """Shares (3, 3) of verdicts A, B, tie by the two orders; ``lead`` of the items go by slot."""
    fair = np.diag([0.5, 0.35, 0.15])
    slot = np.zeros((3, 3))
    slot[0, 1], slot[1, 0] = 0.8, 0.2
    mixed: FloatArray = 0.9 * ((1 - lead) * fair + lead * slot) + 0.1 * np.outer(
        [0.5, 0.3, 0.2], [0.5, 0.3, 0.2]
    )
    return mixed


def _lead(cells: IntArray) -> Interval:
    codes = np.array([0, 2, 1])
    return first_slot_lead(codes[cells // 3], codes[cells % 3])


def _games(n: int, repeats: int) -> Iterator[tuple[FloatArray, int]]:
    rng, couples = dice("games", n), np.array(list(combinations(range(4), 2)))
    for _ in range(repeats):
        i, j = couples[rng.integers(0, len(couples), n)].T
        won = rng.random(n) < 1 / (1 + np.exp(STRENGTHS[j] - STRENGTHS[i]))
        wins = np.zeros((4, 4))
        np.add.at(wins, (np.where(won, i, j), np.where(won, j, i)), 1)
        yield wins, 1


def _log_odds(wins: FloatArray) -> Interval:
    found = bradley_terry(wins)
    return found if isinstance(found, Undefined) else found.difference(2, 0)
