"""What a person reads after ``split``."""

from judgekit.labels.split import SHARES
from judgekit.labels.split_result import LevelCount, SplitResult
from judgekit.reports.split import split_json, split_lines


def result(*levels: LevelCount, kept: int = 0, **cases: int) -> SplitResult:
    """A label file that was split."""
    counts = {"train": 0, "dev": 0, "test": 0, **cases}
    return SplitResult(
        file="labels.csv",
        out="split.csv",
        column="split",
        shares=SHARES,
        seed_name="",
        cases=counts,
        items={part: 2 * n for part, n in counts.items()},
        levels=levels,
        kept=kept,
        notes=(),
    )


def level(name: str, train: int, dev: int, test: int, criterion: str | None = None) -> LevelCount:
    """The labels of one level."""
    return LevelCount(criterion, name, {"train": train, "dev": dev, "test": test})


def test_the_report() -> None:
    """The parts, the labels of each level, what is thin, and what to do next."""
    made = result(level("good", 20, 40, 40), level("bad", 2, 4, 4), train=11, dev=22, test=22)

    assert "\n".join(split_lines(made)) == REPORT


REPORT = """
Split 55 cases (110 items): 11 train, 22 dev, 22 test.  55 cases placed by hash,
evened out by level.

  labels  train  dev  test
  good       20   40    40
  bad         2    4     4

Warning fewer than 10 labels in test: bad (4); 30 are recommended.
Wrote   split.csv: the same rows, with the column 'split'
Next    judgekit calibrate JUDGE --labels split.csv --split test
""".strip()


def test_kept_cases_are_told_apart() -> None:
    """What was there stays, what is new was placed."""
    made = result(level("good", 20, 40, 40), kept=50, train=11, dev=22, test=22)

    assert "50 cases kept, 5 new." in " ".join(" ".join(split_lines(made)).split())


def test_criteria_and_parts_are_named() -> None:
    """Several criteria: each level with its own; an empty part; a part of the user's own."""
    levels = (
        level("1", 9, 9, 9, "tone"),
        level("1", 30, 30, 30, "fit"),
        level("na", 1, 0, 0, "fit"),
    )
    made = result(*levels, dev=9, test=9, holdout=3)

    document, lines = split_json(made), split_lines(made)

    assert document["warnings"] == [
        "fewer than 10 labels in test: tone: 1 (9); 30 are recommended.",
        "no case is in train.",
    ]
    assert "3 holdout" in lines[0] + lines[1]
    assert document["levels"][0]["criterion"] == "tone"
