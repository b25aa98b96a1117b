"""Which labelled items of a criterion take part in a calibration, and what was said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judgekit.api.material import Material, ReadOptions, text_digest
from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.leaks import leaked_anchors
from judgekit.calibration.rows import Row
from judgekit.calibration.scope import output_length
from judgekit.errors import InputError
from judgekit.importers.outcomes import one_per_item, to_outcomes
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.reading import read_text
from judgekit.labels.adjudicate import Reference, adjudicate
from judgekit.rubric.model import Criterion


@dataclass(frozen=True)
class Part:
    """Which items of one criterion take part, and which are set aside."""

    items: tuple[Item, ...]
    reference: Reference
    set_aside: Mapping[str, str]
    leaked: Mapping[str, str]
    split: str | None


def part_of(
    material: Material, criterion: Criterion, options: ReadOptions, inputs: Sequence[str]
) -> Part:
    """Return which items take part: of the test split, where there is one, and no rubric example.

    Raises:
        InputError: no label is in the split that was asked for.
    """
    labels = material.labels.of(criterion.name)
    reference = adjudicate(labels.labels, rule=options.reference, adjudicator=options.adjudicator)
    items = material.items_of(criterion, options.criterion)
    own = set(labels.items)
    labelled = [item for item in items if item.id in own]
    leaked = leaked_anchors(criterion, labelled, inputs)
    set_aside = dict.fromkeys(leaked, "rubric_example")
    set_aside.update(dict.fromkeys(reference.ties, "tied_majority"))
    wanted = options.split
    if wanted is None and any(label.split for label in labels.labels):
        wanted = "test"
    if wanted is not None:
        other = {v.item: "other_split" for v in labels.labels if (v.split or "") != wanted}
        set_aside = {**set_aside, **other}
        if len(other) == len(labels.items):
            raise InputError(f"no label is in split {wanted!r}", file=labels.file)
    return Part(tuple(items), reference, set_aside, leaked, wanted)


def recorded_outcomes(material: Material, criterion: Criterion) -> dict[str, Judgment | Unjudged]:
    """Return the outcome of each item that recorded judgments speak of."""
    if material.recorded is None:
        return {}
    allow_na = criterion.not_applicable is not None
    return one_per_item(
        to_outcomes(
            material.recorded,
            criterion,
            lambda text: read_text(text, criterion.scale, allow_na=allow_na),
        )
    )


def evidence_rows(
    material: Material,
    criterion: Criterion,
    part: Part,
    outcomes: Mapping[str, Judgment | Unjudged],
    inputs: Sequence[str],
) -> tuple[Row, ...]:
    """Return the evidence: who said what of which item, each item accounted for."""
    sampled = {v.item: (v.weight, v.stratum) for v in material.labels.of(criterion.name).labels}
    levels = {
        item: [HumanLevel(r.rater, r.level, *sampled.get(item, (None, None))) for r in rated]
        for item, rated in part.reference.levels.items()
    }
    subjects = [Subject(i.id, i.case, text_digest(i, inputs), output_length(i)) for i in part.items]
    return tuple(align(subjects, levels, outcomes, part.set_aside))
