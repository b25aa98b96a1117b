"""The prompt does not show what the levels mean.

## What it does

Renders the prompt and looks for the question and for every definition in it. A body of its own, or
one that replaces the block ``scale`` or ``rubric``, can lose them.

## Why it hurts

The rubric then defines its levels for people and for the file, and the judge never sees it: it
grades by the names alone. Nothing else would tell, since every answer still reads.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block scale %}Use the levels {{ answer.levels | join(", ") }}.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the definitions are kept from the judge for a comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.errors import InputError
from judgekit.rubric.meaning import probes
from judgekit.rubric.render import render
from judgekit.rubric.templates import only_fills

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject
    from judgekit.rubric.model import Criterion, Rubric


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what the prompt of a criterion leaves out, at the body's first words."""
    if subject.rubric is None or only_fills(subject.templates):
        return
    for criterion in subject.rubric.criteria:
        lost = _lost(subject.rubric, criterion)
        if lost:
            yield subject.in_body(
                _first_line(subject.body),
                f"the prompt of {criterion.name!r} shows no {lost}",
                help="keep the built-in block, or show criterion.question and each level's "
                "definition",
            )


def _lost(rubric: Rubric, criterion: Criterion) -> str | None:
    try:
        shown = render(rubric, criterion, probes(rubric.inputs)[0])
    except InputError:
        return None
    text = " ".join(" ".join(content for _, content in shown).split())
    if " ".join(criterion.question.split()) not in text:
        return "question"
    for level in criterion.scale.levels:
        if " ".join(level.definition.split()) not in text:
            return f"definition of level {level.name!r}"
    return None


def _first_line(body: str) -> int:
    lines = body.split("\n")
    marks = ("{% block scale", "{% block rubric", "{%- block scale", "{%- block rubric")
    named = (n for n, line in enumerate(lines, 1) if line.strip().startswith(marks))
    told = (n for n, line in enumerate(lines, 1) if line.strip())
    return next(named, next(told, 1))
