"""``judgekit correct``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.adapters.correct import correct_results
from judgekit.cli import options as opt
from judgekit.cli.score import exit_code
from judgekit.cli.screen import document_or_lines, remark
from judgekit.reports.documents import scores_json
from judgekit.reports.scores import score_lines

Results = Annotated[
    list[Path],
    typer.Argument(help="Results another runner has saved: JSON, JSON lines or CSV."),
]
Judge = Annotated[
    str | None, typer.Option("--judge", help="Whose values count, where there are several judges.")
]


def correct(
    results: Results,
    judge: Judge = None,
    population: opt.Population = "unknown",
    as_json: opt.Json = False,
) -> int:
    """Correct the figure of a judge that another runner has asked.

    A runner's own average is the naive rate, judge error and all. Here the values it has saved go
    through the gate again, and come out as one figure with its interval, as from `judgekit score`.
    """
    scoring = correct_results(results, judge=judge, population=population)
    remark([] if as_json else [f"note: {note}" for note in scoring.notes])
    certificates = dict(scoring.certified.certificates)
    lines = score_lines(scoring.scores, scoring.judgments, certificates, out=None)
    document = scores_json(scoring.scores, scoring.judgments, None, scoring.notes)
    document_or_lines(document, lines, as_json=as_json)
    return exit_code(scoring.scores)
