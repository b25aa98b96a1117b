"""``judgekit card``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from judgekit.api.card import card_place, judge_card, write_card
from judgekit.cli import options as opt
from judgekit.cli.run import FINE
from judgekit.cli.screen import document_or_lines
from judgekit.errors import InputError
from judgekit.importers.text import load_text
from judgekit.reports.card import CARD_FORMAT, card_json
from judgekit.storage.disk import check_output, is_stream

_LOOK = 200
CARD = "# Judge card"
"""How a card begins: no other file is replaced."""
CardOut = Annotated[
    str | None,
    typer.Option(
        "--out", metavar="FILE", help="Write it there; by default cards/NAME.md in the project."
    ),
]


def card(
    ctx: typer.Context,
    judge: opt.JudgeName,
    out: CardOut = None,
    model: opt.Model = None,
    as_json: opt.Json = False,
) -> int:
    """Write the card of a certified judge: one page that says what its number is worth.

    What it measures, on what labels, how well, until when, where it fails and what it costs; as
    Markdown, and as JSON beside it. A judge that is not certified has none (exit 3).
    """
    setup = opt.setup_of(ctx.params)
    place = card_place(setup) if out is None else Path(out)
    _check_place(place, made=out is None, kept=opt.files_of(setup, ctx.params))
    parts = judge_card(setup)
    write_card(setup, parts, place)
    shown = out or f"{place.parent.name}/{place.name}"
    lines = [f"Card of {setup.judge.name}: {shown}, and as JSON beside it."]
    document_or_lines(card_json(setup.judge.name, parts), lines, as_json=as_json)
    return FINE


def _check_place(place: Path, *, made: bool, kept: Sequence[str | Path | None]) -> None:
    """Refuse a place where one of the two files would replace something else than a card.

    Args:
        place: Where the page goes; its JSON goes beside it.
        made: Whether its folder is made when it is not there.
        kept: What no output may replace.

    Raises:
        InputError: before anything is written.
    """
    beside = place.with_suffix(".json")
    if beside == place or is_stream(place):
        raise InputError(
            "a card is two files: a page, and its JSON beside it",
            file=str(place),
            hint="name the page: --out FILE.md; the JSON alone is what --json prints",
        )
    if made and not place.parent.is_dir():
        return
    for one, mark in ((place, CARD), (beside, CARD_FORMAT)):
        check_output(one, *kept)
        if one.exists() and mark not in load_text(one)[:_LOOK]:
            raise InputError(
                "there is such a file already, and it is no card",
                file=str(one),
                hint="name another place: --out FILE.md",
            )
