"""One pass over the rows of an item file."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from judgekit.errors import InputError
from judgekit.importers.cells import as_id, as_text
from judgekit.importers.columns import Columns
from judgekit.importers.messages import NotText, as_field
from judgekit.importers.pictures import with_pictures
from judgekit.importers.roles import CASE, ITEM, LABEL_ROLES
from judgekit.importers.row import Row
from judgekit.importers.spelling import bare
from judgekit.importers.table import Table
from judgekit.judging.item import Item, Text

LABEL_PARTS = frozenset(
    bare(name)
    for role in LABEL_ROLES
    if role not in {ITEM, CASE}
    for name in (*role.names, *role.others)
)
"""Columns in which the rows of one item differ, where labels share the file."""


class ItemRows:
    """Turns rows into items.

    Args:
        table: The rows.
        columns: Which column is the id and which the case.
        fields: The columns that are item text.
        needed: Those of them that every item must have.
        label_columns: Columns that an option says are of the labels.
    """

    def __init__(
        self,
        table: Table,
        columns: Columns,
        *,
        fields: Iterable[str],
        needed: Iterable[str],
        label_columns: Container[str | None] = (),
    ) -> None:
        self.table, self.fields = table, frozenset(fields)
        self.needed = tuple(dict.fromkeys(needed))
        self.id_column, self.case_column = columns.by_role["item"], columns.get("case")
        self.own = {*self.fields, self.case_column}
        self.label_parts = {
            c for c in table.columns if bare(c) in LABEL_PARTS or c in label_columns
        }
        self.varying: set[str] = set()

    def items(self, *, pair: bool) -> tuple[Item, ...]:
        """Return the items in file order.

        Args:
            pair: The list ``outputs`` stands for ``output_a`` and ``output_b``.

        Raises:
            InputError: a row is no item; it carries the line.
        """
        first: dict[str, Row] = {}
        for row in self.table.rows:
            item = as_id(row.values.get(self.id_column))
            if item is None:
                raise self._error(row, f"the row has no item id (column {self.id_column!r})")
            known = first.setdefault(item, row)
            if known is not row:
                self._collapse(item, known, row)
        return tuple(
            self.item(item, self._spread(row) if pair else row) for item, row in first.items()
        )

    def notes(self) -> list[str]:
        """Return a remark on the columns that are no property of the items."""
        if not self.varying:
            return []
        names = ", ".join(sorted(self.varying))
        return [f"several rows an item: {names} belong to the labels, not to the items"]

    def _collapse(self, item: str, first: Row, row: Row) -> None:
        """Take a row for another label of the item, if it differs in nothing of the item's own."""
        differ = {c for c in self.table.columns if first.values.get(c) != row.values.get(c)}
        problem = f"item {item!r} occurs twice (lines {first.line} and {row.line})"
        own = sorted(c for c in differ if c in self.own)
        if own:
            problem += f" and differs in {own[0]!r}"
        if own or not differ & self.label_parts:
            raise self._error(row, problem, "Every item needs an id of its own.")
        self.varying |= differ

    def _spread(self, row: Row) -> Row:
        """Return the row with ``outputs`` as ``output_a`` and ``output_b``."""
        values = {k: v for k, v in row.values.items() if k != "outputs"}
        values["output_a"], values["output_b"] = row.values["outputs"]
        return Row(row.line, values)

    def item(self, item: str, row: Row) -> Item:
        """Return one item."""
        fields: dict[str, Text] = {}
        rest: dict[str, Any] = {}
        wanted, known = self.fields, self.id_column
        for name, value in row.values.items():
            if name in wanted:
                if type(value) is str:
                    fields[name] = value
                    continue
                text = self.text(name, value, item, row.line)
                if text is not None:
                    fields[name] = text
                    continue
            if name != known:
                rest[name] = value
        for name in self.needed:
            if name not in fields:
                raise self._error(row, f"item {item!r} has no {name!r}, which the rubric shows")
        case = as_text(row.values.get(self.case_column)) if self.case_column else None
        about = self._metadata(rest) if rest else rest
        return Item(id=item, fields=fields, case=case, metadata=about, line=row.line)

    def text(self, name: str, value: Any, item: str, line: int) -> Text | None:
        """Return the text of one field; None for what is none where no judge is shown it.

        Raises:
            InputError: it is none and the rubric shows it, or a part of it cannot be shown.
        """
        try:
            text = as_field(name, value)
        except NotText as exc:
            if name not in self.needed:
                return None
            raise InputError(str(exc), hint=exc.hint, file=self.table.path, line=line) from None
        if isinstance(text, str) or name not in self.needed:
            return text
        return with_pictures(text, f"{name!r} of item {item!r}", self.table.path, line)

    def _metadata(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the other columns of an item; an object called ``metadata`` is opened."""
        rest = {k: v for k, v in values.items() if k not in self.varying}
        inner = rest.get("metadata")
        if isinstance(inner, dict):
            del rest["metadata"]
            rest = {**inner, **rest}
        return {k: v for k, v in rest.items() if k.strip()}

    def _error(self, row: Row, message: str, hint: str | None = None) -> InputError:
        """Return an error that names the row."""
        return InputError(message, hint=hint, file=self.table.path, line=row.line)
