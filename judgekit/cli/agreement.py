"""``judgekit agreement``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import typer

from judgekit.api.agreement import assumed_kind, declare_scale, listed_levels, measure_agreement
from judgekit.calibration.result import Agreement
from judgekit.cli import options as opt
from judgekit.cli.run import FINE
from judgekit.cli.screen import document_or_lines, remark
from judgekit.errors import InputError
from judgekit.importers.table import Table, read_table
from judgekit.importers.verdicts import VerdictColumns
from judgekit.labels.levelmap import parse_level_map
from judgekit.reports.agreement import agreement_json, agreement_lines
from judgekit.rubric.model import Criterion


def agreement(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A table: CSV or JSONL.")],
    *,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The judge's verdicts; left out, its likeliest levels (--probability).",
        ),
    ] = None,
    human: Annotated[
        list[str], typer.Option(metavar="COLUMN[,COLUMN]", help="People's labels; one rater each.")
    ],
    levels: Annotated[
        str, typer.Option(metavar="A,B,..", help="Every level of the scale, lowest first.")
    ],
    probability: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN[,COLUMN]",
            help="The judge's probabilities: of each level, lowest first, or of passing alone.",
        ),
    ] = None,
    kind: Annotated[
        Literal["binary", "nominal", "ordinal", "pairwise"] | None,
        typer.Option(help="Default: two levels binary, numbers ordinal, words nominal."),
    ] = None,
    passes: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="Ordinal: it and above pass; nominal: all that pass."),
    ] = None,
    weights: Annotated[
        Literal["unweighted", "linear", "quadratic"] | None,
        typer.Option(help="Weights of kappa; default: quadratic on ordinal scales."),
    ] = None,
    na: Annotated[bool, typer.Option("--na", help='"na" says that it does not apply.')] = False,
    level_map: opt.LevelMap = None,
    where: opt.Where = None,
    item_column: opt.ItemColumn = None,
    rater_column: opt.RaterColumn = None,
    case_column: opt.CaseColumn = None,
    output_column: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The judged text; default: output.")
    ] = None,
    prevalence: opt.Prevalence = None,
    slice_by: opt.Slice = None,
    as_json: opt.Json = False,
) -> int:
    """Measure a judge's verdicts against people's labels, in full; no rubric, no certificate."""
    found = _measured(ctx.params)
    remark([] if as_json else [f"note: {note}" for note in found.notes])
    document_or_lines(agreement_json(found), agreement_lines(found), as_json=as_json)
    return FINE


def _measured(params: dict[str, Any]) -> Agreement:
    table = read_table(params["file"])
    columns = VerdictColumns(
        judge=params["judge"],
        human=_columns(table, params["human"]),
        rater=params["rater_column"],
        item=params["item_column"],
        case=params["case_column"],
        output=params["output_column"],
        probability=_columns(table, params["probability"] or []),
    )
    criterion = declare_scale(
        params["levels"],
        kind=params["kind"],
        passes=params["passes"],
        weights=params["weights"],
        not_applicable=params["na"],
    )
    if len(columns.probability) > 1:
        _check_order(params["levels"], criterion)
    found = measure_agreement(
        table,
        columns,
        criterion,
        level_map=parse_level_map(params["level_map"] or ()),
        where=tuple(params["where"] or ()),
        slices=tuple(params["slice_by"] or ()),
        prevalence=opt.prevalence_of(params),
    )
    told = [assumed_kind(criterion)] if params["kind"] is None else []
    return replace(found, notes=(*told, *found.notes))


def _check_order(levels: str, criterion: Criterion) -> None:
    """Refuse levels out of order: which column is of which level must not be guessed."""
    scale = criterion.scale
    places = [scale.index(level) for level in listed_levels(levels)]
    if places != sorted(places, key=lambda place: place or 0):
        raise InputError(
            "the levels are not in the order of the scale, and the columns of probabilities are",
            hint=f"lowest first, here and in --probability: --levels {','.join(scale.names)}",
        )


def _columns(table: Table, said: list[str]) -> tuple[str, ...]:
    """Return the columns of a repeated option; a name with a comma may be one column."""
    parts = [[text] if text in table.columns else text.split(",") for text in said]
    return tuple(dict.fromkeys(name.strip() for part in parts for name in part if name.strip()))
