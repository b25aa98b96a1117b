"""How a label file was split, as a person reads it and as JSON."""

from __future__ import annotations

from shlex import quote
from typing import Any

from judgekit.labels.split_result import ADVISED, LEAST, LevelCount, SplitResult
from judgekit.reports.words import count, labelled, listed, table, wrapped


def split_json(result: SplitResult) -> dict[str, Any]:
    """Return the document of ``split --json`` (judgekit.split/1)."""
    return {
        "format": "judgekit.split/1",
        "file": result.file,
        "out": result.out,
        "column": result.column,
        "shares": result.shares._asdict(),
        "seed_name": result.seed_name,
        "cases": dict(result.cases),
        "items": dict(result.items),
        "kept": result.kept,
        "levels": [
            {"criterion": one.criterion, "level": one.level, "labels": dict(one.labels)}
            for one in result.levels
        ],
        "warnings": _warnings(result),
        "notes": list(result.notes),
    }


def split_lines(result: SplitResult, reading: str = "") -> list[str]:
    """Return the report: the parts, the labels of each level in them, and what to do next.

    ``reading`` are the options that say how the labels are read, each behind a space.
    """
    parts, cases, items = list(result.cases), result.cases, result.items
    several = len({one.criterion for one in result.levels}) > 1
    rows = [["labels", *parts]]
    rows += [
        [_name(one, several=several), *(f"{one.labels.get(part, 0):,}" for part in parts)]
        for one in result.levels
    ]
    told = ", ".join(f"{cases[part]:,} {part}" for part in parts)
    first = f"Split {count(sum(cases.values()), 'case')} ({count(sum(items.values()), 'item')}): "
    placed = sum(cases.values()) - result.kept
    how = f"{count(placed, 'case')} placed by hash, evened out by level"
    if result.kept:
        how = f"{count(result.kept, 'case')} kept, {placed:,} new"
    lines = [*wrapped(f"{first}{told}.  {how}."), "", *table(rows, right=range(1, len(parts) + 1))]
    lines.append("")
    for text in _warnings(result):
        lines += labelled("Warning", text)
    lines += labelled("Wrote", f"{result.out}: the same rows, with the column {result.column!r}")
    command = f"judgekit calibrate JUDGE --labels {quote(result.out)}{reading} --split test"
    return lines + labelled("Next", command)


def _name(one: LevelCount, *, several: bool) -> str:
    return f"{one.criterion}: {one.level}" if several else one.level


def _warnings(result: SplitResult) -> list[str]:
    """Return which levels have too few labels in the test, and which parts are empty."""
    several = len({one.criterion for one in result.levels}) > 1
    thin = [(one.labels["test"], _name(one, several=several)) for one in result.thin]
    few = [f"{name} ({n})" for n, name in thin if n < LEAST]
    some = [f"{name} ({n})" for n, name in thin if n >= LEAST]
    told = []
    if few:
        told.append(f"fewer than {LEAST} labels in test: {listed(few)}; {ADVISED} are recommended.")
    if some:
        told.append(f"fewer than the {ADVISED} recommended in test: {listed(some)}.")
    empty = [part for part, share in result.shares._asdict().items() if share]
    empty = [part for part in empty if not result.cases[part]]
    return [*told, f"no case is in {listed(empty)}."] if empty else told
