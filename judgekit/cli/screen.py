"""What goes to the screen: results on stdout, progress and remarks on stderr.

All that is printed comes through here, and what a model, an endpoint, a file or a name said in it
never steers the terminal (``judgekit.reports.words.printable``).
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from judgekit.cli.streams import let_go
from judgekit.reports.words import printable, printable_json, wrapped

if TYPE_CHECKING:
    from judgekit.running.progress import Progress

_STYLES = (
    (r"\bNOT CALIBRATED\b|\bNO VERDICT\b|^Refused", "bold red"),
    (r"(?<!NOT )\bCALIBRATED\b", "bold green"),
    (r"\bINCONCLUSIVE\b", "bold yellow"),
    (r"\bok$", "green"),
    (r"\bno$", "red"),
)
_COMMAND = re.compile(r"(\w+ {2,})?\s*judgekit ")
"""A line that is a command, or has one behind its label."""


def print_json(document: object) -> None:
    """Print one JSON document and nothing else."""
    print_json_text(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False))


def print_json_text(text: str) -> None:
    """Print JSON, or a part of it that ends with a line."""
    sys.stdout.write(f"{printable_json(text)}\n")


def show(lines: Sequence[str]) -> None:
    """Print lines; colour marks the outcome where the screen has colours."""
    if not sys.stdout.isatty() and "FORCE_COLOR" not in os.environ:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
        return
    from rich.text import Text

    console = _console()
    for line in lines:
        text = Text(printable(line))
        for pattern, style in _STYLES:
            text.highlight_regex(pattern, style)
        console.print(text)


@cache
def _console() -> Any:
    from rich.console import Console

    return Console(soft_wrap=True, highlight=False, markup=False, emoji=False)


@contextmanager
def told_at_end(*, quiet: bool) -> Iterator[None]:
    """Say on stderr what is to be said of the runs made inside, once they have ended."""
    from judgekit.api.recording import watched_runs
    from judgekit.reports.runs_ended import ended_lines

    with watched_runs() as runs:
        yield
    for run in () if quiet else runs:
        name = None if run.recorder is None else run.recorder.id
        remark(ended_lines(run.tally(), name))


def remark(lines: Sequence[str]) -> None:
    """Print remarks, for people only, on stderr; a full disk behind it does not end the command."""
    try:
        for line in _folded(lines):
            print(line, file=sys.stderr)
    except BrokenPipeError:
        raise
    except OSError:
        let_go(sys.stderr)


def _folded(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines as a screen shows them, broken between words; in a log each stays one line.

    What is to be typed is never broken.
    """
    width = get_terminal_size().columns if sys.stderr.isatty() else None
    for line in map(printable, lines):
        if width is None or len(line) <= width or _COMMAND.match(line):
            yield line
        else:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            yield from wrapped(line, width=width, rest=indent)


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Callable[[Progress], None] | None]:
    """Draw a bar on stderr while something is judged; nothing where stderr is no screen."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[told]}"),
        console=Console(stderr=True),
        transient=False,
    )
    task = bar.add_task(printable(what), total=None, told="")

    def report(now: Progress) -> None:
        bar.update(task, completed=now.done, total=now.total, told=_told(now))

    with bar:
        try:
            yield report
        except BaseException:
            bar.live.transient = True  # an error stands alone, without half a bar above it
            raise


def _told(now: Progress) -> str:
    parts = []
    if now.cached:
        parts.append(f"{now.cached} cached")
    if now.failed:
        parts.append(f"{now.failed} without reply")
    if now.cost_usd is None:
        parts.append("cost unknown")
    elif now.cost_usd:
        parts.append(f"{now.cost_usd:.2f} USD")
    return ", ".join(parts)


def document_or_lines(document: Any, lines: Sequence[str], *, as_json: bool) -> None:
    """Print a result in the form asked for."""
    if as_json:
        print_json(document)
    else:
        show(lines)
