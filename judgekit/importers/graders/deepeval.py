"""DeepEval G-Eval metrics: calls in Python source, and the JSON form they are uploaded in."""

from __future__ import annotations

import re

from judgekit.importers.graders.dividing import divided, note_unread
from judgekit.importers.graders.grader import Draft, compared, criterion_name
from judgekit.importers.graders.node import Node, Unread
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields
from judgekit.importers.graders.python import Reader
from judgekit.importers.graders.scales import Points
from judgekit.importers.graders.scored import pass_at, scored
from judgekit.importers.graders.settings import model_id, note_settings, note_unread_model
from judgekit.importers.graders.source import Source
from judgekit.importers.graders.spans import Span, passing, spanned
from judgekit.importers.graders.wording import Words, defined_elsewhere, level_words
from judgekit.rubric.scale import Value

_METRICS = ("GEval", "ConversationalGEval", "ArenaGEval")
_ORDER = (
    "name",
    "evaluation_params",
    "criteria",
    "evaluation_steps",
    "rubric",
    "model",
    "threshold",
)
_SHOWN = {
    "input": "input",
    "scenario": "input",
    "actual_output": "output",
    "content": "output",
    "expected_output": "reference",
    "expected_outcome": "reference",
    "context": "context",
    "retrieval_context": "context",
}
_LOW, _HIGH, _THRESHOLD = 0, 10, 0.5
"""The scores of a metric without a rubric, and where it passes when it does not say."""
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def recognises(source: Source) -> bool:
    """Return whether a file holds metrics of this tool."""
    return any(True for _ in _found(source))


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return every G-Eval metric in the file."""
    drafts = []
    for kind, node in _found(source):
        notes.begin(node.at)
        if kind == "ArenaGEval":
            drafts.append(_arena(node, notes))
        else:
            drafts.append(_draft(node, notes))
    notes.begin(None)
    return drafts


def _found(source: Source) -> list[tuple[str, Node]]:
    if source.tree is not None:
        return list(Reader(source.tree, source.file, source.text).calls(_METRICS, _ORDER))
    nodes = source.nodes
    return [("GEval", _snake(node)) for node in nodes if _is_metric(node)]


def _is_metric(node: Node) -> bool:
    keys = set(_snake(node).entries)
    return "evaluation_params" in keys and bool(keys & {"criteria", "evaluation_steps"})


def _snake(node: Node) -> Node:
    """Return a mapping with ``likeThis`` keys written ``like_this``."""
    named = {_CAPITAL.sub("_", key).lower(): value for key, value in node.entries.items()}
    return Node(node.at, named)


def _draft(node: Node, notes: Notes) -> Draft:
    name = criterion_name(notes.text(node.get("name"), "the name") or "g_eval")
    notes.text(node.get("**"), f"some of what {name!r} is given")
    fields = Fields(notes, lambda said: _SHOWN.get(said, said))
    for param in _listed(node, "evaluation_params"):
        if _param(param) != "role":  # a transcript shows who speaks
            fields.add(_param(param), param.at)
    criteria = node.get("criteria")
    text = notes.text(criteria, f"the criteria of {name!r}") or ""
    has_rubric = bool(_listed(node, "rubric"))
    words = defined_elsewhere(text) if has_rubric else level_words(text)
    asked = divided(words, name, at=(criteria or node).at, notes=notes)
    steps = _steps(node, name, notes)
    in_steps = defined_elsewhere(steps) if has_rubric or words.said else level_words(steps)
    note_unread(in_steps, (node.get("evaluation_steps") or node).at, notes)
    scale, passes_at = _scale(node, words if words.said else in_steps, name, notes)
    return Draft(
        name=name,
        at=node.at,
        question=asked.question,
        task="\n\n".join(part for part in (asked.task, steps) if part),
        kind=scale.kind,
        levels=scale.levels,
        passes_at=passes_at,
        inputs=fields.inputs,
        settings=_settings(node, notes),
    )


def _listed(node: Node, key: str) -> list[Node]:
    found = node.get(key)
    return [] if found is None else found.items


def _param(node: Node) -> str:
    """Return a parameter's name: ``LLMTestCaseParams.ACTUAL_OUTPUT`` is ``actual_output``."""
    said = node.value.source if isinstance(node.value, Unread) else str(node.value)
    return _CAPITAL.sub("_", said.rpartition(".")[2]).lower()


def _steps(node: Node, name: str, notes: Notes) -> str:
    """Return the evaluation steps as one text."""
    said = [notes.text(step, "a step") for step in _listed(node, "evaluation_steps")]
    steps = [" ".join(step.split()) for step in said if step]
    if not steps:
        return ""
    message = f"the {len(steps)} evaluation steps of {name!r} are text of the task block now"
    help_ = "say in the definitions what tells the levels apart, and take the steps out"
    notes.add("import-steps", _listed(node, "evaluation_steps")[0].at, message, help_)
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def _scale(node: Node, words: Words, name: str, notes: Notes) -> tuple[Points, Value | None]:
    """Return the levels, and the lowest that passes."""
    spans = sorted(
        span for one in _listed(node, "rubric") if (span := _span(_snake(one), notes)) is not None
    )
    given = node.get("threshold")
    strict = node.get("strict_mode")
    share = _THRESHOLD if given is None or given.number is None else given.number
    share = 1 if strict is not None and strict.value is True else share
    low, high = (spans[0].low, spans[-1].high) if spans else (_LOW, _HIGH)
    least = low + share * (high - low)
    said = f"{share:g}{' (the default)' if given is None else ''}, a score of {least:g},"
    at = (given or node).at
    if not spans:
        if len(words.said) > 1 and words.spans[-1].high <= 1:  # its steps and criteria say 0 to 1
            low, high, least = 0, 1, share
            said = f"{share:g}{' (the default)' if given is None else ''}"
        scale = scored(words, low, high, name, at=node.at, notes=notes)
        return scale, pass_at(scale, words, least, at=at, notes=notes, said=said)
    levels = spanned(spans, name, at=(node.get("rubric") or node).at, notes=notes)
    line = passing(spans, levels, least, said=said, at=at, notes=notes)
    return Points("ordinal", levels), line


def _span(node: Node, notes: Notes) -> Span | None:
    ends = [end.number for end in _listed(node, "score_range") if end.number is not None]
    words = notes.text(node.get("expected_outcome"), "an expected outcome")
    return Span(min(ends), max(ends), words or "") if len(ends) == 2 else None


def _arena(node: Node, notes: Notes) -> Draft:
    """Return a metric that names the best of several outputs, as one that compares two."""
    name = criterion_name(notes.text(node.get("name"), "the name") or "arena")
    fields = Fields(notes, lambda said: _SHOWN.get(said, said), ("output_a", "output_b"))
    for param in _listed(node, "evaluation_params"):
        if _SHOWN.get(_param(param)) != "output":
            fields.add(_param(param), param.at)
    text = notes.text(node.get("criteria"), f"the criteria of {name!r}") or ""
    steps = _steps(node, name, notes)
    question, levels = compared(text or name.replace("_", " "))
    message = f"{name!r} looks at all outputs at once; here two are compared at a time"
    notes.add("import-comparison", node.at, message, "make an item of each pair of outputs")
    return Draft(
        name=name,
        at=node.at,
        question=question,
        task=steps,
        kind="pairwise",
        levels=levels,
        inputs=fields.inputs,
        settings=_settings(node, notes),
    )


def _settings(node: Node, notes: Notes) -> dict[str, object]:
    model = node.get("model")
    inner = model if model is None else model.get("model", "model_name") or model
    note_unread_model(inner, notes)
    found: dict[str, object] = {}
    if inner is not None and inner.text:
        found["model"] = model_id(inner.text)
    return note_settings(found, (model or node).at, notes)
