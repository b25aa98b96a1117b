"""Writing down which labelled cases are for train, for dev and for the test."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from judgekit.api.material import ReadOptions
from judgekit.errors import InputError
from judgekit.importers.columns import share_options
from judgekit.importers.items import read_item_set
from judgekit.importers.labelsheet import LabelSheet, read_label_sheet
from judgekit.importers.newcolumn import with_column
from judgekit.importers.table import read_table
from judgekit.importers.text import load_text
from judgekit.labels.split import PARTS, SHARES, Shares, assign
from judgekit.labels.split_result import LevelCount, SplitResult
from judgekit.rubric.scale import spelling
from judgekit.storage.disk import check_output, write_text


def split_labels(
    labels: str | Path,
    out: str | Path,
    *,
    items: str | Path | None = None,
    options: ReadOptions | None = None,
    shares: Shares = SHARES,
    seed_name: str = "",
) -> SplitResult:
    """Write a label file again with the part of each row: train, dev or test.

    The hash of its name tells the part of a case; then as few cases as it takes are moved, those
    nearest a border, so that each level has its shares in every part. Where the file has a split
    column, cases keep what it says, and only new ones are dealt: add labels to the file that was
    written. Everything else in the file stays as it is.

    Args:
        labels: The label file: CSV, JSONL or a JSON list; levels need not be on any scale.
        out: The file to write, in the same form.
        items: The items, where only they name the cases.
        options: How the files are to be read.
        shares: What share is for what.
        seed_name: Another name gives another split.

    Raises:
        InputError: a file cannot be used, or the output would replace one; nothing was written.
        LabelError: an item is in two cases, or a case in two parts.
    """
    check_output(out, labels, items)
    _same_form(Path(labels), Path(out))
    options = options or ReadOptions()
    tables = [read_table(path) for path in (labels, items) if path is not None]
    columns = share_options(options.columns, tables)
    cases = {}
    if items is not None:
        cases = {i.id: i.case for i in read_item_set(tables[1], columns=columns[1]).items}
    raters = options.rater_columns
    sheet = read_label_sheet(tables[0], columns[0], rater_columns=raters, cases=cases)
    known = sheet.known()
    parts = assign(
        sheet.levels_of_cases(), known, balanced=True, shares=shares, seed_name=seed_name
    )
    column = sheet.columns.get("split") or "split"
    values = [None if row.case is None else parts[row.case] for row in sheet.rows]
    text = with_column(load_text(labels), sheet.table, column, values)
    write_text(Path(out), _mark(Path(labels)) + text)
    return SplitResult(
        file=str(labels),
        out=str(out),
        column=column,
        shares=shares,
        seed_name=seed_name,
        cases=_counted(parts.values()),
        items=_counted(parts[case] for case in sheet.case_of.values()),
        levels=_levels(sheet, parts),
        kept=len(known),
        notes=(*sheet.table.notes, *sheet.columns.notes, *_kept_notes(known)),
    )


def _same_form(labels: Path, out: Path) -> None:
    """Refuse a name that says another form than the label file has."""
    if out.suffix.lower() != labels.suffix.lower():
        raise InputError(
            f"the rows are written as they are in {labels.name}, not in another form",
            hint=f"name the output {out.with_suffix(labels.suffix).name}",
            file=str(out),
        )


def _mark(path: Path) -> str:
    """Return the byte order mark that a file begins with, or nothing."""
    with path.open("rb") as file:
        return codecs.BOM_UTF8.decode() if file.read(3) == codecs.BOM_UTF8 else ""


def _counted(parts: Iterable[str]) -> dict[str, int]:
    counts = Counter(parts)
    return {part: counts[part] for part in dict.fromkeys((*PARTS, *sorted(counts)))}


def _levels(sheet: LabelSheet, parts: Mapping[str, str]) -> tuple[LevelCount, ...]:
    """Return the labels of each level in each part, in order of first appearance."""
    counts: dict[tuple[str | None, str], list[str]] = {}
    names: dict[tuple[str | None, str], str] = {}
    for row in sheet.rows:
        if row.case is None:
            continue
        for criterion, level in row.levels:
            names.setdefault((criterion, spelling(level)), level)
            counts.setdefault((criterion, spelling(level)), []).append(parts[row.case])
    return tuple(LevelCount(key[0], names[key], _counted(found)) for key, found in counts.items())


def _kept_notes(known: Mapping[str, str]) -> list[str]:
    strange = sorted(set(known.values()) - set(PARTS))
    return [f"split {name!r} is none of {', '.join(PARTS)}: kept as it is" for name in strange]
