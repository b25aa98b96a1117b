"""A draft to the text of a rubric file: our form, the drafter's words, none of them markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from judgekit.judging.authoring.draft import line_of, lines_of
from judgekit.rubric.front import compose
from judgekit.rubric.source import Problems, split
from judgekit.rubric.templates import PAIRWISE, POINTWISE
from judgekit.rubric.writing import front_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.judging.authoring.draft import Draft, DraftAnchor, DraftLevel

Field = tuple[str | int, ...]
"""Where in a draft something stands: ``("levels", 0, "definition")``."""

_BRACES = str.maketrans("{}", "()")
_OF_CRITERION = 2
"""Parts of a field before the criterion's own: ``criteria``, and its place."""


class Written(NamedTuple):
    """The text of a rubric file, and on which line each field of the draft begins."""

    text: str
    fields: tuple[tuple[int, Field], ...]

    def field(self, line: int) -> Field:
        """Return what a 1-based line says; () for one that says nothing of the draft's."""
        if line > self.text.count("\n"):
            return ()
        return next((field for begins, field in reversed(self.fields) if begins <= line), ())


def write_draft(draft: Draft, *, notes: Sequence[str] = ()) -> Written:
    """Return the rubric file of a draft.

    Whatever the texts hold, they are values of the front matter, read as text; the body is ours,
    and the task in it holds no brace that could begin a template's markup.

    Args:
        draft: The content.
        notes: Remarks for people, as comments.
    """
    opening, rest = front_text(_front(draft)).split("\n", 1)
    comments = [f"# {line_of(note)}" for note in notes]
    text = "\n".join([opening, *comments, f"{rest.rstrip()}\n{_body(draft)}"])
    return Written(text, tuple(_fields(text)))


def _front(draft: Draft) -> dict[str, Any]:
    criterion: dict[str, Any] = {
        "criterion": draft.name,
        "question": line_of(draft.question),
        "scale": draft.kind,
        **_pass_line(draft),
        "levels": [_level(level, draft) for level in draft.levels],
        **_said(not_applicable=draft.not_applicable),
    }
    inputs = list(draft.inputs)
    return {"rubric": draft.name, "version": 1, "inputs": inputs, "criteria": [criterion]}


def _pass_line(draft: Draft) -> dict[str, Any]:
    """Return which levels pass, where the drafter said so and it says something."""
    flags = [level.passes for level in draft.levels]
    if draft.kind == "ordinal":
        top = flags.index(False) if False in flags else 0
        return {"passes_at": draft.levels[top - 1].value} if top else {}
    if draft.kind == "nominal" and any(flags) and not all(flags):
        return {"passing": [line_of(level.name) for level in draft.levels if level.passes]}
    return {}


def _level(level: DraftLevel, draft: Draft) -> dict[str, Any]:
    anchors = [_anchor(anchor, draft.inputs) for anchor in level.anchors]
    return {
        **({} if level.value is None else {"value": level.value}),
        "name": line_of(level.name),
        "definition": line_of(level.definition),
        **_said(drops_when=level.drops_when),
        **({"anchors": anchors} if anchors else {}),
    }


def _anchor(anchor: DraftAnchor, inputs: Sequence[str]) -> dict[str, str]:
    fields = {name: lines_of(anchor.fields[name]) for name in inputs if name in anchor.fields}
    return {**fields, **_said(reason=anchor.reason)}


def _said(**texts: str) -> dict[str, str]:
    """Return the texts that say something."""
    return {name: line for name, text in texts.items() if (line := line_of(text))}


def _body(draft: Draft) -> str:
    base = PAIRWISE if draft.kind == "pairwise" else POINTWISE
    task = line_of(draft.task).translate(_BRACES)
    block = f"{{% block task %}}{task}{{% endblock %}}\n" if task else ""
    return f'{{% extends "{base}" %}}\n{block}'


def _fields(text: str) -> Iterator[tuple[int, Field]]:
    """Yield the line on which each field begins, in the order of the file."""
    problems = Problems()
    parts = split(text, problems)
    node = compose(parts.front, problems) if parts else None
    if parts is None or node is None:
        return
    for index, field in _walk(node, ()):
        if field[:1] == ("criteria",):
            yield problems.place(index)[0], field[_OF_CRITERION:][:4]
    yield parts.body_line, ("task",)


def _walk(node: yaml.Node, at: Field) -> Iterator[tuple[int, Field]]:
    """Yield where each key below a node begins, and what leads there."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            field = (*at, str(key.value))
            yield key.start_mark.index, field
            yield from _walk(value, field)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield from _walk(value, (*at, place))
