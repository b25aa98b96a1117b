"""``judgekit preview``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from judgekit.api.preview import Preview, preview_judge
from judgekit.api.setup import load_judge
from judgekit.cli import options as opt
from judgekit.cli.screen import document_or_lines
from judgekit.reports.preview import ItemCost, all_criteria_text, item_cost, item_cost_text
from judgekit.reports.words import count, wrapped


def preview(
    judge: opt.JudgeName,
    item: Annotated[
        str | None, typer.Argument(metavar="[ITEM]", help="Item id; default: the first.")
    ] = None,
    items: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the item stands.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="MODEL", help="For which model.")] = None,
    as_json: opt.Json = False,
) -> int:
    """Show the exact prompt, the calls that an item takes and about their cost. None is made."""
    setup = load_judge(judge, model=_fallback(judge) if model is None else model)
    found = preview_judge(setup, items, item)
    costs = [item_cost(setup.judge, one.criterion, one.tokens, setup.price) for one in found]
    told = list(zip(found, costs, strict=True))
    lines = [line for one, cost in told for line in _lines(one, cost)]
    if len(costs) > 1:
        lines.append(all_criteria_text(costs))
    document_or_lines([_document(one, cost) for one, cost in told], lines, as_json=as_json)
    return 0


def _fallback(judge: str) -> str | None:
    """Let a bare rubric file be previewed without saying for which model."""
    return "(no model)" if judge.endswith((".jinja", ".jinja2", ".j2")) else None


def _lines(one: Preview, cost: ItemCost) -> list[str]:
    request = one.request
    lines: list[str] = []
    for message in request.messages:
        lines += [f"--- {message.role} ---", *message.text.split("\n"), ""]
    if request.likelihood is not None:
        task = request.likelihood
        held_out = sum(map(len, task.held_out))
        lines += [
            f"--- prompt 1 of {len(task.prompts)}, read by which level's name would come next ---"
        ]
        lines += [*task.prompts[0].split("\n"), ""]
        examples = count(held_out, "worked example")
        lines += wrapped(f"levels: {', '.join(task.labels)}; bias measured on {examples}")
    item = "a made-up item" if one.item is None else f"item {one.item}"
    size = f"{count(one.characters, 'character')}, about {count(one.tokens, 'token')}"
    told = f"{one.criterion.name}, {item}: {size}; {item_cost_text(cost)}. No call was made."
    return [*lines, *wrapped(told)]


def _document(one: Preview, cost: ItemCost) -> dict[str, Any]:
    request, task = one.request, one.request.likelihood
    return {
        "criterion": one.criterion.name,
        "item_id": one.item,
        "model": request.model,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "prompts": list(task.prompts) if task is not None else None,
        "parameters": request.parameters,
        "schema": request.schema,
        "characters": one.characters,
        "tokens": one.tokens,
        "cost_usd": cost.each_usd[0],
        "calls_per_item": cost.calls,
        "item_cost_usd": None if cost.unpriced else cost.cost_usd,
    }
