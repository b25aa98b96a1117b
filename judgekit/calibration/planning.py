"""How many labels a gate needs, before the first one exists.

With the default policy and 80% chance, on a pass/fail scale: a judge of kappa 0.8 needs about 110
labels when both levels are as common and 330 at 90/10, one of kappa 0.7 about 490. Smaller round
figures (100, 300 and 400) hold for a bound that lets a judge at the bar pass 5% of the time; the
gate's lets it pass 2.5%.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judgekit.calibration.planned_curve import CEILING, EVERYTHING, Curve
from judgekit.calibration.planned_gate import Gate, clustered, hold, independent
from judgekit.calibration.planned_limits import Obstacle, obstacle
from judgekit.calibration.planned_looks import Scheme, schemes
from judgekit.calibration.planned_rare import RARE, Chosen, EvenMix, chosen, even_mix
from judgekit.calibration.planned_world import draw

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.calibration.planned_curve import Simulate
    from judgekit.calibration.planned_gate import Flags
    from judgekit.calibration.planned_world import Design
    from judgekit.calibration.policy import Policy

POWERS = (0.5, 0.8, 0.9)
_GROUPED, _LEAST = 0.1, 200
"""The share of the usual runs where cases or raters must be drawn one by one, and the least."""
_ALL, _ROOM = 8_000_000, 2_000_000
"""Pairs drawn for one number, and held in memory at once."""


class Chance(NamedTuple):
    """A chance of CALIBRATED, and how many items it takes; None for too many."""

    chance: float
    items: int | None


@dataclass(frozen=True)
class Plan:
    """The answer.

    Attributes:
        design: What was planned.
        policy: What the gate asks.
        look: Which look at the label set the calibration is to be.
        power: The chance of CALIBRATED that was asked for.
        items: Items to label for that chance, or None where no number, or no sane one, does it.
        chances: Items for other chances too, rising.
        needs: Items each check would need for that chance if it were the only one.
        obstacle: Why there is no number.
        schemes: Ways to look before the end, with the items they need on average.
        chosen: What choosing items by the judge's answer would save, where it does.
        even_mix: What as many items of each level would save, where a level is rare.
    """

    design: Design
    policy: Policy
    look: int
    power: float
    items: int | None = None
    chances: tuple[Chance, ...] = ()
    needs: tuple[tuple[str, int | None], ...] = ()
    obstacle: Obstacle | None = None
    schemes: tuple[Scheme, ...] = ()
    chosen: Chosen | None = None
    even_mix: EvenMix | None = None

    @property
    def labels(self) -> int | None:
        """Return the labels to give: every rater labels every item."""
        return None if self.items is None else self.items * self.design.raters


def plan_labels(
    design: Design,
    policy: Policy,
    *,
    rng: np.random.Generator,
    power: float = 0.80,
    look: int = 1,
    looks: Sequence[int] | None = None,
) -> Plan:
    """Return how many items to label for a judge like the planned one to be certified.

    Labelled sets of a size are drawn many times and held against the gate's own checks: the
    path-score low end at the confidence of the look, labels in each class, the pass line and the
    shift where the scale has them. Every item is taken to be judged. Checks that ask for more than
    levels (baselines, leaked examples) are not simulated.

    Args:
        design: The planned judge and labels.
        policy: What the gate asks.
        rng: The dice.
        power: The chance of CALIBRATED to reach, in (0, 1).
        look: Which look at the label set it is; later ones must clear a harder bar.
        looks: Numbers of items at which to look in the sequential schemes; by default four, each
            twice the one before, the last one enough for a chance of 90%.

    Raises:
        ValueError: the planned shares do not allow the expected kappa.
    """
    why = obstacle(design, policy, look)
    if why is not None:
        return Plan(design, policy, look, power, obstacle=why)
    gate = Gate(design.spec, policy, policy.look_confidence(look))
    curve = Curve(
        _simulation(design, gate, rng), (*POWERS, power), design.per_case, policy.min_items
    )
    items = curve.confirmed(power, teeth=design.plain)
    chances = _chances(curve, power, items)
    needs = {name: curve.needed(name, power) for name in curve.names}
    ways: tuple[Scheme, ...] = ()
    if items is not None:
        last = max(n for _, n in chances if n is not None)
        ways = schemes(design, gate, look=look, looks=looks, enough=last, rng=rng)
    rare = design.plain and min(design.human) < RARE
    return Plan(
        design,
        policy,
        look,
        power,
        items,
        chances,
        tuple(needs.items()),
        None if items is not None else _too_many(design, policy, needs),
        ways,
        chosen(design, gate, needs, power, rng) if rare else None,
        even_mix(design, gate, items, power, rng) if rare else None,
    )


def _simulation(design: Design, gate: Gate, rng: np.random.Generator) -> Simulate:
    """Return the function that draws sets of a size and holds them against the gate."""
    shares, k = (design.table / design.table.sum()).ravel(), len(design.human)

    def plain(items: int, runs: int) -> Mapping[str, Flags]:
        tables = rng.multinomial(items, shares, size=runs).astype(np.float64)
        return hold(independent(tables.reshape(runs, k, k), items), gate)

    def grouped(items: int, runs: int) -> Mapping[str, Flags]:
        pairs = items * design.raters
        runs = max(_LEAST, min(int(runs * _GROUPED), _ALL // pairs))
        at_once = max(1, min(runs, _ROOM // pairs))
        parts = []
        for _ in range(-(-runs // at_once)):
            human, judge = draw(design, at_once, items, rng)
            parts.append(hold(clustered(human, judge, gate.spec, design.per_case), gate))
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    return plain if design.plain else grouped


def _chances(curve: Curve, power: float, items: int | None) -> tuple[Chance, ...]:
    """Return the items for each chance, in a row that never falls."""
    found: list[Chance] = []
    least = 0
    for chance in sorted({*POWERS, power}):
        n = items if chance == power else curve.needed(EVERYTHING, chance)
        if n is not None:
            n = least = max(least, n)
        found.append(Chance(chance, n))
    return tuple(found)


def _too_many(design: Design, policy: Policy, needs: Mapping[str, int | None]) -> Obstacle:
    """Say what makes the number absurd."""
    told = f"More than {CEILING:,} items would be needed."
    rarest = min(design.human)
    if needs.get("labels_per_class", 0) is None:
        told += f" The rarest level is {rarest:.2%} of the items: too few labels of it would come."
    elif rarest < RARE:
        told += f" The rarest level is {rarest:.2%} of the items: too few errors would be seen."
    else:
        told += f" Kappa {design.kappa:.2f} is too near the bar, {policy.bar:.2f}."
    way = "Improve the judge"
    return Obstacle(
        "too_many_labels",
        told,
        f"{way}, or label a mix with more of that level." if rarest < RARE else f"{way} first.",
    )
