"""Files of recorded judgments, read row by row; levels are left as they were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions, find_columns
from judgekit.importers.criteria import CriterionChoice
from judgekit.importers.judgmentrows import JudgmentRows
from judgekit.importers.recorded import RecordedSet
from judgekit.importers.roles import JUDGMENT_ROLES
from judgekit.importers.table import File, read_table
from judgekit.labels.levelmap import check_level_map
from judgekit.rubric.model import Criterion


def read_judgments(
    path: File,
    criteria: Sequence[Criterion],
    *,
    columns: ColumnOptions | None = None,
    judge_id: str | None = None,
    criterion: str | None = None,
    level_map: Mapping[str, str] | None = None,
    item_criteria: Mapping[str, str] | None = None,
) -> RecordedSet:
    """Return the recorded judgments of one judge.

    The judge is what the ``judge`` column says; without one, what ``model`` says. A level off the
    scale is kept as written: that is the judge's doing, and ends as ``out_of_scale``.

    Args:
        path: JSONL, CSV or JSON; or the table already read from it.
        criteria: The criteria of the rubric.
        columns: What the column options say.
        judge_id: Only this judge; needed when the file mixes judges.
        criterion: Only this criterion. With a rubric of one criterion, the name the file uses.
        level_map: Renames of levels, from ``--level-map``.
        item_criteria: The criterion of each item, for files that have no criterion column.

    Raises:
        UnknownName: the file has no such judge or criterion.
        InputError: the file, a column or a row cannot be used.
    """
    table, renames = read_table(path), dict(level_map or {})
    check_level_map(renames, criteria)
    found = find_columns(table, JUDGMENT_ROLES, columns or ColumnOptions())
    if not (found.get("level") or found.get("raw")):
        raise InputError(
            "no column 'raw' (the judge's reply) and none with levels",
            hint=f"The columns are: {', '.join(table.columns)}. Say which holds the levels: "
            "--level-column NAME",
            file=table.path,
            line=table.header_line,
        )
    choice = CriterionChoice(
        table, found.get("criterion"), criteria, criterion, item_criteria, is_whole=True
    )
    rows = JudgmentRows(table, found, choice)
    judge = rows.choose(judge_id)
    recorded = rows.recorded()
    notes = (*table.notes, *found.notes, *rows.notes())
    return RecordedSet(recorded, judge, renames, notes, table.path)
