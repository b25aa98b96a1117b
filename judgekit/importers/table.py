"""Any table of rows: CSV, JSONL or a JSON list, told apart by name and first character."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judgekit.errors import InputError
from judgekit.importers.csvrows import csv_rows
from judgekit.importers.jsonrows import BLANKS, is_broken, json_lines, json_list, mend
from judgekit.importers.row import Row
from judgekit.importers.text import load_text

__all__ = ["File", "Row", "Table", "read_table"]

_JSON_LINES = {".jsonl", ".ndjson"}
_JSON = {".json", *_JSON_LINES}


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file.

    Attributes:
        path: The file as the user named it.
        columns: Column names, in order of first appearance.
        rows: The rows; a JSON row holds only the keys it has.
        notes: Remarks for people.
        header_line: The line of the CSV header; None for JSON.
    """

    path: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    header_line: int | None = None


File = str | os.PathLike[str] | Table
"""What the readers take: a path, or the table read from one."""


def read_table(path: File) -> Table:
    """Return the rows of a CSV, JSONL or JSON file; a table is returned as it is.

    Raises:
        InputError: with file, line where there is one, and the way out.
    """
    if isinstance(path, Table):
        return path
    file = os.fspath(path)
    text = load_text(file)
    suffix = Path(file).suffix.lower()
    first = text.lstrip(BLANKS)[:1]
    if suffix in {".csv", ".tsv"} or (suffix not in _JSON and first not in {"{", "["}):
        line, columns, csv_table = csv_rows(file, text)
        return Table(file, columns, csv_table, header_line=line)
    one_list = suffix not in _JSON_LINES and not _has_object_lines(text)
    return _from_json(file, text, (json_list if one_list else json_lines)(file, text))


def _has_object_lines(text: str) -> bool:
    """Tell JSON Lines under another name from a list or from one object spread over lines."""
    start = text.lstrip(BLANKS)
    return start.startswith("{") and start.partition("\n")[0].rstrip(BLANKS).endswith("}")


def _from_json(file: str, text: str, found: Iterator[Row]) -> Table:
    rows, notes = list(found), []
    if not rows:
        raise InputError("the file holds no rows", file=file)
    if "\\ud" in text or "\\uD" in text:
        notes = _mend(rows)
    columns: dict[str, None] = {}
    for row in rows:
        columns.update(dict.fromkeys(row.values))
    unnamed = {name for name in columns if not name.strip()}
    for row in rows if unnamed else ():
        if any(row.values.pop(name, None) not in (None, "") for name in unnamed):
            raise InputError("a value has no name", file=file, line=row.line)
    named = tuple(name for name in columns if name not in unnamed)
    return Table(file, named, tuple(rows), tuple(notes))


def _mend(rows: list[Row]) -> list[str]:
    """Put U+FFFD where a row holds half a surrogate pair, and return a note about it."""
    broken = [i for i, row in enumerate(rows) if is_broken(row.values)]
    for index in broken:
        rows[index] = Row(rows[index].line, mend(rows[index].values))
    if not broken:
        return []
    lines = f"line {rows[broken[0]].line}; rows: {len(broken)}"
    return [f"half a surrogate pair was read as U+FFFD ({lines})"]
