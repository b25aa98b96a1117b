"""What a judge would be shown, and about what that would cost. No call is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from judgekit.api.preview_tokens import tokens_of
from judgekit.api.setup import JudgeSetup
from judgekit.errors import InputError, UnknownName
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.items import read_items
from judgekit.judging.item import Item
from judgekit.judging.prompt import build_request
from judgekit.judging.request import ModelRequest
from judgekit.rubric.meaning import probes
from judgekit.rubric.model import Criterion
from judgekit.running.prices import estimated_cost


@dataclass(frozen=True)
class Preview:
    """One request as it would be sent.

    Attributes:
        criterion: The criterion it asks about.
        item: The item's id, or None for a made-up item.
        request: The request.
        characters: Length of all that is shown.
        tokens: How many tokens that is; the model may count some more between messages.
        message_tokens: The same of each message.
        table: What the tokens were counted with; None for about four characters each.
        cost_usd: About what one call costs, or None when the price is not known.
    """

    criterion: Criterion
    item: str | None
    request: ModelRequest
    characters: int
    tokens: int
    message_tokens: tuple[int, ...]
    table: str | None
    cost_usd: float | None


def preview_judge(
    setup: JudgeSetup, items: str | Path | None = None, item_id: str | None = None
) -> list[Preview]:
    """Return the request for each criterion of one item.

    Args:
        setup: The judge.
        items: A file of items; without one the judge's labelled set, or else made-up text.
        item_id: Which item; the first by default. Where no file is named, it may be one: what is
            no id of an item is taken for the file of the items, if it is a file.

    Raises:
        InputError: the file or the item cannot be used.
    """
    item = _item(setup, items, item_id)
    tokens_to = cache(tokens_of)
    found = []
    for criterion in setup.judge.rubric.criteria:
        request = build_request(setup.judge, criterion, item)
        shown = [m.text for m in request.messages]
        if request.likelihood is not None:
            shown = list(request.likelihood.prompts)
        count, table = tokens_to(request.model)
        tokens = sum(map(count, shown))
        found.append(
            Preview(
                criterion=criterion,
                item=item.id or None,
                request=request,
                characters=sum(map(len, shown)),
                tokens=tokens,
                message_tokens=tuple(count(m.text) for m in request.messages),
                table=table,
                cost_usd=estimated_cost(request.model, tokens),
            )
        )
    return found


def _item(setup: JudgeSetup, items: str | Path | None, item_id: str | None) -> Item:
    inputs, named = setup.judge.rubric.inputs, items
    for name in (setup.entry.items, setup.entry.labels):
        path = name and setup.project.path(name)
        if items is None and path and path.exists():
            items = path
    is_file = named is None and item_id is not None and Path(item_id).is_file()
    if items is None:
        if item_id is not None and is_file:
            return _item(setup, item_id, None)
        if item_id is not None:
            raise InputError(f"no items to find {item_id!r} in", hint="name them: --items FILE")
        return Item(id="", fields=probes(inputs)[0])
    found = read_items(items, inputs=inputs, columns=ColumnOptions())
    by_id = {item.id: item for item in found}
    if item_id is None:
        return found[0]
    if item_id not in by_id and is_file:
        return _item(setup, item_id, None)
    if item_id not in by_id:
        raise UnknownName("item", item_id, by_id, file=str(items))
    return by_id[item_id]
