"""Do corrected figures keep their promise, and how wide are they? Simulated coverage and width.

Run from the repository: ``python benchmarks/correction.py`` (some minutes) or ``--quick`` (one).
Seeds are fixed, so the tables are the same each time on one version of NumPy.

First table: a pass rate. n labels and 1,000 more judgments of a judge with known sensitivity and
specificity; each cell is coverage in percent and mean width of the two-sided 95% interval.

- *plain*: PPI++ with a symmetric interval, as its paper and ``ppi_py`` have it.
- *powered*: PPI++ as reported (``judgekit.stats.powered_levels``), which is the labels' own figure
  where the judge adds nothing; how often that is stands beside it.
- *Rogan-Gladen* with Lang and Reiczigel's interval, where there is one. *none* is how often there
  is none: the judge is too weak, or the interval would cover more than half of what is possible.
  *wrong* is how often a figure is given whose interval misses the truth.
- *at most*: 1.1 times the narrowest interval of the method specification's own simulation that
  covers (93.5% or more), of PPI++, PPI and the labels alone; and 1.1 times its Lang-Reiczigel
  interval, cut off at the half beyond which nothing is reported.

Second table: what makes items unequal. Cases of four items that repeat their case's pair of levels
with probability sqrt(0.3); labels spent half and half on what the judge passes and fails, weighted.
Third table: mean levels and shares of levels, of the same population and of a shifted mix.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.estimate import Estimate, Undefined
from judgekit.stats.inversion import inverted_mean, inverted_shares
from judgekit.stats.powered_levels import Powered, powered_mean, powered_rate, powered_shares
from judgekit.stats.prediction_powered import ppi_plus_mean
from judgekit.stats.rogan_gladen import lang_reiczigel
from judgekit.stats.samples import Sample

SEED = 20261130
JUDGED = 1000
PASSES = np.array([False, True])
NEAR = 0.935

# The specification's table: for each judge and n = 50, 100, 200, coverage and width of the labels
# alone (Wilson), of Lang-Reiczigel, PPI and PPI++.
SPECIFIED = """
0.5  0.95 0.9   93.4 .265 97.6 .231 94.0 .158 92.4 .148
0.5  0.95 0.9   94.8 .191 96.3 .158 95.0 .122 94.7 .113
0.5  0.95 0.9   95.0 .137 95.2 .118 94.7 .097 94.8 .087
0.5  0.85 0.8   93.3 .265 96.8 .396 94.4 .236 93.7 .209
0.5  0.85 0.8   94.5 .191 95.3 .268 94.7 .173 93.8 .151
0.5  0.85 0.8   94.3 .137 95.4 .196 95.3 .131 94.7 .111
0.5  0.7  0.65  93.5 .265 98.9 .741 94.7 .317 94.0 .255
0.5  0.7  0.65  94.1 .191 97.6 .590 94.5 .230 94.2 .183
0.5  0.7  0.65  95.1 .137 96.9 .440 95.5 .169 95.2 .131
0.5  0.55 0.55  93.5 .265 99.9 .948 94.4 .372 93.6 .271
0.5  0.55 0.55  94.3 .191 99.9 .935 94.7 .268 94.5 .193
0.5  0.55 0.55  94.5 .137 99.8 .909 94.6 .195 94.7 .137
0.8  0.95 0.9   94.7 .215 97.3 .219 94.1 .139 92.2 .129
0.8  0.95 0.9   93.9 .154 96.0 .145 94.2 .107 92.8 .096
0.8  0.95 0.9   96.1 .110 95.3 .105 95.1 .084 95.0 .073
0.8  0.85 0.8   95.2 .215 96.2 .361 93.8 .217 92.5 .177
0.8  0.85 0.8   93.8 .154 94.8 .257 94.3 .161 93.8 .129
0.8  0.85 0.8   95.5 .110 95.4 .188 95.2 .122 94.0 .093
0.8  0.7  0.65  95.1 .215 98.6 .649 94.0 .284 92.9 .207
0.8  0.7  0.65  95.0 .154 98.1 .515 94.5 .213 94.3 .149
0.8  0.7  0.65  95.6 .110 97.5 .391 95.1 .158 94.1 .106
0.8  0.55 0.55  94.8 .215 99.8 .892 94.1 .319 92.8 .215
0.8  0.55 0.55  94.0 .154 99.6 .865 94.7 .244 93.3 .155
0.8  0.55 0.55  96.3 .110 99.8 .823 95.1 .180 94.7 .110
0.95 0.95 0.9   96.5 .129 94.1 .174 90.5 .097 87.4 .076
0.95 0.95 0.9   96.5 .089 93.3 .122 92.7 .082 90.6 .064
0.95 0.95 0.9   96.6 .061 94.0 .090 94.6 .068 91.7 .048
0.95 0.85 0.8   96.5 .129 95.3 .317 93.0 .145 90.6 .093
0.95 0.85 0.8   96.5 .088 94.8 .213 94.2 .117 88.8 .076
0.95 0.85 0.8   96.8 .061 95.0 .151 94.8 .097 92.2 .056
0.95 0.7  0.65  95.9 .129 98.1 .614 93.5 .180 92.3 .101
0.95 0.7  0.65  96.2 .088 98.4 .469 94.8 .143 87.7 .080
0.95 0.7  0.65  96.3 .061 98.1 .350 94.8 .116 92.8 .059
0.95 0.55 0.55  96.4 .129 99.2 .846 94.0 .197 91.8 .103
0.95 0.55 0.55  96.9 .088 99.6 .767 94.2 .153 88.0 .081
0.95 0.55 0.55  97.2 .061 99.7 .718 94.8 .125 92.7 .059
"""


@dataclass(frozen=True, slots=True)
class Design:
    """One line: a true rate, a judge, how many labels, and what makes items unequal."""

    theta: float
    tpr: float
    tnr: float
    n: int
    clustered: bool = False
    enriched: bool = False

    @property
    def cells(self) -> FloatArray:
        """Return the (2, 2) shares of the population: human rows, judge columns."""
        judge = np.array([[self.tnr, 1 - self.tnr], [1 - self.tpr, self.tpr]])
        found: FloatArray = np.array([1 - self.theta, self.theta])[:, None] * judge
        return found


class Count(NamedTuple):
    """Coverage and mean width of the intervals that are given, and how often there is none."""

    coverage: float
    width: float
    none: float

    @property
    def wrong(self) -> float:
        """Return how often an interval is given that misses the truth."""
        return 0.0 if self.none == 1 else (1 - self.coverage) * (1 - self.none)


class Limits(NamedTuple):
    """How wide the specification's simulation lets intervals be, the tenth more included."""

    powered: float
    rogan_gladen: float


class Tally:
    """Counts of one method over many samples."""

    def __init__(self, truth: float, widest: float = 1.0) -> None:
        self.truth, self.widest = truth, widest
        self.given, self.all, self.hits, self.width = 0, 0, 0, 0.0

    def add(self, found: Estimate | Undefined) -> None:
        """Count one sample; an interval beyond the widest is none."""
        self.all += 1
        if isinstance(found, Undefined) or found.high - found.low > self.widest:
            return
        self.given += 1
        self.hits += found.low - 1e-12 <= self.truth <= found.high + 1e-12
        self.width += found.high - found.low

    @property
    def count(self) -> Count:
        """Return the outcome; nan where nothing was given."""
        given = self.given or float("nan")
        return Count(self.hits / given, self.width / given, 1 - self.given / self.all)


def limits() -> dict[Design, Limits]:
    """Return the limits of each line of the first table."""
    found = {}
    for i, line in enumerate(SPECIFIED.strip().splitlines()):
        theta, tpr, tnr, *rest = map(float, line.split())
        coverage, width = rest[::2], rest[1::2]
        holds = [w for c, w in zip(coverage, width, strict=True) if c >= 100 * NEAR]
        covering = [w for w in holds if w != width[1]] or [width[0]]
        design = Design(theta, tpr, tnr, (50, 100, 200)[i % 3])
        found[design] = Limits(1.1 * min(covering), 1.1 * width[1])
    return found


def near_nominal(coverage: float, repeats: int) -> bool:
    """Whether coverage is near 95%, up to twice the Monte Carlo error."""
    return bool(coverage >= NEAR - 2 * (0.05 * 0.95 / repeats) ** 0.5)


def draw(design: Design, rng: np.random.Generator) -> tuple[Sample, Sample]:
    """Draw a labelled sample and the items that only the judge spoke of."""
    if design.clustered:
        human, judge, mine = _cases(design.cells, design.n, rng)
        _, others, theirs = _cases(design.cells, JUDGED, rng)
        labelled = Sample(judge, 2, np.eye(2)[human], clusters=mine)
        return labelled, Sample(others, 2, clusters=theirs + int(mine.max()) + 1)
    passed = float(design.cells[:, 1].sum())
    others = (rng.random(JUDGED) < passed).astype(np.int64)
    if design.enriched:
        judge = np.arange(design.n) % 2
        good = design.cells[1] / design.cells.sum(axis=0)
        human = (rng.random(design.n) < good[judge]).astype(np.int64)
        weight = np.where(judge == 1, passed, 1 - passed)
        labelled = Sample(judge, 2, np.eye(2)[human], weight=weight, strata=judge)
        return labelled, Sample(others, 2)
    cell = rng.choice(4, design.n, p=design.cells.ravel())
    return Sample(cell % 2, 2, np.eye(2)[cell // 2]), Sample(others, 2)


def _cases(
    cells: FloatArray, n: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray]:
    """Draw n items in cases of four; return human levels, judge levels and cases."""
    case = np.arange(n) // 4
    own, shared = (rng.choice(4, size, p=cells.ravel()) for size in (n, int(case[-1]) + 1))
    cell = np.where(rng.random(n) < np.sqrt(0.3), shared[case], own)
    return cell // 2, cell % 2, case


def simulate(design: Design, repeats: int, rng: np.random.Generator) -> dict[str, Count]:
    """Count what the methods do over ``repeats`` samples of a design."""
    names = ("plain", "powered", "nothing", "rogan_gladen")
    tallies = {name: Tally(design.theta) for name in names[:3]}
    tallies["rogan_gladen"] = Tally(design.theta, 0.5)
    for _ in range(repeats):
        labelled, judged = draw(design, rng)
        found = powered_rate(labelled, judged, PASSES)
        tallies["powered"].add(found.reported)
        tallies["nothing"].add(Undefined("uninformative") if found.adds_nothing else found.reported)
        if not design.enriched and labelled.human is not None:
            human = labelled.human[:, 1]
            tallies["plain"].add(
                ppi_plus_mean(human, labelled.judge, judged.judge, large_sample=True)
            )
            passed = int(judged.judge.sum())
            tallies["rogan_gladen"].add(lang_reiczigel(labelled.table(), passed, JUDGED))
    return {name: tally.count for name, tally in tallies.items() if tally.all}


def _rates(repeats: int, rng: np.random.Generator) -> Iterator[str]:
    yield (
        "theta  tpr  tnr    n |    plain          powered       at most  nothing | "
        "Rogan-Gladen    at most   none  wrong"
    )
    for design, limit in limits().items():
        found = simulate(design, repeats, rng)
        powered, given = found["powered"], found["rogan_gladen"]
        marks = "" if near_nominal(powered.coverage, repeats) else " under"
        marks += "" if powered.width <= limit.powered else " wide"
        weak = "      none    " if given.none == 1 else _cell(given)
        yield (
            f"{design.theta:5} {design.tpr:4} {design.tnr:4}  {design.n:3} | "
            f"{_cell(found['plain'])}  {_cell(powered)}    {limit.powered:.3f}    "
            f"{found['nothing'].none:4.0%}  | {weak}    {min(0.5, limit.rogan_gladen):.3f}   "
            f"{given.none:4.0%}  {given.wrong:5.1%}{marks}"
        )


def _unequal(repeats: int, rng: np.random.Generator) -> Iterator[str]:
    yield "theta  tpr  tnr    n              |   powered"
    judges = [(0.5, 0.95, 0.9), (0.8, 0.85, 0.8), (0.95, 0.95, 0.9), (0.95, 0.85, 0.8)]
    for how, judge, n in product(("clustered", "enriched"), judges, (60, 100, 200)):
        design = Design(*judge, n, **{how: True})
        found = simulate(design, repeats, rng)["powered"]
        mark = "" if near_nominal(found.coverage, repeats) else " under"
        yield f"{judge[0]:5} {judge[1]:4} {judge[2]:4}  {n:3} {how:>12} | {_cell(found)}{mark}"


Figures = Callable[[Sample, Sample, np.random.Generator], list[Estimate | Undefined]]


def _many(repeats: int, rng: np.random.Generator) -> Iterator[str]:
    yield "levels  mix        n  method    |    mean      |   shares (worst, mean)"
    near = np.array([[0.8, 0.2, 0, 0, 0], [0.1, 0.8, 0.1, 0, 0], [0, 0.1, 0.8, 0.1, 0]])
    near = np.concatenate([near, near[[1, 0]][:, ::-1]])
    three = np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    even, flat, top = np.full(3, 1 / 3), np.full(5, 0.2), np.array([0.01, 0.02, 0.05, 0.12, 0.8])
    lines = [
        (near, flat, flat, _powered),
        (near, top, top, _powered),
        (three, even, even, _powered),
        (near, flat, top, _inverted),
        (three, even, np.array([0.02, 0.18, 0.8]), _inverted),
    ]
    for (confusion, mine, theirs, figures), n in product(lines, (60, 150)):
        k = len(mine)
        tallies = [Tally(float(theirs @ np.arange(k)))] + [Tally(float(p)) for p in theirs]
        for _ in range(repeats):
            cell = rng.choice(k * k, n, p=(mine[:, None] * confusion).ravel())
            labelled = Sample(cell % k, k, np.eye(k)[cell // k])
            judged = Sample(rng.choice(k, JUDGED, p=theirs @ confusion), k)
            for tally, found in zip(tallies, figures(labelled, judged, rng), strict=True):
                tally.add(found)
        mean, *shares = (tally.count for tally in tallies)
        worst = min(share.coverage for share in shares)
        width = float(np.mean([share.width for share in shares]))
        mix = "shifted" if theirs is not mine else "same"
        yield (
            f"{k:6}  {mix:8} {n:4}  {figures.__name__[1:]:9} | {_cell(mean)} | "
            f"{100 * worst:5.1f} / {width:.3f}"
        )


def _powered(
    labelled: Sample, judged: Sample, _: np.random.Generator
) -> list[Estimate | Undefined]:
    mean: Powered = powered_mean(labelled, judged, range(labelled.k))
    return [mean.corrected, *(one.corrected for one in powered_shares(labelled, judged))]


def _inverted(
    labelled: Sample, judged: Sample, rng: np.random.Generator
) -> list[Estimate | Undefined]:
    mean = inverted_mean(labelled, judged, range(labelled.k), rng=rng)
    return [mean, *inverted_shares(labelled, judged, rng=rng)]


def _cell(found: Count) -> str:
    return f"{100 * found.coverage:5.1f} / {found.width:.3f}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Coverage and width of corrected figures.")
    parser.add_argument("--quick", action="store_true", help="fewer samples, a minute")
    repeats = 200 if parser.parse_args().quick else 4000
    for table in (_rates, _unequal, _many):
        rng = np.random.default_rng(SEED)
        few = repeats if table is not _many else max(100, repeats // 4)
        print(f"\n{few:,} samples a line")
        for line in table(few, rng):
            print(line, flush=True)


if __name__ == "__main__":
    main()
