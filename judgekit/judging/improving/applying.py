"""A rubric with edits made in it, as a value."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.judging.improving.edits import OF_LEVEL, Refused
from judgekit.rubric.scale import Anchor, Scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.judging.improving.edits import Edit
    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.scale import Level

MOST_ANCHORS = 6
"""Worked examples of a level beyond which no more are taken: each is shown with every item."""

_EXTENDS = re.compile(r'\s*\{%-?\s*extends\s+"judgekit/[^"]*"\s*-?%\}\s*')
_TASK = re.compile(
    r"(\{%-?\s*block\s+task\s*-?%\})([^{}]*)(\{%-?\s*endblock\b[^{}]*%\})", re.DOTALL
)
_BRACES = str.maketrans("{}", "()")


class Example(NamedTuple):
    """An item of train that may become a worked example: its text, and the level of all raters."""

    level: str
    fields: Mapping[str, Any]


def applied(
    rubric: Rubric,
    criterion: Criterion,
    edits: Sequence[Edit],
    examples: Mapping[str, Example],
) -> Rubric | Refused:
    """Return the rubric with edits made in one of its criteria, or why they are thrown away.

    Args:
        rubric: The rubric.
        criterion: The criterion of it.
        edits: The edits.
        examples: The items that may become worked examples, by id.
    """
    made, body = criterion, rubric.body
    for edit in edits:
        if edit.what == "task":
            new = with_task(body, edit.text) if len(rubric.criteria) == 1 else None
            if new is None:
                return Refused("it changes the task, which does not stand in the rubric alone")
            body = new
        elif edit.what in OF_LEVEL:
            level = next(v for v in made.scale.levels if v.name == edit.level)
            told = _level(level, edit, examples, rubric.inputs)
            if isinstance(told, Refused):
                return told
            levels = tuple(told if v is level else v for v in made.scale.levels)
            made = replace(made, scale=Scale(kind=made.scale.kind, levels=levels))
        else:
            wording: dict[str, Any] = {edit.what: edit.text}
            made = replace(made, **wording)
    criteria = tuple(made if one is criterion else one for one in rubric.criteria)
    found = replace(rubric, criteria=criteria, body=body)
    return Refused("it changes nothing") if found == rubric else found


def _level(
    level: Level, edit: Edit, examples: Mapping[str, Example], inputs: Sequence[str]
) -> Level | Refused:
    if edit.what != "anchor":
        wording: dict[str, Any] = {edit.what: edit.text}
        return replace(level, **wording)
    example = examples.get(edit.item)
    if example is None:
        return Refused(f"it takes {edit.item[:40]!r} as an example, which is none it may take")
    if example.level != level.name:
        return Refused(
            f"it takes {edit.item!r} as an example of {level.name!r}, "
            f"and people called it {example.level!r}"
        )
    if len(level.anchors) >= MOST_ANCHORS:
        return Refused(f"it adds an example to {level.name!r}, which has {MOST_ANCHORS} already")
    fields = {name: example.fields[name] for name in inputs}
    anchor = Anchor(fields=fields, reason=edit.text)
    return replace(level, anchors=(*level.anchors, anchor))


def task_of(rubric: Rubric) -> str | None:
    """Return the task a rubric states in plain words, "" for the built-in one; None for another.

    None says that it cannot be edited: it has markup, or another template states it.
    """
    if _EXTENDS.fullmatch(rubric.body):
        return ""
    found = _TASK.findall(rubric.body)
    return " ".join(found[0][1].split()) if len(found) == 1 else None


def with_task(body: str, task: str) -> str | None:
    """Return a template with another task, which holds no brace; None where it cannot be edited."""
    text = task.translate(_BRACES)
    if _EXTENDS.fullmatch(body):
        return f"{body.strip()}\n{{% block task %}}{text}{{% endblock %}}\n"
    if len(_TASK.findall(body)) != 1:
        return None
    return _TASK.sub(lambda found: f"{found[1]}{text}{found[3]}", body)
