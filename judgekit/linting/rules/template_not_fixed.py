"""The prompt would not be the same on the next day, or on the next call.

## What it does

Looks for names and filters in the templates that stand for chance or the clock: ``random``,
``shuffle``, ``now``, ``today``, ``uuid``, ``lipsum``.

## Why it hurts

A judge is known by what the model is shown. A prompt that changes by itself has no fingerprint, so
nothing can be certified, and nothing is ever found in the cache.

## Example

```jinja
{% block task %}Today is {{ today }}. You grade answers.{% endblock %}
```

## Use instead

```jinja
{% block task %}You grade answers. The day of the question stands in its text.{% endblock %}
```

## When to ignore

Never: put what changes into the item, as an input of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.linting.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.subject import Subject

_CHANGING = {
    *("choice", "clock", "current_date", "current_time", "date", "datetime", "lipsum", "now"),
    *("randint", "random", "sample", "shuffle", "time", "timestamp", "today", "utcnow", "uuid"),
    "uuid4",
}


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each use of chance or the clock, in the body or in what it reaches."""
    for template in subject.templates:
        if template.tree is None or template.name.startswith("judgekit/"):
            continue
        for name, lineno in _used(template.tree):
            if name in _CHANGING and name not in subject.inputs:
                line, column = template.place(lineno, name)
                inside = template.inside(lineno)
                message = f"{name!r} makes another prompt every time{inside}"
                yield Finding(line, column, message, "show what changes as an input of the item")


@lru_cache(maxsize=256)
def _used(tree: nodes.Template) -> tuple[tuple[str, int], ...]:
    names = [(n.name, n.lineno) for n in tree.find_all(nodes.Name) if n.ctx == "load"]
    return (*names, *((n.name, n.lineno) for n in tree.find_all(nodes.Filter)))
