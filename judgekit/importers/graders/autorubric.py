"""autorubric: checklists with weights, and criteria with a list of options; YAML or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from judgekit.errors import InputError
from judgekit.importers.graders.grader import (
    Draft,
    DraftLevel,
    criterion_name,
    few_words,
    statement,
    turned_round,
)
from judgekit.importers.graders.node import Node
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.source import Source

_INPUTS = ("input", "output")
_NUMBERED = re.compile(r"\s*(\d{1,4})(?:\s*(?:[-–—:.)]\s+)|\s*$)")
_SHOWN = 12
"""Weights that are written out."""
_FEW = 3
"""Words of a label that is only a name."""
_PARTS = re.compile(r"(?<!\s)\s+[-–—]\s+|:\s+")


def recognises(source: Source) -> bool:
    """Return whether a file holds a rubric of this tool."""
    return source.root is not None and any(
        node.get("requirement") is not None for node in source.root.walk()
    )


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return the criteria of the rubric in the file.

    Raises:
        InputError: each item in it has a rubric of its own.
    """
    if source.root is None:
        return []
    root = source.root
    rubric = root.get("rubric")
    entries = list(_criteria(root if rubric is None else rubric))
    items = root.get("items")
    if items is not None:
        if not entries and any(item.get("rubric") is not None for item in items.items):
            raise InputError(
                "each item in this file has a rubric of its own",
                hint="make one rubric with the input criterion_text, and an item of each criterion",
                file=source.file,
                line=items.at.line,
            )
        message = "the items of this file, and their labels, are no part of a rubric"
        notes.add("import-setting", items.at, message, "keep them as items and labels")
    guidelines = root.get("guidelines") or (rubric.get("guidelines") if rubric else None)
    task = (guidelines.text if guidelines is not None else None) or ""
    _note_weights(entries, notes)
    with_reference = any(
        node.get("reference_submission") is not None
        for node in (root, *(items.items if items is not None else ()))
    )
    inputs = (*_INPUTS, "reference") if with_reference else _INPUTS
    drafts = []
    for entry in entries:
        notes.begin(entry.at)
        drafts.append(replace(_draft(entry, notes), task=task.strip(), inputs=inputs))
    notes.begin(None)
    return drafts


def _criteria(node: Node) -> Iterator[Node]:
    """Yield the criteria of a rubric in any of its forms: a list, sections, or a list of these."""
    inner = node.get("sections", "criteria")
    for entry in node.items if inner is None else inner.items:
        if entry.get("requirement") is not None:
            yield entry
        elif entry.get("criteria") is not None:
            yield from _criteria(entry)


def _note_weights(entries: list[Node], notes: Notes) -> None:
    weights = [(entry.get("weight"), entry) for entry in entries]
    told = [(w, entry) for w, entry in weights if w is not None and w.number is not None]
    if len({abs(w.number or 0) for w, _ in told}) > 1 or (told and len(told) < len(entries)):
        shown = ", ".join(f"{w.number:g}" for w, _ in told[:_SHOWN])
        shown += ", …" if len(told) > _SHOWN else ""
        message = (
            f"the weights of the {len(entries)} criteria ({shown}), and the score they add up to"
        )
        help_ = "each criterion stands alone here; weigh them where you use them"
        notes.add("import-weight", told[0][0].at, f"{message}, are not carried over", help_)


def _draft(entry: Node, notes: Notes) -> Draft:
    required = entry.get("requirement")
    text = (required.text if required is not None else None) or ""
    name = entry.get("name")
    own = criterion_name(name.text) if name is not None and name.text else few_words(text)
    question, levels = statement(text)
    weight = entry.get("weight")
    against = weight is not None and (weight.number or 0) < 0
    if (votes := entry.get("aggregation")) is not None:
        message = f"aggregation of {own!r}, how several judges are made one, has no counterpart"
        notes.add("import-setting", votes.at, message)
    draft = Draft(
        name=own,
        at=entry.at,
        question=question,
        kind="binary",
        levels=turned_round(levels) if against else levels,
        inputs=_INPUTS,
    )
    options = entry.get("options")
    if against and weight is not None:
        now = "what it describes is now what fails"
        now = now if options is None else "its levels are numbered the other way round"
        message = f"{own!r} counts against an output; {now}"
        help_ = "check that the level that passes is the right one"
        notes.add("import-turned-round", weight.at, message, help_)
    if options is None:
        return draft
    return _with_options(draft, entry, options, " ".join(text.split()), notes, against=against)


class _Option(NamedTuple):
    """One answer of several: its score, the number its label begins with, and its words."""

    score: float
    number: int | None
    name: str | None
    words: str | None


def _with_options(
    draft: Draft, entry: Node, options: Node, text: str, notes: Notes, *, against: bool
) -> Draft:
    """Return a draft with a list of levels, the worst first."""
    found: list[_Option] = []
    absent = None
    for position, option in enumerate(options.items, start=1):
        label = option.get("label")
        said = (notes.text(label, "a label") or "") or f"option {position}"
        number, name, words = _parted(said)
        na = option.get("na")
        if na is not None and na.value is True:
            absent = words or said
            continue
        value = option.get("value")
        score = 0.0 if value is None or value.number is None else float(value.number)
        found.append(_Option(score, number, name, words))
    scale = entry.get("scale_type")
    nominal = scale is not None and scale.text == "nominal"
    if not nominal:
        found.sort(key=lambda option: option.score, reverse=against)
    _note_values([option.score for option in found], draft, options, notes, nominal=nominal)
    return replace(
        draft,
        question=text,
        kind="nominal" if nominal else "ordinal",
        levels=_named(found) if nominal else _numbered(found),
        not_applicable=absent,
    )


def _named(found: list[_Option]) -> tuple[DraftLevel, ...]:
    return tuple(
        DraftLevel(None, one.name or (None if one.number is None else str(one.number)), one.words)
        for one in found
    )


def _numbered(found: list[_Option]) -> tuple[DraftLevel, ...]:
    """Return ordinal levels under the numbers in their labels, or else from 1."""
    numbers = [one.number for one in found]
    told = [number for number in numbers if number is not None]
    rises = len(told) == len(numbers) and told == sorted(set(told))
    values = told if rises else list(range(1, len(found) + 1))
    levels = []
    for value, one in zip(values, found, strict=True):
        name = one.name or (None if rises or one.number is None else str(one.number))
        levels.append(DraftLevel(value, name, one.words))
    return tuple(levels)


def _parted(label: str) -> tuple[int | None, str | None, str | None]:
    """Return the number an option begins with, its name and its definition.

    A label of many words has no name.
    """
    number = _NUMBERED.match(label)
    if number:
        _, name, words = _parted(label[number.end() :])
        return int(number[1]), name, words
    first, *rest = _PARTS.split(label, maxsplit=1)
    if not label.strip():
        return None, None, None
    if rest:
        return None, first, rest[0]
    few = len(label.split()) <= _FEW
    return (None, label, None) if few else (None, None, label)


def _note_values(
    values: list[float], draft: Draft, options: Node, notes: Notes, *, nominal: bool
) -> None:
    """Note where the scores of the options are more than their order."""
    steps = {round(b - a, 1) for a, b in pairwise(values)}
    if nominal or len(steps) > 1:
        message = (
            f"the options of {draft.name!r} have the scores {', '.join(f'{v:g}' for v in values)}"
        )
        help_ = "levels have no scores of their own here; ordinal ones are equally far apart"
        notes.add("import-level-values", options.at, message, help_)
