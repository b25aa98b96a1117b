"""Too little to measure: people are told how much there is, and how much it takes."""

from __future__ import annotations

import pytest

from judgekit.rubric.scale import Value
from tests.e2e.house import House, spread

LEVELS = ["rude", "cold", "polite", "friendly"]


def flat(text: str) -> str:
    """Return a report as one line."""
    return " ".join(text.split())


def verdicts(house: House, cases: int, levels: list[Value]) -> None:
    """Write verdicts and labels of sixty items that fall into so many cases."""
    rows = "".join(
        f"i{i},c{i % cases},{levels[i % len(levels)]},{levels[i // 2 % len(levels)]}\n"
        for i in range(60)
    )
    house.write("verdicts.csv", f"id,case,judge,human\n{rows}")


@pytest.mark.parametrize("cases", [2, 9])
def test_of_too_few_cases_both_numbers_are_told(house: House, cases: int) -> None:
    """In the sentence, in every row of figures, and beside the check."""
    verdicts(house, cases, [0, 1])
    table = ("agreement", "verdicts.csv", "--judge", "judge", "--human", "human")

    result = house.run(*table, "--levels", "0,1")

    told = f"{cases} cases, 10 needed"
    assert f"kappa undefined ({told})." in result.out
    assert f">= 0.60 undefined ({told})" in flat(result.out)
    assert f"Always the commonest level: undefined ({told})." in result.out
    rows = [line for line in result.out.splitlines() if "undefined  " in line]
    assert len(rows) > 5
    assert all(told in line for line in rows)
    assert "too few" not in result.out
    figures = house.run(*table, "--levels", "0,1", "--json").json
    assert figures["agreement"]["undefined"] == "too_few_clusters"


def test_ten_cases_are_enough(house: House) -> None:
    """The number that is told is the one that decides."""
    verdicts(house, 10, [0, 1])

    result = house.run(
        *("agreement", "verdicts.csv", "--judge", "judge", "--human", "human", "--levels", "0,1")
    )

    assert "needed" not in result.out
    assert "kappa 0." in result.out or "kappa -0." in result.out


def test_of_two_raters_it_is_the_items_that_are_few(served: House) -> None:
    """Eight items by two people are eight units, not sixteen; `calibrate` says what to do."""
    rows = "".join(
        f"i{i},question {i},reply {i} is {level},{level},{level}\n"
        for i, level in enumerate(spread(LEVELS, 8))
    )
    served.write("labels.csv", f"id,input,output,ann,ben\n{rows}")

    result = served.run("calibrate", "tone", "--rater-columns", "ann,ben")

    assert result.code == 1
    assert "kappa undefined (8 items, 10 needed)" in flat(result.out)
    assert "the labels are of 8 items, and 10 are needed: label more items" in flat(result.out)
    assert "too few" not in result.out


def test_counts_of_a_pass_line_are_read_at_once(served: House) -> None:
    """How many stand below it, and how many at it or above: `73 below 3, 39 at 3 or above`."""
    served.labels(["rude"] * 73 + ["polite"] * 39)

    assert "73 below 3, 39 at 3 or above" in served.run("calibrate", "tone").out


def test_counts_of_numbered_levels_are_not_run_together(house: House) -> None:
    """`0: 30, 1: 30`, where `0 30, 1 30` would say nothing; names stand as they are."""
    table = ("agreement", "verdicts.csv", "--judge", "judge", "--human", "human")
    verdicts(house, 60, [0, 1])
    assert "0: 30, 1: 30" in house.run(*table, "--levels", "0,1").out

    verdicts(house, 60, ["bad", "good"])
    assert "bad 30, good 30" in house.run(*table, "--levels", "bad,good").out
