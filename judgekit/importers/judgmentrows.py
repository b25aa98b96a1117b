"""One pass over the rows of a file of recorded judgments."""

from __future__ import annotations

from collections import Counter
from typing import Any

from judgekit.errors import InputError, UnknownName
from judgekit.importers.cells import as_id, as_text, is_blank
from judgekit.importers.columns import Columns
from judgekit.importers.criteria import CriterionChoice
from judgekit.importers.problems import Problems, RowProblem
from judgekit.importers.recorded import Order, Recorded
from judgekit.importers.roles import JUDGMENT_ROLES
from judgekit.importers.row import Row
from judgekit.importers.table import Table
from judgekit.labels.levels import count, quoted

_ORDERS: dict[str, Order] = {"AB": "AB", "BA": "BA"}


class JudgmentRows:
    """Turns rows into recorded judgments of one judge.

    Args:
        table: The rows.
        columns: Which column plays which role.
        choice: Which criterion a row is about.
    """

    def __init__(self, table: Table, columns: Columns, choice: CriterionChoice) -> None:
        self.table, self.choice = table, choice
        self._column = {role.key: columns.get(role.key) for role in JUDGMENT_ROLES}
        self._judge_role = "judge" if self._column["judge"] else "model"
        self._judge: str | None = None
        self._lines: dict[tuple[object, ...], int] = {}
        self._problems = Problems()
        self._others = self._unread_orders = 0

    def choose(self, judge_id: str | None) -> str | None:
        """Return the judge whose rows are read: the one asked for, or the only one.

        Raises:
            UnknownName: the file has no such judge.
            InputError: the file mixes judges, or names none.
        """
        there = Counter(self._judge_of(row) for row in self.table.rows)
        if judge_id is None and len(there) > 1:
            names = [f"{name or '(blank)'} ({count(n, 'row')})" for name, n in there.items()]
            raise InputError(
                f"the file mixes {len(there)} judges: {', '.join(names)}",
                hint=f"Say which: --judge-id {next(filter(None, there))!r}",
                file=self.table.path,
            )
        if judge_id is not None and judge_id not in there:
            known = [name for name in there if name is not None]
            hint = None if known else "The file has no judge column: leave --judge-id out."
            raise UnknownName("judge", judge_id, known, file=self.table.path, hint=hint)
        self._judge = judge_id if judge_id is not None else next(iter(there))
        self._others = len(self.table.rows) - there[self._judge]
        return self._judge

    def recorded(self) -> tuple[Recorded, ...]:
        """Return the rows of the chosen judge and the chosen criteria.

        Raises:
            InputError: a row cannot be used; the first, and how many more there are.
        """
        rows: list[Recorded] = []
        for row in self.table.rows:
            if self._judge_of(row) != self._judge:
                continue
            try:
                found = self._recorded(row)
            except RowProblem as problem:
                self._problems.add(problem, row.line)
            else:
                rows += [found] if found else []
        self._problems.report(InputError, self.table.path)
        return tuple(rows)

    def notes(self) -> list[str]:
        """Return remarks on what was left out."""
        notes = self.choice.notes()
        if self._others:
            notes.append(f"{count(self._others, 'row')} of other judges left out")
        if self._unread_orders:
            notes.append("the order column says nothing here: the scale is not pairwise")
        return notes

    def _judge_of(self, row: Row) -> str | None:
        return as_text(self._cell(row, self._judge_role))

    def _cell(self, row: Row, role: str) -> Any:
        column = self._column[role]
        return row.values.get(column) if column else None

    def _recorded(self, row: Row) -> Recorded | None:
        """Return the row as a recorded judgment, or None when its criterion is not asked for."""
        item = as_id(self._cell(row, "item"))
        if item is None:
            raise RowProblem("item", "the row has no item id")
        criterion = self.choice.of(item, row.values)
        if criterion is None:
            return None
        level = self._cell(row, "level")
        found = Recorded(
            item=item,
            criterion=criterion.name,
            level_written=None if is_blank(level) else level,
            raw=self._raw(row),
            replicate=self._replicate(row),
            judge=self._judge,
            model=as_text(self._cell(row, "model")),
            order=self._order(row, is_pairwise=criterion.scale.kind == "pairwise"),
            reason=as_text(self._cell(row, "reason")),
            line=row.line,
        )
        self._refuse_second(found, row.line)
        return found

    def _raw(self, row: Row) -> str | None:
        """Return the reply unchanged; an empty CSV cell is no reply, an empty JSON text is one."""
        value = self._cell(row, "raw")
        if isinstance(value, str):
            return None if not value and self.table.header_line is not None else value
        return as_text(value)

    def _replicate(self, row: Row) -> int:
        text = as_text(self._cell(row, "replicate")) or "0"
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise RowProblem("replicate", f"replicate {quoted(text)} is no whole number from 0 on")
        return int(text)

    def _order(self, row: Row, *, is_pairwise: bool) -> Order | None:
        text = as_text(self._cell(row, "order"))
        if text is None:
            return None
        if not is_pairwise:
            self._unread_orders += 1
            return None
        order = _ORDERS.get(text.upper())
        if order is None:
            raise RowProblem("order", f"order {quoted(text)} is neither AB nor BA")
        return order

    def _refuse_second(self, found: Recorded, line: int) -> None:
        """Refuse a second judgment of one item, criterion, replicate and order."""
        key = (found.item, found.criterion, found.replicate, found.order)
        first = self._lines.get(key)
        if first is None:
            self._lines[key] = line
            return
        parts = (found.judge and f"by {found.judge!r}", found.order and f"in order {found.order}")
        what = "".join(f" {part}" for part in parts if part)
        message = f"item {found.item!r} is judged twice{what} (lines {first} and {line})"
        hint = "Keep one of the rows, or number them in a column 'replicate'."
        raise RowProblem("duplicate", message, hint)
