"""``judgekit lint``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from judgekit.api.lint import lint_paths
from judgekit.cli import options as opt
from judgekit.cli.run import BAD_INPUT, FALLS_SHORT, FINE
from judgekit.cli.screen import print_json, remark, show
from judgekit.reports.lint import lint_json, lint_lines


def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="Rubrics or folders; default: the project's."),
    ] = None,
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="How to print it.")
    ] = "text",
    as_json: opt.Json = False,
) -> int:
    """Check rubrics and report every problem with its line (exit 1 when there is any)."""
    result = lint_paths(paths or [])
    if result.unreadable and (as_json or form == "json"):
        raise result.unreadable[0]
    if as_json or form == "json":
        print_json(lint_json(result.violations))
    else:
        show(lint_lines(result.violations, result.sources, files=len(result.files)))
    remark([str(error) for error in result.unreadable])
    if result.unreadable:
        return BAD_INPUT
    return FALLS_SHORT if result.violations else FINE
