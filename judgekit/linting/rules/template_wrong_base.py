"""The body does not extend the built-in template as its scale needs it.

## What it does

Follows `extends` to the built-in template and compares it with the scale: a pairwise scale is
shown by `judgekit/pairwise@1.jinja`, every other by `judgekit/pointwise@1.jinja`. A rubric of
another scale that shows `output_a` and `output_b` may use either. It also looks for `include` of a
built-in template beside blocks of one's own, and for text and blocks in front of `extends`.

## Why it hurts

The pairwise template tells the judge to compare two outputs. Where there is one, it makes up the
other, or answers about the input; and told to grade *it*, it grades one of a pair. A template that
is included keeps its own blocks, and what stands before `extends` is shown above the prompt, once
more.

## Example

```jinja
{% extends "judgekit/pairwise@1.jinja" %}
{% block task %}You grade answers of a support desk.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When every block of the other template is replaced.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.linting.finding import Finding
from judgekit.linting.trees import found_in
from judgekit.rubric.criteria import kind_of
from judgekit.rubric.templates import PAIRWISE, POINTWISE, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.subject import Subject

_EXTENDS = re.compile(r"\s*\{%[-+]?\s*extends\b")
_PAIR = {"output_a", "output_b"}


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the tag that extends the wrong template, or leads to the one that does."""
    yield from _not_extended(subject)
    kinds = {kind_of(criterion.kind or "") for criterion in subject.criteria}
    if not kinds or None in kinds or not subject.body.strip():
        return
    pairwise = kinds == {"pairwise"}
    if not pairwise and ("pairwise" in kinds or set(subject.inputs) >= _PAIR):
        return
    by_name = {template.name: template for template in subject.templates}
    seen, at = set[str](), ""
    while at in by_name and at not in seen and by_name[at].parent is not None:
        seen.add(at)
        at = by_name[at].parent or ""
    wrong, right = (POINTWISE, PAIRWISE) if pairwise else (PAIRWISE, POINTWISE)
    if at == wrong:
        first = by_name[""].parent or ""
        line = by_name[first].line
        text = subject.lines[line - 1] if line <= len(subject.lines) else ""
        told = "compares two outputs" if wrong == PAIRWISE else "shows one output"
        count = "two" if pairwise else "one"
        message = f"{wrong!r} {told}, and this rubric judges {count}"
        yield Finding(line, max(text.find(first), 0) + 1, message, f"extend {right!r}")


def _not_extended(subject: Subject) -> Iterator[Finding]:
    """Yield what is included instead of extended, and what is shown before `extends` is reached."""
    tree = subject.templates[0].tree if subject.templates and subject.body.strip() else None
    if tree is None or ("include" not in subject.body and _EXTENDS.match(subject.body)):
        return  # most bodies: looked at quickly
    for tag in found_in(tree, nodes.Include) if found_in(tree, nodes.Block) else ():
        built_in = {PAIRWISE, POINTWISE} & set(names_in(tag))
        if built_in:
            message = f"{min(built_in)!r} is included: its blocks stay as they are"
            yield subject.in_body(tag.lineno, message, word="include", help="extend it")
    at = next((n for n, node in enumerate(tree.body) if isinstance(node, nodes.Extends)), 0)
    for node in tree.body[:at]:
        data = node.nodes if isinstance(node, nodes.Output) else [node]
        said = [d for d in data if not isinstance(d, nodes.TemplateData) or d.data.strip()]
        if said and not isinstance(node, nodes.Assign | nodes.Macro | nodes.Import):
            message = "what stands before {% extends %} is shown above the whole prompt"
            yield subject.in_body(tree.body[at].lineno, message, help="put {% extends %} first")
            return
