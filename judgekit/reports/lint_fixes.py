"""What ``lint --diff`` shows: what would be mended, before anything is written."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from judgekit.linting.violations import Fix
from judgekit.reports.lint import lines_of
from judgekit.reports.words import count


def patch_lines(file: str, before: str, after: str) -> list[str]:
    """Return what a file would become as a unified diff."""
    texts = (text.removeprefix("\ufeff") for text in (before, after))
    old, new = (lines_of(text) for text in texts)
    if old[-1] == new[-1] == "":  # behind the end of the last line there is none
        del old[-1], new[-1]
    return list(difflib.unified_diff(old, new, file, file, lineterm=""))


def would_text(fixes: int, left: int) -> str:
    """Return what ``--fix`` would do, in a sentence."""
    if not fixes:
        return f"--fix would change nothing; {count(left, 'violation')} left."
    return f"--fix would mend {count(fixes, 'violation')} and leave {left:,}."


def fixes_json(fixes: Sequence[Fix]) -> list[dict[str, Any]]:
    """Return what would be mended as a document."""
    return [
        {
            "file": fix.file,
            "line": fix.line,
            "column": fix.column,
            "rule": fix.rule,
            "code": fix.code,
            "message": fix.message,
            "fix": fix.done,
            "edits": [edit._asdict() for edit in fix.edits],
        }
        for fix in fixes
    ]
