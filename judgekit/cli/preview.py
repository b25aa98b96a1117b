"""``judgekit preview``."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import Annotated, Any

import typer

from judgekit.api.preview import Preview, preview_judge
from judgekit.api.setup import load_judge
from judgekit.cli import options as opt
from judgekit.cli.colour import in_colour, show_spans
from judgekit.cli.screen import print_json
from judgekit.reports.preview import ItemCost, all_criteria_text, item_cost, item_cost_text
from judgekit.reports.preview_shown import folded, prompt_lines, size_text
from judgekit.reports.spans import Line, Span
from judgekit.reports.words import wrapped


def preview(
    judge: opt.JudgeName,
    item: Annotated[
        str | None,
        typer.Argument(metavar="[ITEM]", help="Item id, or a file of items; default: the first."),
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
    if as_json:
        print_json([_document(one, cost) for one, cost in told])
        return 0
    coloured = in_colour()
    lines = [line for one, cost in told for line in _lines(one, cost, coloured=coloured)]
    if len(costs) > 1:
        lines.append([Span(all_criteria_text(costs))])
    show_spans(lines, coloured=coloured)
    return 0


def _fallback(judge: str) -> str | None:
    """Let a bare rubric file be previewed without saying for which model."""
    return "(no model)" if judge.endswith((".jinja", ".jinja2", ".j2")) else None


def _lines(one: Preview, cost: ItemCost, *, coloured: bool) -> list[Line]:
    """Return the prompt and what it takes; on a screen its lines are broken between words."""
    item = "a made-up item" if one.item is None else f"item {one.item}"
    size = size_text(one.characters, one.tokens, one.table)
    told = f"{one.criterion.name}, {item}: {size}; {item_cost_text(cost)}. No call was made."
    messages = zip(one.request.messages, one.message_tokens, strict=True)
    sizes = [size_text(len(m.text), tokens, one.table) for m, tokens in messages]
    shown = prompt_lines(one.request, sizes if coloured else ())
    if sys.stdout.isatty():
        width = get_terminal_size().columns
        shown = [part for line in shown for part in folded(line, width)]
    return [*shown, *([Span(line)] for line in wrapped(told))]


def _document(one: Preview, cost: ItemCost) -> dict[str, Any]:
    request, task = one.request, one.request.likelihood
    return {
        "criterion": one.criterion.name,
        "item_id": one.item,
        "model": request.model,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "message_tokens": list(one.message_tokens),
        "prompts": list(task.prompts) if task is not None else None,
        "parameters": request.parameters,
        "schema": request.schema,
        "characters": one.characters,
        "tokens": one.tokens,
        "tokenizer": one.table,
        "cost_usd": cost.each_usd[0],
        "calls_per_item": cost.calls,
        "item_cost_usd": None if cost.unpriced else cost.cost_usd,
    }
