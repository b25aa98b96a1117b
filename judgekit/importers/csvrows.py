"""Rows from CSV, strictly: a row that does not fit the header is an error with its line."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator

from judgekit.errors import InputError
from judgekit.importers.row import Row

DELIMITERS = ",;\t"


def csv_rows(file: str, text: str) -> tuple[int, tuple[str, ...], tuple[Row, ...]]:
    """Return the header's line, the columns and the rows.

    The delimiter is the one of ``,``, ``;`` and tab that cuts the header into most cells. Rows
    without any text are passed over.

    Raises:
        InputError: a row does not fit the header, or is no CSV; it carries the line.
    """
    # The limit belongs to the whole process, so it is only ever raised.
    if csv.field_size_limit() < sys.maxsize:
        csv.field_size_limit(sys.maxsize)
    if not text.strip(DELIMITERS + '" \r\n'):
        raise InputError("the file has no header, only delimiters", file=file, line=1)
    delimiter = "\t" if file.lower().endswith(".tsv") else _delimiter(text)
    records = _records(file, text, delimiter)
    header_line, header = next(records)
    columns = _header(file, header_line, header)
    unnamed = [i for i, name in enumerate(columns) if not name]
    rows = []
    for line, cells in records:
        if len(cells) != len(columns):
            raise _ragged(file, line, cells, columns, delimiter)
        if unnamed and any(cells[i].strip() for i in unnamed):
            raise _unnamed(file, line)
        rows.append(Row(line, dict(zip(columns, cells, strict=True))))
    if not rows:
        raise InputError("the file has a header and no rows", file=file, line=header_line)
    for row in rows if unnamed else ():
        del row.values[""]
    return header_line, tuple(filter(None, columns)), tuple(rows)


def _delimiter(text: str) -> str:
    """Return the delimiter that cuts the header into most cells; a comma when none does."""

    def cells(delimiter: str) -> int:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        return len(next((row for row in reader if _says_something(row)), []))

    return max(DELIMITERS, key=cells)


def _says_something(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells)


def _records(file: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that is not blank with the line it begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as exc:
            reason = str(exc)
            if "unexpected end" in reason:
                reason = "a quote that opens in this row is never closed"
            hint = 'A quote inside a quoted cell is written twice: "say ""yes"""'
            raise InputError(f"not valid CSV: {reason}", hint=hint, file=file, line=line) from None
        if cells is None:
            return
        if _says_something(cells):
            yield line, cells


def _header(file: str, line: int, header: list[str]) -> list[str]:
    """Return the column names; unnamed columns all become the empty name."""
    columns = [name.strip() for name in header]
    for name, times in Counter(columns).items():
        if name and times > 1:
            hint = "Rename one of them."
            raise InputError(f"the column {name!r} occurs twice", hint=hint, file=file, line=line)
    return columns


def _ragged(
    file: str, line: int, cells: list[str], columns: list[str], delimiter: str
) -> InputError:
    have, want = len(cells), len(columns)
    sign = "tab" if delimiter == "\t" else repr(delimiter)
    more = f"Put text that contains a {sign} in double quotes."
    return InputError(
        f"this row has {have} {'cell' if have == 1 else 'cells'}, the header has {want}",
        hint=more if have > want else "Write a delimiter for each empty cell.",
        file=file,
        line=line,
    )


def _unnamed(file: str, line: int) -> InputError:
    return InputError(
        "a cell stands in a column without a name",
        hint="Name the column in the header (pandas: to_csv(..., index=False)).",
        file=file,
        line=line,
    )
