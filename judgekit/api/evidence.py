"""Which labelled items of a criterion take part in a calibration, and what was said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judgekit.api.material import Material, ReadOptions, text_digest
from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.check import Check
from judgekit.calibration.leaks import leak_check, leaked_anchors
from judgekit.calibration.rows import Row
from judgekit.calibration.scope import output_length
from judgekit.errors import InputError, UnknownName, suggest
from judgekit.importers.cells import as_text
from judgekit.importers.outcomes import one_per_item, to_outcomes
from judgekit.judging.item import Item
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.reading import read_text
from judgekit.labels.adjudicate import MAJORITY, Reference, adjudicate
from judgekit.labels.label import LabelSet
from judgekit.labels.split import split_for, splits_of
from judgekit.reports.words import count, listed
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import fold

Outcomes = Mapping[str, Judgment | Unjudged]


@dataclass(frozen=True)
class Part:
    """Which items of one criterion take part, and which are set aside.

    ``people`` are the labels behind a reference that was settled, by vote or by an adjudicator: how
    far people agree is thrown away by it, and is measured beside.
    """

    items: tuple[Item, ...]
    reference: Reference
    people: Reference | None
    set_aside: Mapping[str, str]
    leaked: Mapping[str, str]
    leak: Check | None
    split: str | None
    notes: tuple[str, ...] = ()


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
    cases = {item.id: item.case for item in items}
    by_hash = options.split is not None and not any(label.split for label in labels.labels)
    splits = splits_of(labels, by_hash=by_hash, cases=cases)
    wanted = options.split or ("test" if splits else None)
    if wanted is not None:
        set_aside |= dict.fromkeys(_others(labels, wanted, splits, cases), "other_split")
    return Part(
        items=tuple(items),
        reference=reference,
        people=_people(reference, labels, options.adjudicator),
        set_aside=set_aside,
        leaked=leaked,
        leak=leak_check(leaked, splits),
        split=wanted,
        notes=(
            *_settled(reference, labels),
            *([_BY_HASH] if by_hash else []),
            *_repeated(labelled, set_aside, inputs),
        ),
    )


_BY_HASH = (
    "the labels name no split: cases are split by the hash of their name, 20% train, 40% dev, 40% "
    "test (judgekit split writes one down)"
)


def _repeated(
    labelled: Sequence[Item], set_aside: Mapping[str, str], inputs: Sequence[str]
) -> list[str]:
    """Warn of items with the very text of another: they look like evidence and are none."""
    part = [item for item in labelled if item.id not in set_aside and item.case is None]
    texts = Counter(text_digest(item, inputs) for item in part)
    more = sum(n - 1 for text, n in texts.items() if text is not None)
    if not more:
        return []
    verb = "repeats" if more == 1 else "repeat"
    told = (
        f"{count(more, 'item')} {verb} the text of another: nothing new, but the intervals count "
    )
    return [f"{told}it. Leave such items out, or give equal ones one case"]


def _others(
    labels: LabelSet, wanted: str, splits: Mapping[str, str], cases: Mapping[str, str | None]
) -> frozenset[str]:
    """Return the labelled items that are not in the wanted split.

    Raises:
        InputError: none is in it.
    """
    if not any(label.split for label in labels.labels):
        return split_for(labels, wanted, cases)
    others = frozenset(item for item in labels.items if splits.get(item) != wanted)
    if len(others) == len(labels.items):
        known = list(dict.fromkeys(splits.values()))
        near = suggest(wanted, known)
        raise InputError(
            f"no label is in split {wanted!r}",
            hint=f"Did you mean {near!r}?"
            if near
            else f"The splits are {listed(known)}: say which to measure on, --split NAME",
            file=labels.file,
        )
    return others


def _settled(reference: Reference, labels: LabelSet) -> list[str]:
    """Say which items a vote or an adjudicator settled, and what was thrown away by it."""
    counts, notes = reference.counts, []
    if reference.rule == "majority" and counts.labels > counts.items:
        notes.append(
            f"majority: {count(counts.voted, 'item')} by vote, "
            f"{counts.split_votes:,} not unanimous{_named(_split_votes(reference, labels))}; "
            f"{counts.ties:,} without a majority, set aside{_named(reference.ties)}. "
            "How far people agree is thrown away by a vote"
        )
    if counts.adjudicated:
        told = ""
        if counts.replaced:
            told = f", in place of {count(counts.replaced, 'label')} of other raters"
            told += ": how far people agree is told without these items"
        notes.append(f"adjudicated: {count(counts.adjudicated, 'item')}{told}")
    return notes


def _split_votes(reference: Reference, labels: LabelSet) -> list[str]:
    """Return the items decided by a majority that was not everybody."""
    votes = {item: {row.level for row in rows} for item, rows in labels.by_item().items()}
    voted = (item for item, rated in reference.levels.items() if rated[0].rater == MAJORITY)
    return [item for item in voted if len(votes[item]) > 1]


def _named(items: Sequence[str]) -> str:
    return f" ({listed(list(items))})" if items else ""


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


FEWEST_COPIED = 10
"""Labels of one rater below which it may well be chance that a judge says the same of all."""


def copied_notes(said: Iterable[tuple[str, str, object, object]]) -> list[str]:
    """Warn where a judge's levels are one rater's, item by item: they may be the labels themselves.

    Args:
        said: Item, rater, the rater's level and the judge's, of each label whose item has both.
    """
    by_rater: dict[str, dict[str, tuple[object, object]]] = {}
    for item, rater, human, judge in said:
        by_rater.setdefault(rater, {})[item] = human, judge
    notes = []
    for rater, levels in by_rater.items():
        same = all(human == judge for human, judge in levels.values())
        if same and len(levels) >= FEWEST_COPIED and len(set(levels.values())) > 1:
            notes.append(
                f"the judge and rater {rater!r} say the same of all {count(len(levels), 'item')} "
                "they share: are these the labels themselves, and not what the judge said?"
            )
    return notes


def copied(material: Material, criterion: Criterion, outcomes: Outcomes) -> list[str]:
    """Warn of recorded judgments that are one rater's labels over again."""
    if material.recorded is None:
        return []
    return copied_notes(
        (label.item, label.rater, label.level, found.level)
        for label in material.labels.of(criterion.name).labels
        if isinstance(found := outcomes.get(label.item), Judgment)
    )


def _people(reference: Reference, labels: LabelSet, adjudicator: str) -> Reference | None:
    """Return the labels as they were before they were settled, or None where they were not."""
    if reference.rule == "pooled" and not reference.counts.adjudicated:
        return None
    return adjudicate(v for v in labels.labels if fold(v.rater) != fold(adjudicator))


def evidence_rows(
    material: Material,
    criterion: Criterion,
    part: Part,
    outcomes: Mapping[str, Judgment | Unjudged],
    inputs: Sequence[str],
    *,
    reference: Reference | None = None,
) -> tuple[Row, ...]:
    """Return the evidence: who said what of which item, each item accounted for.

    By the part's own reference labels, unless others are given.
    """
    sampled = {v.item: (v.weight, v.stratum) for v in material.labels.of(criterion.name).labels}
    levels = {
        item: [HumanLevel(r.rater, r.level, *sampled.get(item, (None, None))) for r in rated]
        for item, rated in (reference or part.reference).levels.items()
    }
    subjects = [Subject(i.id, i.case, text_digest(i, inputs), output_length(i)) for i in part.items]
    return tuple(align(subjects, levels, outcomes, part.set_aside))


def slice_values(items: Sequence[Item], columns: Sequence[str]) -> dict[str, dict[str, str | None]]:
    """Return the value of each item in the columns to slice by.

    Raises:
        UnknownName: no item has such a column.
    """
    texts = {item.id: {**item.fields, **item.metadata} for item in items}
    known = dict.fromkeys(name for values in texts.values() for name in values)
    for column in columns:
        if column not in known:
            raise UnknownName("column", column, known)
    return {
        column: {item: as_text(values.get(column)) for item, values in texts.items()}
        for column in columns
    }
