"""What a rule finds, and what would mend it."""

from __future__ import annotations

from typing import NamedTuple


class Edit(NamedTuple):
    """One change of one line that ``--fix`` makes.

    Attributes:
        line: 1-based line of the file.
        column: 1-based column.
        old: What stands there, within the line.
        new: What to put in its place; None takes the whole line out.
    """

    line: int
    column: int
    old: str
    new: str | None


class Finding(NamedTuple):
    """One place where a rule does not hold.

    Attributes:
        line: 1-based line of the file.
        column: 1-based column.
        message: What is wrong.
        help: What to do instead, or None.
        edits: What mends it without changing what the rubric means; none where that is for the
            author to decide.
    """

    line: int
    column: int
    message: str
    help: str | None = None
    edits: tuple[Edit, ...] = ()


class Found(NamedTuple):
    """What one rule found.

    Attributes:
        rule: The rule's name.
        code: Its code.
        finding: Where, what, and what would mend it.
    """

    rule: str
    code: str
    finding: Finding
