"""``judgekit cache stats`` and ``prune``, and the table of all its commands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated

import typer

from judgekit.cli import options as opt
from judgekit.cli.app import SETTINGS
from judgekit.cli.cache_lines import export_replies, import_replies
from judgekit.cli.cache_opened import document_of, open_cache, place_of
from judgekit.cli.measures import bytes_of, day_text, seconds, size_text
from judgekit.cli.screen import document_or_lines
from judgekit.errors import InputError
from judgekit.reports.words import count
from judgekit.running.cache import CacheStats, ReplyCache

app = typer.Typer(help="The cache of replies.", no_args_is_help=True, **SETTINGS)


@app.callback()
def cache() -> None:
    """Look after the cache of replies."""


@app.command()
def stats(as_json: opt.Json = False) -> int:
    """Show how many replies are kept, and how much room they take.

    Rows that are no replies are named.
    """
    with open_cache() as kept:
        found = kept.stats()
        document = document_of(kept) | found._asdict()
        document["set_aside"] = [row._asdict() for row in found.set_aside]
        document_or_lines(document, list(_counted(kept, found)), as_json=as_json)
    return 0


@app.command()
def prune(
    older_than: Annotated[
        str | None, typer.Option(metavar="DURATION", help="Replies kept longer ago: 30d, 12h.")
    ] = None,
    max_size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="The oldest, until the rest takes no more: 500MB, 2GB."),
    ] = None,
    unusable: Annotated[
        bool, typer.Option("--unusable", help="Only rows that are no replies (always removed).")
    ] = False,
    as_json: opt.Json = False,
) -> int:
    """Remove old replies, and rows that are no replies.

    The file becomes smaller.
    """
    if older_than is None and max_size is None and not unusable:
        raise InputError(
            "nothing says what to remove",
            hint="--older-than 30d, --max-size 500MB, both, or --unusable",
        )
    age = None if older_than is None else seconds("--older-than", older_than)
    size = None if max_size is None else bytes_of("--max-size", max_size)
    with open_cache() as kept:
        done = kept.prune(older_than_s=age, max_bytes=size, now=time.time())
        removed = f"{done.removed:,} removed ({done.unusable:,} of them unusable)"
        said = (
            f"{place_of(kept)}: {removed}, {done.left:,} left, {size_text(done.freed_bytes)} freed"
        )
        document_or_lines(document_of(kept) | done._asdict(), [said], as_json=as_json)
    return 0


def _counted(kept: ReplyCache, found: CacheStats) -> Iterator[str]:
    span = ""
    if found.oldest is not None and found.newest is not None:
        span = f", kept {day_text(found.oldest)} to {day_text(found.newest)}"
    entries = count(found.entries, "reply", "replies")
    yield f"{place_of(kept)}: {entries}, {size_text(found.bytes)}{span}"
    if not found.unusable:
        return
    one = found.unusable == 1
    asked = "its request is" if one else "their requests are"
    yield f"{count(found.unusable, 'row')} cannot be used; {asked} asked anew:"
    for row in found.set_aside:
        yield f"  {row.key}: {row.why}"
    if found.unusable > len(found.set_aside):
        yield f"  and {found.unusable - len(found.set_aside):,} more"
    yield "Next    judgekit cache prune --unusable"


app.command("export")(export_replies)
app.command("import")(import_replies)
