"""The confusion table, in a form that fits the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judgekit.calibration.evidence import EstimateRecord, Evidence
from judgekit.calibration.rows import ScaleSpec
from judgekit.reports.words import WIDTH, number, table
from judgekit.rubric.scale import fold, number_text

_CORNER = "human \\ judge"
_SHORT = 24


def confusion_lines(evidence: Evidence, spec: ScaleSpec) -> list[str]:
    """Return the table, rows the human's levels; the widest form that fits, else the narrowest."""
    codes = _codes(spec)
    coded = [
        name if fold(name) == code else f"{code} {name}"
        for code, name in zip(codes, spec.names, strict=True)
    ]
    cut = [name if len(name) <= _SHORT else f"{name[: _SHORT - 1]}…" for name in coded]
    forms: list[tuple[Sequence[str], Sequence[str], Callable[[EstimateRecord], str]]] = [
        (spec.names, spec.names, _recall),
        (codes, coded, _recall),
        (codes, coded, _short_recall),
        (codes, cut, _short_recall),
    ]
    lines: list[str] = []
    for heads, names, told in forms:
        lines = _table(evidence, heads, names, told)
        if max(map(len, lines)) <= WIDTH:
            break
    return lines


def _codes(spec: ScaleSpec) -> list[str]:
    """Return a short head for each level: its number, or a letter where it is a word."""
    if not any(isinstance(value, str) for value in spec.values):
        return [number_text(value) for value in spec.values]
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [letters[i] if i < len(letters) else str(i) for i in range(len(spec.values))]


def _table(
    evidence: Evidence,
    heads: Sequence[str],
    names: Sequence[str],
    told: Callable[[EstimateRecord], str],
) -> list[str]:
    confusion = evidence.confusion
    extra = [
        (head, cells)
        for head, cells in (("na", confusion.na), ("unjudged", confusion.unjudged))
        if any(cells)
    ]
    rows = [[_CORNER, *heads, *(head for head, _ in extra), ""]]
    for i, cells in enumerate(confusion.table):
        counts = [*map(str, cells), *(str(column[i]) for _, column in extra)]
        rows.append([names[i], *counts, told(evidence.levels[i].recall)])
    return table(rows, right=range(1, len(rows[0]) - 1))


def _recall(found: EstimateRecord) -> str:
    if found.value is None:
        return "no labels" if found.undefined == "no_positive" else "recall undefined"
    return f"recall {number(found.value)} ({number(found.low)} to {number(found.high)})"


def _short_recall(found: EstimateRecord) -> str:
    return _recall(found).split(" (")[0]
