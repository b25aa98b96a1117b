"""Rows that cannot be used: all are looked at, the first is reported and its kind counted."""

from __future__ import annotations

from judgekit.errors import InputError
from judgekit.labels.levels import count


class RowProblem(Exception):
    """What is wrong with one row; caught by the pass over the rows.

    Attributes:
        kind: Rows of one kind are counted together.
        message: What is wrong.
        hint: The way out.
    """

    def __init__(self, kind: str, message: str, hint: str | None = None) -> None:
        self.kind, self.message, self.hint = kind, message, hint
        super().__init__(message)


class Problems:
    """Collects what is wrong with rows, so that the report can say how much there is to mend."""

    def __init__(self) -> None:
        self._first: tuple[RowProblem, int] | None = None
        self._more = 0

    def add(self, problem: RowProblem, line: int) -> None:
        """Note a problem; later ones of the first one's kind are counted."""
        if self._first is None:
            self._first = (problem, line)
        elif self._first[0].kind == problem.kind:
            self._more += 1

    def report(self, error: type[InputError], file: str) -> None:
        """Raise the first problem, if there is one.

        Raises:
            InputError: of the class asked for, with file, line and hint.
        """
        if self._first is None:
            return
        problem, line = self._first
        more = f" (and {count(self._more, 'more row')} like it)" if self._more else ""
        raise error(problem.message + more, hint=problem.hint, file=file, line=line)
