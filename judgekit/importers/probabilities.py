"""The judge's probabilities in a table: one column for each level, or one of passing alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.calibration.probabilities import captured_mass, likeliest
from judgekit.errors import InputError
from judgekit.importers.cells import as_text, is_blank
from judgekit.importers.problems import RowProblem
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.labels.levels import count, quoted, scale_text
from judgekit.rubric.model import Criterion
from judgekit.stats.token_levels import LEAST_MASS

_MOST = 1.01
"""Probabilities come rounded: a total up to this is taken for 1."""


class ProbabilityReader:
    """Reads the probabilities of each row.

    Args:
        criterion: The criterion whose scale counts.
        columns: One column for each level, in scale order, or one: the probability of passing.
        verdicts: Whether they have to stand in for a column of verdicts.

    Raises:
        InputError: so many columns say nothing of this scale, or not enough for a verdict.
    """

    def __init__(self, criterion: Criterion, columns: tuple[str, ...], *, verdicts: bool) -> None:
        self.criterion, self.columns, self._blanks = criterion, columns, 0
        levels = len(criterion.scale.levels)
        alone = len(columns) == 1
        if columns and not alone and len(columns) != levels:
            raise InputError(
                f"{len(columns)} columns of probabilities, and the scale has {levels} levels",
                hint=f"one column for each of {scale_text(criterion.scale)}, in this order; or one "
                "alone, the probability of passing",
            )
        if alone and criterion.passes is None:
            raise InputError(
                "one column of probabilities is that of passing, and this scale has no pass line",
                hint="declare what passes (--passes LEVEL), or name a column for each level",
            )
        binary = criterion.scale.kind == "binary"  # else one probability is no distribution
        if verdicts and not (len(columns) == levels or (alone and binary)):
            raise InputError(
                "nothing says which level the judge gave",
                hint="name the column of its verdicts (--judge COLUMN), or a column of "
                "probabilities for each level (--probability A,B,...)",
            )

    def read(self, values: Mapping[str, Any]) -> tuple[float, ...] | None:
        """Return the probabilities of a row, or None where all cells are blank.

        A blank cell beside others is 0: a level that was not among the listed answers.

        Raises:
            RowProblem: a cell is no probability, or they add up to more than 1.
        """
        blank = [is_blank(values.get(column)) for column in self.columns]
        if all(blank):
            return None
        self._blanks += sum(blank)
        found = tuple(
            0.0 if nothing else _probability(column, values[column])
            for column, nothing in zip(self.columns, blank, strict=True)
        )
        if sum(found) > _MOST:
            raise RowProblem(
                "total",
                f"the probabilities of the levels add up to {sum(found):.3g}",
                "They are of one answer, so they add up to 1 at most.",
            )
        return found

    def verdict(self, item: str, found: tuple[float, ...] | None) -> Judgment | Unjudged:
        """Return the likeliest level; of equally likely ones, the first of the scale.

        Without probabilities the verdict is ``missing``; where the levels hold less than half of
        the probability the judge was about to say something else: ``out_of_scale``.
        """
        name = self.criterion.name
        if found is None:
            return Unjudged(item, name, "missing")
        mass = captured_mass(found)
        if len(found) > 1 and mass < LEAST_MASS:
            return Unjudged(item, name, "out_of_scale", raw=f"captured mass {mass:.2f}")
        return Judgment(item, name, likeliest(found))

    def notes(self) -> list[str]:
        """Return what was assumed while reading."""
        if not self._blanks:
            return []
        told = "blank probability" if self._blanks == 1 else "blank probabilities"
        return [f"{self._blanks:,} {told} beside others of the same row read as 0"]


def none_told(path: str, columns: tuple[str, ...]) -> InputError:
    """Return the error for columns in which no row has a probability."""
    return InputError(
        f"no row has a probability ({count(len(columns), 'column')}: {', '.join(columns[:5])})",
        file=path,
    )


def _probability(column: str, written: Any) -> float:
    try:
        value = float(as_text(written) or "")
    except ValueError:
        value = float("nan")
    if 0 <= value <= 1:
        return value
    hint = "A number from 0 to 1; blank for none."
    if value < 0:
        hint = "A log-probability? The probability is its exponential."
    elif value > 1:
        hint = "Probabilities go from 0 to 1; a percentage is to be divided by 100."
    raise RowProblem("probability", f"{column} {quoted(written)} is no probability", hint)
