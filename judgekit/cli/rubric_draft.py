"""``judgekit rubric draft``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from judgekit.api.rubric_draft import DraftOptions, draft_rubric
from judgekit.api.rubric_draft_calls import Spending
from judgekit.cli import options as opt
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import print_json, remark, show, told_at_end
from judgekit.errors import InputError, JudgingError
from judgekit.reports.rubric_draft import draft_json, draft_lines, step_lines, step_words
from judgekit.reports.rubric_draft_story import DraftResult, Step
from judgekit.storage.disk import is_stream

Wish = Annotated[
    str, typer.Option("--from", metavar="TEXT", help="What is to be measured, in plain words.")
]
TrialItems = Annotated[
    str | None, typer.Option(metavar="FILE", help="Items to try the draft on; five at most.")
]
Labels = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Labels: their levels are the scale; train is shown."),
]
Example = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A rubric to start from: a file, or one of the gallery."),
]
OutFile = Annotated[
    str | None,
    typer.Option("--out", metavar="FILE", help="The file to write; default: rubrics/NAME.jinja."),
]
Drafter = Annotated[
    str | None, typer.Option(metavar="MODEL", help="The model that drafts, and tries the draft.")
]


def draft(
    ctx: typer.Context,
    wish: Wish,
    items: TrialItems = None,
    labels: Labels = None,
    example: Example = None,
    model: Drafter = None,
    out: OutFile = None,
    criterion: opt.CriterionName = None,
    level_map: opt.LevelMap = None,
    item_column: opt.ItemColumn = None,
    rater_column: opt.RaterColumn = None,
    level_column: opt.LevelColumn = None,
    criterion_column: opt.CriterionColumn = None,
    case_column: opt.CaseColumn = None,
    rater_columns: opt.RaterColumns = None,
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    max_cost: opt.MaxCost = None,
    max_time: opt.MaxTime = None,
    transport: opt.Transport = None,
    offline: opt.Offline = False,
    refresh: opt.Refresh = False,
    as_json: opt.Json = False,
) -> int:
    """Let a model draft a rubric, lint it, try it, mend it, and check it once.

    Nothing is certified by drafting. Exit 1 when violations are left: the file is written all the
    same. Of labelled items the model sees those of train only.
    """
    result = _drafted(wish, _options(ctx.params), as_json=as_json)
    if as_json:
        print_json(draft_json(result))
    else:  # the rubric may be where the report would go
        (remark if is_stream(Path(result.file)) else show)(draft_lines(result))
    return FALLS_SHORT if result.violations else FINE


def _options(params: Mapping[str, Any]) -> DraftOptions:
    if params["offline"] and params["refresh"]:
        raise InputError(
            "--offline makes no call, and --refresh asks everything anew",
            hint="leave one of the two out",
        )
    keys = {"api_base": "api_base", "api_key_env": "api_key_env", "transport": "transport"}
    keys["run_timeout"] = "max_time"
    return DraftOptions(
        **{name: params[name] for name in ("items", "labels", "example", "model", "out")},
        reading=opt.reading_of(params),
        spending=Spending(params["max_cost"], params["offline"], params["refresh"]),
        overrides={key: params[name] for key, name in keys.items() if params[name] is not None},
    )


def _drafted(wish: str, options: DraftOptions, *, as_json: bool) -> DraftResult:
    """Draft, and say on stderr how it goes; of one that fails, what was done until then."""
    steps: list[Step] = []
    waited = not as_json and sys.stderr.isatty()

    def told(step: Step) -> None:
        steps.append(step)
        remark([step_words(step)] if waited else [])

    try:
        with told_at_end(quiet=as_json):
            return draft_rubric(wish, options, told=told)
    except JudgingError:
        remark([] if as_json else [line for step in steps for line in step_lines(step)])
        raise
