"""The chance of each check at each number of items, as far as it was simulated."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    Simulate = Callable[[int, int], Mapping[str, npt.NDArray[np.bool_]]]

CEILING = 20_000
"""More items than this are no plan."""
EVERYTHING = "everything"
"""The name under which the chance of passing all checks at once is kept."""
NEEDS = ("agreement", "labelled_items", "labels_per_class", "pass_agreement")
"""The checks that ask for labels; the others a good judge passes with any number."""
_FIRST = 8
_SEARCH, _CONFIRM = 4_000, 10_000
"""Simulations for each number tried, and for the number given."""
_TEETH = 5
"""A chance rises in teeth, as counts are whole: so many numbers in a row must reach it."""


@dataclass
class Curve:
    """Chances by number of items.

    Attributes:
        simulate: ``(items, runs)`` -> which runs pass each check. It may do fewer runs.
        chances: The chances that matter.
        per_case: Numbers are multiples of this.
        min_items: What the policy asks at least.
        known: What was simulated so far.
    """

    simulate: Simulate
    chances: Sequence[float]
    per_case: int = 1
    min_items: int = 0
    known: dict[int, dict[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Simulate numbers twice as large each, and more of them where a chance is crossed."""
        size, enough = _FIRST, min(max(self.chances) + 0.02, 0.999)
        while self.at(size)[EVERYTHING] < enough and size < CEILING:
            size *= 2
        for low, high in pairwise(sorted(self.known)):
            before, after = self.known[low], self.known[high]
            if any(before[n] < c <= after[n] for n in before for c in self.chances):
                for step in (0.25, 0.5, 0.75):
                    self.at(round(low ** (1 - step) * high**step))

    @property
    def names(self) -> list[str]:
        """Return the checks that ask for labels, where the scale has them."""
        return [name for name in NEEDS if name in next(iter(self.known.values()))]

    def at(self, items: int) -> dict[str, float]:
        """Return the chance of each check, and of all of them, at a number of items."""
        items = self._whole(items)
        if items not in self.known:
            self.known[items] = self._simulated(items, _SEARCH)
        return self.known[items]

    def needed(self, name: str, chance: float) -> int | None:
        """Return the items at which a check reaches a chance; None beyond :data:`CEILING`."""
        if name == "labelled_items":
            return self._whole(self.min_items)
        sizes = sorted(self.known)
        rising = np.maximum.accumulate([self.known[n][name] for n in sizes])
        reached = np.flatnonzero(rising >= chance)
        if not reached.size:
            return None
        last = int(reached[0])
        if last == 0:
            return sizes[0]
        ends, logs = rising[last - 1 : last + 1], np.log(sizes[last - 1 : last + 1])
        found = self._whole(math.ceil(math.exp(float(np.interp(chance, ends, logs))) - 1e-9))
        return found if found <= CEILING else None

    def confirmed(self, chance: float, *, teeth: bool = True) -> int | None:
        """Return the items for a chance of everything, borne out by more simulations.

        ``teeth`` asks for a row of numbers that reach it, as where pairs are independent.
        """
        items = self.needed(EVERYTHING, chance)
        if items is None:
            return None
        step, found, row = max(1, items // 50), items, 0
        while row < (_TEETH if teeth else 1):
            if found > CEILING:
                return None
            reached = self._simulated(items, _CONFIRM)[EVERYTHING] >= chance
            row = row + 1 if reached else 0
            items = self._whole(items + step)
            found = found if reached else items
        return found

    def _whole(self, items: int) -> int:
        """Return the number that fills whole cases."""
        return -(-items // self.per_case) * self.per_case

    def _simulated(self, items: int, runs: int) -> dict[str, float]:
        found = dict(self.simulate(items, runs))
        found[EVERYTHING] = np.all(list(found.values()), axis=0)
        return {name: float(np.mean(passed)) for name, passed in found.items()}
