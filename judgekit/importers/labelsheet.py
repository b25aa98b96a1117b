"""A label file read for its cases: levels are taken as they are written, on no scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judgekit.errors import InputError, LabelError
from judgekit.importers.cells import as_id, as_text, is_blank
from judgekit.importers.columns import ColumnOptions, Columns, find_columns
from judgekit.importers.roles import LABEL_ROLES
from judgekit.importers.row import Row
from judgekit.importers.table import Table
from judgekit.labels.levels import written_text
from judgekit.rubric.scale import spelling

Level = tuple[str | None, str]
"""A criterion, where the file names one, and a level as it is written."""


class SheetRow(NamedTuple):
    """One row: its line, item and case (None without an item), its part, and its levels."""

    line: int
    item: str | None
    case: str | None
    part: str | None
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class LabelSheet:
    """The rows of a label file, and which column was taken for what."""

    table: Table
    columns: Columns
    rows: tuple[SheetRow, ...]

    @property
    def case_of(self) -> dict[str, str]:
        """Return the case of each item."""
        return {row.item: row.case for row in self.rows if row.item and row.case}

    def known(self) -> dict[str, str]:
        """Return the part of each case that has one.

        Raises:
            LabelError: a case is in two parts.
        """
        first: dict[str, SheetRow] = {}
        for row in self.rows:
            if row.case is None or row.part is None:
                continue
            other = first.setdefault(row.case, row)
            if other.part != row.part:
                raise LabelError(
                    f"case {row.case!r} is in split {other.part!r} (line {other.line}) and in "
                    f"split {row.part!r} (line {row.line})",
                    hint="All items of a case belong in one part.",
                    file=self.table.path,
                    line=row.line,
                )
        return {case: str(row.part) for case, row in first.items()}

    def levels_of_cases(self) -> dict[str, Hashable]:
        """Return the commonest level of each case, for each criterion; nothing where unlabelled."""
        given: dict[str, dict[str | None, Counter[str]]] = {}
        for row in self.rows:
            if row.case is None:
                continue
            mine = given.setdefault(row.case, {})
            for criterion, level in row.levels:
                mine.setdefault(criterion, Counter())[spelling(level)] += 1
        return {
            case: tuple(
                (name, min(levels, key=lambda level: (-levels[level], level)))
                for name, levels in sorted(mine.items(), key=lambda one: str(one[0]))
            )
            for case, mine in given.items()
        }


def read_label_sheet(
    table: Table,
    columns: ColumnOptions,
    *,
    rater_columns: Sequence[str] = (),
    cases: Mapping[str, str | None] | None = None,
) -> LabelSheet:
    """Return the rows of a label file.

    Args:
        table: The file.
        columns: What the column options say.
        rater_columns: Wide form: the columns that hold one rater's levels each.
        cases: The case of each item, where other files name it; else the file's own case column.

    Raises:
        InputError: a column is missing or doubtful.
        LabelError: an item is in two cases.
    """
    for name in rater_columns:
        if name not in table.columns:
            raise InputError(
                f"no column {name!r}",
                hint=f"Columns: {', '.join(table.columns)}",
                file=table.path,
                line=table.header_line,
            )
    roles = [r for r in LABEL_ROLES if not (rater_columns and r.key in {"rater", "level"})]
    found = find_columns(table, roles, columns, reserved=rater_columns)
    level_columns = tuple(rater_columns) or (str(found.get("level")),)
    rows = tuple(_row(row, found, level_columns, cases or {}) for row in table.rows)
    _check_cases(table, rows)
    return LabelSheet(table, found, rows)


def _row(
    row: Row, columns: Columns, level_columns: Sequence[str], cases: Mapping[str, str | None]
) -> SheetRow:
    def cell(role: str) -> object:
        column = columns.get(role)
        return row.values.get(column) if column else None

    item = as_id(cell("item"))
    case = None if item is None else cases.get(item) or as_text(cell("case")) or item
    written = [row.values.get(column) for column in level_columns]
    criterion = as_text(cell("criterion"))
    levels = tuple((criterion, written_text(one)) for one in written if not is_blank(one))
    return SheetRow(row.line, item, case, as_text(cell("split")), levels)


def _check_cases(table: Table, rows: Sequence[SheetRow]) -> None:
    first: dict[str, SheetRow] = {}
    for row in _with_items(rows):
        known = first.setdefault(str(row.item), row)
        if known.case != row.case:
            raise LabelError(
                f"item {row.item!r} is in case {known.case!r} (line {known.line}) "
                f"and in case {row.case!r} (line {row.line})",
                file=table.path,
                line=row.line,
            )


def _with_items(rows: Sequence[SheetRow]) -> Iterator[SheetRow]:
    return (row for row in rows if row.item is not None)
