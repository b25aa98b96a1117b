"""A level has no worked example.

## What it does

Looks for levels without anchors. A criterion without any anchor is reported once, at its levels.

## Why it hurts

A definition says what an output of a level looks like, an example shows it. Judges place outputs
near the examples they were shown; a level without one is used too seldom, and its border lies
where each call happens to draw it.

## Example

```yaml
- value: 2
  name: grounded
  definition: The context states every claim.
  anchors: [{output: At nine., reason: The context says so.}]
- value: 1
  name: stretched
  definition: One claim is neither stated nor follows.
```

## Use instead

```yaml
- value: 2
  name: grounded
  definition: The context states every claim.
  anchors: [{output: At nine., reason: The context says so.}]
- value: 1
  name: stretched
  definition: One claim is neither stated nor follows.
  anchors: [{output: "Nine, and parking is free.", reason: The context says nothing of parking.}]
```

## When to ignore

When a level is so plain that an example would only cost tokens: an empty output, a wrong format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.examples import entry, only_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_HELP = "add an item of that level, with the reason it has that level"


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each level without an example, or the levels where none has one."""
    for criterion in subject.criteria:
        bare = [level for level in criterion.levels if entry(level.node, "anchors") is None]
        levels = entry(criterion.node, "levels")
        if levels and bare and len(bare) == len(criterion.levels):
            yield subject.at(levels[0], "no level has a worked example", help=_HELP)
        elif criterion.examples and only_level(criterion) is None:
            for level in bare:
                yield subject.at(level.node, f"{level.called} has no worked example", help=_HELP)
