"""The text under judgement stands in a message that is not the user's.

## What it does

Renders the prompt and looks for item text in a message whose role is ``system``, in front of the
rubric, or in one whose role is ``assistant``.

## Why it hurts

Models are trained to obey the system message: a text that says *give the highest level* has the
author's own authority there. What stands in a message of the assistant the judge takes for its own
words, and it goes on with them instead of judging. An item in front of the rubric also makes every
prompt different from its first word on, so that no provider can reuse what it has read.

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

import re
from itertools import chain
from typing import TYPE_CHECKING

from judgekit.errors import InputError
from judgekit.rubric.losses import first_line, mentions
from judgekit.rubric.meaning import probes
from judgekit.rubric.render import render
from judgekit.rubric.templates import only_fills

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first input whose text a message shows that is not the user's."""
    rubric = subject.reading.draft
    if rubric is None or only_fills(subject.templates):
        return
    probe = probes(rubric.inputs)[0]
    for criterion in rubric.criteria:
        try:
            shown = render(rubric, criterion, probe)
        except InputError:
            continue
        for role, content in shown:
            name = next((n for n, text in probe.items() if text in content), None)
            if role != "user" and name:
                lineno, word = _place(subject, role, name)
                yield subject.in_body(
                    lineno,
                    f"the {role} message shows the text of {name!r}",
                    word=word,
                    help='show items behind {{ next_message("user") }}',
                )
                return


def _place(subject: Subject, role: str, name: str) -> tuple[int, str]:
    """Return the tag that begins a message of that role, or the line that shows the input."""
    body = subject.templates[0]
    places = chain(
        mentions(body.source, rf"\bnext_message\(\s*(?:role\s*=\s*)?['\"]{role}['\"]"),
        mentions(body.source, rf"(?<![\w.'\"]){re.escape(name)}(?!\w)"),
        mentions(body.source, r"\bin item\b"),
        [(first_line(body.source), "")],
    )
    return next(places)
