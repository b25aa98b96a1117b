"""``judgekit rubric diff``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from judgekit.api.rubric_diff import RubricDiff, diff_rubrics
from judgekit.api.rubric_named import Operand
from judgekit.cli import options as opt
from judgekit.cli.colour import in_colour, show_spans
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import print_json
from judgekit.reports.rubric_diff import FORMAT, diff_json, diff_lines, version_lines, voids_lines


def diff(
    before: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A rubric file, a judge, FILE@REVISION of git, or a certificate."
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="The same of the other.")],
    criterion: opt.CriterionName = None,
    as_json: opt.Json = False,
) -> int:
    """Tell cosmetic edits from edits of the meaning, which void certificates.

    Exit 0 when a judge is shown and read the same by both, 1 when the meaning changed.
    """
    found = diff_rubrics(before, after, criterion=criterion)
    voids = [(one.certificate, one.path, one.next) for one in found.voids]
    if as_json:
        sides = {"a": _side(found.before), "b": _side(found.after)}
        print_json({"format": FORMAT, **sides, **diff_json(found.difference, voids)})
    else:
        coloured = in_colour()
        lines = diff_lines(found.difference, _called(found), coloured=coloured)
        if found.changed:
            lines += version_lines(found.before.version, found.after.version)
            lines += voids_lines(voids)
        show_spans(lines, coloured=coloured)
    return FALLS_SHORT if found.changed else FINE


def _called(found: RubricDiff) -> tuple[str, str]:
    """Return what the two rubrics are called, and where a certificate's was found."""
    before, after = (_name(one) for one in (found.before, found.after))
    return before, after


def _name(one: Operand) -> str:
    if one.certificate is None:
        return one.named if one.kind == "revision" else one.file or one.named
    name = f"certificate {one.certificate.short}"
    if one.file is None:
        return name
    return f"{name} ({one.file}{f'@{one.revision}' if one.revision else ''})"


def _side(one: Operand) -> dict[str, Any]:
    return {
        "named": one.named,
        "kind": one.kind,
        "file": one.file,
        "revision": one.revision,
        "certificate": None if one.certificate is None else one.certificate.id,
        "version": one.version,
    }
