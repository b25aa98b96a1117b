"""``judgekit explain``."""

from __future__ import annotations

from typing import Annotated

import typer

from judgekit.cli import flags as opt
from judgekit.cli.screen import print_json, show
from judgekit.errors import InputError
from judgekit.linting.pages import family_of, page_of, pages
from judgekit.reports.explain import explain_json, page_lines, table_lines


def explain(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE", help="A rule's code or name (LV04), or how codes begin (LV)."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List all rules, a line each.")] = False,
    as_json: opt.Json = False,
) -> None:
    """What a lint rule finds, why it hurts, what to write instead, when to ignore it."""
    if every and rule is not None:
        raise InputError("name one rule, or list them all with --all", hint="judgekit explain LV04")
    if rule is not None:
        _not_of_an_import(rule)
    found = pages() if rule is None else family_of(rule) or [page_of(rule)]
    if len(found) == 1:
        print_json(explain_json(found[0])) if as_json else show(page_lines(found[0]))
    else:
        print_json([explain_json(page) for page in found]) if as_json else show(table_lines(found))


def _not_of_an_import(rule: str) -> None:
    """Say where the codes of imports are explained: they are about files of other tools."""
    word = rule.strip().casefold()
    if not word.startswith(("im", "import-")):
        return
    from judgekit.importers.graders.notes import RULES

    known = [(f"{name} ({code})", (name, code.casefold())) for name, code in RULES.items()]
    what = [said for said, words in known if word in words]
    if what or word == "im":
        message = f"{what[0] if what else 'a code that begins with IM'} is said of other tools' "
        hint = "docs/rubrics/import.md explains each of them"
        raise InputError(f"{message}files, by judgekit rubric import", hint=hint)
