"""The same file with one column filled in: every other byte stays as it was."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence

from judgekit.importers.csvrows import DELIMITERS
from judgekit.importers.jsonrows import BLANKS
from judgekit.importers.table import Table

_BETWEEN = BLANKS + ",[]"
"""What stands between the objects of JSON Lines, and of one list."""


def with_column(text: str, table: Table, column: str, values: Sequence[str | None]) -> str:
    """Return the text of a table with a value in each row of one column.

    The column is added at the end of rows that lack it. A cell that says something is left alone,
    and so is a row whose value is None.

    Args:
        text: The text the table was read from.
        table: Its rows.
        column: The column, new or known.
        values: The value of each row.
    """
    if table.header_line is None:
        return _in_json(text, table, column, values)
    return _in_csv(text, table, column, values)


def _in_csv(text: str, table: Table, column: str, values: Sequence[str | None]) -> str:
    delimiter = _delimiter(text, table)
    rest, place, out = iter(values), None, []
    header = None
    for raw, cells in _records(text, delimiter):
        if not any(cell.strip() for cell in cells):
            out.append(raw)
        elif header is None:
            header = [cell.strip() for cell in cells]
            place = header.index(column) if column in header else None
            out.append(raw if place is not None else _appended(raw, column, delimiter))
        else:
            value = next(rest)
            if place is None:
                out.append(_appended(raw, value or "", delimiter))
            elif value is None or cells[place].strip():
                out.append(raw)
            else:
                out.append(_replaced(raw, place, value, delimiter))
    return "".join(out)


def _delimiter(text: str, table: Table) -> str:
    """Return the delimiter that the columns were told apart by."""
    for delimiter in DELIMITERS:
        for _, cells in _records(text, delimiter):
            if any(cell.strip() for cell in cells):
                if tuple(name for cell in cells if (name := cell.strip())) == table.columns:
                    return delimiter
                break
    return DELIMITERS[0]


def _records(text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each record as it stands in the file, and its cells."""
    lines = list(io.StringIO(text, newline=""))
    reader, start = csv.reader(lines, delimiter=delimiter), 0
    for cells in reader:
        yield "".join(lines[start : reader.line_num]), cells
        start = reader.line_num


def _appended(raw: str, value: str, delimiter: str) -> str:
    body = raw.rstrip("\r\n")
    return f"{body}{delimiter}{_cell(value, delimiter)}{raw[len(body) :]}"


def _replaced(raw: str, place: int, value: str, delimiter: str) -> str:
    """Put a value in the place of one cell of a record."""
    body, sign = raw.rstrip("\r\n"), re.escape(delimiter)
    cell = rf'(?:"(?:[^"]|"")*"|(?!")[^{sign}]*)'
    found = re.match(rf"((?:{cell}{sign}){{{place}}}){cell}", body)
    if found is None:
        raise ValueError(f"the record has no cell {place}: {raw!r}")
    return found[1] + _cell(value, delimiter) + raw[found.end() :]


def _cell(value: str, delimiter: str) -> str:
    if any(sign in value for sign in (delimiter, '"', "\r", "\n")):
        doubled = value.replace('"', '""')
        return f'"{doubled}"'
    return value


def _in_json(text: str, table: Table, column: str, values: Sequence[str | None]) -> str:
    out, behind = [], 0
    for (start, end), value in zip(_objects(text, len(table.rows)), values, strict=True):
        out += [text[behind:start], _with_key(text[start:end], column, value)]
        behind = end
    return "".join([*out, text[behind:]])


def _objects(text: str, count: int) -> Iterator[tuple[int, int]]:
    """Yield where each object of the file begins and ends; the table has shown that it is JSON."""
    decoder, position = json.JSONDecoder(), 0
    for _ in range(count):
        while text[position] in _BETWEEN:
            position += 1
        end = decoder.raw_decode(text, position)[1]
        yield position, end
        position = end


def _with_key(written: str, key: str, value: str | None) -> str:
    known = json.loads(written)
    if value is None or str(known.get(key) or "").strip():
        return written
    told = json.dumps(value, ensure_ascii=False)
    if key in known:
        return _with_value(written, {**known, key: value}, key, told)
    inner = written[:-1].rstrip(BLANKS)
    gap = " " if '": ' in written or '":' not in written else ""
    comma = "" if inner.endswith("{") else f",{gap}"
    return f"{inner}{comma}{json.dumps(key, ensure_ascii=False)}:{gap}{told}{written[len(inner) :]}"


def _with_value(written: str, wanted: dict[str, object], key: str, told: str) -> str:
    """Put a value in the place of null or blanks; written anew where it cannot be found."""
    name = re.escape(json.dumps(key, ensure_ascii=False))
    for found in re.finditer(rf'{name}\s*:\s*(null|"\s*")', written):
        changed = written[: found.start(1)] + told + written[found.end(1) :]
        if json.loads(changed) == wanted:
            return changed
    return json.dumps(wanted, ensure_ascii=False)
