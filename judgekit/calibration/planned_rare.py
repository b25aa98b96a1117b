"""What to do about a rare level: choose by the judge's answer, or label another mix.

*Chosen items.* When the judge grades many items first, more of those it gives the rare level can be
labelled. Each item then weighs W_j / n_j by the share of its judge level among all and among the
labelled, and is its stratum's; the figures still speak of the population. This brings labels of the
rare class. It does not narrow the interval of kappa, because the gate takes a label for one random
label at most (:mod:`judgekit.stats.clusters`): it helps where the count of a class is short.

*An even mix.* Items of the rare level that were found by other means than this judge (a search, a
complaint, a first look) can be labelled together with as many of the others. Each level's chance to
be judged so or so is the same, the margins are not, and neither is kappa. Figures and certificate
then speak of that mix only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.calibration.planned_curve import EVERYTHING, Curve
from judgekit.calibration.planned_gate import gathered, hold, independent
from judgekit.stats.kappa import kappa_and_variance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judgekit.calibration.planned_gate import Flags, Gate
    from judgekit.calibration.planned_world import Design
    from judgekit.stats.arrays import FloatArray

RARE = 0.15
"""With no level rarer than this, neither is offered."""
_MOST = 0.75
"""Nor when it takes more than this share of the labels that random items take."""
_RUNS, _LEAST_RUNS, _ALL = 400, 60, 1_000_000
"""Simulated sets of chosen items, the least of them, and the items of them all."""


@dataclass(frozen=True)
class Chosen:
    """Items chosen by the judge's answer, weighted back to the population.

    Attributes:
        items: Items to label in all.
        each: How many of them of each of the judge's levels, in scale order.
        screened: Items the judge must grade so that there are that many of each.
    """

    items: int
    each: tuple[int, ...]
    screened: int


@dataclass(frozen=True)
class EvenMix:
    """As many items of each level, found by other means than this judge.

    Attributes:
        items: Items to label in all.
        kappa: The kappa this judge would have on such items.
        screened: Items to go through so that there are as many of the rarest level.
    """

    items: int
    kappa: float
    screened: int


def chosen(
    design: Design,
    gate: Gate,
    needs: Mapping[str, int | None],
    power: float,
    rng: np.random.Generator,
) -> Chosen | None:
    """Return the plan with chosen items, or None where the class count is not what is short.

    Args:
        design: The planned judge and labels, plain pairs.
        gate: What is asked.
        needs: Items each check needs for the chance if drawn at random; None for too many.
        power: The chance.
        rng: The dice.
    """
    others = [n for name, n in needs.items() if name != "labels_per_class"]
    if "labels_per_class" not in needs or None in others:
        return None
    other = max(n for n in others if n is not None)
    rare, share = _rarest(design)
    asked = gate.policy.min_per_class
    at_random = needs["labels_per_class"] or (asked + math.sqrt(asked)) / share
    if at_random * _MOST < other:
        return None
    strata = design.table.sum(axis=0)
    mixed = strata * np.where(rare, at_random / other, 1.0)
    if mixed.min() <= 0:
        return None

    def counts(items: int) -> FloatArray:
        each: FloatArray = np.maximum(np.round(items * mixed / mixed.sum()), 1.0)
        return each

    def simulate(items: int, runs: int) -> Mapping[str, Flags]:
        each = counts(items)
        fewer = min(runs, max(_LEAST_RUNS, min(_RUNS, _ALL // items)))
        return hold(gathered(design, each, fewer, rng), gate)

    items = Curve(simulate, (power,)).needed(EVERYTHING, power)
    if items is None or items > _MOST * at_random:
        return None
    each = counts(items)
    screened = math.ceil(float((each / strata).max()))
    return Chosen(int(each.sum()), tuple(int(n) for n in each), screened)


def _rarest(design: Design) -> tuple[Flags, float]:
    """Return the levels of the rarest class the gate counts, and their share."""
    human, passes = np.array(design.human), design.spec.passes
    classes = np.eye(human.size, dtype=bool)
    if design.spec.kind == "ordinal" and passes is not None:
        classes = np.array([np.logical_not(passes), passes])
    shares = classes @ human
    return classes[int(shares.argmin())], float(shares.min())


def even_mix(
    design: Design, gate: Gate, at_random: int | None, power: float, rng: np.random.Generator
) -> EvenMix | None:
    """Return the plan with as many of each level, or None where it saves little or fails.

    Args:
        design: The planned judge and labels, plain pairs.
        gate: What is asked.
        at_random: Items needed if drawn at random, or None for too many.
        power: The chance.
        rng: The dice.
    """
    human, k = np.array(design.human), len(design.human)
    table = design.table / human[:, None] / k
    kappa = float(kappa_and_variance(table, design.weights)[0])
    if not kappa > gate.policy.bar:
        return None

    def simulate(items: int, runs: int) -> Mapping[str, Flags]:
        drawn = rng.multinomial(items, (table / table.sum()).ravel(), size=runs)
        return hold(independent(drawn.reshape(runs, k, k).astype(np.float64), items), gate)

    curve = Curve(simulate, (power,), min_items=gate.policy.min_items)
    items = curve.confirmed(power)
    if items is None or (at_random is not None and items > _MOST * at_random):
        return None
    return EvenMix(items, kappa, math.ceil(items / k / float(human.min())))
