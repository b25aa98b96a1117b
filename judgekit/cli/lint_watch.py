"""``judgekit lint --watch``: checks again whenever a rubric changes, until it is interrupted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judgekit.api.lint_files import watched_files
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import remark, show
from judgekit.errors import JudgekitError
from judgekit.reports.hints import hint_lines
from judgekit.reports.lint import beside_lines
from judgekit.reports.lint_watch import changed_text, rule_line, since_lines
from judgekit.reports.words import wrapped

if TYPE_CHECKING:
    from judgekit.api.lint import LintResult

EVERY_S = 0.3
"""How often the files are looked at: their dates, not what is in them."""
_SETTLES_S = 0.05
"""Whoever saves a file may empty it first: it is read when it stays as it is for so long."""

Stamps = Mapping[str, tuple[int, int]]


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
    passes = _Passes(look, tell)
    seen: Stamps | None = None
    try:
        while True:
            now = _stamps(paths)
            if now != seen:
                now = _settled(paths, now)
                told = "Ctrl-C ends it" if seen is None else changed_text(seen, now)
                seen = {**now, **passes.one(told)}
            time.sleep(EVERY_S)
    except KeyboardInterrupt:
        remark(["", "Stopped watching."])
        return passes.code


class _Passes:
    """One look after another, each told with what it finds more and less than the last."""

    def __init__(self, look: Callable[[], LintResult], tell: Callable[[LintResult], None]) -> None:
        self._look, self._tell = look, tell
        self._before: Counter[tuple[str, str]] | None = None
        self.code = FINE

    def one(self, told: str) -> Stamps:
        """Look once; return the stamps of files that the look itself has changed."""
        show([rule_line(time.strftime("%H:%M:%S")), *wrapped(told), ""])
        try:
            result = self._look()
        except JudgekitError as error:  # there may be nothing left to check
            remark([*wrapped(str(error)), *hint_lines(error.hint or "")])
            self.code = FALLS_SHORT
            return {}
        self._tell(result)
        found = Counter((v.file, v.message) for v in result.violations)
        if self._before is not None:
            show(since_lines(found - self._before, self._before - found))
        remark(beside_lines(result.notes, result.unreadable, result.unwritten))
        show([""])
        self._before = found
        self.code = FALLS_SHORT if result.violations or result.troubles else FINE
        return _stamps_of([str(Path(mend.file)) for mend in result.mends])


def _settled(paths: Sequence[str], now: Stamps) -> Stamps:
    """Return the stamps once they stay the same; of files that never do, as they are."""
    for _ in range(20):
        time.sleep(_SETTLES_S)
        before, now = now, _stamps(paths)
        if before == now:
            break
    return now


def _stamps(paths: Sequence[str]) -> Stamps:
    """Return when each file was changed last, and its size."""
    return _stamps_of(watched_files(paths))


def _stamps_of(files: Sequence[str]) -> Stamps:
    found = {}
    for path in files:
        try:
            stat = Path(path).stat()
        except OSError:
            continue
        found[path] = (stat.st_mtime_ns, stat.st_size)
    return found
