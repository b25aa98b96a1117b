"""The body defines a name and never uses it.

## What it does

Looks for ``{% set %}`` and ``{% macro %}`` in the body whose name stands nowhere else.

## Why it hurts

Most often the name is used under another spelling, or the text that used it was taken out: the
judge is then not shown what the author believes it is shown.

## Example

```jinja
{% set audience = "beginners" %}
{% block task %}You grade answers for their readers.{% endblock %}
```

## Use instead

```jinja
{% block task %}You grade answers for beginners.{% endblock %}
```

## When to ignore

When other templates import the body for its macros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.linting.trees import found_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each name that is set and not used."""
    tree = subject.templates[0].tree if subject.templates else None
    if tree is None or subject.templates[0].name:
        return
    given: dict[str, int] = {}
    used: set[str] = set()
    for node in found_in(tree, nodes.Name, nodes.Macro, nodes.AssignBlock):
        if isinstance(node, nodes.Macro) or (isinstance(node, nodes.Name) and node.ctx == "store"):
            given.setdefault(node.name, node.lineno)
        elif isinstance(node, nodes.Name):
            used.add(node.name)
    every = found_in(tree, nodes.For)
    loops = {n.name for f in every for n in f.target.find_all(nodes.Name)}
    loops |= {f.target.name for f in every if isinstance(f.target, nodes.Name)}
    for name, lineno in given.items():
        if name not in used and name not in loops and not name.startswith("_"):
            yield subject.in_body(
                lineno,
                f"{name!r} is defined and never used",
                word=name,
                help="use it, or take it out",
            )
