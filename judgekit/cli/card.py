"""``judgekit card``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.api.card import card_place, judge_card, write_card
from judgekit.cli import options as opt
from judgekit.cli.run import FINE
from judgekit.cli.screen import document_or_lines
from judgekit.reports.card import card_json
from judgekit.storage.disk import check_output

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
    check_output(place if out is not None else None, *opt.files_of(setup, ctx.params))
    parts = judge_card(setup)
    write_card(setup, parts, place)
    shown = out or f"{place.parent.name}/{place.name}"
    lines = [f"Card of {setup.judge.name}: {shown}, and as JSON beside it."]
    document_or_lines(card_json(setup.judge.name, parts), lines, as_json=as_json)
    return FINE
