"""The lowest level says what drops an output out of it, and there is nothing below.

## What it does

Looks for a ``drops_when`` on the level with the lowest value of an ordinal or binary scale.

## Why it hurts

The judge is shown a border with nothing behind it and looks for a level that is not there. Mostly
it is a sign that the values of two levels were swapped.

## Example

```yaml
- value: 2
  name: stretched
  definition: One claim is made up.
  drops_when: Another claim is made up.
- value: 1
  name: invented
  definition: Two claims or more are made up.
  drops_when: Every claim is made up.
```

## Use instead

```yaml
- value: 2
  name: stretched
  definition: One claim is made up.
  drops_when: Another claim is made up.
- value: 1
  name: invented
  definition: Two claims or more are made up.
```

## When to ignore

Never: put it into the definition, or add a level below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the border below the lowest level."""
    for criterion in subject.criteria:
        if criterion.kind not in ("ordinal", "binary") or len(criterion.levels) < 2:
            continue
        if any(level.number is None for level in criterion.levels):
            continue
        lowest = criterion.ranked[0]
        if lowest.drops_when is not None:
            yield subject.at(
                lowest.drops_when,
                f"{lowest.called} is the lowest: there is nothing to drop to",
                help="take it out; or is the value the wrong one?",
            )
