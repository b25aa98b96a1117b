"""``judgekit try``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from judgekit.api.runtime import judge_items
from judgekit.cli import options as opt
from judgekit.cli.run import CALLS_FAILED, FINE
from judgekit.cli.screen import document_or_lines, progress
from judgekit.errors import InputError
from judgekit.importers.items import read_items
from judgekit.reports.rows import trial_rows
from judgekit.reports.words import wrapped

STAMP = "uncalibrated: levels of single items only; no figure over items until it is certified"


def attempt(
    ctx: typer.Context,
    judge: opt.JudgeName,
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="The items: JSONL or CSV.")],
    model: opt.Model = None,
    criterion: opt.CriterionName = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N items.")
    ] = None,
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    concurrency: opt.Concurrency = None,
    max_cost: opt.MaxCost = None,
    as_json: opt.Json = False,
) -> int:
    """Show levels and reasons item by item, stamped uncalibrated; no aggregate of any kind."""
    setup = opt.setup_of(ctx.params)
    rubric = setup.judge.rubric
    found = read_items(items, inputs=rubric.inputs)[:limit]
    if not found:
        raise InputError("there are no items to judge", file=items)
    criteria = [rubric.criterion(criterion)] if criterion else None
    with progress(f"Trying {setup.judge.model}", quiet=as_json) as report:
        said = judge_items(setup, found, criteria=criteria, progress=report, max_cost_usd=max_cost)
    rows = list(trial_rows(said, rubric))
    document = {"format": "judgekit.trial/1", "calibrated": False, "items": rows}
    document_or_lines(document, [*_lines(rows), "", STAMP], as_json=as_json)
    return CALLS_FAILED if said.failed else FINE


def _lines(rows: list[dict[str, Any]]) -> list[str]:
    several = len({row["criterion"] for row in rows}) > 1
    lines: list[str] = []
    for row in rows:
        what = f"{row['item_id']}, {row['criterion']}" if several else row["item_id"]
        said = row["level"] or (f"unjudged ({row['cause']})" if row["cause"] else "not applicable")
        lines.append(f"{what}: {said}")
        if row["reason"]:
            lines += wrapped(" ".join(str(row["reason"]).split()), first="    ", rest="    ")
    return lines
