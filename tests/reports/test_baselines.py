"""What is said of the baselines."""

from dataclasses import replace

import pytest

from judgekit.calibration.baselines import baselines, length_check
from judgekit.reports.baselines import ASKED, against_length, baseline_lines
from tests.calibration.make import spec, table_rows

BINARY = spec("binary")
ROWS = [
    replace(row, length=100 + 37 * i % 900) for i, row in enumerate(table_rows([[52, 3], [5, 50]]))
]


def test_the_line_of_the_check() -> None:
    """As in the table: what the judge reaches, and what length alone reaches."""
    check = length_check(baselines(ROWS, BINARY))

    assert check is not None
    assert ASKED == "yes"
    assert against_length(check) == "0.85 against 0.00"


def test_a_judge_that_is_not_ahead_for_sure() -> None:
    """The low end of the difference is shown, since the kappas alone would mislead."""
    check = length_check(baselines(ROWS, BINARY))

    assert check is not None
    behind = check.model_copy(
        update={"passed": False, "observed": {"judge": 0.9, "length": 0.85, "low": -0.173}}
    )
    assert against_length(behind) == "0.90 against 0.85  (low end -0.17)"
    unknown = check.model_copy(update={"passed": False, "observed": "too_few_clusters"})
    assert against_length(unknown) == "undefined (fewer than 10 cases)"


def test_sentences() -> None:
    """Majority, length, and how far the judge is ahead."""
    lines = baseline_lines(baselines(ROWS, BINARY))

    assert lines[0] == "Always the commonest level: 50.0% the same, kappa 0."
    assert lines[1].startswith("Length alone: kappa 0.00, 95% interval")
    assert lines[2].startswith("The judge is ahead of length by 0.85, 95% interval")
    assert baseline_lines(None) == []


@pytest.mark.parametrize(
    ("lost", "last"),
    [
        (110, "Length alone: not compared, 110 labels without the text of the output."),
        (10, "10 labels without the text of the output left out of this."),
    ],
)
def test_missing_text_is_said(lost: int, last: str) -> None:
    """Whether it is some of them or all."""
    rows = [replace(row, length=None) if i < lost else row for i, row in enumerate(ROWS)]

    assert baseline_lines(baselines(rows, BINARY))[-1] == last
