"""``judgekit cache stats``."""

from __future__ import annotations

import typer

from judgekit.cli import options as opt
from judgekit.cli.app import SETTINGS
from judgekit.cli.screen import document_or_lines
from judgekit.running.cache import ReplyCache
from judgekit.storage.disk import shown
from judgekit.storage.project import open_project

app = typer.Typer(help="The cache of replies.", no_args_is_help=True, **SETTINGS)


@app.callback()
def cache() -> None:
    """Look after the cache of replies."""


@app.command()
def stats(as_json: opt.Json = False) -> int:
    """Show how many replies are kept, and how much room they take."""
    folder = open_project().cache
    kept = ReplyCache(folder)
    try:
        found = kept.stats()
    finally:
        kept.close()
    document = {"format": "judgekit.cache/1", "folder": shown(folder), **found._asdict()}
    lines = [f"{shown(folder)}: {found.entries:,} replies, {found.bytes:,} bytes"]
    document_or_lines(document, lines, as_json=as_json)
    return 0
