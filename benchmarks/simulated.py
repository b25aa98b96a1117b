"""What intervals do over many samples of a known population: counted, gathered and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar
from zlib import crc32

import numpy as np

from judgekit.stats.estimate import Estimate, Undefined

SEED = 20261130
CASES = "4 of a case"
INSTEAD = "instead"
"""The last word of an interval that the package does not use."""
FEWEST = 0.2
"""A line that has an interval in a smaller share of samples than this is not judged."""

S = TypeVar("S")
Interval = Estimate | Undefined
Figures = Mapping[str, tuple[float, Callable[[S], Interval]]]
"""Names, each with the true value and what makes the interval from a sample."""


class Effort(NamedTuple):
    """How many samples a line rests on, and which sample sizes there are.

    ``many`` is for figures that are found at once, ``some`` for those that take a little longer,
    ``few`` for those that take milliseconds.
    """

    many: int = 1000
    some: int = 500
    few: int = 250
    sizes: tuple[int, ...] = (30, 100, 200)


FULL, QUICK = Effort(), Effort(60, 30, 15, (30, 100))


@dataclass(slots=True)
class Tally:
    """Samples whose interval holds the truth, lies above it, or lies below it."""

    truth: float
    samples: int = 0
    given: int = 0
    above: int = 0
    below: int = 0
    span: float = 0.0

    def add(self, found: Interval, times: int = 1) -> None:
        """Count an interval that ``times`` samples have."""
        self.samples += times
        if isinstance(found, Undefined):
            return
        slack = 1e-9 * max(1.0, abs(self.truth))
        self.given += times
        self.above += times * (found.low > self.truth + slack)
        self.below += times * (found.high < self.truth - slack)
        self.span += times * (found.high - found.low)

    @property
    def undefined(self) -> float:
        """Share of samples without an interval."""
        return 1 - self.given / self.samples

    @property
    def misses(self) -> tuple[float, float]:
        """Shares of the intervals that lie above the truth, and below it."""
        given = max(self.given, 1)
        return self.above / given, self.below / given

    @property
    def coverage(self) -> float:
        """Share of the intervals that hold the truth."""
        return 1 - sum(self.misses)

    @property
    def width(self) -> float:
        """Mean width of the intervals."""
        return self.span / max(self.given, 1)

    def __str__(self) -> str:
        if self.given < FEWEST * self.samples:
            return "-"
        above, below = self.misses
        none = f", {self.undefined:.0%} none" if self.undefined >= 0.005 else ""
        ends = f"{100 * above:.1f} + {100 * below:.1f}"
        return f"{100 * self.coverage:.1f} ({ends}) {self.width:.2f}{none}"


class Line(NamedTuple):
    """What one figure does in samples of n from one population."""

    figure: str
    population: str
    n: int
    tally: Tally


Section = Callable[[Effort], Iterator[Line]]


def dice(*what: object) -> np.random.Generator:
    """Return dice of its own for everything: adding a line does not change the others."""
    return np.random.default_rng([SEED, crc32(repr(what).encode())])


def simulate(samples: Iterable[tuple[S, int]], figures: Figures[S]) -> dict[str, Tally]:
    """Count what the figures do; each sample comes with how often it was drawn."""
    tallies = {name: Tally(truth) for name, (truth, _) in figures.items()}
    for sample, times in samples:
        for name, (_, estimate) in figures.items():
            tallies[name].add(estimate(sample), times)
    return tallies


def lines(
    population: str, n: int, samples: Iterable[tuple[S, int]], figures: Figures[S]
) -> Iterator[Line]:
    """Simulate one population at one sample size."""
    for figure, tally in simulate(samples, figures).items():
        yield Line(figure, population, n, tally)


@dataclass(slots=True)
class Report:
    """The lines of one section, figure by figure."""

    found: dict[tuple[str, str], dict[int, Tally]] = field(default_factory=dict)

    @classmethod
    def of(cls, section: Iterable[Line]) -> Report:
        """Gather the lines of a section."""
        report = cls()
        for line in section:
            report.found.setdefault((line.figure, line.population), {})[line.n] = line.tally
        return report

    def rows(self) -> Iterator[str]:
        """Rows of a Markdown table; the populations of one figure stand together."""
        sizes = sorted({n for cells in self.found.values() for n in cells})
        yield "| figure | population | " + " | ".join(f"n = {n}" for n in sizes) + " |"
        yield "|---" * (2 + len(sizes)) + "|"
        names = list(dict.fromkeys(figure for figure, _ in self.found))
        for (figure, population), cells in sorted(
            self.found.items(), key=lambda row: names.index(row[0][0])
        ):
            told = [str(cells[n]) if n in cells else "" for n in sizes]
            yield f"| {figure} | {population} | " + " | ".join(told) + " |"

    def poor(self) -> Iterator[str]:
        """Rows that say which lines cover too seldom, or miss too often at one end.

        That is below 92%, or above 5% at one end, by more than twice the error of the simulation.
        Intervals that the package does not use are left out.
        """
        for (figure, population), cells in self.found.items():
            if figure.endswith(INSTEAD):
                continue
            bad = {n: str(tally) for n, tally in cells.items() if _is_poor(tally)}
            if bad:
                told = "; ".join(f"n = {n}: {text}" for n, text in bad.items())
                yield f"| {figure} | {population} | {told} |"


def _is_poor(tally: Tally) -> bool:
    if tally.given < FEWEST * tally.samples:
        return False
    seldom = tally.coverage + 2 * (0.08 * 0.92 / tally.given) ** 0.5 < 0.92
    return seldom or max(tally.misses) - 2 * (0.05 * 0.95 / tally.given) ** 0.5 > 0.05
