"""Looking before the end: what it costs, and how many labels it saves on average."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.pairs import agreement_weights
from judgekit.calibration.planned_gate import Gate, clustered, hold
from judgekit.calibration.planned_world import draw
from judgekit.stats import identity
from judgekit.stats.group_sequential import LOOKS, equal_shares
from judgekit.stats.sequential import first_crossing, pair_scores, signed_bets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.calibration.planned_world import Design
    from judgekit.stats.arrays import FloatArray, IntArray

ALPHA = 0.05
"""One-sided error of all looks together."""
_RUNS, _GROUPED_RUNS, _LEAST_RUNS = 1_000, 300, 200
_ALL, _ROOM = 4_000_000, 1_000_000
"""Pairs drawn in all, and held in memory at once."""


@dataclass(frozen=True)
class Scheme:
    """One way to look, and what comes of it.

    Attributes:
        name: ``ledger``: calibrate after each batch of labels, look k at 0.05 / 2^k, as the ledger
            of looks counts them. ``equal``: the same looks, each at 0.05 / L. ``e_process``: after
            every pair of labels.
        looks: Items at each look; for the e-process the last number only.
        chance: How often the judge is certified by the last look, or None where it does not apply.
        mean_items: Items labelled on average; whoever is certified stops.
        why: Why it does not apply.
    """

    name: str
    looks: tuple[int, ...]
    chance: float | None = None
    mean_items: float | None = None
    why: str | None = None


def schemes(
    design: Design,
    gate: Gate,
    *,
    look: int,
    looks: Sequence[int] | None,
    enough: int,
    rng: np.random.Generator,
) -> tuple[Scheme, ...]:
    """Return the ways to look, simulated on the same labels.

    Args:
        design: The planned judge and labels.
        gate: What is asked.
        look: Which look at the label set the first one is.
        looks: Items at each look, rising; by default four, doubling, the last at least ``enough``.
        enough: Items that suffice for a large chance.
        rng: The dice.
    """
    sizes = _whole(looks or _doubling(enough), design.per_case)
    runs = _RUNS if design.plain else _GROUPED_RUNS
    runs = max(_LEAST_RUNS, min(runs, _ALL // (sizes[-1] * design.raters)))
    at_once = max(1, min(runs, _ROOM // (sizes[-1] * design.raters)))
    policy, shares = gate.policy, equal_shares(len(sizes), ALPHA)
    ledger = [policy.look_confidence(look + i) for i in range(len(sizes))]
    allowed = max(0, policy.max_looks - look + 1)
    stops: dict[str, list[FloatArray]] = {"ledger": [], "equal": [], "e_process": []}
    for _ in range(-(-runs // at_once)):
        human, judge = draw(design, at_once, sizes[-1], rng)
        found = _at_looks(human, judge, design, gate, sizes, [ledger, [1 - 2 * a for a in shares]])
        found[0][:, allowed:] = False
        for name, passed in zip(("ledger", "equal"), found, strict=True):
            stops[name].append(_first(passed, sizes))
        if design.plain:
            stops["e_process"].append(_anytime(human[..., 0], judge, gate))
    return tuple(_scheme(name, sizes, parts) for name, parts in stops.items())


def _doubling(enough: int) -> list[int]:
    """Return the usual looks, doubled until the last is enough."""
    times = 2 ** max(0, math.ceil(math.log2(enough / LOOKS[-1])))
    return [n * times for n in LOOKS]


def _whole(looks: Sequence[int], per_case: int) -> tuple[int, ...]:
    return tuple(-(-n // per_case) * per_case for n in looks)


def _at_looks(
    human: IntArray,
    judge: IntArray,
    design: Design,
    gate: Gate,
    sizes: Sequence[int],
    confidences: Sequence[Sequence[float]],
) -> list[np.ndarray]:
    """Return for each row of confidences which runs (rows) pass at which look (columns)."""
    passed = [np.zeros((len(human), len(sizes)), dtype=bool) for _ in confidences]
    for i, size in enumerate(sizes):
        sets = clustered(human[:, :size], judge[:, :size], gate.spec, design.per_case)
        for row, flags in zip(confidences, passed, strict=True):
            held = hold(sets, gate._replace(confidence=row[i]))
            flags[:, i] = np.all(list(held.values()), axis=0)
    return passed


def _first(passed: np.ndarray, sizes: Sequence[int]) -> FloatArray:
    """Return the items at the first look that passes, infinite where none does."""
    at = np.array(sizes, dtype=np.float64)[passed.argmax(axis=1)]
    stops: FloatArray = np.where(passed.any(axis=1), at, np.inf)
    return stops


def _anytime(human: IntArray, judge: IntArray, gate: Gate) -> FloatArray:
    """Return after how many items the e-process has crossed and enough of each class is there."""
    spec, policy = gate.spec, gate.policy
    stops = [_crossed(human, judge, agreement_weights(spec), policy.bar)]
    classes, count = human, len(spec.values)
    if spec.kind == "ordinal":
        count = 0
    if spec.kind == "ordinal" and spec.passes is not None:
        side = np.array(spec.passes, dtype=np.int64)
        classes, count = side[human], 2
        stops.append(_crossed(classes, side[judge], identity(2), policy.bar))
    for level in range(count):
        seen = np.cumsum(classes == level, axis=1) >= policy.min_per_class
        stops.append(_first(seen, range(1, seen.shape[1] + 1)))
    last: FloatArray = np.max(stops, axis=0)
    return np.maximum(last, policy.min_items)


def _crossed(human: IntArray, judge: IntArray, weights: FloatArray, bar: float) -> FloatArray:
    scores = pair_scores(human, judge, weights, bar=bar)
    batches = first_crossing(scores, signed_bets(bar), ALPHA)
    return np.where(batches > 0, 2.0 * batches, np.inf)


def _scheme(name: str, sizes: tuple[int, ...], parts: Sequence[FloatArray]) -> Scheme:
    looks = sizes if name != "e_process" else sizes[-1:]
    if not parts:
        return Scheme(name, looks, why="it asks for one rater and one output of each case")
    stops = np.concatenate(parts)
    mean = float(np.minimum(stops, sizes[-1]).mean())
    return Scheme(name, looks, float(np.isfinite(stops).mean()), mean)
