"""One assertion of promptfoo as drafts of criteria."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from judgekit.importers.graders.dividing import asked as divide
from judgekit.importers.graders.dividing import asks, cleaned, divided, note_points
from judgekit.importers.graders.grader import (
    Draft,
    DraftLevel,
    compared,
    criterion_name,
    few_words,
    statement,
    turned_round,
)
from judgekit.importers.graders.node import Node, Place
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields, common
from judgekit.importers.graders.scored import pass_at, scored
from judgekit.importers.graders.settings import model_id, note_settings, settings_of
from judgekit.importers.graders.wording import (
    Words,
    defined_elsewhere,
    level_words,
    stated_range,
    yes_or_no,
)

_NO_VARIABLE = ("rubric", "criteria", "env", "_conversation", "steps", "maxScore")
_LONG = 400
_MET = {"0": "no", "1": "yes"}
_ANSWERS = ("pass", "fail", "yes", "no", "true", "false")
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
    notes.begin(asked.node.at)
    if len(entries) > 1:
        message = f"the mean of the {len(entries)} scores of this {asked.kind} is not carried over"
        help_ = "each criterion stands alone here"
        notes.add("import-formula", asked.node.at, message, help_)
    for key in ("transform", "contextTransform"):
        if (code := asked.node.get(key)) is not None:
            message = f"{key} is a program, which is not run"
            notes.add("import-code", code.at, message, "give the items as it leaves them")
    weight = asked.node.get("weight")
    if weight is not None and weight.number != 1:
        message = f"the weight {weight.value} is not carried over"
        notes.add("import-weight", weight.at, message, "weigh criteria where you use them")
    settings = _settings(asked, notes)
    for entry in entries:
        notes.begin(asked.node.at)
        yield _draft(asked, entry, settings, notes)
    notes.begin(None)


def _draft(asked: Asked, value: Node | None, settings: dict[str, Any], notes: Notes) -> Draft:
    text = _value(value, notes)
    node = asked.node if value is None else value
    pairwise = asked.kind == "select-best"
    shown = ("output_a", "output_b") if pairwise else ("output",)
    fields = Fields(notes, _name_of, shown)
    said = fields.read(text, node.at)
    metric = asked.node.get("metric")
    name = criterion_name(metric.text) if metric is not None and metric.text else few_words(said)
    task = _custom_prompt(asked, said, fields, notes)
    draft = Draft(
        name=name,
        at=asked.node.at,
        question=said,
        kind="binary",
        levels=(),
        inputs=fields.inputs,
        task=task,
        settings=settings,
    )
    if pairwise:
        question, levels = compared(said)
        message = f"{name!r} looks at all outputs at once; here two are compared at a time"
        notes.add("import-comparison", node.at, message, "make an item of each pair of outputs")
        return replace(draft, question=question, levels=levels, kind="pairwise")
    words = level_words(said)
    ends = stated_range(said)
    if len(words.said) > 1 or ends is not None:
        return _graded(asked, draft, words, ends, node, notes)
    return _met(asked, draft, words, node, notes)


def _graded(
    asked: Asked,
    draft: Draft,
    words: Words,
    ends: tuple[float, float] | None,
    node: Node,
    notes: Notes,
) -> Draft:
    """Return a draft with the scores that the text itself defines."""
    values = [end for span in words.spans for end in (span.low, span.high)] + list(ends or ())
    scale = scored(words, min(values), max(values), draft.name, at=node.at, notes=notes)
    parts = divided(words, draft.name, at=node.at, notes=notes)
    threshold = asked.node.get("threshold")
    passes_at = None
    if scale.kind != "ordinal" and not (threshold is not None and 0 < (threshold.number or 0) <= 1):
        _note_threshold(asked, notes)
    if scale.kind == "ordinal" and threshold is not None and threshold.number is not None:
        passes_at = pass_at(scale, words, threshold.number, at=threshold.at, notes=notes)
    if asked.negated:
        message = f"{draft.name!r} holds when this is not so; which scores that is, nobody says"
        notes.add("import-turned-round", asked.node.at, message, "choose the levels that pass")
        passes_at = None
    return replace(
        draft,
        question=parts.question,
        task="\n\n".join(filter(None, (draft.task, parts.task))),
        kind=scale.kind,
        levels=scale.levels,
        passes_at=passes_at,
    )


def _met(asked: Asked, draft: Draft, words: Words, node: Node, notes: Notes) -> Draft:
    """Return a draft of a requirement that an output meets or does not meet."""
    told = {_MET[level]: text for level, text in words.said.items() if level in _MET}
    if not told:
        words = yes_or_no(draft.question)
        told = words.said
    text = cleaned(words, at=node.at, notes=notes, labels=_ANSWERS).strip() or told.get("yes", "")
    question, (low, high) = statement(text)
    if not text or len(text) > _LONG or "\n\n" in text or asks(text):
        parts = divide(text, draft.name, at=node.at, notes=notes)
        question, task = parts.question, "\n\n".join(filter(None, (draft.task, parts.task)))
        draft = replace(draft, task=task)
        low, high = low._replace(definition=None), high._replace(definition=None)
    else:
        note_points(text, draft.name, node.at, notes)
    if "yes" in told:
        _, (low, high) = statement(told["yes"])
    if "no" in told:
        low = low._replace(definition=told["no"])
    levels: tuple[DraftLevel, ...] = (low, high)
    if asked.negated:
        levels = turned_round(levels)
        message = f"{draft.name!r} holds when this is not so; what it describes is now what fails"
        help_ = "check that the level that passes is the right one"
        notes.add("import-turned-round", asked.node.at, message, help_)
    _note_threshold(asked, notes)
    return replace(draft, question=question, levels=levels)


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
        notes.add(rule, value.at, message, "put its text in the place of the question")
    return text


def _note_threshold(asked: Asked, notes: Notes) -> None:
    """Note a threshold on a score that has no levels: here a requirement is met or it is not."""
    threshold = asked.node.get("threshold")
    if threshold is not None and threshold.value not in (0, 1, 1.0):
        message = f"the threshold {threshold.value} is on a score whose points nobody defined"
        help_ = "the requirement is met or not; or define levels, and say passes_at"
        notes.add("import-threshold", threshold.at, message, help_)


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
    read = fields.read(whole, given.at)
    _note_form(read, given.at, notes)
    return read


def _note_form(text: str, at: Place, notes: Notes) -> None:
    """Note what is out of place in a prompt, all of which stays the task."""
    aside = Notes(notes.file)
    divided(defined_elsewhere(text), "rubricPrompt", at=at, notes=aside)
    for found in aside.found:
        if found.rule in ("import-answer-form", "import-several-questions"):
            notes.add(found.rule, at, found.message, found.help)


def _messages(node: Node, notes: Notes) -> list[str]:
    """Return the texts of a prompt: plain, a chat, or a chat written as JSON."""
    if node.text is None:
        content = node.get("content")
        return [content.text] if content is not None and content.text else []
    if node.text.startswith("file://"):
        message = f"the prompt is in another file: {node.text}"
        notes.add("import-file", node.at, message, "put its text into the task block")
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
    return note_settings(found, provider.at, notes)
