"""Which column is which: exact names, well-known other names, and what an option says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from shlex import quote
from typing import NamedTuple

from judgekit.errors import InputError, suggest
from judgekit.importers.cells import is_blank
from judgekit.importers.roles import Role
from judgekit.importers.spelling import bare, likeness, looks_like
from judgekit.importers.table import Table

NONE = "-"
"""What a column option says when the file has no such column."""
ITEM_COLUMNS = frozenset(
    {"input", "output", "outputs", "output_a", "output_b", "reference", "context", "metadata", "id"}
)
"""Columns of items: never a misspelling of something else."""


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """What ``--item-column``, ``--rater-column`` ... say; None leaves the choice to the names.

    A column named here wins, and must be in the file: see `share_options` for several files.
    ``-`` says that the file has no such column, even if one looks like it.
    """

    item: str | None = None
    rater: str | None = None
    level: str | None = None
    criterion: str | None = None
    case: str | None = None


def share_options(options: ColumnOptions, tables: Sequence[Table]) -> list[ColumnOptions]:
    """Return the options for each file of a command that reads several.

    An option counts in the files that have the column; in the others their own names do. One that
    no file has stays in all of them, so that the first reader refuses it.
    """
    shared = []
    for table in tables:
        here = {}
        for part in fields(options):
            said = getattr(options, part.name)
            elsewhere = any(said in other.columns for other in tables)
            here[part.name] = None if elsewhere and said not in table.columns else said
        shared.append(ColumnOptions(**here))
    return shared


class Columns(NamedTuple):
    """The column of each role that has one, and what people should know about the choice."""

    by_role: dict[str, str]
    notes: tuple[str, ...]

    def get(self, role: str) -> str | None:
        """Return the column of a role, or None when the file has none."""
        return self.by_role.get(role)


def find_columns(
    table: Table,
    roles: Sequence[Role],
    options: ColumnOptions,
    *,
    reserved: Iterable[str] = (),
    is_level: Callable[[object], bool] | None = None,
) -> Columns:
    """Return which column plays which role.

    Args:
        table: The rows.
        roles: The roles to fill.
        options: What the user said; it wins.
        reserved: Columns that are item text, and play a role only when an option says so.
        is_level: Tells whether a value is a level, where the scale is known: a column is only
            suggested for the levels when most of what it holds are levels.

    Raises:
        InputError: a needed column is missing, two columns could play one role, a column looks
            like a misspelling of one, or an option names a column that is not there.
    """
    search = _Search(table, options, frozenset(reserved), roles, is_level)
    for role in roles:
        search.fill(role)
    search.refuse_misspelt(roles)
    return Columns(search.found, tuple(search.notes))


class _Search:
    """Fills one role after the other."""

    def __init__(
        self,
        table: Table,
        options: ColumnOptions,
        reserved: frozenset[str],
        roles: Sequence[Role],
        is_level: Callable[[object], bool] | None,
    ) -> None:
        self.table, self.options, self.is_level = table, options, is_level
        self.known = {bare(name) for role in roles for name in (*role.names, *role.others)}
        said = (options.item, options.rater, options.level, options.criterion, options.case)
        self.free = [c for c in table.columns if c not in reserved and c not in said]
        self.found: dict[str, str] = {}
        self.notes: list[str] = []

    def fill(self, role: Role) -> None:
        said: str | None = getattr(self.options, role.key) if role.option else None
        if said == NONE and not role.needed:
            return
        if said is not None and said not in self.table.columns:
            raise self._absent(role, said)
        column = said or self._by_name(role)
        if column is not None:
            self.found[role.key] = column
        elif role.needed:
            raise self._missing(role)
        if column is not None and said is None and column not in role.names:
            self.notes.append(f"took {column!r} for {role.names[0]}")

    def _by_name(self, role: Role) -> str | None:
        """Return the column whose name fits: an exact name before any other."""
        exact = [c for c in self.free if c in role.names]
        known = {bare(name) for name in (*role.names, *role.others)}
        fits = exact or [c for c in self.free if bare(c) in known]
        if len(fits) > 1:
            pair = " and ".join(map(repr, fits))
            hint = f"Say which: {_option(role, fits[0])}" if role.option else "Rename one of them."
            raise self._error(f"the columns {pair} could both be the {role.key}", hint)
        return fits[0] if fits else None

    def refuse_misspelt(self, roles: Sequence[Role]) -> None:
        """Refuse an unused column that looks like a role that has no column."""
        unused = [c for c in self.free if c not in self.found.values() and c not in ITEM_COLUMNS]
        for role in roles:
            is_off = role.option and getattr(self.options, role.key) == NONE
            filled = self.found.get(role.key)
            for column in unused:
                name = next((n for n in role.names if looks_like(column, n)), None)
                if is_off or name is None or bare(column) == bare(name) + "s":
                    continue
                if filled is None or self._stands_in(column, filled):
                    raise self._misspelt(role, column, name)

    def _stands_in(self, column: str, filled: str) -> bool:
        """Tell whether a JSON row has the doubtful key in place of the right one."""
        return any(column in r.values and filled not in r.values for r in self.table.rows)

    def _absent(self, role: Role, said: str) -> InputError:
        near = suggest(said, self.table.columns)
        hint = f"Did you mean {_option(role, near)}?" if near else "The columns are: "
        return self._error(f"no column {said!r}", hint if near else hint + self._listed())

    def _missing(self, role: Role) -> InputError:
        names = [name for name in (*role.names, *role.others) if len(name) > 3]
        unused = [c for c in self._unused() if bare(c) not in self.known]
        levels = []
        if role.key == "level" and self.is_level is not None:
            unused = levels = [c for c in unused if self._holds_levels(c, self.is_level)]
        near = [(c, name) for c in unused if (name := suggest(c, names))]
        if near:
            return self._misspelt(role, *max(near, key=lambda pair: likeness(*pair)))
        others = ", ".join(role.others)
        hint = f"The columns are: {self._listed()}. Say which: {_option(role, 'NAME')}"
        if len(levels) == 1:
            hint = f"{levels[0]!r} holds levels. Say so: {_option(role, levels[0])}"
        elif levels:
            hint = f"Columns that hold levels: {', '.join(levels)}. If each is one rater's: "
            hint += f"--rater-columns {quote(','.join(levels))}; to read one alone: "
            hint += _option(role, "NAME")
        return self._error(f"no {role.key} column: {role.names[0]!r} is needed (or {others})", hint)

    def _unused(self) -> list[str]:
        return [c for c in self.free if c not in self.found.values()]

    def _holds_levels(self, column: str, is_level: Callable[[object], bool]) -> bool:
        """Tell whether most of what a column holds are levels."""
        values = [row.values.get(column) for row in self.table.rows]
        said = [is_level(value) for value in values if not is_blank(value)]
        return 2 * sum(said) > len(said)

    def _misspelt(self, role: Role, column: str, name: str) -> InputError:
        hint = "Rename the column."
        if role.option:
            hint = f"Rename the column, or say so: {_option(role, column)}"
            if not role.needed:
                hint += f" (if it is something else: {_option(role, NONE)})"
        return self._error(f"column {column!r}: did you mean {name!r}?", hint)

    def _listed(self) -> str:
        more = ", ..." if len(self.table.columns) > 20 else ""
        return ", ".join(self.table.columns[:20]) + more

    def _error(self, message: str, hint: str) -> InputError:
        return InputError(message, hint=hint, file=self.table.path, line=self.table.header_line)


def _option(role: Role, column: str) -> str:
    return f"--{role.key}-column {quote(column)}"
