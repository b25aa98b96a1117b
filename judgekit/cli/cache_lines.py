"""``judgekit cache export`` and ``import``: replies as lines of JSON, in files and pipes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli import options as opt
from judgekit.cli.cache_opened import document_of, open_cache, place_of
from judgekit.cli.line_files import STANDARD, lines_of, print_lines, write_lines
from judgekit.cli.measures import seconds
from judgekit.cli.screen import document_or_lines, remark
from judgekit.errors import InputError
from judgekit.reports.words import count
from judgekit.running.cache import Imported, ReplyCache
from judgekit.running.cache_line import BEGINS
from judgekit.storage.disk import check_output, disk_trouble, is_stream
from judgekit.storage.outputs import precious
from judgekit.storage.project import open_project

NAMED = 10
"""How many refused lines are named on the screen."""


def export_replies(
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSONL; - is standard output.")],
    since: Annotated[
        str | None, typer.Option(metavar="DURATION", help="Only replies kept in the last 7d, 12h.")
    ] = None,
    as_json: opt.Json = False,
) -> int:
    """Write the replies as JSON lines, to be imported elsewhere."""
    start = None if since is None else time.time() - seconds("--since", since)
    if file == STANDARD and as_json:
        raise InputError("standard output holds the replies or the document, not both")
    with open_cache() as kept:
        lines = kept.export_lines(start)
        written = (
            print_lines(lines) if file == STANDARD else _write(file, lines, complete=since is None)
        )
        left_out = len(kept.set_aside)
        document = document_of(kept) | {"file": file, "exported": written, "set_aside": left_out}
        said = [f"{file}: {_replies(written)}"]
        if left_out:
            said.append(f"{_no_replies(left_out, 'row')} and {_were(left_out)} left out")
        if file == STANDARD:
            remark(said[1:])
        elif is_stream(Path(file)) and not as_json:
            remark(said)  # the replies may be going where this would
        else:
            document_or_lines(document, said, as_json=as_json)
    return 0


def import_replies(
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSONL; - is standard input.")],
    as_json: opt.Json = False,
) -> int:
    """Add exported replies; one that is there already stands.

    Ends with 1 when some lines were no replies and were left out.
    """
    with open_cache() as kept, lines_of(file) as lines:
        done = kept.import_lines(lines)
        if not done.added + done.known:
            first = done.refused[0] if done.refused else None
            raise InputError(
                f"no line of it is a reply; this one: {first.why}" if first else "it has no reply",
                file=file,
                line=first.line if first else None,
                hint="what `judgekit cache export` writes can be imported",
            )
        refused = [line._asdict() for line in done.refused]
        document = document_of(kept) | done._asdict() | {"refused": refused}
        document_or_lines(document, list(_imported(kept, file, done)), as_json=as_json)
    return 1 if done.refused else 0


def _write(file: str, lines: Iterator[str], *, complete: bool) -> int:
    """Write an export, in the place of an earlier one at most; return how many replies.

    Args:
        file: Where to.
        lines: The replies.
        complete: These are all there are, and not only those of some time.
    """
    place = Path(file)
    _check_export(place)
    first = list(islice(lines, 1))
    if complete and not first and place.is_file() and place.stat().st_size:
        raise InputError(
            "the cache is empty, and the replies in this file would be lost",
            file=file,
            hint="name another file, or remove this one first",
        )
    return write_lines(place, chain(first, lines))


def _check_export(place: Path) -> None:
    """Refuse to replace anything but an earlier export.

    Raises:
        InputError: something else stands there.
    """
    check_output(place, *precious(open_project()))
    if not place.is_file() or is_stream(place):
        return
    with disk_trouble(str(place), "cannot be read"), place.open("rb") as file:
        begins = file.read(len(BEGINS))
    if begins not in (b"", BEGINS):
        raise InputError(
            "it is there already, and is no export of replies",
            file=str(place),
            hint="name another file, or remove this one first",
        )


def _imported(kept: ReplyCache, file: str, done: Imported) -> Iterator[str]:
    there = f"{done.known:,} {_were(done.known)} there already"
    yield f"{place_of(kept)}: {_replies(done.added)} added, {there}"
    if refused := len(done.refused):
        yield f"{_no_replies(refused, 'line')} and {_were(refused)} left out:"
    for line, why in done.refused[:NAMED]:
        yield f"  {file}:{line}: {why}"
    if len(done.refused) > NAMED:
        yield f"  and {len(done.refused) - NAMED:,} more"


def _replies(n: int) -> str:
    return count(n, "reply", "replies")


def _no_replies(n: int, what: str) -> str:
    return f"{count(n, what)} {'is no reply' if n == 1 else 'are no replies'}"


def _were(n: int) -> str:
    return "was" if n == 1 else "were"
