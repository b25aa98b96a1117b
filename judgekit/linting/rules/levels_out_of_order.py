"""The levels of a scale do not stand in their order.

## What it does

Looks for ordinal scales whose levels are listed neither from the best to the worst nor from the
worst to the best.

## Why it hurts

The judge is shown them in the order of their values, people read them in the order of the file, and
the two will name different levels. Mostly it is a sign that two values were swapped.

## Example

```yaml
levels:
  - {value: 2, name: grounded, definition: ...}
  - {value: 3, name: stretched, definition: ...}
  - {value: 1, name: invented, definition: ...}
```

## Use instead

```yaml
levels:
  - {value: 3, name: grounded, definition: ...}
  - {value: 2, name: stretched, definition: ...}
  - {value: 1, name: invented, definition: ...}
```

## When to ignore

Never: put the levels into their order, or mend the values.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first level that leaves the order."""
    for criterion in subject.criteria:
        numbers = [level.number for level in criterion.levels]
        if criterion.kind != "ordinal" or None in numbers or len(numbers) < 3:
            continue
        known = [n for n in numbers if n is not None]
        steps = [b > a for a, b in pairwise(known)]
        down = not steps[0] if steps[0] == steps[-1] else known[0] > known[-1]
        wrong = [i for i, up in enumerate(steps, start=1) if up == down]
        if not wrong:
            continue
        level = criterion.levels[wrong[0]]
        yield subject.at(
            level.value or level.node,
            f"{level.called} stands out of its order",
            help="list the levels from the best to the worst; or is the value the wrong one?",
        )
