"""Finding and reading the records of runs; what is broken in them is named and passed over."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.errors import InputError, UnknownName
from judgekit.storage.disk import disk_trouble, shown
from judgekit.storage.runs import ABOUT, ROWS
from judgekit.storage.runs_about import RecordedRun, read_run
from judgekit.storage.runs_rows import Rows, load_line

LAST = "last"
"""The name of the newest run, whichever it is."""

_NAMED = 5
"""Runs that are named where several fit."""


class Runs(NamedTuple):
    """The runs in a folder, newest first, and what else stands there."""

    runs: list[RecordedRun]
    foreign: list[str]

    def find(self, name: str) -> RecordedRun:
        """Return the run of that id, of the only id that begins so, or the ``last`` one.

        Raises:
            UnknownName: there is none of that name.
            InputError: several begin so, or there is none at all.
        """
        if not self.runs:
            raise InputError(
                "there is no record of any run yet",
                hint="calibrate, score and try leave one each time they ask a judge",
            )
        if name == LAST:
            return self.runs[0]
        exact = [run for run in self.runs if run.id == name]
        near = exact or [run for run in self.runs if name and run.id.startswith(name)]
        if len(near) > 1:
            raise InputError(
                f"{len(near)} runs begin with {name!r}",
                hint=f"say more of its name: {', '.join(run.id for run in near[:_NAMED])}",
            )
        if not near:
            ids = [LAST, *(run.id for run in self.runs)]
            raise UnknownName("run", name, ids, hint="see what there is: judgekit runs list")
        return near[0]


def read_runs(folder: Path) -> Runs:
    """Return all runs of a folder, newest first; a folder that is not there holds none."""
    runs: list[RecordedRun] = []
    foreign: list[str] = []
    with disk_trouble(shown(folder), "the records cannot be read", "paths.runs"):
        places = list(folder.iterdir()) if folder.is_dir() else []
    for place in places:
        known = began(place.name) is not None and place.is_dir() and not place.is_symlink()
        if known and ((place / ABOUT).exists() or (place / ROWS).exists()):
            runs.append(read_run(place))
        else:
            foreign.append(f"{shown(place)} is no record of a run")
    runs.sort(key=lambda run: (run.id[:19], len(run.id), run.id), reverse=True)
    return Runs(runs, sorted(foreign))


def began(name: str) -> datetime | None:
    """Return when a run of that name began; None when no run is named so."""
    rest = name[19:]
    if rest and not (rest[0] == "-" and rest[1:].isdecimal()):
        return None
    try:
        return datetime.strptime(f"{name[:19]}+0000", "%Y-%m-%dT%H-%M-%S%z")
    except ValueError:
        return None


def rows_of(run: RecordedRun, item: str | None = None) -> Rows:
    """Return the rows of a run, or those of one item."""
    return Rows(run.folder / ROWS, item)


def prompt_elsewhere(runs: Sequence[RecordedRun], request: str) -> tuple[RecordedRun, Any] | None:
    """Return the newest run that really sent this request, with its row; None when none did."""
    key = request.encode()
    for run in runs:
        path = run.folder / ROWS
        if not path.is_file():
            continue
        with contextlib.suppress(OSError), path.open("rb") as lines:
            for line in lines:
                if key in line:
                    row = load_line(line)
                    if isinstance(row, dict) and row.get("request") == request and "prompt" in row:
                        return run, row
    return None


def old_runs(runs: Runs, now: datetime, age: timedelta) -> list[RecordedRun]:
    """Return the runs that ended longer ago than ``age``; one that is still going did not."""
    old = []
    for run in runs.runs:
        said = run.about.get("ended_at")
        ended = datetime.fromisoformat(said) if said else began(run.id)
        if run.state != "running" and ended is not None and now - ended >= age:
            old.append(run)
    return old


def prune_runs(runs: Sequence[RecordedRun]) -> None:
    """Take out the records of runs; any file that judgekit did not write stays.

    Raises:
        StorageError: the disk would not have it; the runs before that one are gone.
    """
    for run in runs:
        with disk_trouble(shown(run.folder), "this record cannot be taken out"):
            for name in (ABOUT, ROWS):
                (run.folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody else's file is in it
            run.folder.rmdir()
