"""OpenAI graders: ``score_model`` and ``label_model``, alone, in an eval, or in a ``multi``."""

from __future__ import annotations

import re
from dataclasses import replace

from judgekit.importers.graders.dividing import divided
from judgekit.importers.graders.grader import Draft, DraftLevel, criterion_name
from judgekit.importers.graders.node import Node
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields, common
from judgekit.importers.graders.python import Reader
from judgekit.importers.graders.scales import Number, Points, named
from judgekit.importers.graders.scored import pass_at, scored
from judgekit.importers.graders.settings import (
    model_id,
    note_settings,
    note_unread_model,
    settings_of,
)
from judgekit.importers.graders.source import Source
from judgekit.importers.graders.wording import Words, level_words
from judgekit.rubric.levels import NA_WORDS
from judgekit.rubric.scale import fold

_JUDGES = ("score_model", "label_model")
_OTHERS = ("string_check", "text_similarity", "python", "endpoint")
_TYPES = (*_JUDGES, *_OTHERS, "multi")
_ITEM = re.compile(r"item(?:\.(\w+)|\[[\"'](\w+)[\"']\])")


def recognises(source: Source) -> bool:
    """Return whether a file holds graders of this tool."""
    return any(_type(node) in _TYPES for node in _nodes(source))


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return every grader in the file that asks a model."""
    drafts = []
    for node in _nodes(source):
        notes.begin(node.at)
        kind = _type(node)
        if kind in _JUDGES:
            drafts.append(_draft(node, notes))
        elif kind == "python":
            help_ = "it stays where it is: what a program can decide needs no judge"
            notes.add("import-code", node.at, f"{_said(node)} is a program", help_)
        elif kind in _OTHERS:
            help_ = "it stays where it is: what a program can decide needs no judge"
            notes.add("import-not-a-judge", node.at, f"{_said(node)} asks no model", help_)
        elif kind == "multi":
            _note_formula(node, notes)
    notes.begin(None)
    return drafts


def _nodes(source: Source) -> list[Node]:
    if source.tree is not None:
        return Reader(source.tree, source.file, source.text).dicts()
    return source.nodes


def _type(node: Node) -> str | None:
    kind = node.get("type")
    named_ = node.get("name", "input", "graders", "source")
    return kind.text if kind is not None and named_ is not None else None


def _said(node: Node) -> str:
    name = node.get("name")
    return repr(name.text if name is not None and name.text else _type(node))


def _note_formula(node: Node, notes: Notes) -> None:
    formula = node.get("calculate_output")
    shown = f": {formula.text}" if formula is not None and formula.text else ""
    message = f"the score that {_said(node)} makes of several graders is not carried over{shown}"
    help_ = "each criterion stands alone here; combine scores where you use them"
    notes.add("import-formula", (formula or node).at, message, help_)


def _draft(node: Node, notes: Notes) -> Draft:
    name = criterion_name(notes.text(node.get("name"), "the name") or str(_type(node)))
    fields = Fields(notes, _name_of)
    prompt = _prompt(node, fields, notes)
    labels = [str(one.value) for one in _listed(node, "labels")]
    words = level_words(prompt, labels or None, ends=[f"{end:g}" for end in _range(node)])
    asked = divided(words, name, at=(node.get("input") or node).at, notes=notes, labels=labels)
    draft = Draft(
        name=name,
        at=node.at,
        question=asked.question,
        task=asked.task,
        kind="nominal",
        levels=(),
        inputs=fields.inputs,
        settings=_settings(node, notes),
    )
    if _type(node) == "score_model":
        return _scored(draft, node, words, notes)
    return _labelled(draft, node, named(labels, words.said), notes)


def _listed(node: Node, key: str) -> list[Node]:
    found = node.get(key)
    return [] if found is None else found.items


def _range(node: Node) -> tuple[Number, Number]:
    """Return the lowest and the highest score; from 0 to 1 when the grader does not say."""
    ends = [one.number for one in _listed(node, "range") if one.number is not None]
    return (min(ends), max(ends)) if len(ends) == 2 else (0, 1)


def _scored(draft: Draft, node: Node, words: Words, notes: Notes) -> Draft:
    low, high = _range(node)
    at = (node.get("range") or node).at
    said = [end for span in words.spans for end in (span.low, span.high)]
    if node.get("range") is None and len(words.said) > 1 and max(said) > 1:
        low, high = min(said), max(said)
        message = "without a range the tool takes scores from 0 to 1; the levels are the prompt's"
        notes.add("import-setting", at, message, "check that these are the scores it should give")
    scale = scored(words, low, high, draft.name, at=at, notes=notes)
    threshold = node.get("pass_threshold")
    passes_at = None
    if threshold is not None and threshold.number is not None:
        passes_at = pass_at(scale, words, threshold.number, at=threshold.at, notes=notes)
    return _with(draft, scale, passes_at=None if scale.kind == "binary" else passes_at)


def _labelled(draft: Draft, node: Node, scale: Points, notes: Notes) -> Draft:
    passing = {str(one.value) for one in _listed(node, "passing_labels")}
    levels, absent = _without_na(draft, scale.levels, notes)
    if scale.kind == "binary":
        high = levels[-1].name
        if passing and passing != {high}:
            scale = scale._replace(kind="nominal")
            levels = tuple(level._replace(value=None) for level in levels)
    kept = tuple(level.name for level in levels if level.name in passing and level.name)
    draft = _with(draft, scale._replace(levels=levels), not_applicable=absent)
    return _with(
        draft, scale._replace(levels=levels), passing=kept if scale.kind == "nominal" else ()
    )


def _without_na(
    draft: Draft, levels: tuple[DraftLevel, ...], notes: Notes
) -> tuple[tuple[DraftLevel, ...], str | None]:
    """Take the label that says "does not apply" out of the levels."""
    absent = [level for level in levels if fold(level.name or "") in NA_WORDS]
    if not absent:
        return levels, None
    words = absent[0].definition
    if words is None:
        message = f"the label {absent[0].name!r} says that {draft.name!r} does not apply, not when"
        notes.add("import-definition-missing", draft.at, message, "write not_applicable: WHEN")
    return tuple(level for level in levels if level not in absent), words


def _with(draft: Draft, scale: Points, **more: object) -> Draft:
    return replace(draft, kind=scale.kind, levels=scale.levels, **more)  # type: ignore[arg-type]


def _name_of(variable: str) -> str | None:
    """Return what a variable of a grader's template stands for."""
    if variable == "sample.output_text":
        return "output"
    found = _ITEM.fullmatch(variable)
    return common(found[1] or found[2]) if found else None


def _prompt(node: Node, fields: Fields, notes: Notes) -> str:
    """Return what all messages of a grader say, as one text."""
    given = node.get("input")
    if given is None:
        return ""
    said = []
    for message in given.items or [given]:
        content = message.get("content") or message
        for block in content.items or [content]:
            text = _block(block, notes)
            if text is not None:
                said.append(fields.read(text, block.at))
    return "\n\n".join(said)


def _block(block: Node, notes: Notes) -> str | None:
    kind = block.get("type")
    if kind is not None and kind.text in ("input_image", "input_audio"):
        message = "the prompt shows a picture or a sound of its own"
        notes.add("import-picture", block.at, message, "describe in words what it shows")
        return None
    return notes.text(block.get("text") or block, "a message of the prompt")


def _settings(node: Node, notes: Notes) -> dict[str, object]:
    model = node.get("model")
    note_unread_model(model, notes)
    found: dict[str, object] = {}
    if model is not None and model.text:
        found["model"] = model_id(model.text)
    found |= settings_of(node.get("sampling_params"))
    return note_settings(found, (model or node).at, notes)
