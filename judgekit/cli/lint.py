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
from judgekit.reports.lint import beside_lines, fix_lines, github_lines, lint_json, lint_lines
from judgekit.reports.lint_fixes import fixes_json, patch_lines, would_text

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
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change; write nothing.")
    ] = False,
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
    if as_json:
        form = "json"
    _fits(form, diff=diff, watch=watch)
    selection = selection_of(select or (), ignore or ())
    look = partial(
        lint_paths,
        paths or [],
        selection=selection,
        fix=fix or diff,
        write=not diff,
        evidence=evidence or (),
    )
    if watch:
        from judgekit.cli.lint_watch import watched

        return watched(paths or [], look, print_result)
    result = look()
    if diff:
        _print_diff(result, form)
    else:
        print_result(result, form)
        if form != "text":  # what is printed is what is left
            remark(fix_lines(result.fixes))
    remark(beside_lines(result.notes, result.unreadable, result.unwritten))
    if result.troubles:
        return BAD_INPUT
    return FALLS_SHORT if result.violations or (diff and result.mends) else FINE


def _fits(form: Form, *, diff: bool, watch: bool) -> None:
    """Refuse what cannot be had together."""
    if watch and (diff or form != "text"):
        raise InputError("--watch is for people: it prints what is wrong, as text only")
    if diff and form not in ("text", "json"):
        raise InputError(f"--diff has no form {form!r}: it prints text or JSON")


def print_result(result: LintResult, form: Form = "text") -> None:
    """Print what was found."""
    if form == "json":
        print_json(lint_json(result.violations))
    elif form == "sarif":
        from judgekit.api.version import __version__
        from judgekit.reports.lint_sarif import sarif

        print_json(sarif(result.violations, result.sources, __version__))
    elif form == "github":
        show(github_lines(result.violations))
    else:
        found, sources = result.violations, result.sources
        files = len(result.files) + len(result.unreadable)
        show(lint_lines(found, sources, files=files, fixes=result.fixes))


def _print_diff(result: LintResult, form: Form) -> None:
    """Print what would be mended; how much would be left is said beside it."""
    if form == "json":
        print_json(fixes_json(result.fixes))
    else:
        show([line for m in result.mends for line in patch_lines(m.file, m.before, m.after)])
    remark([would_text(len(result.fixes), len(result.violations))])
