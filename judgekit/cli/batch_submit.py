"""``judgekit batch submit`` and ``resume``: what a judge would ask, as batches."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from judgekit.api.batch_needs import needed_by_calibration
from judgekit.api.batch_submit import Submission, resume_batches, submit_batches
from judgekit.cli import options as opt
from judgekit.cli.batch_shown import show_batches, submission_json, submission_lines
from judgekit.cli.run import CALLS_FAILED, FINE
from judgekit.cli.screen import document_or_lines
from judgekit.errors import InputError
from judgekit.importers.items import read_items
from judgekit.reports.batch import batch_lines
from judgekit.storage.project import open_project

Ids = Annotated[
    list[str] | None, typer.Argument(metavar="[ID]...", help="Which batches; all by default.")
]


def submit(
    ctx: typer.Context,
    judge: opt.JudgeName,
    items: Annotated[
        str | None, typer.Argument(metavar="[ITEMS]", help="The items: JSONL or CSV.")
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Submit what a calibration on these labels needs."),
    ] = None,
    label_items: Annotated[
        str | None,
        typer.Option(
            "--items", metavar="FILE", help="The labelled items' text, where it is apart."
        ),
    ] = None,
    model: opt.Model = None,
    criterion: opt.CriterionName = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N items.")
    ] = None,
    where: opt.Where = None,
    level_map: opt.LevelMap = None,
    item_column: opt.ItemColumn = None,
    rater_column: opt.RaterColumn = None,
    level_column: opt.LevelColumn = None,
    criterion_column: opt.CriterionColumn = None,
    case_column: opt.CaseColumn = None,
    rater_columns: opt.RaterColumns = None,
    reference: opt.Reference = "pooled",
    adjudicator: opt.Adjudicator = "adjudicated",
    split: opt.Split = None,
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    max_cost: Annotated[
        float | None,
        typer.Option(min=0, metavar="USD", help="Submit no more than this costs, by estimate."),
    ] = None,
    as_json: opt.Json = False,
) -> int:
    """Submit what a judge would ask, and return at once.

    A day later, at most, batch collect brings the replies. What the cache has and what an earlier
    batch is to bring is left out. A submission that was interrupted goes on from where it stood.
    """
    done = _submit(ctx.params)
    lines = [line for record in done.batches for line in batch_lines(record, time.time())]
    document_or_lines(submission_json(done), [*lines, *submission_lines(done)], as_json=as_json)
    return CALLS_FAILED if done.over_budget else FINE


def _submit(params: dict[str, Any]) -> Submission:
    setup = opt.setup_of(params)
    labels, items = params["labels"], params["items"]
    if (labels is None) == (items is None):
        raise InputError("name what to submit: ITEMS, or --labels FILE")
    if labels is not None and params["limit"] is not None:
        raise InputError("--limit counts items, and --labels takes what a calibration needs")
    if labels is None:
        rubric = setup.judge.rubric
        found = read_items(items, inputs=rubric.inputs)[: params["limit"]]
        if not found:
            raise InputError("there are no items to judge", file=items)
        chosen = params["criterion"]
        criteria = [rubric.criterion(chosen)] if chosen else None
        return submit_batches(setup, found, criteria=criteria, max_cost_usd=params["max_cost"])
    reading = opt.reading_of({**params, "items": params["label_items"]})
    needed = needed_by_calibration(setup, labels, items=params["label_items"], options=reading)
    return submit_batches(
        setup,
        needed.items,
        criteria=needed.criteria,
        only=needed.only,
        max_cost_usd=params["max_cost"],
    )


def resume(ids: Ids = None, as_json: opt.Json = False) -> int:
    """Go on with submissions that were interrupted."""
    records = resume_batches(open_project(), ids or ())
    show_batches(records, as_json=as_json)
    return FINE
