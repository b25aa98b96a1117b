"""A scale has more levels than its definitions can tell apart.

## What it does

Looks for ordinal scales of more than seven levels, and of five to seven whose definitions say two
words or less on average.

## Why it hurts

People agree on the neighbourhood, not on the seventh of ten points, and so do judges: the finest
levels are noise, half of them are never used, and each needs labels of its own before anything can
be said about it.

## Example

```yaml
scale: ordinal
levels:
  - {value: 8, name: perfect, definition: Nothing is left to wish for.}
  - {value: 7, name: superb, definition: Nearly nothing is left to wish for.}
  - {value: 6, name: great, definition: Little is left to wish for.}
  - {value: 5, name: fine, definition: Something is left to wish for.}
  - {value: 4, name: fair, definition: Some is left to wish for.}
  - {value: 3, name: weak, definition: Much is left to wish for.}
  - {value: 2, name: poor, definition: Nearly all is left to wish for.}
  - {value: 1, name: void, definition: All is left to wish for.}
```

## Use instead

```yaml
scale: ordinal
levels:
  - value: 3
    name: solves
    definition: The answer does what was asked and can be used as it stands.
  - value: 2
    name: helps
    definition: Part of what was asked is missing, and what is there is right.
  - value: 1
    name: useless
    definition: It does nothing of what was asked.
```

## When to ignore

When the scale is a published instrument whose levels are defined one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.words import telling_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_MOST, _FINE, _WORDS = 7, 5, 2.0


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the levels of each scale that is too fine."""
    for criterion in subject.criteria:
        levels = criterion.levels
        if criterion.kind != "ordinal" or len(levels) < _FINE:
            continue
        where = criterion.keys["levels"]
        if len(levels) > _MOST:
            message = f"{len(levels)} levels are more than anybody tells apart"
        elif _words(criterion) <= _WORDS:
            message = f"{len(levels)} levels, and hardly a word on each"
        else:
            continue
        yield subject.at(where, message, help="three to five levels, each with what is seen in it")


def _words(criterion: CriterionView) -> float:
    told = [len(telling_words(v.definition.value)) if v.definition else 0 for v in criterion.levels]
    return sum(told) / len(told)
