"""What became of an imported grader, for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.linting.violations import Violation
from judgekit.reports.commands import command_lines, file_word
from judgekit.reports.lint import lint_lines
from judgekit.reports.words import count, labelled, listed

FORMAT = "judgekit.import/1"
_IN_RUBRIC, _FOR_TOML = "In the rubric:", "For judgekit.toml:"


def import_lines(
    lost: Sequence[Violation],
    found: Sequence[Violation],
    *,
    sources: Mapping[str, str],
    settings: Sequence[str],
    unwritten: str | None = None,
) -> list[str]:
    """Return the report: what was lost, at the lines of the source; what the linter says.

    Args:
        lost: What could not be carried over.
        found: The violations of the rubric.
        sources: The text of both files, by name.
        settings: The lines for ``judgekit.toml``.
        unwritten: The file the rubric would be written to, where it was only printed.
    """
    in_rubric = f"In the rubric, as it would stand in {unwritten}:" if unwritten else _IN_RUBRIC
    for_toml = f"For judgekit.toml, once there is {unwritten}:" if unwritten else _FOR_TOML
    lines: list[str] = []
    for title, violations in (("Not carried over:", lost), (in_rubric, found)):
        if violations:
            lines += [title, "", *_without_total(lint_lines(violations, sources, files=1))]
    if settings:
        lines += [for_toml, "", *(f"  {line}".rstrip() for line in settings), ""]
    return lines


def _without_total(lines: list[str]) -> list[str]:
    """Return a report of the linter up to the blank line in front of its total."""
    return lines[: len(lines) - lines[::-1].index("")]


def import_summary(
    *,
    tool: str,
    file: str,
    criteria: Sequence[str],
    lost: Sequence[Violation],
    found: Sequence[Violation],
    write: str | None = None,
) -> list[str]:
    """Return the last lines of the report: what was imported, and what to do next.

    Args:
        tool: The tool it came from.
        file: The file of the rubric.
        criteria: The names of its criteria.
        lost: What could not be carried over.
        found: The violations of the rubric.
        write: The command that writes the file, where the rubric was only printed.
    """
    place = f"written to {file}" if write is None else "printed, and written to no file"
    told = (
        f"{count(len(criteria), 'criterion', 'criteria')} of {tool}, {place}: {listed(criteria)}."
    )
    left = f"{len(lost)} not carried over, {count(len(found), 'violation')} in the rubric."
    lines = labelled("Import", f"{told} {left}")
    if write is not None:
        return [*lines, *command_lines("Next", [write])]
    if found:
        lines += labelled("Next", "say in the file what is missing, then check it:")
    command = "lint" if found else "preview"
    return [
        *lines,
        *command_lines("" if found else "Next", [f"judgekit {command} {file_word(file)}"]),
    ]


def import_json(
    document: Mapping[str, Any], lost: Sequence[Violation], found: Sequence[Violation]
) -> dict[str, Any]:
    """Return the document of ``rubric import --json``."""
    return {
        "format": FORMAT,
        **document,
        "lost": [violation._asdict() for violation in lost],
        "violations": [violation._asdict() for violation in found],
    }
