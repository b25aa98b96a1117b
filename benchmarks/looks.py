"""How often does looking again and again let a judge through that is only at the bar?

Run from the repository: ``python benchmarks/looks.py`` (a minute or two) or ``--quick`` (seconds).
Seeds are fixed. In every line the judge's true kappa is exactly what the gate asks for, 0.6, so
each certificate is a false one.

*Peeking*: labels come in tens, and after each ten from 30 to 300 the judge is measured: 28 times.
The ledger counts each as a look. Look k may spend 0.05 / 2^k, and after five there is no verdict.

*Editing*: 100 labelled items, and a rubric that is edited and measured on them again and again. No
edit makes the judge truly better or worse. What the author sees decides which edits are kept:

- *verdict only* (``--reveal none``): nothing to choose by, so every edit is kept;
- *kappa*: an edit, which changes the answers to a fifth of the items at random, is kept where kappa
  on these items does not fall, and undone where it does;
- *errors*: the author sees where the judge is wrong and writes that into the rubric, which puts
  three errors in ten right on these items and nothing anywhere else.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.populations import MARGINS, draw, shares_of, tables_of, weights_of
from judgekit.calibration.policy import Policy
from judgekit.calibration.world import clears
from judgekit.stats import critical
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.kappa import kappa_and_variance

SEED = 20261130
BAR = 0.6
PEEKS = tuple(range(30, 301, 10))
ITEMS = 100
CHANGED, REPAIRED = 0.2, 0.3
"""Share of answers that an edit changes, and of the errors seen that it puts right."""

Flags = npt.NDArray[np.bool_]


class World(NamedTuple):
    """A population whose judge is exactly at the bar."""

    levels: int
    margins: str

    @property
    def shares(self) -> FloatArray:
        """Shares of the cells, (k, k)."""
        return shares_of(self.levels, MARGINS[self.levels, self.margins], BAR)

    @property
    def weights(self) -> FloatArray:
        """Agreement weights."""
        return weights_of(self.levels)


def passes(tables: FloatArray, weights: FloatArray, look: int) -> Flags:
    """Tell which tables the gate lets through as this look (1 is the first)."""
    policy = Policy(min_agreement=BAR)
    if look > policy.max_looks:
        return np.zeros(len(tables), dtype=bool)
    return clears(tables, weights, critical(policy.look_confidence(look)), BAR)


def peeking(world: World, repeats: int, rng: np.random.Generator) -> dict[str, float]:
    """Return how often a judge at the bar is let through, by the rule for repeated looks."""
    flat = world.shares.ravel()
    steps = np.diff((0, *PEEKS))
    drawn = np.stack([rng.multinomial(n, flat, size=repeats) for n in steps])
    tables = drawn.cumsum(axis=0).reshape(len(PEEKS), repeats, *world.shares.shape).astype(float)
    spread = [PEEKS.index(n) for n in (60, 120, 180, 240, 300)]
    first = [passes(one, world.weights, 1) for one in tables]
    values = [kappa_and_variance(one / one[0].sum(), world.weights)[0] for one in tables]
    rules = {
        "no ledger, kappa itself": [np.nan_to_num(v, nan=-1.0) > BAR for v in values],
        "no ledger, low end": first,
        "ledger": [passes(one, world.weights, k + 1) for k, one in enumerate(tables)],
        "ledger, looks at 60, 120, ... 300": [
            passes(tables[at], world.weights, k + 1) for k, at in enumerate(spread)
        ],
        "first look only": first[:1],
        "one look, at 300": first[-1:],
    }
    return {rule: float(np.any(found, axis=0).mean()) for rule, found in rules.items()}


def editing(
    world: World, shown: str, looks: int, repeats: int, rng: np.random.Generator
) -> dict[str, float]:
    """Return how often some version gets a certificate in so many looks, with and without ledger.

    ``shown`` is what the author sees after each: ``verdict``, ``kappa`` or ``errors``.
    """
    best = version = draw(world.shares, (repeats, ITEMS), rng)
    free = kept = np.zeros(repeats, dtype=bool)
    for look in range(1, looks + 1):
        tables = tables_of(version, world.levels)
        free = free | passes(tables, world.weights, 1)
        kept = kept | passes(tables, world.weights, look)
        better = np.ones(repeats, dtype=bool)
        if shown == "kappa":
            better = _kappa(tables, world) >= _kappa(tables_of(best, world.levels), world)
        best = np.where(better[:, None], version, best)
        version = _edited(best, world, shown, rng)
    return {"no ledger": float(free.mean()), "ledger": float(kept.mean())}


def _edited(cells: IntArray, world: World, shown: str, rng: np.random.Generator) -> IntArray:
    """Answers of the judge with an edited rubric."""
    human, k = cells // world.levels, world.levels
    if shown == "errors":
        wrong = human != cells % k
        return np.where(wrong & (rng.random(cells.shape) < REPAIRED), human * (k + 1), cells)
    ends = np.cumsum(world.shares / world.shares.sum(axis=1, keepdims=True), axis=1)
    spot, judge = rng.random(cells.shape), np.zeros_like(cells)
    for column in range(k - 1):
        judge += spot > ends[:, column][human]
    return np.where(rng.random(cells.shape) < CHANGED, human * k + judge, cells)


def _kappa(tables: FloatArray, world: World) -> FloatArray:
    found = kappa_and_variance(tables / tables[0].sum(), world.weights)[0]
    return np.nan_to_num(found, nan=-1.0)


WORLDS = (World(2, "balanced"), World(2, "90/10"), World(5, "balanced"))
SHOWN = ("verdict", "kappa", "errors")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    repeats = 2000 if parser.parse_args().quick else 20_000
    names = [f"{w.levels} levels, {w.margins}" for w in WORLDS]
    print(f"{repeats} runs; seed {SEED}; the judge is at the bar: every certificate is false.")
    print("\n### Peeking: 28 looks, at 30, 40, ... 300 labels\n")
    print(f"| rule | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    found = [peeking(w, repeats, np.random.default_rng([SEED, i])) for i, w in enumerate(WORLDS)]
    for rule in found[0]:
        print(f"| {rule} | {' | '.join(f'{one[rule]:.1%}' for one in found)} |")
    print(f"\n### Editing: a rubric edited and measured on the same {ITEMS} items\n")
    print(f"| the author sees | looks | ledger | {' | '.join(names)} |")
    print(f"|---|---|---|{'---|' * len(names)}")
    for number, (shown, looks) in enumerate((s, n) for s in SHOWN for n in (5, 20)):
        dice = [np.random.default_rng([SEED, number + 10, i]) for i in range(len(WORLDS))]
        runs = [editing(w, shown, looks, repeats, r) for w, r in zip(WORLDS, dice, strict=True)]
        for rule in runs[0]:
            kept = "yes" if rule == "ledger" else "no"
            print(f"| {shown} | {looks} | {kept} | {' | '.join(f'{r[rule]:.1%}' for r in runs)} |")


if __name__ == "__main__":
    main()
