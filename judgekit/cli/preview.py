"""``judgekit preview``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from judgekit.api.preview import Preview, preview_judge
from judgekit.api.setup import load_judge
from judgekit.cli import options as opt
from judgekit.cli.screen import document_or_lines


def preview(
    judge: opt.JudgeName,
    item: Annotated[
        str | None, typer.Argument(metavar="[ITEM]", help="Item id; default: the first.")
    ] = None,
    items: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the item stands.")
    ] = None,
    model: Annotated[str, typer.Option(metavar="MODEL", help="For which model.")] = "",
    as_json: opt.Json = False,
) -> int:
    """Show the exact prompt, its length and about what it costs. No call is made."""
    setup = load_judge(judge, model=model or _fallback(judge))
    found = preview_judge(setup, items, item)
    lines = [line for one in found for line in _lines(one)]
    document_or_lines([_document(one) for one in found], lines, as_json=as_json)
    return 0


def _fallback(judge: str) -> str | None:
    """Let a bare rubric file be previewed without saying for which model."""
    return "(no model)" if judge.endswith((".jinja", ".jinja2", ".j2")) else None


def _lines(one: Preview) -> list[str]:
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
        lines += [f"levels: {', '.join(task.labels)}; bias measured on {held_out} worked examples"]
    cost = "price unknown" if one.cost_usd is None else f"about {one.cost_usd:.5f} USD a call"
    item = "a made-up item" if one.item is None else f"item {one.item}"
    size = f"{one.characters:,} characters, about {one.tokens:,} tokens, {cost}"
    return [*lines, f"{one.criterion.name}, {item}: {size}. No call was made."]


def _document(one: Preview) -> dict[str, Any]:
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
        "cost_usd": one.cost_usd,
    }
