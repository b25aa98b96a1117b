"""What became of a label file that was split, as the library returns it and reports show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from judgekit.labels.split import Shares
from judgekit.rubric.scale import NA, fold

LEAST, ADVISED = 10, 30
"""Labels of each level the test needs: what the gate asks, and what is recommended."""


class LevelCount(NamedTuple):
    """How many labels of one level each part has."""

    criterion: str | None
    level: str
    labels: Mapping[str, int]


@dataclass(frozen=True)
class SplitResult:
    """What was split, and how.

    Attributes:
        file: The label file.
        out: The file written.
        column: The column that names the part of each row.
        shares: What share of the cases was meant for what.
        seed_name: What was put before the names of the cases.
        cases: Cases in each part.
        items: Labelled or not, items in each part.
        levels: Labels of each level in each part.
        kept: Cases that had a part already.
        notes: What was assumed while reading.
    """

    file: str
    out: str
    column: str
    shares: Shares
    seed_name: str
    cases: Mapping[str, int]
    items: Mapping[str, int]
    levels: tuple[LevelCount, ...]
    kept: int
    notes: tuple[str, ...]

    @property
    def thin(self) -> tuple[LevelCount, ...]:
        """Return the levels with fewer labels in the test than are recommended."""
        judged = [level for level in self.levels if fold(level.level) != NA]
        return tuple(level for level in judged if level.labels["test"] < ADVISED)
