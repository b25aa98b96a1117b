"""autorubric: checklists with weights, and criteria with a list of options; YAML or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

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
                line=items.line,
            )
        message = "the items of this file, and their labels, are no part of a rubric"
        notes.add("import-setting", items.line, message, "keep them as items and labels")
    guidelines = root.get("guidelines") or (rubric.get("guidelines") if rubric else None)
    task = (guidelines.text if guidelines is not None else None) or ""
    _note_weights(entries, notes)
    drafts = []
    for entry in entries:
        notes.begin(entry.line)
        drafts.append(replace(_draft(entry, notes), task=task.strip()))
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
        message = f"the weights of the {len(entries)} criteria, and the score they add up to"
        help_ = "each criterion stands alone here; weigh them where you use them"
        notes.add("import-weight", told[0][0].line, f"{message}, are not carried over", help_)


def _draft(entry: Node, notes: Notes) -> Draft:
    required = entry.get("requirement")
    text = (required.text if required is not None else None) or ""
    name = entry.get("name")
    own = criterion_name(name.text) if name is not None and name.text else few_words(text)
    question, levels = statement(text)
    draft = Draft(
        name=own,
        line=entry.line,
        question=question,
        kind="binary",
        levels=levels,
        inputs=_INPUTS,
    )
    options = entry.get("options")
    weight = entry.get("weight")
    against = weight is not None and (weight.number or 0) < 0
    if options is not None:
        draft = _with_options(draft, entry, options, text, notes)
    if against and weight is not None:
        message = f"{own!r} counts against an output; what it describes is now what fails"
        help_ = "check that the level that passes is the right one"
        notes.add("import-turned-round", weight.line, message, help_)
        if options is None:
            draft = replace(draft, levels=turned_round(levels))
    return draft


def _with_options(draft: Draft, entry: Node, options: Node, text: str, notes: Notes) -> Draft:
    scored: list[tuple[float, DraftLevel]] = []
    absent = None
    for position, option in enumerate(options.items, start=1):
        label = option.get("label")
        said = (label.text if label is not None else None) or f"option {position}"
        name, words = _parted(said)
        na = option.get("na")
        if na is not None and na.value is True:
            absent = words or said
            continue
        value = option.get("value")
        number = 0.0 if value is None or value.number is None else float(value.number)
        scored.append((number, DraftLevel(None, name, words)))
    scale = entry.get("scale_type")
    nominal = scale is not None and scale.text == "nominal"
    if nominal:
        levels = tuple(level for _, level in scored)
    else:
        scored.sort(key=lambda pair: pair[0])
        levels = tuple(level._replace(value=i) for i, (_, level) in enumerate(scored, start=1))
    _note_values([value for value, _ in scored], draft, options, notes, nominal=nominal)
    return replace(
        draft,
        question=" ".join(text.split()),
        kind="nominal" if nominal else "ordinal",
        levels=levels,
        not_applicable=absent,
    )


def _parted(label: str) -> tuple[str | None, str | None]:
    """Return an option's name and its definition; a label of many words has no name."""
    first, *rest = _PARTS.split(label, maxsplit=1)
    if rest and first.strip().isdigit():
        return _parted(rest[0])  # the number is the level's value
    if rest:
        return first, rest[0]
    return (label, None) if len(label.split()) <= 3 else (None, label)


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
        notes.add("import-level-values", options.line, message, help_)
