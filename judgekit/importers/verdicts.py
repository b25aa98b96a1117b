"""Any table that holds a judge's verdicts beside people's: one row an item, or one a rating."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judgekit.calibration.align import HumanLevel
from judgekit.errors import InputError, LabelError, suggest
from judgekit.importers.cells import as_id, as_text, as_weight, is_blank
from judgekit.importers.labelrows import off_scale
from judgekit.importers.probabilities import ProbabilityReader, none_told
from judgekit.importers.problems import Problems, RowProblem
from judgekit.importers.row import Row
from judgekit.importers.table import Table
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.labels.levelmap import unused_renames
from judgekit.labels.levels import OFF, LevelReader, count, quoted
from judgekit.rubric.model import Criterion

_USUAL = {
    "item": ("id", "item_id"),
    "case": ("case", "case_id"),
    "output": ("output",),
    "weight": ("weight",),
    "stratum": ("stratum",),
}
"""Columns that are taken by their usual name where no option says another."""


@dataclass(frozen=True, slots=True)
class VerdictColumns:
    """Which column says what.

    Attributes:
        judge: The judge's verdict; None where the likeliest level is to be the verdict.
        human: People's labels: one column for each rater, or one column with ``rater`` beside it.
        rater: Who gave the label of a row, where the table has a row for each rating.
        item: Id of the item; without one each row is an item.
        case: The group an item belongs to.
        output: The judged text: its length is held against the judge.
        probability: The judge's probability of each level in scale order, or of passing alone.
    """

    judge: str | None
    human: tuple[str, ...]
    rater: str | None = None
    item: str | None = None
    case: str | None = None
    output: str | None = None
    probability: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdicts:
    """What a table says, row by row.

    Attributes:
        items: The items, with their judged text where it is known and all columns as metadata.
        outcomes: The judge's verdict of each item; one off the scale is unjudged, never a level.
        levels: People's labels of each item.
        probabilities: The judge's probabilities of each item that has any.
        notes: What was assumed while reading.
    """

    items: tuple[Item, ...]
    outcomes: dict[str, Judgment | Unjudged]
    levels: dict[str, list[HumanLevel]]
    probabilities: dict[str, tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_verdicts(
    table: Table,
    criterion: Criterion,
    columns: VerdictColumns,
    level_map: Mapping[str, str] | None = None,
) -> Verdicts:
    """Read the verdicts and labels of a table.

    A blank human cell is no label. A blank verdict is ``missing``, one off the scale is
    ``out_of_scale``; a label off the scale is an error, because people's labels are the yardstick.
    Without a column of verdicts the likeliest level is the verdict.

    Raises:
        InputError: a column is not there or does not fit its part, a row contradicts an earlier
            row of its item, or a cell cannot be used; with file and line.
    """
    return _Reading(table, criterion, columns, level_map or {}).read()


class _Reading:
    def __init__(
        self,
        table: Table,
        criterion: Criterion,
        columns: VerdictColumns,
        renames: Mapping[str, str],
    ) -> None:
        self.table, self.criterion, self.columns = table, criterion, columns
        self.notes: list[str] = []
        self.column = {role: self._column(role) for role in _USUAL}
        for name in (columns.judge, *columns.human, columns.rater, *columns.probability):
            self._check(name)
        self._check_parts()
        self.chances = ProbabilityReader(
            criterion, columns.probability, verdicts=columns.judge is None
        )
        self.renames = renames
        self.human, self.judge = LevelReader(criterion, renames), LevelReader(criterion, renames)
        self.items: dict[str, Item] = {}
        self.outcomes: dict[str, Judgment | Unjudged] = {}
        self.levels: dict[str, list[HumanLevel]] = {}
        self.probabilities: dict[str, tuple[float, ...]] = {}

    def read(self) -> Verdicts:
        problems = Problems()
        for number, row in enumerate(self.table.rows, start=1):
            try:
                self._row(row, number)
            except RowProblem as problem:
                problems.add(problem, row.line)
        problems.report(LabelError, self.table.path)
        if not any(self.levels.values()):
            raise InputError("no row has a human label", file=self.table.path)
        if self.columns.probability and not self.probabilities:
            raise none_told(self.table.path, self.columns.probability)
        if self.columns.judge is None:
            self.notes.append("no column of verdicts: the likeliest level is the verdict")
        renamed = [f"{who}: {note}" for who, r in self._readers() for note in r.notes()]
        unused = unused_renames(self.renames, [r for _, r in self._readers()])
        notes = (*self.table.notes, *self.notes, *self.chances.notes(), *renamed, *unused)
        return Verdicts(
            tuple(self.items.values()), self.outcomes, self.levels, self.probabilities, notes
        )

    def _readers(self) -> list[tuple[str, LevelReader]]:
        return [("human", self.human), ("judge", self.judge)]

    def _column(self, role: str) -> str | None:
        said: str | None = getattr(self.columns, role, None)
        if said is not None:
            self._check(said)
            return said
        columns = self.columns
        taken = {columns.judge, *columns.human, *columns.probability, columns.rater}
        usual = [name for name in _USUAL[role] if name in self.table.columns]
        return next((name for name in usual if name not in taken), None)

    def _check(self, name: str | None) -> None:
        known = self.table.columns
        if name is None or name in known:
            return
        near = suggest(name, known)
        listed = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
        hint = f"Did you mean {near!r}?" if near else f"The columns are: {listed}"
        line = self.table.header_line
        raise InputError(f"no column {name!r}", hint=hint, file=self.table.path, line=line)

    def _check_parts(self) -> None:
        columns, file = self.columns, self.table.path
        if not columns.human:
            raise InputError("no column of human labels is named", hint="--human COLUMN")
        if columns.rater is not None and len(columns.human) > 1:
            raise InputError(
                f"{len(columns.human)} columns of labels, and a column of raters beside them",
                hint="one column for each rater, or one column of labels with --rater-column",
                file=file,
            )
        if columns.judge in columns.human:
            told = f"column {columns.judge!r} stands for the judge and for a person"
            raise InputError(told, hint="Compared with itself it would agree.", file=file)

    def _row(self, row: Row, number: int) -> None:
        name = str(number)
        if (column := self.column["item"]) is not None:
            found = as_id(row.values.get(column))
            if found is None:
                raise RowProblem("item", f"the row has no item id (column {column!r})")
            name = found
        chances = self.chances.read(row.values) if self.columns.probability else None
        outcome = self._outcome(name, row, chances)
        known = self.outcomes.get(name)
        if known is None:
            self._new(name, row, outcome)
            if chances is not None:
                self.probabilities[name] = chances
        elif self.columns.rater is None:
            hint = "Name the column that says who gave the label: --rater-column NAME"
            raise RowProblem("duplicate", f"item {name!r} occurs twice", hint)
        elif self.probabilities.get(name) != chances:
            raise RowProblem("chances", f"item {name!r} has two different sets of probabilities")
        elif known != outcome:
            raise RowProblem("verdict", f"item {name!r} has two different verdicts of the judge")
        for label in self._labels(row):
            if any(label.rater == other.rater for other in self.levels[name]):
                raise RowProblem("twice", f"item {name!r} is labelled twice by {label.rater!r}")
            self.levels[name].append(label)

    def _new(self, name: str, row: Row, outcome: Judgment | Unjudged) -> None:
        column = self.column
        text = None if column["output"] is None else row.values.get(column["output"])
        fields: dict[str, Any] = {"output": text} if isinstance(text, str) else {}
        case = None if column["case"] is None else as_text(row.values.get(column["case"]))
        rest = {k: v for k, v in row.values.items() if k != column["output"]}
        self.items[name] = Item(id=name, fields=fields, case=case, metadata=rest, line=row.line)
        self.outcomes[name] = outcome
        self.levels[name] = []

    def _outcome(
        self, item: str, row: Row, chances: tuple[float, ...] | None
    ) -> Judgment | Unjudged:
        if self.columns.judge is None:
            return self.chances.verdict(item, chances)
        written, name = row.values.get(self.columns.judge), self.criterion.name
        if is_blank(written):
            return Unjudged(item, name, "missing")
        level = self.judge.read(written)
        if level is OFF:
            return Unjudged(item, name, "out_of_scale", raw=str(written))
        return Judgment(item, name, level)

    def _labels(self, row: Row) -> Iterator[HumanLevel]:
        try:
            column = self.column["weight"]
            weight = None if column is None else as_weight(row.values.get(column))
        except ValueError:
            message = f"weight {quoted(row.values.get(str(column)))} is not a positive number"
            raise RowProblem("weight", message) from None
        column = self.column["stratum"]
        stratum = None if column is None else as_text(row.values.get(column))
        for who, written in self._ratings(row):
            if is_blank(written):
                continue
            if not who:
                raise RowProblem("rater", "the row has a label and no rater")
            level = self.human.read(written)
            if level is OFF:
                raise off_scale(self.human, written)
            yield HumanLevel(who, level, weight, stratum)

    def _ratings(self, row: Row) -> list[tuple[str | None, Any]]:
        if self.columns.rater is None:
            return [(name, row.values.get(name)) for name in self.columns.human]
        rater = as_text(row.values.get(self.columns.rater))
        return [(rater, row.values.get(self.columns.human[0]))]


def off_scale_note(outcomes: Mapping[str, Judgment | Unjudged]) -> str | None:
    """Return a remark on verdicts that are no level of the scale, with examples, or None."""
    off = [o for o in outcomes.values() if isinstance(o, Unjudged) and o.cause == "out_of_scale"]
    if not off:
        return None
    some = ", ".join(dict.fromkeys(quoted(o.raw) for o in off[:50]))
    return f"{count(len(off), 'verdict')} of the judge off the scale, unjudged: {some[:120]}"
