"""What a rubric is improved by: the labelled items of train and of dev, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from judgekit.api.evidence import Part, evidence_rows
from judgekit.api.material import Material, ReadOptions, read_material
from judgekit.api.rubric_draft_place import free_path
from judgekit.calibration.leaks import leaked_anchors
from judgekit.calibration.rows import Row
from judgekit.errors import InputError
from judgekit.importers.columns import share_options
from judgekit.importers.labelsheet import LabelSheet, read_label_sheet
from judgekit.importers.table import read_table
from judgekit.judging.improving.applying import Example
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.labels.adjudicate import adjudicate
from judgekit.labels.split import assign, part_of_case
from judgekit.reports.commands import file_word
from judgekit.reports.rubric_improve_story import Splits
from judgekit.rubric.model import Criterion, Rubric

TRAIN, DEV = "train", "dev"
_TEST = "test"


@dataclass(frozen=True, slots=True)
class Ground:
    """One part of the labelled set.

    Attributes:
        name: ``train`` or ``dev``.
        material: The labels and the items of this part; of no other.
        part: Which of them take part.
    """

    name: str
    material: Material
    part: Part

    @property
    def people(self) -> dict[str, list[int]]:
        """Return the levels that people gave each item that takes part, as scale indices."""
        found = {
            item: [r.level for r in rated if r.level is not None]
            for item, rated in self.part.reference.levels.items()
            if item not in self.part.set_aside
        }
        return {item: levels for item, levels in found.items() if levels}

    @property
    def items(self) -> list[Item]:
        """Return the items that take part."""
        people = self.people
        return [item for item in self.part.items if item.id in people]

    def without(self, why: Mapping[str, str]) -> Ground:
        """Return it with more items set aside."""
        part = replace(self.part, set_aside={**self.part.set_aside, **why})
        return replace(self, part=part)

    def rows(
        self, rubric: Rubric, criterion: Criterion, said: Mapping[str, Judgment | Unjudged]
    ) -> tuple[Row, ...]:
        """Return the evidence of what a judge said."""
        return evidence_rows(self.material, criterion, self.part, said, rubric.inputs)

    def examples(self, criterion: Criterion) -> dict[str, Example]:
        """Return the items that may become worked examples: those on whose level all agree."""
        rated, names = self.part.reference.levels, criterion.scale.names
        found: dict[str, Example] = {}
        for item in self.items:
            levels = {r.level for r in rated[item.id]}
            level = levels.pop()
            if not levels and level is not None:
                found[item.id] = Example(names[level], item.fields)
        return found


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a rubric is improved by.

    Attributes:
        criterion: The name of the criterion that is improved.
        train: What the reflector learns from.
        dev: What candidates are chosen by.
        splits: How the parts were told, and what was left alone.
        notes: What was assumed while reading.
    """

    criterion: str
    train: Ground
    dev: Ground
    splits: Splits
    notes: tuple[str, ...]


def gather(
    rubric: Rubric,
    labels: str | Path,
    items: str | Path | None,
    options: ReadOptions,
) -> Grounds:
    """Return the criterion to improve, and the items of train and dev.

    Items of the test take no part in anything from here on. Where the file has a split column, it
    tells the parts. Where it has none, what is test by the hash of its case, or would be in the
    split that ``judgekit split`` writes, is test; and train only what both call so.

    Raises:
        InputError: a file cannot be used, several criteria could be meant, or no item is in train
            or none in dev.
    """
    material = read_material(rubric, labels, options, items=items)
    criterion = _criterion(rubric, material, options)
    sheet = _sheet(labels, items, material, options)
    parts, split = _parts(sheet)
    labelled = set(material.labels.of(criterion.name).items)
    sizes = {name: sum(parts.get(i) == name for i in labelled) for name in (TRAIN, DEV)}
    for name, size in sizes.items():
        if not size:
            raise InputError(
                f"no item labelled on {criterion.name!r} is in {name!r}: edits are learnt on train "
                "and chosen on dev",
                hint=_way_to_parts(sheet, labels, split),
                file=material.labels.file,
            )
    train, dev = (_ground(name, rubric, criterion, material, parts, options) for name in sizes)
    for ground in (train, dev):
        if not ground.items:
            raise InputError(
                f"every item of {ground.name!r} is a worked example of the rubric, tied or "
                "not applicable",
                hint="label more items",
                file=material.labels.file,
            )
    told = Splits(
        split, len(labelled) - sum(sizes.values()), *_size_of_test(labelled, parts, sheet, split)
    )
    notes = material.notes
    if "demonstration" in {ground.material.labels.source for ground in (train, dev)}:
        notes = (*notes, "the labels are a demonstration: written for an example, not by raters")
    return Grounds(criterion.name, train, dev, told, notes)


def _way_to_parts(sheet: LabelSheet, labels: str | Path, split: str) -> str:
    """Return what to do where train or dev is empty."""
    if split == "column":
        return "write train and dev into the split column of some cases, or label more of them"
    if {TRAIN, DEV} <= set(assign(sheet.levels_of_cases(), balanced=True).values()):
        path = Path(labels)
        new = free_path(path.with_name(f"{path.stem}-split{path.suffix}"))
        command = f"judgekit split {file_word(labels)} --out {file_word(new)}"
        return f"too few cases to part by their names; write their parts down: {command}"
    return "label more items: these are too few to part"


def _size_of_test(
    labelled: Iterable[str], parts: Mapping[str, str], sheet: LabelSheet, split: str
) -> tuple[int, int]:
    """Return how many labelled items ``calibrate --split test`` finds, and of how many cases."""
    case_of = sheet.case_of
    test = [item for item in labelled if parts.get(item) == _TEST]
    if split == "hash":  # what a written split would make test is left alone as well
        test = [item for item in test if part_of_case(case_of[item]) == _TEST]
    return len(test), len({case_of[item] for item in test})


def _criterion(rubric: Rubric, material: Material, options: ReadOptions) -> Criterion:
    if options.criterion is not None:
        return rubric.criterion(options.criterion)
    found = [c for c in rubric.criteria if material.labels.of(c.name).labels]
    if len(found) != 1:
        names = ", ".join(c.name for c in found)
        raise InputError(
            f"the labels are of {len(found)} criteria: {names}" if found else "there are no labels",
            hint="a rubric is improved one criterion at a time: --criterion NAME"
            if found
            else None,
            file=material.labels.file,
        )
    return found[0]


def _sheet(
    labels: str | Path, items: str | Path | None, material: Material, options: ReadOptions
) -> LabelSheet:
    tables = [read_table(path) for path in (labels, items) if path is not None]
    columns = share_options(options.columns, tables)[0]
    cases = {item.id: item.case for item in material.items}
    return read_label_sheet(tables[0], columns, rater_columns=options.rater_columns, cases=cases)


def _parts(sheet: LabelSheet) -> tuple[dict[str, str], str]:
    """Return the part of each item, and how it was told: by ``column`` or ``hash``."""
    known, case_of = sheet.known(), sheet.case_of
    if known:
        return {item: known[case] for item, case in case_of.items() if case in known}, "column"
    dealt = assign(sheet.levels_of_cases(), balanced=True)

    def part(case: str) -> str:
        said = {dealt[case], part_of_case(case)}
        return _TEST if _TEST in said else TRAIN if said == {TRAIN} else DEV

    return {item: part(case) for item, case in case_of.items()}, "hash"


def _ground(
    name: str,
    rubric: Rubric,
    criterion: Criterion,
    material: Material,
    parts: Mapping[str, str],
    options: ReadOptions,
) -> Ground:
    """Return one part, in which nothing of another is left."""
    mine = {item for item, part in parts.items() if part == name}
    labels = material.labels.of(criterion.name).keep(mine)
    items = tuple(i for i in material.items_of(criterion, options.criterion) if i.id in mine)
    reference = adjudicate(labels.labels, rule=options.reference, adjudicator=options.adjudicator)
    leaked = leaked_anchors(criterion, items, rubric.inputs)
    set_aside = dict.fromkeys(leaked, "rubric_example")
    set_aside |= dict.fromkeys(reference.ties, "tied_majority")
    part = Part(
        items=items,
        reference=reference,
        people=None,
        set_aside=set_aside,
        leaked=leaked,
        leak=None,
        split=name,
    )
    return Ground(name, replace(material, labels=labels, items=items), part)
