"""``judgekit rubric schema``."""

from __future__ import annotations

from judgekit.cli import flags as opt
from judgekit.cli.screen import print_json
from judgekit.rubric.schema import front_matter_schema


def schema(as_json: opt.Json = False) -> None:
    """Print the JSON schema of a rubric's front matter, for editors."""
    print_json(front_matter_schema())
