"""Two levels are defined in the same words.

## What it does

Looks for definitions of one criterion that are the same, or the same but for a word or two that
make no difference in what a reader would see. Numbers, amounts and negations do make one.

## Why it hurts

Where two drawers have the same label, what goes into which is chance. Kappa counts every such
choice as a disagreement, and no stronger model mends it.

## Example

```yaml
- {value: 2, name: good, definition: The answer covers the points that were asked for.}
- {value: 1, name: fair, definition: The answer covers the points that were asked for.}
```

## Use instead

```yaml
- {value: 2, name: whole, definition: The answer covers every point that was asked for.}
- {value: 1, name: partly, definition: The answer leaves one point out that was asked for.}
```

## When to ignore

Never for the same words; join the levels instead.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from judgekit.linting.words import AMOUNTS, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_ALIKE = 0.85


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the second of two definitions that are alike."""
    for criterion in subject.criteria:
        told = [level for level in criterion.levels if level.definition]
        seen: set[int] = set()
        for (_, first), (place, second) in combinations(enumerate(told), 2):
            if first.definition is None or second.definition is None or place in seen:
                continue
            if _alike(first.definition.value, second.definition.value):
                seen.add(place)
                yield subject.at(
                    second.definition,
                    f"{second.called} is defined like {first.called}",
                    help="say what a reader sees in the one and not in the other",
                )


def _alike(first: str, second: str) -> bool:
    if _digits(first) != _digits(second):
        return False
    one, other = words_of(first), words_of(second)
    if one == other:
        return True
    apart = set(one) ^ set(other)
    shared = set(one) & set(other)
    if not shared or apart & AMOUNTS or len(shared) < 5:
        return False
    return len(shared) / (len(shared) + len(apart)) >= _ALIKE


def _digits(text: str) -> str:
    return "".join(ch for ch in text if ch.isdigit())
