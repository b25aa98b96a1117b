"""The prompt does not show the form of the answer that is read.

## What it does

Looks in the prompt for the answer form, `{{ answer.example }}`, or for the key `level` written out,
where the body is one's own or replaces the block `answer_form` or `rubric`. A body that asks for
another form is a matter for `template-other-answer`.

## Why it hurts

A judge that is not told how to answer writes an essay. Where the model takes a schema, that saves
the form; where it does not, the level has to be guessed from prose, and what cannot be read is an
item without a level.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block answer_form %}Think before you answer.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block answer_form %}Think before you answer. Answer with {{ answer.example }}.{% endblock %}
```

## When to ignore

When a file beside the rubric shows the form to some models only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.linting.answers import other_form
from judgekit.linting.prompts import lost_at, prompts_of
from judgekit.linting.prose import words_only
from judgekit.linting.trees import found_in
from judgekit.rubric.templates import only_fills

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_FORM = re.compile(r"(?i)[\"'“„‘«`]level[\"'”“’»`]|^\W*(?:level|verdict)\W{0,3}:", re.MULTILINE)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield where the form gets lost, once: it is the same for all criteria."""
    if all(_FORM.search(prompt) for prompt in _prompts(subject)):
        return
    if other_form(words_only(subject.body), ()) is not None:
        return
    pattern = (r"\banswer\.(?:example|levels)\b",)
    lineno, word = lost_at(subject, pattern, ("answer_form", "rubric"))
    yield subject.in_body(
        lineno,
        "the prompt does not show the form of the answer",
        word=word,
        help="keep the built-in block answer_form, or show {{ answer.example }}",
    )


def _prompts(subject: Subject) -> list[str]:
    """Return what the judge is shown, without the texts of the levels where that is possible."""
    if subject.templates and only_fills(subject.templates):
        return _filled(subject)
    return [prompt.signs or prompt.text for prompt in prompts_of(subject)]


def _filled(subject: Subject) -> list[str]:
    """Return what stands in the place of the built-in answer form, where something does."""
    tree = subject.templates[0].tree
    return [
        "".join(data.data for data in block.find_all(nodes.TemplateData))
        for block in found_in(tree, nodes.Block)
        if block.name == "answer_form"
    ]
