"""Label files: long form (a row a label) and wide form (a column a rater)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judgekit.errors import InputError, suggest
from judgekit.importers.columns import ColumnOptions, find_columns
from judgekit.importers.criteria import CriterionChoice
from judgekit.importers.labelrows import LabelRows
from judgekit.importers.roles import LABEL_ROLES
from judgekit.importers.table import File, Table, read_table
from judgekit.labels.label import LabelSet
from judgekit.labels.levelmap import check_level_map
from judgekit.labels.levels import OFF, LevelReader
from judgekit.rubric.model import Criterion


def read_labels(  # noqa: PLR0913  (each is an option of the command line)
    path: File,
    criteria: Sequence[Criterion],
    *,
    columns: ColumnOptions | None = None,
    level_map: Mapping[str, str] | None = None,
    rater_columns: Sequence[str] = (),
    criterion: str | None = None,
    inputs: Sequence[str] = (),
    item_criteria: Mapping[str, str] | None = None,
) -> LabelSet:
    """Return the labels of a file.

    A row without a level is a missing label: it is left out and counted in the notes.

    Args:
        path: CSV, JSONL or JSON; or the table already read from it.
        criteria: The criteria of the rubric.
        columns: What the column options say.
        level_map: Renames of levels, from ``--level-map``.
        rater_columns: Wide form: the columns that hold one rater's levels each.
        criterion: Only this criterion. With a rubric of one criterion, the name the file uses.
        inputs: Item text columns that share the file; no other role is guessed for them.
        item_criteria: The criterion of each item, for files that have no criterion column.

    Raises:
        LabelError: a row cannot be used; the first such row, and how many more there are.
        InputError: the file or a column cannot be used.
    """
    table, renames = read_table(path), level_map or {}
    check_level_map(renames, criteria)
    raters = _wide(table, rater_columns)
    roles = [r for r in LABEL_ROLES if not (raters and r.key in {"rater", "level"})]
    reserved = [*inputs, *raters]
    readers = [LevelReader(c, renames) for c in criteria]
    found = find_columns(
        table,
        roles,
        columns or ColumnOptions(),
        reserved=reserved,
        is_level=lambda written: any(reader.read(written) is not OFF for reader in readers),
    )
    choice = CriterionChoice(table, found.get("criterion"), criteria, criterion, item_criteria)
    rows = LabelRows(table, found, choice, renames, raters)
    labels = rows.labels()
    return LabelSet(labels, (*table.notes, *found.notes, *rows.notes()), table.path)


def _wide(table: Table, raters: Sequence[str]) -> tuple[str, ...]:
    """Return the names of ``--rater-columns``, each found in the file and named once."""
    for name in raters:
        if name in table.columns and raters.count(name) == 1:
            continue
        problem, hint = f"--rater-columns names {name!r} twice", "Name each rater once."
        if name not in table.columns:
            near = suggest(name, table.columns)
            problem = f"no column {name!r}"
            hint = f"Did you mean {near!r}?" if near else f"Columns: {', '.join(table.columns)}"
        raise InputError(problem, hint=hint, file=table.path, line=table.header_line)
    return tuple(raters)
