"""The template gives a name that it is given to something else.

## What it does

Looks for ``{% set %}`` on a name that every template is given (`criterion`, `item`, `answer`,
`mark`, `next_message`), on an input of the rubric, and on the name of the loop around it; and for
loops and ``{% with %}`` that take an input's name. `{% set output = output %}` and names inside a
macro are left alone.

## Why it hurts

From there on the name stands for something else. `{{ output }}` no longer shows the item, a loop
over `item` shows nothing, or every level is shown as the first one; and the template reads as if
nothing had happened.

## Example

```jinja
{% set output = "The answer:" %}
{{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ output }}
```

## Use instead

```jinja
{% set heading = "The answer:" %}
{{ criterion.question }}
{{ next_message() }}
{{ input }}
{{ heading }}
{{ output }}
```

## When to ignore

When the name is not needed any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.finding import Finding
from judgekit.rubric.scopes import uses_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.subject import Subject

_GIVEN = {"answer", "criterion", "item", "mark", "next_message"}


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each place where a name comes to stand for something else."""
    for template in subject.templates:
        if template.tree is None or template.name.startswith("judgekit/"):
            continue
        for tag in uses_of(template.tree).settings:
            given = tag.name in subject.inputs or (tag.by == "set" and tag.name in _GIVEN)
            looped = tag.by == "set" and tag.looped
            if (given or looped) and not tag.of_itself:
                line, column = template.place(tag.lineno, tag.name)
                what = "given to every template" if given else "the turn of the loop around it"
                what = "an input" if tag.name in subject.inputs else what
                message = f"{tag.name!r} is {what}, and here it becomes something else"
                inside = template.inside(tag.lineno)
                yield Finding(line, column, message + inside, "give what is set a name of its own")
