"""Item files too large to hold: checked whole first, then read a line at a time.

Only plain JSONL is read this way: one object a line, ids that differ, nothing unusual. Any other
file, and any file with a problem, is left to the ordinary reader, which knows every form and says
what is wrong with which line.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.errors import InputError
from judgekit.importers.cells import as_id
from judgekit.importers.columns import ColumnOptions, find_columns
from judgekit.importers.itemrows import ItemRows
from judgekit.importers.items import FIELDS, read_items
from judgekit.importers.roles import ITEM_ROLES
from judgekit.importers.row import Row
from judgekit.importers.table import Table
from judgekit.judging.item import Item

SMALL = 4 * 1024 * 1024
"""Files up to this many bytes are read whole."""

_LINES = {".jsonl", ".ndjson"}


class _Plan(NamedTuple):
    """What the first pass over a file found out."""

    items: int
    rows: ItemRows


class ItemFile:
    """The items of a file, as often as wanted; a large one is never held whole.

    Everything that makes a file unusable is found when this is made: nothing is asked about the
    first item of a file whose last line is broken.

    Args:
        path: The file.
        inputs: The fields the rubric shows; every item needs them.
        limit: Only the first so many items.

    Raises:
        InputError: with file and line.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, inputs: Sequence[str], limit: int | None = None
    ) -> None:
        self.path, self._inputs, self._limit = os.fspath(path), tuple(inputs), limit
        self._plan = _survey(self.path, self._inputs) if _is_large(self.path) else None
        self._items = [] if self._plan else read_items(self.path, inputs=inputs)[:limit]

    def __len__(self) -> int:
        if self._plan is None:
            return len(self._items)
        return self._plan.items if self._limit is None else min(self._limit, self._plan.items)

    def __iter__(self) -> Iterator[Item]:
        if self._plan is None:
            yield from self._items
            return
        for number, item in enumerate(self._read(self._plan.rows)):
            if number == self._limit:
                return
            yield item

    def _read(self, rows: ItemRows) -> Iterator[Item]:
        """Yield the items of a large file."""
        column = rows.id_column
        for line, values in _objects(self.path):
            name = values.get(column)
            if type(name) is not str or name != name.strip():
                name = as_id(name)
            if name is None:
                raise InputError("the file changed while it was read", file=self.path, line=line)
            yield rows.item(name, Row(line, values))


def _is_large(path: str) -> bool:
    file = Path(path)
    try:
        return file.suffix.lower() in _LINES and file.is_file() and file.stat().st_size > SMALL
    except (OSError, ValueError):
        return False


def _survey(path: str, inputs: tuple[str, ...]) -> _Plan | None:
    """Check every line; return how the items are read, or None to leave it to another reader."""
    columns: dict[str, None] = {}
    ids = array("q")
    rows: ItemRows | None = None
    try:
        for line, values in _objects(path):
            if not values.keys() <= columns.keys():
                columns.update(dict.fromkeys(values))
                rows = _rows(path, tuple(columns), inputs)
            name = None if rows is None else values.get(rows.id_column)
            if type(name) is not str or name != name.strip() or not name:
                name = as_id(name)
            if rows is None or name is None:
                return None
            for field in inputs:
                if type(values.get(field)) is not str:
                    rows.text(field, values.get(field), name, line)
            ids.append(hash(name))
    except (InputError, ValueError, OSError):
        return None
    if rows is None or any(a == b for a, b in pairwise(sorted(ids))):
        return None
    return _Plan(len(ids), rows)


def _rows(path: str, columns: tuple[str, ...], inputs: tuple[str, ...]) -> ItemRows | None:
    """Return how rows with these columns become items, or None where that takes more."""
    if "outputs" in columns or any(not name.strip() for name in columns):
        return None
    table = Table(path, columns, ())
    found = find_columns(table, ITEM_ROLES, ColumnOptions(), reserved=inputs)
    if found.notes:
        return None
    return ItemRows(table, found, fields=(*inputs, *FIELDS), needed=inputs)


def _objects(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object of each line that is not blank.

    Raises:
        ValueError: a line that the ordinary reader has to look at.
    """
    from orjson import loads

    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.isspace():
                continue
            values = loads(line)
            # A key that stands twice has two colons: only then can there be more than keys.
            if type(values) is not dict or line.count(b'":') != len(values):
                values = _strictly(line.decode(), path)
            yield number, values


def _strictly(line: str, path: str) -> dict[str, Any]:
    """Return the object of a line that holds nested objects, or texts with such colons."""
    from judgekit.importers.jsonrows import json_lines

    (row,) = json_lines(path, line.rstrip("\n"))
    return row.values
