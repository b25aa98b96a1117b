"""OpenAI graders: ``score_model`` and ``label_model``, alone, in an eval, or in a ``multi``."""

from __future__ import annotations

import re
from dataclasses import replace

from judgekit.importers.graders.grader import Draft, DraftLevel, criterion_name
from judgekit.importers.graders.node import Node
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields, common, divided
from judgekit.importers.graders.python import Reader
from judgekit.importers.graders.scales import Points, named, pass_line, points
from judgekit.importers.graders.settings import (
    model_id,
    note_settings,
    note_unread_model,
    settings_of,
)
from judgekit.importers.graders.source import Source
from judgekit.importers.graders.wording import level_words, numbers
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
        notes.begin(node.line)
        kind = _type(node)
        if kind in _JUDGES:
            drafts.append(_draft(node, notes))
        elif kind == "python":
            help_ = "it stays where it is: what a program can decide needs no judge"
            notes.add("import-code", node.line, f"{_said(node)} is a program", help_)
        elif kind in _OTHERS:
            help_ = "it stays where it is: what a program can decide needs no judge"
            notes.add("import-not-a-judge", node.line, f"{_said(node)} asks no model", help_)
        elif kind == "multi":
            _note_formula(node, notes)
    notes.begin(None)
    return drafts


def _nodes(source: Source) -> list[Node]:
    if source.tree is not None:
        return Reader(source.tree, source.file).dicts()
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
    notes.add("import-formula", (formula or node).line, message, help_)


def _draft(node: Node, notes: Notes) -> Draft:
    name = criterion_name(notes.text(node.get("name"), "the name") or str(_type(node)))
    fields = Fields(notes, _name_of)
    prompt = _prompt(node, fields, notes)
    labels = [str(one.value) for one in _listed(node, "labels")]
    found = level_words(prompt, labels or None)
    asked = divided(found.rest, name, line=node.line, notes=notes)
    draft = Draft(
        name=name,
        line=node.line,
        question=asked.question,
        task=asked.task,
        kind="nominal",
        levels=(),
        inputs=fields.inputs,
        settings=_settings(node, notes),
    )
    if _type(node) == "score_model":
        return _scored(draft, node, prompt, notes)
    return _labelled(draft, node, named(labels, found.said), notes)


def _listed(node: Node, key: str) -> list[Node]:
    found = node.get(key)
    return [] if found is None else found.items


def _scored(draft: Draft, node: Node, prompt: str, notes: Notes) -> Draft:
    ends = [one.number for one in _listed(node, "range") if one.number is not None]
    low, high = (min(ends), max(ends)) if len(ends) == 2 else (0, 1)
    line = (node.get("range") or node).line
    words = level_words(prompt, ends=(f"{low:g}", f"{high:g}"))
    scale = points(low, high, numbers(words), line=line, notes=notes)
    threshold = node.get("pass_threshold")
    passes_at = None
    if threshold is not None and threshold.number is not None:
        values = [level.value for level in scale.levels if not isinstance(level.value, str | None)]
        passes_at = pass_line(values, threshold.number, line=threshold.line, notes=notes)
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
        notes.add("import-definition-missing", draft.line, message, "write not_applicable: WHEN")
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
                said.append(fields.read(text, block.line))
    return "\n\n".join(said)


def _block(block: Node, notes: Notes) -> str | None:
    kind = block.get("type")
    if kind is not None and kind.text in ("input_image", "input_audio"):
        message = "the prompt shows a picture or a sound of its own"
        notes.add("import-picture", block.line, message, "describe in words what it shows")
        return None
    return notes.text(block.get("text") or block, "a message of the prompt")


def _settings(node: Node, notes: Notes) -> dict[str, object]:
    model = node.get("model")
    note_unread_model(model, notes)
    found: dict[str, object] = {}
    if model is not None and model.text:
        found["model"] = model_id(model.text)
    found |= settings_of(node.get("sampling_params"))
    return note_settings(found, (model or node).line, notes)
