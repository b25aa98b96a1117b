"""``judgekit lint --watch``: checks again whenever a rubric changes, until it is interrupted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judgekit.api.lint import watched_files
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import remark, show
from judgekit.errors import JudgekitError

if TYPE_CHECKING:
    from judgekit.api.lint import LintResult

EVERY_S = 0.3
"""How often the files are looked at: their dates, not what is in them."""


def watched(
    paths: Sequence[str],
    look: Callable[[], LintResult],
    tell: Callable[[LintResult], None],
) -> int:
    """Check now and after every change; return the last exit code when interrupted.

    Args:
        paths: What is watched.
        look: Checks it.
        tell: Prints what was found.
    """
    seen: dict[str, tuple[int, int]] | None = None
    code = FINE
    try:
        while True:
            now = _stamps(paths)
            if now != seen:
                code = _checked(look, tell)
                seen = now
                remark([f"{time.strftime('%H:%M:%S')}  watching; end it with Ctrl-C"])
            time.sleep(EVERY_S)
    except KeyboardInterrupt:
        return code


def _checked(look: Callable[[], LintResult], tell: Callable[[LintResult], None]) -> int:
    try:
        result = look()
    except JudgekitError as error:  # a file may be gone for the moment it takes to save it
        remark([str(error)])
        return FALLS_SHORT
    tell(result)
    show([""])
    remark([f"note: {note}" for note in result.notes])
    remark([str(error) for error in result.unreadable])
    return FALLS_SHORT if result.violations or result.unreadable else FINE


def _stamps(paths: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return when each file was changed last, and its size."""
    found = {}
    for path in watched_files(paths):
        try:
            stat = Path(path).stat()
        except OSError:
            continue
        found[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return found
