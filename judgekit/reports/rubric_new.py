"""A new rubric, and what is left to do in it; the examples to begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.linting.violations import Violation
from judgekit.reports.commands import command_lines, file_word
from judgekit.reports.words import count, labelled, wrapped


def new_lines(file: str, violations: Sequence[Violation], labels: Path | None) -> list[str]:
    """Return what was written, and what the linter finds left to do, line by line.

    Args:
        file: The file.
        violations: What it finds.
        labels: The labelled set of the example it was made from.
    """
    lines = [f"{file}: written."]
    if violations:
        lines += ["", f"Left to do in {count(len(violations), 'place')}:"]
    for one in violations:
        at = f"  line {one.line}  "
        lines += wrapped(f"{one.message} ({one.code})", first=at, rest=" " * len(at))
        if one.help:
            lines += wrapped(one.help, first=" " * len(at), rest=" " * len(at))
    lines.append("")
    if labels is not None:
        told = f"{labels} (written for the gallery; measure your judge with labels of your own)"
        lines += labelled("Labels", told)
    command = "lint" if violations else "preview"
    return [*lines, *command_lines("Next", [f"judgekit {command} {file_word(file)}"])]


def new_json(file: str, violations: Sequence[Violation]) -> dict[str, Any]:
    """Return the same as a document."""
    return {
        "format": "judgekit.rubric-new/1",
        "file": file,
        "violations": [one._asdict() for one in violations],
    }


def list_lines(examples: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the examples of the gallery, each with what it measures."""
    if not examples:
        return ["This installation has no gallery."]
    column = max(len(one["name"]) for one in examples) + 2
    lines = [
        line
        for one in examples
        for line in labelled(one["name"], one["description"] or one["name"], column=column)
    ]
    return [
        *lines,
        "",
        *command_lines("Next", [f"judgekit rubric new --example {examples[0]['name']}"]),
    ]
