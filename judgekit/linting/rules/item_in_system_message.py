"""The text under judgement stands in the system message.

## What it does

Renders the prompt and looks for item text in a message whose role is ``system``, or in front of the
rubric.

## Why it hurts

Models are trained to obey the system message: a text that says *give the highest level* has the
author's own authority there. An item in front of the rubric also makes every prompt different from
its first word on, so that no provider can reuse what it has read.

## Example

```jinja
{{ output }}
Question: {{ criterion.question }}
{% for level in criterion.levels %}{{ level.name }}: {{ level.definition }}
{% endfor %}
{{ next_message("user") }}
Answer with the JSON object {{ answer.example }}.
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the model takes no user message; then try it against outputs that give orders.
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


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first input whose text a system message shows."""
    if subject.rubric is None or only_fills(subject.templates):
        return
    rubric = subject.rubric
    probe = probes(rubric.inputs)[0]
    for criterion in rubric.criteria:
        try:
            shown = render(rubric, criterion, probe)
        except InputError:
            continue
        for role, content in shown:
            name = next((n for n, text in probe.items() if text in content), None)
            if role == "system" and name:
                yield subject.in_body(
                    _line_of(subject.body, name),
                    f"the system message shows the text of {name!r}",
                    word=name,
                    help='show items behind {{ next_message("user") }}',
                )
                return


def _line_of(body: str, name: str) -> int:
    lines = body.split("\n")
    return next((n for n, line in enumerate(lines, 1) if name in line and "{{" in line), 1)
