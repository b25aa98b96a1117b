"""Judge and item to the request that is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.judging.likelihood import build_task
from judgekit.judging.request import Message, ModelRequest
from judgekit.rubric.render import answers, render

if TYPE_CHECKING:
    from judgekit.judging.item import Item
    from judgekit.judging.judge import Judge
    from judgekit.rubric.model import Criterion


def build_request(
    judge: Judge, criterion: Criterion, item: Item, *, replicate: int = 0
) -> ModelRequest:
    """Return the request that asks ``judge`` about one criterion of one item.

    Raises:
        InputError: the item lacks an input of the rubric; names the item.
    """
    for name in judge.rubric.inputs:
        if name not in item.fields:
            raise InputError(
                f"item {item.id!r} has no {name!r}, which rubric {judge.rubric.name!r} shows",
                line=item.line,
                hint=f"inputs of this rubric: {', '.join(judge.rubric.inputs)}",
            )
    if judge.scoring == "likelihood":
        task = build_task(criterion, item.fields, judge.rubric.inputs)
        return ModelRequest(model=judge.model, messages=(), replicate=replicate, likelihood=task)
    shown = render(judge.rubric, criterion, item.fields)
    messages = tuple(Message(role, content) for role, content in shown)
    return ModelRequest(
        model=judge.model,
        messages=messages,
        parameters=dict(judge.parameters),
        schema=reply_schema(criterion) if judge.structured else None,
        api_base=judge.api_base,
        replicate=replicate,
    )


def reply_schema(criterion: Criterion) -> dict[str, Any]:
    """Return the JSON schema of a reply: the reason first, then one level by name."""
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "level": {"type": "string", "enum": answers(criterion)},
        },
        "required": ["reason", "level"],
        "additionalProperties": False,
    }
