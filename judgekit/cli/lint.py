"""``judgekit lint``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from judgekit.api.lint import lint_paths, selection_of
from judgekit.cli import flags as opt
from judgekit.cli.run import BAD_INPUT, FALLS_SHORT, FINE
from judgekit.cli.screen import print_json, remark, show
from judgekit.errors import InputError
from judgekit.reports.lint import github_lines, lint_json, lint_lines

if TYPE_CHECKING:
    from judgekit.api.lint import LintResult

Form = Literal["text", "json", "sarif", "github"]
_Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="RULES", help="Only these: codes, beginnings of codes, names."),
]


def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="Rubrics or folders; default: the project's."),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what changes no meaning; show what is left.")
    ] = False,
    select: _Rules = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULES", help="All but these.")
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CERT|RUN",
            help="Check also against what a certificate or a run has shown (repeatable).",
        ),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print it.")] = "text",
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again whenever a file changes.")
    ] = False,
    as_json: opt.Json = False,
) -> int:
    """Check rubrics and report every problem with its line (exit 1 when there is any)."""
    selection = selection_of(select or (), ignore or ())
    look = partial(lint_paths, paths or [], selection=selection, fix=fix, evidence=evidence or ())
    if as_json:
        form = "json"
    if watch:
        from judgekit.cli.lint_watch import watched

        if form != "text":
            raise InputError("--watch is for people: it prints text only")
        return watched(paths or [], look, print_result)
    result = look()
    if form in ("json", "sarif") and result.unreadable:
        raise result.unreadable[0]
    print_result(result, form)
    remark([f"note: {note}" for note in result.notes])
    remark([str(error) for error in result.unreadable])
    if result.unreadable:
        return BAD_INPUT
    return FALLS_SHORT if result.violations else FINE


def print_result(result: LintResult, form: Form = "text") -> None:
    """Print what was found."""
    if form == "json":
        print_json(lint_json(result.violations))
    elif form == "sarif":
        from judgekit.reports.lint_sarif import sarif

        print_json(sarif(result.violations))
    elif form == "github":
        show(github_lines(result.violations))
    else:
        found, sources, files = result.violations, result.sources, len(result.files)
        show(lint_lines(found, sources, files=files, fixed=result.fixed))
