"""The name of a level is a sentence.

## What it does

Looks for names of levels of more than eight words, or of more than fifty letters and blanks.

## Why it hurts

The judge gives its verdict by writing the name, people label with it, and reports and slices show
it. A sentence is written differently every time: a word is left out, a full stop added, and the
answer is no level any more. What a reader should see belongs into the definition, which is not
written by anybody.

## Example

```yaml
- value: 2
  name: The answer has one claim that the context does not support
  definition: One claim is not supported.
```

## Use instead

```yaml
- value: 2
  name: stretched
  definition: The answer has one claim that the context does not support.
```

## When to ignore

When existing labels use these names, and replies come under an enforced schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_WORDS, _SIGNS = 8, 50


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each name that is more than a few words."""
    for criterion in subject.criteria:
        for level in criterion.levels:
            name = level.name
            if name and (len(name.value) > _SIGNS or len(name.value.split()) > _WORDS):
                yield subject.at(
                    name,
                    f"the name of a level has {len(name.value.split())} words",
                    help="a judge writes the name to give the level: keep it to a word or two",
                )
