"""MLflow judges: calls of ``make_judge`` in Python source."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from judgekit.importers.graders.dividing import divided
from judgekit.importers.graders.grader import Draft, criterion_name
from judgekit.importers.graders.node import Node, Unread
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields
from judgekit.importers.graders.python import Reader
from judgekit.importers.graders.scales import Points, named
from judgekit.importers.graders.scored import scored
from judgekit.importers.graders.settings import (
    model_id,
    note_settings,
    note_unread_model,
    settings_of,
)
from judgekit.importers.graders.source import Source
from judgekit.importers.graders.wording import Words, level_words, stated_range, yes_or_no

_ORDER = ("name", "instructions", "model", "description", "feedback_value_type")
_SHOWN = {
    "inputs": "input",
    "outputs": "output",
    "expectations": "reference",
    "conversation": "output",
}
_LISTED = re.compile(
    r"(?i)\b(?:rate|classify|label|answer|return|respond|grade)\b[^.\n'\"]{0,40}"
    r"((?:['\"][\w -]{1,30}['\"],?\s*(?:(?:or|and)\s+)?){2,8})"
)
"""How instructions list what may be answered, where no type does."""
_OTHER = ("extra_headers", "include_timing_in_conversation", "session_level", "model_api")


class _Answers(NamedTuple):
    """What a judge may answer: labels, whether they are numbers; no labels for any number."""

    labels: tuple[str, ...]
    kind: str


def recognises(source: Source) -> bool:
    """Return whether a file holds judges of this tool."""
    return source.tree is not None and any(
        Reader(source.tree, source.file, source.text).calls(["make_judge"], _ORDER)
    )


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return every judge that is made in the file."""
    if source.tree is None:
        return []
    drafts = []
    for _, call in Reader(source.tree, source.file, source.text).calls(["make_judge"], _ORDER):
        notes.begin(call.at)
        drafts.append(_draft(call, notes))
    notes.begin(None)
    return drafts


def _draft(call: Node, notes: Notes) -> Draft:
    given = call.get("instructions")
    name = criterion_name(_name(call.get("name"), notes))
    notes.text(call.get("**"), f"some of what {name!r} is given")
    fields = Fields(notes, _SHOWN.get)
    text = notes.text(given, f"the instructions of {name!r}") or ""
    prompt = fields.read(text, (given or call).at)
    if "{{ trace }}" in text or "{{trace}}" in text:
        fields.add("outputs", call.at)  # a transcript is an output here
    answers = _answers(call.get("feedback_value_type")) or _listed(prompt)
    words = _words(answers, prompt)
    labels = answers.labels if answers is not None else ()
    asked = divided(words, name, at=(given or call).at, notes=notes, labels=labels)
    scale = _scale(answers, words, prompt, name, call, notes)
    for key in _OTHER:
        if (setting := call.get(key)) is not None and setting.value is not False:
            message = f"{key} of {name!r} has no counterpart"
            notes.add("import-setting", setting.at, message)
    return Draft(
        name=name,
        at=call.at,
        question=asked.question,
        task=asked.task,
        kind=scale.kind,
        levels=scale.levels,
        inputs=fields.inputs,
        settings=_settings(call, notes),
    )


def _name(node: Node | None, notes: Notes) -> str:
    """Return a judge's name, as far as it stands there: ``f"{prefix}.tone"`` is tone."""
    said = notes.text(node, "the name") or "judge"
    return re.sub(r"\{[^{}]*\}", "", said) if node is None or node.text is None else said


def _answers(node: Node | None) -> _Answers | None:
    """Return what ``feedback_value_type`` allows; None when that is no scale."""
    if node is None or not isinstance(node.value, Unread):
        return None
    try:
        tree = ast.parse(node.value.source, mode="eval").body
    except (SyntaxError, MemoryError):  # more brackets than can be read once more
        return None
    if isinstance(tree, ast.BinOp) or _last(tree) == "Optional":
        tree = tree.left if isinstance(tree, ast.BinOp) else getattr(tree, "slice", tree)
    if _last(tree) == "bool":
        return _Answers(("yes", "no"), "bool")
    if _last(tree) in ("int", "float"):
        return _Answers((), "number")
    if _last(tree) != "Literal" or not isinstance(tree, ast.Subscript):
        return None
    elements = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    values = [element.value for element in elements if isinstance(element, ast.Constant)]
    whole = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return _Answers(tuple(str(value) for value in values), "number" if whole else "label")


def _listed(prompt: str) -> _Answers | None:
    """Return the labels that the instructions list: ``Rate as: 'good', 'fair' or 'poor'``."""
    found = _LISTED.search(prompt)
    labels = re.findall(r"['\"]([\w -]+)['\"]", found[1]) if found else []
    return _Answers(tuple(dict.fromkeys(labels)), "label") if len(set(labels)) > 1 else None


def _last(tree: ast.expr) -> str:
    """Return the name of a type, without its module and what stands in its brackets."""
    if isinstance(tree, ast.Subscript):
        return _last(tree.value)
    if isinstance(tree, ast.Attribute):
        return tree.attr
    return tree.id if isinstance(tree, ast.Name) else ""


def _words(answers: _Answers | None, prompt: str) -> Words:
    """Return what the instructions say of the levels, as far as it is known what these are."""
    if answers is not None and answers.kind == "label":
        return level_words(prompt, answers.labels)
    if answers is not None and answers.kind == "bool":
        return yes_or_no(prompt)
    ends = [f"{end:g}" for end in _ends(answers, prompt) or ()]
    words = level_words(prompt, ends=ends)
    return words if answers is not None or len(words.said) > 1 else yes_or_no(prompt)


def _scale(
    answers: _Answers | None, words: Words, prompt: str, name: str, call: Node, notes: Notes
) -> Points:
    at = (call.get("feedback_value_type") or call).at
    if answers is not None and answers.kind == "label":
        return named(answers.labels, words.said)
    if set(words.said) & {"yes", "no"} or (answers is not None and answers.kind == "bool"):
        return named(("no", "yes"), words.said)
    ends = _ends(answers, prompt)
    if ends is None and len(words.spans) > 1:  # the levels it defines are all there are
        ends = [words.spans[0].low, words.spans[-1].high]
    if ends is not None:
        return scored(words, min(ends), max(ends), name, at=at, notes=notes)
    message = "the judge may answer anything: there is no list of its levels"
    if answers is not None:
        message = "the judge answers a number, and nothing says from where to where"
    notes.add("import-scale-unknown", at, message, "write the levels, each with a definition")
    return Points("nominal" if answers is None else "ordinal", ())


def _ends(answers: _Answers | None, prompt: str) -> Sequence[float] | None:
    """Return the numbers a scale runs over, from its type or from the prompt."""
    if answers is not None and answers.labels:
        return [float(label) for label in answers.labels] if answers.kind == "number" else None
    return stated_range(prompt)


def _settings(call: Node, notes: Notes) -> dict[str, object]:
    model = call.get("model")
    note_unread_model(model, notes)
    found: dict[str, object] = {}
    if model is not None and model.text:
        found["model"] = model_id(model.text)
    base = call.get("base_url")
    if base is not None and base.text:
        found["api_base"] = base.text
    found |= settings_of(call.get("inference_params"))
    return note_settings(found, (model or call).at, notes)
