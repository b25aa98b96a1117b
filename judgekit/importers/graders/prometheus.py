"""Prometheus score rubrics: a criterion and a description of each score, as a dict or as text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from judgekit.importers.graders.dividing import divided
from judgekit.importers.graders.grader import Draft, DraftLevel, criterion_name
from judgekit.importers.graders.node import START, Node, Place
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.python import Reader
from judgekit.importers.graders.source import Source
from judgekit.importers.graders.wording import defined_elsewhere

_KEY = re.compile(r"score(\d{1,9})_description")
_TEXT = re.compile(r"\[(?P<criteria>[^\[\]]{3,})\][ \t]*\n(?P<scores>(?:[ \t]*Score \d+:.*\n?)+)")
_SCORE = re.compile(r"(?m)^[ \t]*Score (\d+):[ \t]*(.*)$")
_RUBRIC = re.compile(r"(?i)_?(?:score_?)?rubrics?$")


def recognises(source: Source) -> bool:
    """Return whether a file holds rubrics of this tool."""
    return any(True for _ in _found(source))


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return every score rubric in the file."""
    several = _found(source)
    stem = Path(source.file).stem
    drafts = []
    for number, (name, has_reference, node) in enumerate(several, start=1):
        notes.begin(node.at)
        own = name or (stem if len(several) == 1 else f"{stem}_{number}")
        inputs = ("input", "output", *(("reference",) if has_reference else ()))
        drafts.append(_draft(criterion_name(own), node, inputs, notes))
    notes.begin(None)
    return drafts


class _Found(NamedTuple):
    """A rubric, what it is called, and whether the judge is shown a reference with it."""

    name: str | None
    has_reference: bool
    node: Node


def _found(source: Source) -> list[_Found]:
    """Return each rubric as a mapping of the criteria and the descriptions."""
    if source.tree is not None:
        reader = Reader(source.tree, source.file, source.text)
        written = [_with_record(node, node) for node in reader.dicts() if _is_one(node)]
        for name, text in reader.texts():
            known = _RUBRIC.sub("", name).lower() or None
            written += [found._replace(name=known) for found in _of_text(text)]
        return written
    if source.root is None:
        return _of_text(Node(START, source.text))
    found = [_with_record(source.root, source.root)] if _is_one(source.root) else []
    for record in source.nodes:  # a rubric is part of the record it stands in
        for inner in (*record.entries.values(), *record.items):
            if _is_one(inner):
                found.append(_with_record(record, inner))
            elif inner.text is not None:
                found += [one._replace(name=_name(record)) for one in _of_text(inner)]
    return found


def _is_one(node: Node) -> bool:
    return any(_KEY.fullmatch(key) for key in node.entries)


def _with_record(record: Node, node: Node) -> _Found:
    has = any(one.get("reference_answer") is not None for one in (record, node))
    return _Found(_name(node) or _name(record), has, node)


def _name(node: Node) -> str | None:
    name = node.get("name", "id")
    return None if name is None else name.text


def _of_text(node: Node) -> list[_Found]:
    """Return the rubrics in a text, each as the mapping the tool would make it from."""
    has_reference = "Reference Answer" in str(node.value)
    found = []
    for match in _TEXT.finditer(f"{node.value}\n"):
        if "{" in match["criteria"]:  # the tool's own pattern, not yet filled in
            continue
        at = Place(node.at.line + str(node.value).count("\n", 0, match.start()))
        scores = _SCORE.findall(match["scores"])
        words = {f"score{n}_description": Node(at, text) for n, text in scores}
        whole = {"criteria": Node(at, match["criteria"].strip()), **words}
        found.append(_Found(None, has_reference, Node(at, whole)))
    return found


def _draft(name: str, node: Node, inputs: tuple[str, ...], notes: Notes) -> Draft:
    criteria = node.get("criteria")
    text = notes.text(criteria, "the criteria") or ""
    asked = divided(defined_elsewhere(text), name, at=(criteria or node).at, notes=notes)
    words: dict[int, str | None] = {}
    for key, value in node.entries.items():
        if found := _KEY.fullmatch(key):
            words[int(found[1])] = notes.text(value, f"the description of score {found[1]}")
    return Draft(
        name=name,
        at=node.at,
        question=asked.question,
        task=asked.task,
        kind="ordinal",
        levels=tuple(DraftLevel(value, None, words[value]) for value in sorted(words)),
        inputs=inputs,
    )
