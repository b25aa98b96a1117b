"""The prompt shows the name of a variable where its text belongs.

## What it does

Looks in what the template shows as it is written for variables in another notation than Jinja's:
`{ criterion.name }`, `${output}`, and ``{{ output }}`` in raw text. Only names that the template
is given count.

## Why it hurts

Jinja leaves them alone. The judge reads `{ criterion.name }`, and where an output should stand
there are a dollar and a brace.

## Example

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers for { criterion.name }.{% endblock %}
```

## Use instead

```jinja
{% extends "judgekit/pointwise@1.jinja" %}
{% block task %}You grade answers for {{ criterion.name }}.{% endblock %}
```

## When to ignore

When the judge is told about templates, and the braces are an example.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jinja2 import nodes

from judgekit.linting.finding import Finding
from judgekit.linting.trees import found_in
from judgekit.rubric.scopes import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.subject import Subject

_WRITTEN = re.compile(
    r"(?<![\w{%$])(?P<all>\$\{\{?\s*(?P<dollar>[A-Za-z_][\w.]*)\s*\}\}?"
    r"|\{\{\s*(?P<raw>[A-Za-z_][\w.]*)\s*\}\}"
    r"|\{\s+(?P<single>[A-Za-z_][\w.]*)\s+\}|\{(?P<dotted>[A-Za-z_]\w*\.[\w.]+)\})(?!\})"
)
_GIVEN = {"answer", "criterion", "item", "mark"}
_LOOPED = {"anchor", "field", "level"}
_PARTS = {part for parts in PARTS.values() for part in parts}


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each variable that is shown by its name."""
    template = subject.templates[0] if subject.templates else None
    if template is None or template.tree is None or not subject.body.strip():
        return
    for data in found_in(template.tree, nodes.TemplateData):
        for found in _WRITTEN.finditer(data.data) if "{" in data.data else ():
            name = next(filter(None, (found[key] for key in ("dollar", "raw", "single", "dotted"))))
            if _is_known(name, subject):
                lineno = data.lineno + data.data.count("\n", 0, found.start())
                line, column = template.place(lineno, found["all"])
                message = f"{found['all']!r} is shown as it stands"
                yield Finding(line, column, message, f"write {{{{ {name} }}}}, outside raw text")


def _is_known(name: str, subject: Subject) -> bool:
    first, _, part = name.partition(".")
    if part:
        return first in _GIVEN | _LOOPED and part.rpartition(".")[2] in _PARTS
    return first in subject.inputs or first == "mark"
