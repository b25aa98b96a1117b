"""What became of an imported grader, for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.linting.violations import Violation
from judgekit.reports.lint import lint_lines
from judgekit.reports.words import count, labelled, listed

FORMAT = "judgekit.import/1"


def import_lines(
    lost: Sequence[Violation],
    found: Sequence[Violation],
    *,
    sources: Mapping[str, str],
    settings: Sequence[str],
) -> list[str]:
    """Return the report: what was lost, at the lines of the source; what the linter says.

    Args:
        lost: What could not be carried over.
        found: The violations of the rubric that was written.
        sources: The text of both files, by name.
        settings: The lines for ``judgekit.toml``.
    """
    lines: list[str] = []
    for title, violations in (("Not carried over:", lost), ("In the rubric:", found)):
        if violations:
            lines += [title, "", *_without_total(lint_lines(violations, sources, files=1))]
    if settings:
        lines += ["For judgekit.toml:", "", *(f"  {line}".rstrip() for line in settings), ""]
    return lines


def _without_total(lines: list[str]) -> list[str]:
    """Return a report of the linter up to the blank line in front of its total."""
    return lines[: len(lines) - lines[::-1].index("")]


def import_summary(
    *,
    tool: str,
    file: str,
    written: bool,
    criteria: Sequence[str],
    lost: Sequence[Violation],
    found: Sequence[Violation],
) -> list[str]:
    """Return the last lines of the report: what was imported, and what to do next."""
    place = f"written to {file}" if written else "not written to a file"
    told = (
        f"{count(len(criteria), 'criterion', 'criteria')} of {tool}, {place}: {listed(criteria)}."
    )
    left = f"{len(lost)} not carried over, {count(len(found), 'violation')} in the rubric."
    lines = [*labelled("Import", f"{told} {left}")]
    if written and found:
        lines += labelled("Next", f"mend {file}, then: judgekit lint {file}")
    return lines


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
