"""What is said between two looks of ``lint --watch``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from judgekit.reports.lint import named
from judgekit.reports.words import WIDTH, listed


def rule_line(when: str) -> str:
    """Return the line that parts one look from the last."""
    return f"---- {when} ".ljust(WIDTH, "-")


def changed_text(before: Mapping[str, object], after: Mapping[str, object]) -> str:
    """Return which files are new, gone or other ones.

    Args:
        before: Something of each file that changes when it is written.
        after: The same, later.
    """
    of = {
        "changed": [name for name in after if name in before and after[name] != before[name]],
        "new": [name for name in after if name not in before],
        "gone": [name for name in before if name not in after],
    }
    told = [f"{word}: {listed([*map(named, names)])}" for word, names in of.items() if names]
    return "; ".join(told) or "nothing changed"


def since_lines(new: Counter[tuple[str, str]], gone: Counter[tuple[str, str]]) -> list[str]:
    """Return what is found more and less than before, where anything is."""
    if not new and not gone:
        return ["The same as before."]
    return [f"{new.total():,} new, {gone.total():,} gone since the look before."]
