"""``judgekit runs list``, ``show`` and ``prune``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from judgekit.cli import options as opt
from judgekit.cli.app import SETTINGS
from judgekit.cli.measures import seconds
from judgekit.cli.screen import document_or_lines, print_json, print_json_text, remark, show
from judgekit.errors import UnknownName
from judgekit.judging.judgment import CAUSES
from judgekit.reports.runs_listed import list_lines
from judgekit.reports.runs_story import prompt_of, row_line, story_lines
from judgekit.reports.runs_summary import summarise
from judgekit.reports.runs_told import summary_lines
from judgekit.reports.words import count
from judgekit.storage.disk import shown
from judgekit.storage.project import open_project
from judgekit.storage.runs import RUN_FORMAT
from judgekit.storage.runs_about import RecordedRun
from judgekit.storage.runs_read import (
    Runs,
    old_runs,
    prompt_elsewhere,
    prune_runs,
    read_runs,
    rows_of,
)

app = typer.Typer(help="The records of runs.", no_args_is_help=True, **SETTINGS)
_LISTED = (
    *("id", "command", "judge", "model", "state", "started_at", "ended_at"),
    *("fingerprints", "transport", "lanes", "tally"),
)

_LONGEST = 1e12
"""Seconds, some 30,000 years: more is as good as that, and too long for a calendar."""

_NAMED = 5
"""How many of the runs that were taken out are named on the screen."""

Story = tuple[dict[str, Any], list[dict[str, Any]] | None, str | None]
"""A row, the messages it answers, and the run that has them where it is another."""


@app.callback()
def runs() -> None:
    """See what was asked, what came back and what it cost."""


@app.command("list")
def list_runs(
    judge: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the runs of this judge.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the newest N runs.")
    ] = None,
    as_json: opt.Json = False,
) -> int:
    """Show every run, newest first: what came of it, what it cost."""
    folder = open_project().runs
    found = read_runs(folder)
    chosen = [run for run in found.runs if judge is None or run.about.get("judge") == judge][:limit]
    recorded = {run.id: rows_of(run).count() for run in chosen if run.about.get("tally") is None}
    problems = [*found.foreign, *(run.problem for run in chosen if run.problem)]
    document = {
        "format": "judgekit.runs/1",
        "folder": shown(folder),
        "runs": [
            {name: run.about.get(name) for name in _LISTED} | {"recorded": recorded.get(run.id)}
            for run in chosen
        ],
        "problems": problems,
    }
    lines = list_lines([run.about for run in chosen], recorded)
    document_or_lines(document, lines, as_json=as_json)
    _name(problems, as_json=as_json)
    return 0


@app.command("show")
def show_run(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run, the start of its name, or: last.")
    ],
    item: Annotated[
        str | None, typer.Argument(metavar="[ITEM]", help="The whole story of this item.")
    ] = None,
    unjudged: Annotated[
        bool, typer.Option("--unjudged", help="Only answers without a judgment, one by one.")
    ] = False,
    cause: Annotated[
        str | None, typer.Option(metavar="CAUSE", help="Only those of this cause.")
    ] = None,
    as_json: opt.Json = False,
) -> int:
    """Show what came of a run, or the whole story of one item."""
    if cause is not None and cause not in CAUSES:
        raise UnknownName("cause", cause, CAUSES)
    found = read_runs(open_project().runs)
    chosen = found.find(run)
    if item is not None:
        rows, problems = _rows_of_item(chosen, item)
        told = _stories(found, chosen, [row for row in rows if _wanted(row, unjudged, cause)])
        _show_item(chosen, told, problems, as_json=as_json)
    elif unjudged or cause:
        _show_unjudged(chosen, cause, as_json=as_json)
    else:
        rows_read = rows_of(chosen)
        summary = summarise(rows_read)
        problems = [*_problems(chosen), *rows_read.problems]
        document = {**_head(chosen), "answers": summary.json(), "problems": problems}
        document_or_lines(document, summary_lines(chosen.about, summary), as_json=as_json)
        _name(problems, as_json=as_json)
    return 0


@app.command()
def prune(
    older_than: Annotated[
        str, typer.Option(metavar="DURATION", help="Runs that ended longer ago: 30d, 12h.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say which; take nothing out.")
    ] = False,
    as_json: opt.Json = False,
) -> int:
    """Take out the records of old runs; the replies in the cache stay."""
    age = timedelta(seconds=min(seconds("--older-than", older_than), _LONGEST))
    now = datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
    found = read_runs(open_project().runs)
    old = old_runs(found, now, age)
    if not dry_run:
        prune_runs(old)
    gone, kept = [run.id for run in old], len(found.runs) - len(old)
    document = {
        "format": "judgekit.runs-pruned/1",
        "pruned": gone,
        "kept": kept,
        "dry_run": dry_run,
    }
    told = "would be taken out" if dry_run else "taken out"
    lines = [f"{count(len(gone), 'run')} {told}, {kept:,} kept."]
    lines += [f"  {name}" for name in gone[:_NAMED]]
    lines += [f"  and {len(gone) - _NAMED:,} more"] if len(gone) > _NAMED else []
    document_or_lines(document, lines, as_json=as_json)
    return 0


def _rows_of_item(run: RecordedRun, item: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the rows of an item, and what is broken in the record."""
    rows = rows_of(run, item)
    found = list(rows)
    if not found:
        near = rows.nearest(item)
        hint = f"see what is in it: judgekit runs show {run.id}"
        raise UnknownName("item", item, [near] if near else (), hint=hint)
    return found, [*_problems(run), *rows.problems]


def _wanted(row: Mapping[str, Any], unjudged: bool, cause: str | None) -> bool:
    if cause is not None:
        return bool(row.get("cause") == cause)
    return not unjudged or row["status"] == "unjudged"


def _stories(runs: Runs, run: RecordedRun, rows: list[dict[str, Any]]) -> list[Story]:
    """Return each row with the prompt it answers, from the run that really made the call."""
    told: list[Story] = []
    for row in rows:
        prompt, place = prompt_of(row, run.about), None
        if prompt is None and isinstance(row.get("request"), str):
            elsewhere = prompt_elsewhere(runs.runs, row["request"])
            if elsewhere is not None:
                other, asked = elsewhere
                prompt, place = prompt_of(asked, other.about), other.id
        told.append((row, prompt, None if place == run.id else place))
    return told


def _show_item(run: RecordedRun, told: list[Story], problems: list[str], *, as_json: bool) -> None:
    if as_json:
        rows = [{**row, "messages": prompt, "asked_in": place} for row, prompt, place in told]
        print_json({**_head(run), "judgments": rows, "problems": problems})
        return
    for i, (row, prompt, place) in enumerate(told):
        show([*([""] if i else []), *story_lines(row, prompt, place)])
    if not told:
        show(["No such answer about this item."])
    _name(problems, as_json=as_json)


def _show_unjudged(run: RecordedRun, cause: str | None, *, as_json: bool) -> None:
    rows = rows_of(run)
    found = (row for row in rows if _wanted(row, True, cause))
    if as_json:
        _stream(_head(run), found, lambda: [*_problems(run), *rows.problems])
        return
    told = 0
    for row in found:
        told += 1
        show(row_line(row))
    if not told:
        show(["No answer without a judgment." if cause is None else "None of that cause."])
    _name([*_problems(run), *rows.problems], as_json=as_json)


def _stream(
    document: Mapping[str, Any], rows: Iterable[dict[str, Any]], problems: Callable[[], list[str]]
) -> None:
    """Print a document with its rows, which may be more than memory holds."""
    head = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    print_json_text(head.removesuffix("\n}") + ',\n "judgments": [')
    for i, row in enumerate(rows):
        text = json.dumps(row, ensure_ascii=False, allow_nan=False)
        print_json_text(f"  {',' if i else ''}{text}")
    print_json_text(' ], "problems": ' + json.dumps(problems(), ensure_ascii=False) + "\n}")


def _head(run: RecordedRun) -> dict[str, Any]:
    return {"format": RUN_FORMAT, **run.about}


def _problems(run: RecordedRun) -> list[str]:
    return [run.problem] if run.problem else []


def _name(problems: Iterable[str], *, as_json: bool) -> None:
    """Name what is broken on stderr; a JSON document has it already."""
    if not as_json:
        remark(list(problems))
