"""``judgekit batch``: the same judgments through a provider's batch API, at half price."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from judgekit.api.batch import collect_batches, list_batches, look_at_batches
from judgekit.api.batch_end import cancel_batch, forget_batches
from judgekit.api.batch_look import Collection
from judgekit.cli import options as opt
from judgekit.cli.app import SETTINGS
from judgekit.cli.batch_shown import show_batches, show_collection, unfinished
from judgekit.cli.batch_submit import Ids, resume, submit
from judgekit.cli.run import CALLS_FAILED, FINE
from judgekit.cli.screen import document_or_lines, remark
from judgekit.reports.batch import batch_lines, batches
from judgekit.storage.disk import shown
from judgekit.storage.project import open_project

app = typer.Typer(
    help="The same judgments through a provider's batch API: half price, within a day.",
    no_args_is_help=True,
    **SETTINGS,
)


@app.callback()
def batch() -> None:
    """Submit, follow and collect batches."""


app.command()(submit)
app.command()(resume)


@app.command()
def status(ids: Ids = None, as_json: opt.Json = False) -> int:
    """Ask the providers once how the batches stand."""
    found = look_at_batches(open_project(), ids or ())
    return show_collection(found, as_json=as_json)


@app.command()
def collect(
    ids: Ids = None,
    wait: Annotated[bool, typer.Option("--wait", help="Stay until all have ended.")] = False,
    poll: Annotated[
        float, typer.Option(min=0.01, metavar="SECONDS", help="Time between two looks.")
    ] = 30.0,
    as_json: opt.Json = False,
) -> int:
    """Put the replies of batches that have ended into the cache.

    The next run finds them there. Exit code 4 says that some are not finished yet, or that some
    requests have no reply.
    """
    told: set[str] = set()

    def report(found: Collection) -> None:
        now = [r for r in found.batches if not r.over or r.id in found.fresh]
        for record in now if wait and not as_json else ():
            line = batch_lines(record, time.time())[1].strip()
            news = f"{record.id} {line.partition(';')[0]}"
            if news not in told:
                told.add(news)
                remark([news])

    found = collect_batches(open_project(), ids or (), wait=wait, poll_s=poll, report=report)
    asked = found if ids else found.without_old()
    code = show_collection(asked, as_json=as_json)
    if not as_json:
        remark(unfinished(asked))
    lost = any(record.lost for record in asked.batches if record.id in asked.fresh)
    return CALLS_FAILED if asked.waiting or lost else code


@app.command()
def cancel(
    batch_id: Annotated[str, typer.Argument(metavar="ID", help="The batch.")],
    as_json: opt.Json = False,
) -> int:
    """Cancel a batch; what was answered by then can still be collected."""
    record = cancel_batch(open_project(), batch_id)
    show_batches([record], as_json=as_json)
    return FINE


@app.command("list")
def list_(as_json: opt.Json = False) -> int:
    """List the batches as they were last seen; nobody is asked."""
    project = open_project()
    records = list_batches(project)
    show_batches(records, as_json=as_json, none=f"{shown(project.batches)}: no batches")
    return FINE


@app.command()
def forget(
    ids: Ids = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also where replies are still to come: they are lost.")
    ] = False,
    as_json: opt.Json = False,
) -> int:
    """Take batches that are over off the list.

    All of them, or those named.
    """
    records = forget_batches(open_project(), ids or (), force=force)
    document = {"format": "judgekit.batches/1", "forgotten": [record.id for record in records]}
    document_or_lines(document, [f"forgotten: {batches(len(records))}"], as_json=as_json)
    return FINE
