"""What is wrong in a rubric file, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.rubric.parse import parse

if TYPE_CHECKING:
    from collections.abc import Callable


class Violation(NamedTuple):
    """One violation of one rule.

    Attributes:
        file: The file, as the user named it.
        line: 1-based line.
        column: 1-based column.
        rule: The rule's name, as people say it.
        code: The rule's code, as tools say it.
        message: What is wrong.
        help: What to do instead, or None.
        fixable: True when ``--fix`` can mend it.
    """

    file: str
    line: int
    column: int
    rule: str
    code: str
    message: str
    help: str | None = None
    fixable: bool = False


def check(text: str, *, file: str, load: Callable[[str], str | None]) -> list[Violation]:
    """Return every violation in a rubric's text, by line; broken files are checked too."""
    _, problems = parse(text, load=load)
    return [Violation(file, p.line, p.column, p.rule, p.code, p.message, p.help) for p in problems]
