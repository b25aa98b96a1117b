"""``judgekit init``."""

from __future__ import annotations

from judgekit.api.init import init_project
from judgekit.cli import options as opt
from judgekit.cli.screen import document_or_lines
from judgekit.reports.words import labelled


def init(as_json: opt.Json = False) -> int:
    """Write a working project: configuration, a rubric, a labelled set, items, a CI workflow."""
    written = init_project()
    lines = [
        "A project with one judge, ready to calibrate.",
        "",
        *(f"  {name}" for name in written),
        "",
        *labelled(
            "Labels",
            "demonstration: written for this example by its authors, not by independent raters. "
            "Replace them by labels of your own.",
        ),
        *labelled("Next", "judgekit calibrate language"),
    ]
    document_or_lines({"format": "judgekit.init/1", "written": written}, lines, as_json=as_json)
    return 0
