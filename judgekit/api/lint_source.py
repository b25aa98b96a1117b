"""One certificate or run as evidence, and how rows and worked examples become what rules see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from judgekit.api.again import ITEMS
from judgekit.api.material import Material, ReadOptions, read_material
from judgekit.calibration.certificate import LabelsRecord
from judgekit.calibration.leaks import leaked_anchors
from judgekit.calibration.looks import Look
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.errors import InputError
from judgekit.judging.item import Item
from judgekit.linting.evidence import Evidence, ExampleSaid, ItemSaid, Leak
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.scale import Level, number_text
from judgekit.storage.project import Project


class Source(NamedTuple):
    """A certificate or a run.

    Attributes:
        where: What to call it.
        judge: The judge's name.
        model: The model it asked; None where that is not known.
        rubric: The name of its rubric.
        meanings: What each criterion meant: the fingerprint of its meaning.
        parts: The parts of that meaning, as far as they are known.
        show: Returns what it shows of a criterion that still means the same, and remarks.
    """

    where: str
    judge: str
    model: str | None
    rubric: str
    meanings: Mapping[str, str]
    parts: Mapping[str, dict[str, str]]
    show: Callable[[Rubric, Criterion], tuple[Evidence, list[str]]]


def labels_of(
    rubric: Rubric, labels: Path, options: ReadOptions, items: Path | None
) -> Material | None:
    """Return a labelled set with the texts of its items; None where they are not at hand."""
    if not labels.is_file():
        return None
    try:
        return read_material(rubric, labels, options, items=items)
    except InputError:
        return None


def remembered(
    project: Project, rubric: Rubric, judge: str, told: LabelsRecord | Look
) -> tuple[Material | None, ReadOptions]:
    """Return the labelled set that a certificate or a look remembers, and how it was read."""
    options = replace(ReadOptions.from_json(told.options), split=told.split)
    if told.path is None:
        return None, options
    entry = project.configuration.judges.get(judge)
    items = told.options.get(ITEMS) or (entry.items if entry else None)
    texts = None if items is None else project.path(items)
    return labels_of(rubric, project.path(told.path), options, texts), options


def said_of(rows: Iterable[Row]) -> dict[str, ItemSaid]:
    """Return what was said of each item of the evidence rows; those set aside said nothing."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.human is not None or row.judge is not None:
            found.setdefault(row.item, []).append(row)
    return {
        item: ItemSaid(
            item,
            tuple((str(r.rater), r.human) for r in mine if r.human is not None),
            mine[0].judge,
            mine[0].case,
            mine[0].weight or 1.0,
        )
        for item, mine in found.items()
    }


def evidence_of(  # noqa: PLR0913  (what evidence is made of)
    where: str,
    *,
    judge: str,
    rubric: Rubric,
    criterion: Criterion,
    items: Mapping[str, ItemSaid],
    labelled: Material | None = None,
    set_aside: Sequence[str] = (),
    examples: tuple[ExampleSaid, ...] = (),
) -> Evidence:
    """Return evidence of one criterion.

    Args:
        where: What to call it.
        judge: What tells its judge from others.
        rubric: The rubric, as it was when the evidence came about.
        criterion: The criterion.
        items: What was said of each item.
        labelled: The labelled items with their texts, where they are at hand.
        set_aside: Items known to be worked examples although no text is at hand.
        examples: What the judge said of worked examples.
    """
    spec = ScaleSpec.of(criterion)
    leaks = [Leak(item) for item in set_aside] if labelled is None else []
    told = dict(items)
    if labelled is not None:
        leaks = _leaks(rubric, criterion, labelled)
        people = _people(labelled, criterion)
        told |= {leak.item: people[leak.item] for leak in leaks if leak.item not in told}
    ordered = spec.kind in ("ordinal", "binary")
    return Evidence(
        where=where,
        judge=judge,
        criterion=criterion.name,
        kind=spec.kind,
        levels=tuple(map(number_text, spec.values)) if ordered else spec.names,
        numbers=tuple(spec.numbers),
        items=tuple(told.values()),
        leaks=tuple(leaks),
        examples=examples,
    )


def _people(labelled: Material, criterion: Criterion) -> dict[str, ItemSaid]:
    return {
        item: ItemSaid(item, tuple((v.rater, v.level) for v in rated if v.level is not None))
        for item, rated in labelled.labels.of(criterion.name).by_item().items()
    }


def _leaks(rubric: Rubric, criterion: Criterion, labelled: Material) -> list[Leak]:
    """Return the labelled items that are worked examples, with the example each of them is."""
    own = set(labelled.labels.of(criterion.name).items)
    items = {item.id: item for item in labelled.items if item.id in own}
    found = leaked_anchors(criterion, items.values(), rubric.inputs)
    levels = {level.name: (i, level) for i, level in enumerate(criterion.scale.levels)}
    return [
        Leak(item, levels[name][0], _nearest(items[item], levels[name][1]))
        for item, name in found.items()
    ]


def _nearest(item: Item, level: Level) -> int:
    """Return which example of a level shares most words with an item."""

    def words(fields: Mapping[str, object]) -> Counter[str]:
        return Counter(w for n, text in sorted(fields.items()) for w in f"{n} {text}".split())

    shared = [(words(item.fields) & words(anchor.fields)).total() for anchor in level.anchors]
    return shared.index(max(shared))
