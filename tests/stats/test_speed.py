import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.speed import against_rows, alpha, growth, row_bootstrap, table_of
from judgekit.stats import identity, kappa

REPO = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_million_pairs_cost_what_a_thousand_cost() -> None:
    """Ten thousand draws from the table: less than 1.2 times as long."""
    few, many = growth(rounds=7)

    assert many / few < 1.2


@pytest.mark.slow
def test_tables_are_two_hundred_times_faster_than_rows() -> None:
    """At ten thousand pairs, against scikit-learn, which does the same work."""
    tables, rows = against_rows(rounds=3, row_draws=10)

    assert rows / tables > 200
    assert row_bootstrap(table_of(10_000), 20).mean() == pytest.approx(
        kappa(table_of(10_000), identity(5)), abs=0.02
    )


@pytest.mark.slow
def test_alpha_of_many_raters_takes_less_than_a_second() -> None:
    """Five raters of a hundred thousand items."""
    assert alpha("ordinal", rounds=3) < 1


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["statistics.py", "--quick"], ["coverage.py", "--help"]])
def test_scripts_run_beside_a_file_called_statistics(arguments: list[str]) -> None:
    """A script finds the standard library's `statistics`, although one of its own has the name."""
    command = [sys.executable, REPO / "benchmarks" / arguments[0], *arguments[1:]]
    found = subprocess.run(command, check=True, capture_output=True, text=True, cwd=REPO)

    assert "kappa" in found.stdout
