"""DeepEval G-Eval metrics: calls in Python source, and the JSON form they are uploaded in."""

from __future__ import annotations

import re
from typing import NamedTuple

from judgekit.importers.graders.grader import Draft, DraftLevel, compared, criterion_name
from judgekit.importers.graders.node import Node, Unread
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields, divided
from judgekit.importers.graders.python import Reader
from judgekit.importers.graders.scales import Points, pass_line, points
from judgekit.importers.graders.settings import model_id, note_settings, note_unread_model
from judgekit.importers.graders.source import Source
from judgekit.importers.graders.wording import level_words, numbers
from judgekit.rubric.scale import Value, number_text

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


class _Span(NamedTuple):
    low: float
    high: float
    words: str | None


def recognises(source: Source) -> bool:
    """Return whether a file holds metrics of this tool."""
    return any(True for _ in _found(source))


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return every G-Eval metric in the file."""
    drafts = []
    for kind, node in _found(source):
        notes.begin(node.line)
        if kind == "ArenaGEval":
            drafts.append(_arena(node, notes))
        else:
            drafts.append(_draft(node, notes))
    notes.begin(None)
    return drafts


def _found(source: Source) -> list[tuple[str, Node]]:
    if source.tree is not None:
        return list(Reader(source.tree, source.file).calls(_METRICS, _ORDER))
    nodes = source.nodes
    return [("GEval", _snake(node)) for node in nodes if _is_metric(node)]


def _is_metric(node: Node) -> bool:
    keys = set(_snake(node).entries)
    return "evaluation_params" in keys and bool(keys & {"criteria", "evaluation_steps"})


def _snake(node: Node) -> Node:
    """Return a mapping with ``likeThis`` keys written ``like_this``."""
    named = {_CAPITAL.sub("_", key).lower(): value for key, value in node.entries.items()}
    return Node(node.line, named)


def _draft(node: Node, notes: Notes) -> Draft:
    name = criterion_name(notes.text(node.get("name"), "the name") or "g_eval")
    notes.text(node.get("**"), f"some of what {name!r} is given")
    fields = Fields(notes, lambda said: _SHOWN.get(said, said))
    for param in _listed(node, "evaluation_params"):
        if _param(param) != "role":  # a transcript shows who speaks
            fields.add(_param(param), param.line)
    criteria = node.get("criteria")
    text = notes.text(criteria, f"the criteria of {name!r}") or ""
    asked = divided(text, name, line=(criteria or node).line, notes=notes)
    steps = _steps(node, name, notes)
    scale, passes_at = _scale(node, f"{text}\n{steps}", name, notes)
    return Draft(
        name=name,
        line=node.line,
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
    notes.add("import-steps", _listed(node, "evaluation_steps")[0].line, message, help_)
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def _scale(node: Node, text: str, name: str, notes: Notes) -> tuple[Points, Value | None]:
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
    line = (given or node).line
    if not spans:
        scale = points(low, high, numbers(level_words(text)), line=node.line, notes=notes)
        values = [level.value for level in scale.levels if not isinstance(level.value, str | None)]
        return scale, pass_line(values, least, line=line, notes=notes, said=said)
    levels = _levels(spans, (node.get("rubric") or node).line, name, notes)
    return Points("ordinal", levels), _passing(spans, levels, least, (line, said), notes)


def _span(node: Node, notes: Notes) -> _Span | None:
    ends = [end.number for end in _listed(node, "score_range") if end.number is not None]
    words = notes.text(node.get("expected_outcome"), "an expected outcome")
    return _Span(min(ends), max(ends), words or "") if len(ends) == 2 else None


def _levels(spans: list[_Span], line: int, name: str, notes: Notes) -> tuple[DraftLevel, ...]:
    """Return one level for each range; it is numbered from 1 where ranges hold several scores."""
    if all(span.low == span.high for span in spans):
        values = [int(span.low) if float(span.low).is_integer() else span.low for span in spans]
        return tuple(
            DraftLevel(v, None, s.words or None) for v, s in zip(values, spans, strict=True)
        )
    most = 100  # scores of a range that is worth writing out
    pairs = [
        f"{score}={position}"
        for position, span in enumerate(spans, start=1)
        for score in range(int(span.low), int(min(span.high, span.low + most)) + 1)
    ]
    shown = ", ".join(_shown(span) for span in spans)
    message = f"the score ranges of {name!r} ({shown}) are one level each, numbered from 1"
    help_ = f"labels with the old scores: --level-map {','.join(pairs)}"
    notes.add("import-span", line, message, help_)
    return tuple(DraftLevel(i, None, span.words or None) for i, span in enumerate(spans, start=1))


def _shown(span: _Span) -> str:
    low, high = number_text(span.low), number_text(span.high)
    return low if low == high else f"{low}-{high}"


def _passing(
    spans: list[_Span],
    levels: tuple[DraftLevel, ...],
    least: float,
    where: tuple[int, str],
    notes: Notes,
) -> Value | None:
    """Return the lowest level whose scores all pass, or the highest that some of pass."""
    line, said = where
    whole = [i for i, span in enumerate(spans) if span.low >= least]
    at = whole[0] if whole else len(spans) - 1
    if at == 0:
        message = f"with the threshold {said} every level of the scale passes"
        notes.add("import-threshold", line, message, "choose the level that passes: passes_at")
        return None
    below = spans[at - 1].high
    if not whole or below >= least or (spans[at].low != least and below + 1 != spans[at].low):
        message = f"the threshold {said} is inside a range; passes_at is {levels[at].said}"
        help_ = "a level passes as a whole: check that this is the line"
        notes.add("import-threshold", line, message, help_)
    return levels[at].value


def _arena(node: Node, notes: Notes) -> Draft:
    """Return a metric that names the best of several outputs, as one that compares two."""
    name = criterion_name(notes.text(node.get("name"), "the name") or "arena")
    fields = Fields(notes, lambda said: _SHOWN.get(said, said), ("output_a", "output_b"))
    for param in _listed(node, "evaluation_params"):
        if _SHOWN.get(_param(param)) != "output":
            fields.add(_param(param), param.line)
    text = notes.text(node.get("criteria"), f"the criteria of {name!r}") or ""
    steps = _steps(node, name, notes)
    question, levels = compared(text or name.replace("_", " "))
    message = f"{name!r} looks at all outputs at once; here two are compared at a time"
    notes.add("import-comparison", node.line, message, "make an item of each pair of outputs")
    return Draft(
        name=name,
        line=node.line,
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
    return note_settings(found, (model or node).line, notes)
