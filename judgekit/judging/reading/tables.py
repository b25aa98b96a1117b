"""Turn the rows of a markdown table into ``name: value`` lines, as other replies write them."""

from __future__ import annotations

import re

from judgekit.judging.reading.pattern import pattern

_RULE = frozenset("-:| \t\r")
_HOLDS_LEVELS = pattern(
    r"\W*(?:final |overall |your )?(?:scores?|ratings?|levels?|grades?|verdicts?|labels?|points?"
    r"|judge?ments?|decisions?|results?|answers?|winner|评分|得分|分数|スコア|評価|점수|оценка|note|nota"
    r"|bewertung)(?:[ \t]*\([^()\n]{0,30}\))?\W*",
    re.IGNORECASE,
)


def without_tables(text: str) -> str:
    """Return ``text`` with each row of a table as a line that gives the first cell's value.

    The value is in the column whose head says so, else in the second of two columns. A table
    that has neither, or no head, is left as it is but for its rows of two cells.
    """
    if "|" not in text:
        return text
    lines = text.split("\n")
    column, head = None, ""
    for index, line in enumerate(lines):
        cells = _cells(line)
        if cells is None:
            column = None
        elif _is_rule(line):
            above = _cells(lines[index - 1]) if index else None
            column = _column(above) if above else None
            head = above[column] if above and column is not None else ""
            if column is not None:
                lines[index - 1] = lines[index] = ""
        elif column is not None and column < len(cells):
            name = cells[0] if column else head
            lines[index] = f"{name}: {cells[column]}"
        elif len(cells) == 2 and line.lstrip().startswith("|"):
            lines[index] = ": ".join(cells)
    return "\n".join(lines)


def _cells(line: str) -> list[str] | None:
    """Return the cells of a row, or None where the line is none."""
    bare = line.strip()
    if "|" not in bare or len(bare) > 2000 or "||" in bare:
        return None
    return [cell.strip() for cell in bare.removeprefix("|").removesuffix("|").split("|")]


def _is_rule(line: str) -> bool:
    return "-" in line and "|" in line and set(line) <= _RULE


def _column(head: list[str]) -> int | None:
    named = [index for index, cell in enumerate(head) if _HOLDS_LEVELS.fullmatch(cell)]
    if named:
        return named[-1]
    return 1 if len(head) == 2 else None
