"""Do the intervals of the statistics keep their promise? Simulated misses and widths.

Run from the repository: ``python benchmarks/intervals.py`` (some minutes), ``--quick``,
or ``--only NAME`` for one section. It prints Markdown; ``docs/statistics/intervals.md`` holds a
run. Seeds are fixed, so the tables are the same each time on one version of NumPy.

Each cell is a known population, sampled many times, and reads

    95.0 (2.4 + 2.6) 0.31, 3% none

the percentage of two-sided 95% intervals that hold the truth; those that lie above it, and below
it, of which 2.5 each are promised; their mean width; and how many samples have no interval, if any.
They are left out of the other numbers, which are then those of a selection: with "-" it is too
small to speak of. Rows that end in *instead* are intervals the package does not use.

The interval of kappa has more in ``benchmarks/coverage.py``, corrected figures in
``benchmarks/correction.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from benchmarks import interval_choices, interval_numbers, interval_pairs, interval_raters
from benchmarks.simulated import FULL, QUICK, SEED, Effort, Report, Section

SECTIONS: dict[str, tuple[str, Section]] = {
    "kappa": ("Kappa, the intervals compared", interval_pairs.kappas),
    "table": ("Other coefficients of a table (path-score)", interval_pairs.chance_corrected),
    "errors": ("Errors, shifts and shares of right answers", interval_pairs.errors),
    "clusters": ("The same with four outputs a case", interval_pairs.clustered),
    "raters": ("Three raters", interval_raters.several),
    "rater-clusters": ("Three raters, four items a case", interval_raters.several_clustered),
    "ceiling": ("A judge beside three humans", interval_raters.ceiling),
    "judges": ("Two judges on the same items", interval_raters.two_judges),
    "forecasts": ("Probabilities", interval_numbers.forecasts),
    "calibration": ("Calibration error", interval_numbers.expected_calibration_error),
    "length": ("Length bias", interval_numbers.lengths),
    "scores": ("Scores between levels", interval_numbers.between_levels),
    "shares": ("Shares", interval_choices.shares),
    "differences": ("Differences of error rates", interval_choices.differences),
    "preferences": ("Preferences", interval_choices.preferences),
}


def report(names: list[str], effort: Effort) -> Iterator[str]:
    """Lines of the report: a table for each section, and then what misses too often."""
    poor: list[str] = []
    for name in names:
        title, section = SECTIONS[name]
        found = Report.of(section(effort))
        yield from (f"## {title}", "", *found.rows(), "")
        poor += found.poor()
    yield from ("## Where intervals miss too often", "")
    yield "Coverage below 92%, or more than 5% of the intervals on one side of the truth; in both"
    yield "cases by more than twice the error of the simulation."
    yield from ("", "| figure | population | where |", "|---|---|---|", *poor)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few samples, two sizes")
    parser.add_argument("--only", choices=SECTIONS, help="one section")
    told = parser.parse_args()
    effort = QUICK if told.quick else FULL
    print(
        f"Seed {SEED}; {effort.many:,} samples a cell where an interval is found at once, "
        f"{effort.some:,} or {effort.few:,} where it takes longer.\n"
    )
    for line in report([told.only] if told.only else list(SECTIONS), effort):
        print(line, flush=True)


if __name__ == "__main__":
    main()
