"""The values of a scale leave one out.

## What it does

Looks for scales whose whole-number values do not follow one another: 1, 2, 4.

## Why it hurts

A judge that is shown 1, 2 and 4 sometimes answers 3, and so do people: both are off the scale, and
the item is lost. The gap also stretches the distance between its neighbours, which weighted kappa
counts by the values.

## Example

```yaml
levels:
  - {value: 1, name: invented, definition: ...}
  - {value: 2, name: stretched, definition: ...}
  - {value: 4, name: grounded, definition: ...}
```

## Use instead

```yaml
levels:
  - {value: 1, name: invented, definition: ...}
  - {value: 2, name: stretched, definition: ...}
  - {value: 3, name: grounded, definition: ...}
```

## When to ignore

When the values are the points of something else (0, 5, 10) and the distance is meant.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from judgekit.rubric.scale import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the level above each gap."""
    for criterion in subject.criteria:
        if criterion.kind != "ordinal":
            continue
        for lower, upper in pairwise(criterion.ranked):
            low, high = lower.number, upper.number
            if low is None or high is None or upper.value is None or not low.is_integer():
                continue
            if high - low > 1:
                yield subject.at(
                    upper.value,
                    f"the scale goes from {number_text(low)} to {number_text(high)}",
                    help="number the levels without gaps, or define the levels between",
                )
