"""One assertion of promptfoo as drafts of criteria."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from judgekit.importers.graders.grader import (
    Draft,
    compared,
    criterion_name,
    few_words,
    statement,
    turned_round,
)
from judgekit.importers.graders.node import Node
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields, common, divided
from judgekit.importers.graders.scales import pass_line, points
from judgekit.importers.graders.settings import model_id, note_settings, settings_of
from judgekit.importers.graders.wording import level_words, numbers

_NO_VARIABLE = ("rubric", "criteria", "env", "_conversation", "steps", "maxScore")
_LONG = 400
_PROGRAMS = (".py", ".js", ".mjs", ".cjs", ".ts", ".rb")


class Asked(NamedTuple):
    """An assertion that asks a model, and the options over it, the nearest first."""

    node: Node
    over: tuple[Node, ...]

    @property
    def kind(self) -> str:
        """Return its type, without the ``not-`` that turns it round."""
        kind = self.node.get("type")
        return str(kind.value).removeprefix("not-") if kind is not None else ""

    @property
    def negated(self) -> bool:
        """Return whether it holds when the judge says that it does not."""
        kind = self.node.get("type")
        return kind is not None and str(kind.value).startswith("not-")

    def option(self, key: str) -> Node | None:
        """Return an option of the assertion, or of what it stands under."""
        for node in (self.node, *self.over):
            inner = node.get("options")
            found = node.get(key) or (None if inner is None else inner.get(key))
            if found is not None:
                return found
        return None


def drafts_of(asked: Asked, notes: Notes) -> Iterator[Draft]:
    """Yield the criteria of one assertion: one, or one for each entry of a list."""
    value = asked.node.get("value")
    entries = [value] if value is None or not value.items else value.items
    notes.begin(asked.node.line)
    if len(entries) > 1:
        message = f"the mean of the {len(entries)} scores of this {asked.kind} is not carried over"
        help_ = "each criterion stands alone here"
        notes.add("import-formula", asked.node.line, message, help_)
    for key in ("transform", "contextTransform"):
        if (code := asked.node.get(key)) is not None:
            message = f"{key} is a program, which is not run"
            notes.add("import-code", code.line, message, "give the items as it leaves them")
    weight = asked.node.get("weight")
    if weight is not None and weight.number != 1:
        message = f"the weight {weight.value} is not carried over"
        notes.add("import-weight", weight.line, message, "weigh criteria where you use them")
    settings = _settings(asked, notes)
    for entry in entries:
        notes.begin(asked.node.line)
        yield _draft(asked, entry, settings, notes)
    notes.begin(None)


def _draft(asked: Asked, value: Node | None, settings: dict[str, Any], notes: Notes) -> Draft:
    text = _value(value, notes)
    node = asked.node if value is None else value
    pairwise = asked.kind == "select-best"
    shown = ("output_a", "output_b") if pairwise else ("output",)
    fields = Fields(notes, _name_of, shown)
    said = fields.read(text, node.line)
    metric = asked.node.get("metric")
    name = criterion_name(metric.text) if metric is not None and metric.text else few_words(said)
    task = _custom_prompt(asked, said, fields, notes)
    base: dict[str, Any] = {
        "name": name,
        "line": asked.node.line,
        "settings": settings,
    }
    if pairwise:
        question, levels = compared(said)
        message = f"{name!r} looks at all outputs at once; here two are compared at a time"
        notes.add("import-comparison", node.line, message, "make an item of each pair of outputs")
        return Draft(
            **base,
            question=question,
            levels=levels,
            kind="pairwise",
            task=task,
            inputs=fields.inputs,
        )
    words = level_words(said)
    graded = numbers(words)
    if len(graded) > 1:
        return _graded(
            asked,
            Draft(
                **base, question=said, levels=(), kind="ordinal", task=task, inputs=fields.inputs
            ),
            words.rest,
            graded,
            notes,
        )
    question, levels = statement(said)
    if len(said) > _LONG or "\n\n" in said.strip():
        divided_ = divided(said, name, line=node.line, notes=notes)
        question, task = divided_.question, "\n\n".join(filter(None, (task, divided_.task)))
        levels = tuple(level._replace(definition=None) for level in levels)
    if asked.negated:
        levels = turned_round(levels)
        message = f"{name!r} holds when this is not so; what it describes is now what fails"
        help_ = "check that the level that passes is the right one"
        notes.add("import-turned-round", asked.node.line, message, help_)
    _note_threshold(asked, notes)
    return Draft(
        **base, question=question, levels=levels, kind="binary", task=task, inputs=fields.inputs
    )


def _name_of(variable: str) -> str | None:
    first = variable.partition(".")[0]
    return None if first in _NO_VARIABLE or "." in variable else common(variable)


def _value(value: Node | None, notes: Notes) -> str:
    """Return what an assertion asks for, as text."""
    if value is None:
        return ""
    text = value.text
    if text is None:
        return json.dumps(value.plain(), ensure_ascii=False, default=str)
    if text.startswith("file://"):
        is_code = any(end in text for end in _PROGRAMS)
        rule, what = ("import-code", "a program") if is_code else ("import-file", "in another file")
        message = f"what this asks for is {what}: {text}"
        notes.add(rule, value.line, message, "put its text in the place of the question")
    return text


def _graded(
    asked: Asked, draft: Draft, rest: str, words: dict[int | float, str], notes: Notes
) -> Draft:
    """Return a draft with the scores that the text itself defines."""
    scale = points(min(words), max(words), words, line=draft.line, notes=notes)
    parts = divided(rest, draft.name, line=draft.line, notes=notes)
    threshold = asked.node.get("threshold")
    passes_at = None
    if threshold is not None and threshold.number is not None and scale.kind == "ordinal":
        values = [level.value for level in scale.levels if not isinstance(level.value, str | None)]
        passes_at = pass_line(values, threshold.number, line=threshold.line, notes=notes)
    return replace(
        draft,
        question=parts.question,
        task="\n\n".join(filter(None, (draft.task, parts.task))),
        kind=scale.kind,
        levels=scale.levels,
        passes_at=passes_at,
    )


def _note_threshold(asked: Asked, notes: Notes) -> None:
    """Note a threshold on a score that has no levels: here a requirement is met or it is not."""
    threshold = asked.node.get("threshold")
    if threshold is not None and threshold.value not in (0, 1, 1.0):
        message = f"the threshold {threshold.value} is on a score whose points nobody defined"
        help_ = "the requirement is met or not; or define levels, and say passes_at"
        notes.add("import-threshold", threshold.line, message, help_)


def _custom_prompt(asked: Asked, said: str, fields: Fields, notes: Notes) -> str:
    """Return the prompt the configuration puts in the place of the tool's own."""
    given = asked.option("rubricPrompt")
    if given is None:
        return ""
    texts = [part for node in given.items or [given] for part in _messages(node, notes)]
    for sign in ("{{rubric}}", "{{ rubric }}", "{{criteria}}", "{{ criteria }}"):
        texts = [text.replace(sign, said) for text in texts]
    whole = "\n\n".join(text.strip() for text in texts if text.strip())
    if not whole:
        return ""
    read = fields.read(whole, given.line)
    _note_form(read, given.line, notes)
    return read


def _note_form(text: str, line: int, notes: Notes) -> None:
    """Note what is out of place in a prompt, all of which stays the task."""
    aside = Notes(notes.file)
    divided(text, "rubricPrompt", line=line, notes=aside)
    for found in aside.found:
        if found.rule in ("import-answer-form", "import-several-questions"):
            notes.add(found.rule, line, found.message, found.help)


def _messages(node: Node, notes: Notes) -> list[str]:
    """Return the texts of a prompt: plain, a chat, or a chat written as JSON."""
    if node.text is None:
        content = node.get("content")
        return [content.text] if content is not None and content.text else []
    if node.text.startswith("file://"):
        message = f"the prompt is in another file: {node.text}"
        notes.add("import-file", node.line, message, "put its text into the task block")
        return []
    try:
        chat = json.loads(node.text)
    except ValueError:
        return [node.text]
    if not isinstance(chat, list):
        return [node.text]
    return [str(one["content"]) for one in chat if isinstance(one, dict) and one.get("content")]


def _settings(asked: Asked, notes: Notes) -> dict[str, Any]:
    provider = asked.option("provider")
    if provider is None:
        return {}
    inner = provider.get("text") or provider
    name = inner.get("id") or inner
    found: dict[str, Any] = {}
    if name.text:
        found["model"] = model_id(name.text)
    found |= settings_of(inner.get("config"))
    return note_settings(found, provider.line, notes)
