"""``judgekit split``."""

from __future__ import annotations

from typing import Annotated

import typer

from judgekit.api.again import option_words, reading_words
from judgekit.api.split import split_labels
from judgekit.cli import options as opt
from judgekit.cli.run import FINE
from judgekit.cli.screen import document_or_lines, remark
from judgekit.labels.split import parse_shares
from judgekit.reports.split import split_json, split_lines
from judgekit.storage.disk import check_output
from judgekit.storage.outputs import precious
from judgekit.storage.project import open_project

LabelFile = Annotated[str, typer.Argument(metavar="LABELS", help="The labels: CSV or JSONL.")]
OutFile = Annotated[
    str, typer.Option("--out", metavar="FILE", help="Write the rows here, each with its part.")
]
SeedName = Annotated[
    str, typer.Option(metavar="TEXT", help="Another name gives another split of the same cases.")
]
SharesOption = Annotated[
    str, typer.Option("--shares", metavar="TRAIN,DEV,TEST", help="What share is for what.")
]


def split(
    ctx: typer.Context,
    labels: LabelFile,
    out: OutFile,
    items: opt.Items = None,
    shares: SharesOption = "0.2,0.4,0.4",
    seed_name: SeedName = "",
    item_column: opt.ItemColumn = None,
    rater_column: opt.RaterColumn = None,
    level_column: opt.LevelColumn = None,
    criterion_column: opt.CriterionColumn = None,
    case_column: opt.CaseColumn = None,
    rater_columns: opt.RaterColumns = None,
    as_json: opt.Json = False,
) -> int:
    """Divide labelled cases into train, dev and test, and write the label file again with it.

    Worked examples may come from train, a rubric is improved on dev, and calibrate measures on
    test. The part of a case is told by a hash of its name: adding labels moves nobody.
    """
    check_output(out, *precious(open_project(), labelled=False))
    options = opt.reading_of(ctx.params)
    result = split_labels(
        labels,
        out,
        items=items,
        options=options,
        shares=parse_shares(shares),
        seed_name=seed_name,
    )
    remark([] if as_json else [f"note: {note}" for note in result.notes])
    reading = option_words([("--items", items)]) + reading_words(options)
    document_or_lines(split_json(result), split_lines(result, reading), as_json=as_json)
    return FINE
