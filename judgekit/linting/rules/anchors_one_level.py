"""All worked examples have the same level.

## What it does

Looks for criteria with two or more anchors that all stand under one level, while the other levels
have none. With one anchor, and with two, `anchor-missing` names each of the other levels as well;
from three on, this rule says it alone.

## Why it hurts

Judges give the level they were shown most. Examples of one level alone teach that it is the usual
answer, and show nothing of where it ends.

## Example

```yaml
- {value: 1, name: met, definition: ..., anchors: [{...}, {...}, {...}]}
- {value: 0, name: unmet, definition: ...}
```

## Use instead

```yaml
- {value: 1, name: met, definition: ..., anchors: [{...}, {...}]}
- {value: 0, name: unmet, definition: ..., anchors: [{...}, {...}]}
```

## When to ignore

When the other level is the absence of what the examples show, and examples of it would be
arbitrary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


_PATTERN = 2
"""So many examples of one level, and none of another, show which answer is expected."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the level that has all the examples."""
    for criterion in subject.criteria:
        examples = criterion.examples
        if len(examples) < _PATTERN or len(criterion.levels) < 2:
            continue
        level = examples[0].level
        if all(example.level is level for example in examples):
            yield subject.at(
                level.node,
                f"all {len(examples)} examples of the criterion are of {level.called}",
                help="give the other levels examples too, and each level about as many",
            )
