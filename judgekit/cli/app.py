"""The table of commands. A command's module is imported when it is called, not before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from judgekit.registry import load

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("judgekit.cli.init:init", "Write a working project into this folder."),
    "lint": ("judgekit.cli.lint:lint", "Check rubrics; every problem with its line."),
    "explain": ("judgekit.cli.explain:explain", "What a lint rule is about."),
    "rubric": ("judgekit.cli.rubric:app", "Write and import rubrics; what an edit changes."),
    "preview": ("judgekit.cli.preview:preview", "Show the exact prompt; no call is made."),
    "try": ("judgekit.cli.attempt:attempt", "Levels and reasons item by item, uncalibrated."),
    "split": ("judgekit.cli.split:split", "Divide labelled cases into train, dev and test."),
    "calibrate": (
        "judgekit.cli.calibrate:calibrate",
        "Measure a judge against human labels; certify it or say why not.",
    ),
    "agreement": (
        "judgekit.cli.agreement:agreement",
        "Measure any table of verdicts and labels; no rubric, no certificate.",
    ),
    "plan": ("judgekit.cli.plan:plan", "How many labels a gate needs, before there are any."),
    "score": ("judgekit.cli.score:score", "Score items with a certified judge."),
    "correct": ("judgekit.cli.correct:correct", "Correct the figure another runner shows."),
    "batch": ("judgekit.cli.batch:app", "The same through a provider's batch API, at half price."),
    "export": ("judgekit.cli.export:export", "A judge, or its scores, for another program."),
    "status": ("judgekit.cli.status:status", "Every judge of the project: fit or not, and why."),
    "certificate": ("judgekit.cli.certificate:app", "Show and verify certificates offline."),
    "card": ("judgekit.cli.card:card", "One page on a certified judge: what its number is worth."),
    "cache": ("judgekit.cli.cache:app", "The cache of replies."),
    "runs": ("judgekit.cli.runs:app", "What each run asked, got and cost, answer by answer."),
}
"""Command -> (where its code stands, one line of help)."""

HELP = """Measure an LLM judge against human labels, certify it, and refuse numbers otherwise.

JUDGE is a name in judgekit.toml, or a rubric file with --model MODEL or --judgments FILE.
"""
EPILOG = (
    "Exit codes: 0 fine; 1 measured, and it falls short; 2 bad usage or input, nothing done; "
    "3 refused by the gate, nothing scored; 4 model calls failed or the budget ran out. "
    "Every command takes --json (one document on stdout) and --debug (show tracebacks)."
)
SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,  # importing rich doubles the time --help takes
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class Lazy(TyperGroup):
    """A group that knows its commands by name and loads the one that is asked for."""

    table: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Command -> (where its code stands, one line of help)."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        names: dict[str, Any] = dict.fromkeys(self.table)
        self.commands = names  # without the commands: for "did you mean"

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, loaded now, or None when there is none of that name."""
        if cmd_name not in self.table:
            return None
        found = load(self.table[cmd_name][0])
        if isinstance(found, typer.Typer):
            command = typer.main.get_command(found)
        else:
            app = typer.Typer(**SETTINGS)
            app.command(name=cmd_name)(found)
            command = typer.main.get_command(app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])


class Commands(Lazy):
    """Every command."""

    table = COMMANDS


def build() -> Any:
    """Return the command line as a command object."""
    app = typer.Typer(cls=Commands, help=HELP, epilog=EPILOG, no_args_is_help=True, **SETTINGS)

    @app.callback(invoke_without_command=True)
    def root(
        version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    ) -> None:
        if version:
            from judgekit.api.version import __version__

            print(f"judgekit {__version__}")
            raise typer.Exit

    return typer.main.get_command(app)
