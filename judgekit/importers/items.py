"""Item files: what is judged, its text fields, its case, and everything else for ``--where``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from judgekit.errors import InputError, LabelError, suggest
from judgekit.importers.columns import ColumnOptions, find_columns
from judgekit.importers.itemrows import ItemRows
from judgekit.importers.roles import ITEM_ROLES
from judgekit.importers.table import File, Table, read_table
from judgekit.judging.item import Item
from judgekit.labels.label import LabelSet

FIELDS = ("input", "output", "output_a", "output_b", "reference", "context")
"""Text fields of an item that are kept whether the rubric shows them or not."""


class ItemSet(NamedTuple):
    """The items of a file, and what was assumed while reading it."""

    items: tuple[Item, ...]
    notes: tuple[str, ...]
    file: str


def read_items(
    path: File,
    *,
    inputs: Sequence[str] = (),
    columns: ColumnOptions | None = None,
) -> list[Item]:
    """Return the items of a file; see `read_item_set`."""
    return list(read_item_set(path, inputs=inputs, columns=columns).items)


def read_item_set(
    path: File,
    *,
    inputs: Sequence[str] = (),
    columns: ColumnOptions | None = None,
    text_apart: bool = False,
) -> ItemSet:
    """Return the items of a file, with notes.

    The columns named in ``inputs``, and those of `FIELDS`, become text fields; all others go to
    the metadata. A list ``outputs`` of two stands for ``output_a`` and ``output_b``. In a file
    shared with labels an item may have several rows, which agree on everything but the label.

    Args:
        path: CSV, JSONL or JSON; or the table already read from it.
        inputs: The fields the rubric shows; every item needs them. Empty for recorded judgments.
        columns: What the column options say.
        text_apart: The command has an option that names another file with the items' text.

    Raises:
        InputError: with file and line.
    """
    table = read_table(path)
    options = columns or ColumnOptions()
    pair = _has_pair(table)
    _need(table, inputs, pair=pair, text_apart=text_apart)
    found = find_columns(table, ITEM_ROLES, options, reserved=inputs)
    of_labels = (options.rater, options.level, options.criterion)
    rows = ItemRows(table, found, fields=(*inputs, *FIELDS), needed=inputs, label_columns=of_labels)
    items = rows.items(pair=pair)
    notes = ["took the two outputs for output_a and output_b"] if pair else []
    notes += rows.notes()
    return ItemSet(items, (*table.notes, *found.notes, *notes), table.path)


def items_from_labels(labels: LabelSet) -> list[Item]:
    """Return bare items, ids and cases only, for labels that come without an items file.

    Raises:
        LabelError: two rows of an item name different cases.
    """
    items: dict[str, Item] = {}
    for label in labels.labels:
        known = items.get(label.item)
        if known is None:
            items[label.item] = Item(id=label.item, fields={}, case=label.case, line=label.line)
        elif known.case != label.case:
            raise LabelError(
                f"item {label.item!r} is in case {known.case!r} (line {known.line}) "
                f"and in case {label.case!r} (line {label.line})",
                file=labels.file,
                line=label.line,
            )
    return list(items.values())


def _has_pair(table: Table) -> bool:
    """Tell whether every row has a list ``outputs`` of two, and no ``output_a`` of its own."""
    if "outputs" not in table.columns or {"output_a", "output_b"} & set(table.columns):
        return False
    lists = (row.values.get("outputs") for row in table.rows)
    return all(isinstance(value, list) and len(value) == 2 for value in lists)


def _need(table: Table, inputs: Sequence[str], *, pair: bool, text_apart: bool) -> None:
    """Refuse a file that lacks a column the rubric shows."""
    have = {*table.columns, *(("output_a", "output_b") if pair else ())}
    for name in inputs:
        if name in have:
            continue
        near = suggest(name, [c for c in table.columns if c not in inputs])
        apart = ", or name the file that has the text: --items FILE" if text_apart else ""
        problem = f"no column {name!r}, which the rubric shows"
        raise InputError(
            f"column {near!r}: did you mean {name!r}?" if near else problem,
            hint=f"The rubric shows {', '.join(inputs)}; the columns are "
            f"{', '.join(table.columns)}. Rename the column here or the input in the rubric{apart}",
            file=table.path,
            line=table.header_line,
        )
