"""How fast are resampling and the statistics of many raters?

Run from the repository: ``python benchmarks/statistics.py`` (half a minute) or ``--quick``.

- Kappa with a BCa interval of 10,000 draws, from the finished table: the same time for a thousand
  pairs as for a million.
- The same work done the usual way, at 10,000 pairs: rows are drawn with replacement and handed to
  scikit-learn's ``cohen_kappa_score``. A small number of such draws is timed, and the price of one
  is multiplied; the jackknife of the BCa interval is left out of it, which flatters the rows.
- Krippendorff's alpha of 100,000 items and 5 raters, with a tenth of the cells missing.

Times are the shortest of several rounds in which the candidates take turns, so that a busy moment
falls on all of them. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from judgekit.stats import identity
from judgekit.stats.alpha import Metric, krippendorff_alpha
from judgekit.stats.arrays import FloatArray
from judgekit.stats.jackknife import jackknife
from judgekit.stats.kappa import kappa_of
from judgekit.stats.ratings import Ratings
from judgekit.stats.resampling import bca, bootstrap, units_of_table

SEED = 20261130
DRAWS = 10_000
LEVELS = 5


def table_of(n: int) -> FloatArray:
    """Counts of n pairs of a judge that agrees in six cases of ten, on five levels."""
    shares = np.full((LEVELS, LEVELS), 0.4 / (LEVELS * (LEVELS - 1)))
    np.fill_diagonal(shares, 0.6 / LEVELS)
    counts = np.random.default_rng(SEED).multinomial(n, shares.ravel())
    return counts.reshape(LEVELS, LEVELS).astype(np.float64)


def bca_interval(table: FloatArray, draws: int = DRAWS) -> tuple[float, float]:
    """Kappa's BCa interval from a table."""
    statistic, units = partial(kappa_of, weights=identity(LEVELS)), units_of_table(table)
    found = bootstrap(units, statistic, np.random.default_rng(SEED), draws)
    left = jackknife(units, statistic)
    return bca(found, float(statistic(table[None])[0]), left.acceleration)


def row_bootstrap(table: FloatArray, draws: int) -> FloatArray:
    """Kappa of ``draws`` resamples of the rows behind a table, with scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    cells = np.repeat(np.arange(table.size), table.astype(np.int64).ravel())
    human, judge = np.divmod(cells, LEVELS)
    rng, found = np.random.default_rng(SEED), np.empty(draws)
    for draw in range(draws):
        rows = rng.integers(0, cells.size, cells.size)
        found[draw] = cohen_kappa_score(human[rows], judge[rows], labels=range(LEVELS))
    return found


def ratings() -> Ratings:
    """A hundred thousand items on five levels, 5 raters, a tenth of the cells empty."""
    rng = np.random.default_rng(SEED)
    truth = rng.integers(0, LEVELS, 100_000)[:, None]
    values = np.where(rng.random((100_000, 5)) < 0.6, truth, rng.integers(0, LEVELS, (100_000, 5)))
    values[rng.random(values.shape) < 0.1] = -1
    return Ratings(values, LEVELS)


def alpha(metric: Metric, rounds: int) -> float:
    """Seconds of Krippendorff's alpha of all these ratings."""
    rated = ratings()
    return shortest(rounds, lambda: krippendorff_alpha(rated, metric))[0]


def shortest(rounds: int, *jobs: Callable[[], object]) -> list[float]:
    """Seconds of each job: the shortest of ``rounds``, in which the jobs take turns."""
    times = np.full((rounds, len(jobs)), np.inf)
    for one_round in times:
        for number, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            one_round[number] = time.perf_counter() - start
    return [float(seconds) for seconds in times.min(axis=0)]


def growth(rounds: int) -> tuple[float, float]:
    """Seconds of the BCa interval of a thousand and of a million pairs."""
    small, large = table_of(1_000), table_of(1_000_000)
    few, many = shortest(rounds, lambda: bca_interval(small), lambda: bca_interval(large))
    return few, many


def against_rows(rounds: int, row_draws: int) -> tuple[float, float]:
    """Seconds of 10,000 draws at 10,000 pairs: by tables, and by rows with scikit-learn."""
    table = table_of(10_000)
    tables, rows = shortest(
        rounds, lambda: bca_interval(table), lambda: row_bootstrap(table, row_draws)
    )
    return tables, rows / row_draws * DRAWS


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds, row_draws = (3, 10) if parser.parse_args().quick else (15, 100)
    row_bootstrap(table_of(100), 1)
    few, many = growth(rounds)
    tables, rows = against_rows(max(3, rounds // 3), row_draws)
    alphas: dict[Metric, float] = {name: alpha(name, rounds) for name in ("nominal", "ordinal")}
    print(f"shortest of {rounds} rounds; seed {SEED}")
    print("| what | seconds | ratio | promised |")
    print("|---|---|---|---|")
    print(f"| kappa with BCa, {DRAWS} draws, 1,000 pairs | {few:.3f} | | |")
    print(f"| the same, 1,000,000 pairs | {many:.3f} | {many / few:.2f} | below 1.2 |")
    print(f"| the same, 10,000 pairs | {tables:.3f} | | |")
    print(
        f"| rows and scikit-learn, 10,000 pairs ({row_draws} draws timed) "
        f"| {rows:.1f} | {rows / tables:.0f} | above 200 |"
    )
    for metric, seconds in alphas.items():
        print(f"| {metric} alpha, 100,000 items x 5 raters | {seconds:.3f} | | below 1 s |")
