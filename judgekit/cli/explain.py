"""``judgekit explain``."""

from __future__ import annotations

from typing import Annotated

import typer

from judgekit.cli import flags as opt
from judgekit.cli.screen import print_json, show
from judgekit.errors import InputError
from judgekit.linting.pages import page_of, pages
from judgekit.reports.explain import explain_json, page_lines, table_lines


def explain(
    rule: Annotated[
        str | None, typer.Argument(metavar="RULE", help="A rule's code or name: LV04.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List all rules, a line each.")] = False,
    as_json: opt.Json = False,
) -> None:
    """What a lint rule finds, why it hurts, what to write instead, when to ignore it."""
    if every == (rule is not None):
        raise InputError("name one rule, or list them all with --all", hint="judgekit explain LV04")
    if rule is not None:
        _not_of_an_import(rule)
        page = page_of(rule)
        print_json(explain_json(page)) if as_json else show(page_lines(page))
        return
    found = pages()
    print_json([explain_json(page) for page in found]) if as_json else show(table_lines(found))


def _not_of_an_import(rule: str) -> None:
    """Say where the codes of imports are explained: they are about files of other tools."""
    if not rule.casefold().startswith(("im", "import-")):
        return
    from judgekit.importers.graders.notes import RULES

    for name, code in RULES.items():
        if rule.casefold() in (name, code.casefold()):
            message = f"{name} ({code}) is said of other tools' files, by judgekit rubric import"
            raise InputError(message, hint="docs/rubrics/import.md explains each of them")
