"""What is wrong in a rubric file, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.engine import lint

if TYPE_CHECKING:
    from collections.abc import Callable

    from judgekit.linting.finding import Edit, Found


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


class Fix(NamedTuple):
    """One violation that was mended.

    Attributes:
        file: The file, as the user named it.
        line: 1-based line it stood on when it was mended.
        column: 1-based column.
        rule: The rule's name.
        code: The rule's code.
        message: What was wrong.
        edits: What was changed.
    """

    file: str
    line: int
    column: int
    rule: str
    code: str
    message: str
    edits: tuple[Edit, ...]

    @property
    def done(self) -> str:
        """Return what was changed, in words."""
        return ", ".join(map(_done, self.edits))


def _done(edit: Edit) -> str:
    old, new = edit.old.strip(), edit.new
    if new is None:
        return f"line taken out: {old}"
    if not new.strip():
        return f"taken out: {old}"
    return f"{old} -> {new.strip()}" if old else f"put in: {new.strip()}"


def violation(found: Found, file: str) -> Violation:
    """Return what was found as a violation."""
    rule, code, finding = found
    line, column, message, help_, edits = finding
    return Violation(file, line, column, rule, code, message, help_, bool(edits))


def fix_of(found: Found, file: str) -> Fix:
    """Return what was mended of a file."""
    rule, code, (line, column, message, _, edits) = found
    return Fix(file, line, column, rule, code, message, edits)


def check(text: str, *, file: str, load: Callable[[str], str | None]) -> list[Violation]:
    """Return every violation in a rubric's text, by line; broken files are checked too.

    Args:
        text: The file's text.
        file: What to call the file.
        load: Returns the source of a template by name, or None.
    """
    return [violation(found, file) for found in lint(text, file=file, load=load)]
