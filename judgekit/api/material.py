"""What a calibration works on: labels, items and recorded judgments, read and fitted together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from judgekit.errors import AlignmentError
from judgekit.fingerprint import canonical_json, sha256_text
from judgekit.importers.columns import ColumnOptions, share_options
from judgekit.importers.items import items_from_labels, read_item_set
from judgekit.importers.judgments import read_judgments
from judgekit.importers.labels import read_labels
from judgekit.importers.recorded import RecordedSet
from judgekit.importers.table import read_table
from judgekit.importers.where import parse_where, select
from judgekit.judging.item import Item
from judgekit.labels.adjudicate import Rule
from judgekit.labels.label import LabelSet
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.scale import fold


@dataclass(frozen=True)
class ReadOptions:
    """How the files of one command are to be read; the command line's column options.

    Attributes:
        columns: ``--item-column`` and its like.
        level_map: ``--level-map``: level as written -> level of the scale.
        rater_columns: Wide form: one column a rater.
        criterion: ``--criterion``: read only this one.
        where: ``--where COLUMN=VALUE``: only items that say so.
        judge_id: ``--judge-id``: which judge of a recorded file.
        split: ``--split``: which part of the labelled set is the test set.
        reference: ``pooled`` (every rater's label stands) or ``majority``.
        adjudicator: The rater whose labels replace the others of an item.
    """

    columns: ColumnOptions = field(default_factory=ColumnOptions)
    level_map: dict[str, str] = field(default_factory=dict)
    rater_columns: tuple[str, ...] = ()
    criterion: str | None = None
    where: tuple[str, ...] = ()
    judge_id: str | None = None
    split: str | None = None
    reference: Rule = "pooled"
    adjudicator: str = "adjudicated"

    def to_json(self) -> dict[str, Any]:
        """Return what differs from the defaults, for a certificate to read its labels again."""
        plain = ReadOptions()
        columns = {
            name: getattr(self.columns, name)
            for name in ("item", "rater", "level", "criterion", "case")
            if getattr(self.columns, name) is not None
        }
        names = ("level_map", "rater_columns", "criterion", "where", "reference", "adjudicator")
        out: dict[str, Any] = {
            name: list(value) if isinstance(value, tuple) else value
            for name in names
            if (value := getattr(self, name)) != getattr(plain, name)
        }
        return {**out, "columns": columns} if columns else out

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ReadOptions:
        """Return the options a certificate remembers."""
        return cls(
            columns=ColumnOptions(**data.get("columns", {})),
            level_map=dict(data.get("level_map", {})),
            rater_columns=tuple(data.get("rater_columns", ())),
            criterion=data.get("criterion"),
            where=tuple(data.get("where", ())),
            reference=data.get("reference", "pooled"),
            adjudicator=data.get("adjudicator", "adjudicated"),
        )


@dataclass(frozen=True)
class Material:
    """Labels, items and judgments of one calibration.

    Attributes:
        labels: The human labels.
        items: The items, each once; bare ids where no text is at hand.
        recorded: Recorded judgments, or None for a live judge.
        item_criteria: Criterion of each item, for files that mix criteria by item.
        label_options: How the label file alone is read again.
        notes: What was assumed while reading.
    """

    labels: LabelSet
    items: tuple[Item, ...]
    recorded: RecordedSet | None
    item_criteria: dict[str, str]
    label_options: ReadOptions
    notes: tuple[str, ...]

    def items_of(self, criterion: Criterion, asked: str | None) -> list[Item]:
        """Return the items that are about a criterion, where the items say so; else all."""
        if not self.item_criteria:
            return list(self.items)
        names = {fold(criterion.name), *({fold(asked)} if asked else ())}
        return [i for i in self.items if fold(self.item_criteria.get(i.id, "")) in names]


def read_material(
    rubric: Rubric,
    labels: str | Path,
    options: ReadOptions,
    *,
    items: str | Path | None = None,
    judgments: str | Path | None = None,
    sliced: bool = False,
) -> Material:
    """Read and fit together what a calibration needs; nothing is judged yet.

    Args:
        rubric: The rubric.
        labels: The label file.
        options: How the files are to be read.
        items: The items' text, where the labels do not carry it.
        judgments: Recorded judgments, or None for a live judge.
        sliced: Whether further columns of the items are needed, which a label file may hold though
            it holds no text.

    Raises:
        InputError: a file or a row cannot be used; names file and line.
        AlignmentError: the files do not fit together.
    """
    if judgments is not None and Path(judgments).resolve() == Path(labels).resolve():
        raise AlignmentError(
            "this is the label file: people's labels are not the judge's judgments",
            file=str(judgments),
            hint="name the file that holds what the judge said",
        )
    reading = _Reading(rubric, options, labels, items, judgments)
    item_list = reading.items(sliced=sliced)
    item_criteria = _item_criteria(item_list, rubric, options.criterion)
    label_set = reading.labels(item_criteria)
    recorded = reading.judgments(item_criteria)
    if options.where:
        kept = {item.id for item in item_list}
        label_set = label_set.keep(kept)
        recorded = recorded.keep(kept) if recorded is not None else None
    live, file = judgments is None, str(items or labels)
    item_list = _all_items(item_list, label_set, recorded, live=live, file=file)
    return Material(
        labels=label_set,
        items=tuple(item_list),
        recorded=recorded,
        item_criteria=item_criteria,
        label_options=replace(options, columns=reading.label_columns),
        notes=tuple(reading.notes),
    )


class _Reading:
    """The files of one calibration, each opened once, sharing one set of column options."""

    def __init__(
        self,
        rubric: Rubric,
        options: ReadOptions,
        labels: str | Path,
        items: str | Path | None,
        judgments: str | Path | None,
    ) -> None:
        self.rubric, self.options, self.live = rubric, options, judgments is None
        names = {"labels": labels, "items": items, "judgments": judgments}
        self.tables = {name: read_table(path) for name, path in names.items() if path is not None}
        shared = share_options(options.columns, list(self.tables.values()))
        self.columns = dict(zip(self.tables, shared, strict=True))
        self.notes: list[str] = []

    @property
    def label_columns(self) -> ColumnOptions:
        """Return the column options that the label file alone needs."""
        return self.columns["labels"]

    def items(self, *, sliced: bool) -> list[Item]:
        """Return the items: of their own file, or of the label file if it says enough of them."""
        source = "items" if "items" in self.tables else "labels"
        table, inputs = self.tables[source], self.rubric.inputs
        carries = set(inputs) <= set(table.columns)
        if source == "labels" and not (self.live or carries or self.options.where or sliced):
            return []
        found = read_item_set(
            table,
            inputs=inputs if self.live else (),
            columns=self.columns[source],
            text_apart=source == "labels",
        )
        if source == "items":
            self._note(found.file, found.notes)
        chosen = list(found.items)
        return select(chosen, parse_where(self.options.where)) if self.options.where else chosen

    def labels(self, item_criteria: dict[str, str]) -> LabelSet:
        """Return the human labels."""
        found = read_labels(
            self.tables["labels"],
            self.rubric.criteria,
            columns=self.columns["labels"],
            level_map=self.options.level_map,
            rater_columns=self.options.rater_columns,
            criterion=self.options.criterion,
            inputs=self.rubric.inputs,
            item_criteria=item_criteria or None,
        )
        self._note(found.file, found.notes)
        return found

    def judgments(self, item_criteria: dict[str, str]) -> RecordedSet | None:
        """Return the recorded judgments, or None for a live judge."""
        if "judgments" not in self.tables:
            return None
        found = read_judgments(
            self.tables["judgments"],
            self.rubric.criteria,
            columns=self.columns["judgments"],
            judge_id=self.options.judge_id,
            criterion=self.options.criterion,
            level_map=self.options.level_map,
            item_criteria=item_criteria or None,
        )
        self._note(found.file, found.notes)
        return found

    def _note(self, file: str | None, notes: Sequence[str]) -> None:
        self.notes.extend(f"{Path(str(file)).name}: {note}" for note in notes)


def _item_criteria(items: Sequence[Item], rubric: Rubric, asked: str | None) -> dict[str, str]:
    """Return the criterion each item is about, where a ``criterion`` column of the items says so.

    It says so when it holds a criterion of the rubric, or the one asked for; else it is text.
    """
    told = {
        item.id: item.metadata["criterion"]
        for item in items
        if isinstance(item.metadata.get("criterion"), str)
    }
    known = {fold(c.name) for c in rubric.criteria} | ({fold(asked)} if asked else set())
    return told if known & {fold(name) for name in told.values()} else {}


def _all_items(
    items: list[Item],
    labels: LabelSet,
    recorded: RecordedSet | None,
    *,
    live: bool,
    file: str,
) -> list[Item]:
    """Return every item that anything is said about; a live judge needs the text of each."""
    known = {item.id: item for item in items}
    bare = {item.id: item for item in items_from_labels(labels)}
    if live:
        strange = [item for item in bare if item not in known]
        if strange:
            some = ", ".join(repr(s) for s in strange[:3]) + (" ..." if len(strange) > 3 else "")
            raise AlignmentError(
                f"{len(strange)} labelled item{'s are' * (len(strange) > 1) or ' is'} not in "
                f"{file}: {some}",
                file=labels.file,
                line=bare[strange[0]].line,
                hint="name the file that holds their text: --items FILE",
            )
    elif not bare.keys() & set(recorded.items if recorded else ()):
        raise AlignmentError(
            "no labelled item has a recorded judgment: the item ids do not match",
            file=recorded.file if recorded else None,
            hint=f"labels are about {next(iter(bare), 'nothing')!r}; name the column of the ids "
            "with --item-column",
        )
    merged = [
        item if item.case is not None or item.id not in bare else replace_case(item, bare[item.id])
        for item in items
    ]
    others = [item for item in bare.values() if item.id not in known]
    extra = [i for i in (recorded.items if recorded else ()) if i not in known and i not in bare]
    return [*merged, *others, *(Item(id=name, fields={}) for name in extra)]


def replace_case(item: Item, label: Item) -> Item:
    """Return the item with the case its labels name."""
    return item._replace(case=label.case) if label.case is not None else item


def text_digest(item: Item, inputs: Sequence[str]) -> str | None:
    """Return a short digest of the text a rubric shows of an item; None when it is not known."""
    shown = {name: item.fields[name] for name in inputs if name in item.fields}
    return sha256_text(canonical_json(shown))[:16] if len(shown) == len(inputs) else None
