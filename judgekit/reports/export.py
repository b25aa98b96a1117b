"""What was exported, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.reports.words import count, labelled, table, wrapped

Listed = Sequence[Mapping[str, Any]]


def exported_json(
    kind: str, judge: str, file: str, certificates: Sequence[str], **more: object
) -> dict[str, Any]:
    """Return the document of ``export --json`` (judgekit.export/1)."""
    own = {"format": "judgekit.export/1", "kind": kind, "judge": judge, "file": file}
    return {**own, "certificates": [*certificates], **more}


def judge_lines(
    runner: str, judge: str, file: str, variables: Mapping[str, str], use: Mapping[str, str]
) -> list[str]:
    """Return what file was written for a runner and what it defines.

    Args:
        runner: The runner.
        judge: The judge.
        file: The file.
        variables: What it defines, each with the id of its certificate.
        use: Labels of at most seven letters, and what to know under each; may be empty.
    """
    lines = wrapped(f"{judge} for {runner}: {file}", rest="  ")
    rows = [[name, _certificates(ids.split("+"))] for name, ids in variables.items()]
    lines += table(rows)
    return lines + [line for label, told in use.items() for line in labelled(label, told)]


def _certificates(ids: Sequence[str]) -> str:
    word = "certificate" if len(ids) == 1 else "certificates"
    return f"{word} {', '.join(one[:6] for one in ids)}"


def scored_lines(
    what: str, judge: str, file: str, rows: Mapping[str, int], certificates: Sequence[str]
) -> list[str]:
    """Return what rows were written."""
    total = sum(rows.values())
    lines = wrapped(f"{judge}, {what}: {file}", rest="  ")
    parts = [f"{n} {status.replace('_', ' ')}" for status, n in rows.items() if status != "scored"]
    told = f"{count(total, 'row')}, {rows.get('scored', 0)} with a value"
    told += f" ({', '.join(parts)})" if parts else ""
    told += f"; {_certificates(certificates)}"
    return lines + wrapped(told, first="  ", rest="  ")


def list_lines(runners: Listed, forms: Listed) -> list[str]:
    """Return the runners that judges can be lent to, and the forms of scored rows."""
    lines = ["A judge as a file of another runner: judgekit export RUNNER JUDGE", ""]
    lines += _two("runner", "needs", runners, "needs")
    lines += ["", "Scored rows: judgekit export FORM JUDGE --scores FILE", ""]
    return lines + _two("form", "is", forms, "is")


def _two(first: str, second: str, rows: Listed, key: str) -> list[str]:
    """Return a table whose last column is broken where the screen ends."""
    told = [[str(row["name"]), str(row[key])] for row in rows]
    starts = table([[first, second], *told])
    column = max(map(len, starts)) + 2
    ends = ["no score is", *(str(row["no_score"]) for row in rows)]
    return [
        line
        for start, end in zip(starts, ends, strict=True)
        for line in wrapped(end, first=start.ljust(column), rest=" " * column)
    ]
