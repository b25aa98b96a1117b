"""``judgekit rubric improve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.api.rubric_improve import ROUNDS, ImproveOptions, improve_rubric
from judgekit.cli import options as opt
from judgekit.cli.calibrate import chosen_files
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import print_json, progress, remark, show, told_at_end
from judgekit.reports.rubric_improve import improve_json, improve_lines
from judgekit.storage.disk import is_stream

Rounds = Annotated[int, typer.Option(min=1, metavar="N", help="How many proposals are asked for.")]
ReflectorModel = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="The model that proposes edits; default: the judge's own."),
]
OutFile = Annotated[
    str | None,
    typer.Option("--out", metavar="FILE", help="The file to write; default: beside the rubric."),
]


def improve(
    ctx: typer.Context,
    judge: opt.JudgeName,
    labels: opt.Labels = None,
    items: opt.Items = None,
    rounds: Rounds = ROUNDS,
    reflector: ReflectorModel = None,
    out: OutFile = None,
    model: opt.Model = None,
    criterion: opt.CriterionName = None,
    level_map: opt.LevelMap = None,
    item_column: opt.ItemColumn = None,
    rater_column: opt.RaterColumn = None,
    level_column: opt.LevelColumn = None,
    criterion_column: opt.CriterionColumn = None,
    case_column: opt.CaseColumn = None,
    rater_columns: opt.RaterColumns = None,
    reference: opt.Reference = "pooled",
    adjudicator: opt.Adjudicator = "adjudicated",
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    concurrency: opt.Concurrency = None,
    max_cost: opt.MaxCost = None,
    max_time: opt.MaxTime = None,
    transport: opt.Transport = None,
    offline: opt.Offline = False,
    refresh: opt.Refresh = False,
    as_json: opt.Json = False,
) -> int:
    """Propose edits to a rubric from where its judge and people differ.

    Learns on train, chooses and measures on dev, and never looks at the test. The new version is
    a file to accept or not; nothing is certified. Exit 0 when improvement is shown, else 1.
    """
    setup = opt.setup_of(ctx.params)
    named, texts = chosen_files(setup, ctx.params)
    what = f"Judging with {setup.judge.model}"
    with told_at_end(quiet=as_json), progress(what, quiet=as_json) as report:
        result = improve_rubric(
            setup,
            named,
            ImproveOptions(
                items=texts,
                rounds=rounds,
                reflector=reflector,
                out=out,
                reading=opt.reading_of(ctx.params),
                max_cost_usd=max_cost,
                offline=offline,
                refresh=refresh,
                progress=report,
            ),
        )
    if as_json:
        print_json(improve_json(result))
    else:
        to_stream = result.file is not None and is_stream(Path(result.file))
        (remark if to_stream else show)(improve_lines(result))
    return FINE if result.outcome == "improved" else FALLS_SHORT
