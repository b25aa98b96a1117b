"""``judgekit rubric import``."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Annotated, Any

import typer

from judgekit.api import rubric_import as api
from judgekit.cli import options as opt
from judgekit.cli.line_files import STANDARD
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import print_json, remark, show
from judgekit.reports.commands import file_word
from judgekit.reports.rubric_import import import_json, import_lines, import_summary
from judgekit.storage.outputs import precious
from judgekit.storage.project import open_project

GraderFile = Annotated[
    str, typer.Argument(metavar="FILE", help="The other tool's file: JSON, YAML, Python or text.")
]
Tool = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="TOOL",
        help="openai, promptfoo, deepeval, prometheus, mlflow or autorubric; default: by its form.",
    ),
]
GraderNames = Annotated[
    list[str] | None,
    typer.Option("--grader", metavar="NAME", help="Only the grader of this name; repeatable."),
]
OutFile = Annotated[
    str,
    typer.Option("--out", metavar="FILE", help="Write the rubric here; '-' is standard output."),
]
RubricName = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="The rubric's name.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file when it is there.")]


def import_rubric(
    file: GraderFile,
    tool: Tool = None,
    graders: GraderNames = None,
    out: OutFile = STANDARD,
    name: RubricName = None,
    force: Force = False,
    as_json: opt.Json = False,
) -> int:
    """Turn a grader of another tool into a rubric, and say what could not be carried over.

    Nothing in the file is run. Exit 0 when nothing was lost and the rubric is without violations,
    else 1; the rubric is written either way.
    """
    result = api.import_rubric(
        file,
        tool=tool,
        graders=graders or (),
        out=None if out == STANDARD else out,
        name=name,
        force=force,
        kept=precious(open_project()),
    )
    if as_json:
        print_json(import_json(_document(result), result.lost, result.found))
        return FALLS_SHORT if result.lost or result.found else FINE
    report = import_lines(
        result.lost,
        result.found,
        sources=result.sources,
        settings=result.settings,
        unwritten=None if result.written else result.file,
    )
    report += import_summary(
        tool=result.tool,
        file=result.file,
        criteria=result.criteria,
        lost=result.lost,
        found=result.found,
        write=None if result.written else _writing(result, tool, graders or (), name),
    )
    if result.written:
        show(report)
    else:  # the rubric alone on standard output, so that it can be sent on
        show(result.text.removesuffix("\n").split("\n"))
        remark(report)
    return FALLS_SHORT if result.lost or result.found else FINE


def _writing(
    result: api.ImportedRubric, tool: str | None, graders: Sequence[str], name: str | None
) -> str:
    """Return the command that writes what was only printed."""
    words = ["judgekit rubric import", file_word(result.source)]
    words += [] if tool is None else ["--from", tool]
    words += [word for grader in graders for word in ("--grader", quote(grader))]
    words += [] if name is None else ["--name", quote(name)]
    return " ".join([*words, "--out", file_word(result.file)])


def _document(result: api.ImportedRubric) -> dict[str, Any]:
    return {
        "source": result.source,
        "tool": result.tool,
        "rubric": result.name,
        "criteria": list(result.criteria),
        "file": result.file if result.written else None,
        "text": result.text,
        "settings": list(result.settings),
    }
