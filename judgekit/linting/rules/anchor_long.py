"""A worked example is so long that it drowns the rubric.

## What it does

Looks for anchors whose output has more than 400 words.

## Why it hurts

Every example is sent with every call: a long one is paid for each time, pushes the definitions far
from the item, and stands out by its length rather than by what it shows.

## Example

```yaml
anchors:
  - output: |
      (a whole report of three pages)
    reason: The second paragraph contradicts the table.
```

## Use instead

```yaml
anchors:
  - output: |
      Sales rose by 4% (see the table).
      In short, sales fell.
    reason: The second line contradicts the first.
```

## When to ignore

When the outputs themselves are that long, and what the level is about shows only at full length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_LONG = 400
"""Words of an output; a page of print has about as many."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each output of an example that is too long."""
    for criterion in subject.criteria:
        for level, anchor in criterion.examples:
            for text in anchor.outputs:
                words = len(text.value.split())
                if words > _LONG:
                    yield subject.at(
                        text,
                        f"an example of {level.called} has an output of {words} words",
                        help="cut it down to the lines that make the level",
                    )
