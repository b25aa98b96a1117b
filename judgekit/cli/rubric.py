"""``judgekit rubric``: writing rubrics, changing them and seeing what a change does."""

from __future__ import annotations

from importlib.util import find_spec
from typing import ClassVar

import typer

from judgekit.cli.app import SETTINGS, Lazy

COMMANDS = {
    "new": ("judgekit.cli.rubric_new:new", "Write a rubric: answer questions, or give flags."),
    "draft": ("judgekit.cli.rubric_draft:draft", "A model drafts a rubric from your words."),
    "improve": ("judgekit.cli.rubric_improve:improve", "Propose edits from disagreements."),
    "import": ("judgekit.cli.rubric_import:import_rubric", "Take over another tool's rubric."),
    "schema": ("judgekit.cli.rubric_schema:schema", "The JSON schema of the front matter."),
    "diff": ("judgekit.cli.rubric_diff:diff", "What of an edit changes the meaning."),
}
"""Subcommand -> (where its code stands, one line of help)."""


class Commands(Lazy):
    """The commands on rubrics; one whose code is not there is not offered."""

    table: ClassVar = {
        name: told for name, told in COMMANDS.items() if find_spec(told[0].split(":")[0])
    }


app = typer.Typer(
    cls=Commands, help="Write rubrics and see what changes.", no_args_is_help=True, **SETTINGS
)


@app.callback()
def rubric() -> None:
    """Write rubrics, take them over from other tools, and see what an edit changes."""
