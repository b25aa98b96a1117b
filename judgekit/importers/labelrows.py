"""One pass over the rows of a label file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judgekit.errors import InputError, LabelError, suggest
from judgekit.importers.cells import as_id, as_text, as_weight, is_blank
from judgekit.importers.columns import Columns
from judgekit.importers.criteria import CriterionChoice
from judgekit.importers.problems import Problems, RowProblem
from judgekit.importers.roles import LABEL_ROLES
from judgekit.importers.row import Row
from judgekit.importers.table import Table
from judgekit.labels.label import Label, Source
from judgekit.labels.levelmap import unused_renames
from judgekit.labels.levels import (
    OFF,
    LevelReader,
    count,
    quoted,
    rename_hint,
    scale_text,
)
from judgekit.rubric.scale import NA, fold

ONLY_RATER = "rater"
"""The rater of all rows in a file without a rater column."""
_SOURCES: dict[str, Source] = {"human": "human", "demonstration": "demonstration"}


class LabelRows:
    """Turns rows into labels, and keeps account of what was assumed and what is wrong.

    Args:
        table: The rows.
        columns: Which column plays which role.
        choice: Which criterion a row is about.
        level_map: Renames of levels.
        raters: Wide form: the columns of the raters; empty for long form.
    """

    def __init__(
        self,
        table: Table,
        columns: Columns,
        choice: CriterionChoice,
        level_map: Mapping[str, str],
        raters: tuple[str, ...],
    ) -> None:
        self.table, self.choice, self.raters, self.level_map = table, choice, raters, level_map
        self._column = {role.key: columns.get(role.key) for role in LABEL_ROLES}
        texts = ("note", "split", "stratum", "case")
        self._texts = [(role, column) for role in texts if (column := self._column[role])]
        self._readers = {c.name: LevelReader(c, level_map) for c in choice.criteria}
        self._problems = Problems()
        self._lines: dict[tuple[str, str, str], int] = {}
        self._blank = 0

    def labels(self) -> tuple[Label, ...]:
        """Return the labels of all rows.

        Raises:
            LabelError: a row cannot be used.
            InputError: no row has a level.
        """
        labels: list[Label] = []
        for row in self.table.rows:
            try:
                labels.extend(self._labels_of(row))
            except RowProblem as problem:
                self._problems.add(problem, row.line)
        self._problems.report(LabelError, self.table.path)
        if not labels:
            self.choice.notes()  # says so when --criterion left out every row
            raise InputError(f"no labels: {self._blanks()}", file=self.table.path)
        return tuple(labels)

    def notes(self) -> list[str]:
        """Return remarks on what was assumed, left out and renamed."""
        notes = self.choice.notes()
        if not self.raters and not self._column["rater"]:
            notes.append(f"no rater column: all rows are by one rater, {ONLY_RATER!r}")
        if self._blank:
            notes.append(f"{self._blanks()} left out as missing")
        for name, reader in self._readers.items():
            where = f"{name}: " if len(self._readers) > 1 else ""
            notes += [where + note for note in reader.notes()]
        return notes + unused_renames(self.level_map, self._readers.values())

    def _blanks(self) -> str:
        return f"{count(self._blank, 'rating' if self.raters else 'row')} without a level"

    def _cell(self, row: Row, role: str) -> Any:
        column = self._column[role]
        return row.values.get(column) if column else None

    def _ratings(self, row: Row) -> list[tuple[str, Any]]:
        """Return (rater, written level): one in long form, one for each rater in wide form."""
        if self.raters:
            return [(name, row.values.get(name)) for name in self.raters]
        rater = ONLY_RATER
        if self._column["rater"]:
            rater = as_text(self._cell(row, "rater")) or ""
        return [(rater, self._cell(row, "level"))]

    def _labels_of(self, row: Row) -> Iterator[Label]:
        ratings = self._ratings(row)
        given = [(rater, written) for rater, written in ratings if not is_blank(written)]
        self._blank += len(ratings) - len(given)
        if not given:
            return
        item = as_id(self._cell(row, "item"))
        if item is None:
            raise RowProblem("item", "the row has a level and no item id")
        criterion = self.choice.of(item, row.values)
        if criterion is None:
            return
        reader, rest = self._readers[criterion.name], self._rest(row)
        for rater, written in given:
            if not rater:
                raise RowProblem("rater", "the row has a level and no rater")
            level = reader.read(written)
            if level is OFF:
                raise off_scale(reader, written)
            self._refuse_second(row.line, item, criterion.name, rater)
            yield Label(item=item, criterion=criterion.name, rater=rater, level=level, **rest)

    def _refuse_second(self, line: int, item: str, criterion: str, rater: str) -> None:
        """Refuse a second label of one rater for one item and criterion."""
        key = (item, criterion, rater)
        first = self._lines.get(key)
        if first is None:
            self._lines[key] = line
            return
        by = f" by {rater!r}" if self._column["rater"] or self.raters else ""
        hint = "Keep one of the rows."
        if not by:
            hint = "If two people gave them, say which column names them: --rater-column NAME"
        message = f"item {item!r} is labelled twice{by} (lines {first} and {line})"
        raise RowProblem("duplicate", message, hint)

    def _rest(self, row: Row) -> dict[str, Any]:
        """Return the optional parts of a label."""
        rest: dict[str, Any] = {"line": row.line}
        for role, column in self._texts:
            rest[role] = as_text(row.values.get(column))
        if written := as_text(self._cell(row, "source")):
            rest["source"] = _source(written)
        try:
            rest["weight"] = as_weight(self._cell(row, "weight"))
        except ValueError:
            shown = quoted(self._cell(row, "weight"))
            raise RowProblem("weight", f"weight {shown} is not a positive number") from None
        return rest


def off_scale(reader: LevelReader, written: Any) -> RowProblem:
    """Return what to say of a level that is not on the scale."""
    if isinstance(written, str) and fold(written) == NA:
        name = reader.criterion.name
        message = f'level "{written.strip()}": {name!r} has no "not_applicable" in the rubric'
        hint = "Nothing was read or written. To set such rows aside: --level-map na=na"
        return RowProblem("na", message, hint)
    near = reader.suggestion(written)
    scale = scale_text(reader.criterion.scale)
    message = f"level {quoted(written)} is not on the scale ({scale})"
    message += f'. Did you mean "{near}"?' if near else ""
    return RowProblem("level", message, rename_hint(written, near))


def _source(written: str) -> Source:
    """Return who wrote a label; refuse a model."""
    name = fold(written)
    if name in _SOURCES:
        return _SOURCES[name]
    if name == "model":
        message = 'source "model": labels made by a model never calibrate a judge'
        hint = "Leave these rows out. To measure that model as a judge: --judgments FILE"
        raise RowProblem("model", message, hint)
    near = suggest(written, [*_SOURCES, "model"])
    message = f"source {quoted(written)} is none of {', '.join(_SOURCES)}, model"
    hint = f'Did you mean "{near}"?' if near else "Labels by people have the source human."
    raise RowProblem("source", message, hint)
