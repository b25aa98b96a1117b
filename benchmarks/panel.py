"""How often does the interval of the effective panel size hold the truth?

Run from the repository: ``python benchmarks/panel.py`` (some minutes) or ``--quick`` (seconds).
Seeds are fixed. The members of a panel err equally often, and the errors of any two correlate by
the same rho, in one of two ways:

- *difficulty*: each item has a chance to be got wrong, drawn from a beta distribution, and every
  member errs with that chance;
- *common cause*: with probability rho all members do the same, right or wrong together; else each
  errs on its own.

In both the effective size is m / (1 + (m - 1) rho) exactly. Samples without an interval (a member
with next to no errors) are counted apart. In brackets stands what the BCa bootstrap alone does,
without the jackknife.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import product
from typing import NamedTuple
from zlib import crc32

import numpy as np

from judgekit.stats import Undefined, bca, bootstrap, effective_panel_size, jackknife
from judgekit.stats.arrays import FloatArray
from judgekit.stats.panel import mean_correlation, units_of_errors

SEED = 20261130
MEMBERS, CORRELATIONS, RATES, SIZES = (3, 6), (0.0, 0.2, 0.42, 0.7), (0.1, 0.3), (50, 100, 300)


class Panel(NamedTuple):
    """A population of panels."""

    errors: str
    members: int
    rho: float
    rate: float

    @property
    def truth(self) -> float:
        """The effective size."""
        return self.members / (1 + (self.members - 1) * self.rho)


def _difficulty(of: Panel, n: int, rng: np.random.Generator) -> FloatArray:
    spread = 1 / of.rho - 1 if of.rho else np.inf
    chance = (
        rng.beta(of.rate * spread, (1 - of.rate) * spread, n) if of.rho else np.full(n, of.rate)
    )
    return (rng.random((n, of.members)) < chance[:, None]).astype(np.float64)


def _common_cause(of: Panel, n: int, rng: np.random.Generator) -> FloatArray:
    alone = rng.random((n, of.members)) < of.rate
    together = np.repeat(rng.random((n, 1)) < of.rate, of.members, axis=1)
    return np.where(rng.random((n, 1)) < of.rho, together, alone).astype(np.float64)


DRAW: dict[str, Callable[[Panel, int, np.random.Generator], FloatArray]] = {
    "difficulty": _difficulty,
    "common cause": _common_cause,
}


class Found(NamedTuple):
    """What the intervals did, as shares of the samples that have one."""

    undefined: float
    coverage: float
    above: float
    below: float
    width: float
    bca: float


def simulate(of: Panel, n: int, repeats: int, draws: int = 500) -> Found:
    """Return how the interval does over many samples of n items."""
    rng = np.random.default_rng([SEED, crc32(repr((of, n)).encode())])
    ends, alone = [], []
    for _ in range(repeats):
        errors = DRAW[of.errors](of, n, rng)
        found = effective_panel_size(errors, rng=rng, draws=draws)
        size = found.size
        if isinstance(size, Undefined):
            continue
        ends.append((size.low, size.high))
        alone.append(_holds(errors, of.rho, rng, draws))
    if not ends:
        return Found(1.0, *[float("nan")] * 5)
    low, high = np.array(ends).T
    above, below = low > of.truth + 1e-9, high < of.truth - 1e-9
    return Found(
        undefined=1 - len(ends) / repeats,
        coverage=float((~above & ~below).mean()),
        above=float(above.mean()),
        below=float(below.mean()),
        width=float((high - low).mean()),
        bca=float(np.mean(alone)),
    )


def _holds(errors: FloatArray, rho: float, rng: np.random.Generator, draws: int) -> bool:
    """Tell whether the BCa interval alone holds rho, where everything from 0 down is one size."""
    units = units_of_errors(errors, np.arange(len(errors)))
    left = jackknife(units, mean_correlation)
    if isinstance(left, Undefined):
        return False
    value = float(mean_correlation(units.total[None])[0])
    drawn = bootstrap(units, mean_correlation, rng, draws)
    low, high = bca(drawn, value, left.acceleration)
    return low <= rho + 1e-9 and (high >= rho - 1e-9 or rho == 0)


def line(errors: str, members: int, rate: float, n: int, repeats: int) -> str:
    """Return a line of the table: the same panel with errors that correlate more and more."""
    found = [simulate(Panel(errors, members, rho, rate), n, repeats) for rho in CORRELATIONS]
    undefined = sum(one.undefined for one in found) / len(found)
    shown = " | ".join(f"{one.coverage:.1%} ({one.bca:.1%})" for one in found)
    widths = ", ".join(f"{one.width:.1f}" for one in found)
    return f"| {errors} | {members} | {rate} | {n} | {undefined:.0%} | {shown} | {widths} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    repeats = 20 if parser.parse_args().quick else 400
    print(f"Seed {SEED}, {repeats:,} samples for each figure. 95% promised.\n")
    sizes = " | ".join(f"rho {rho}" for rho in CORRELATIONS)
    print(f"| errors | members | error rate | n | undefined | {sizes} | widths |")
    print("|" + "---|" * (6 + len(CORRELATIONS)))
    for errors, members, rate, n in product(DRAW, MEMBERS, RATES, SIZES):
        print(line(errors, members, rate, n, repeats), flush=True)


if __name__ == "__main__":
    main()
