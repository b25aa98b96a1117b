"""Options of commands that need nothing else of judgekit: they load nothing heavy."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
