"""The longer a worked example is, the higher (or lower) its level.

## What it does

Looks for ordinal and binary criteria whose examples all grow, or all shrink, from each level to
the next, the longest more than 1.6 times as long as the shortest. It takes four examples over
three levels or more, or six over two: fewer would be in order by chance.

## Why it hurts

Models like long answers as it is. When the examples agree, length is the rule that explains them
best, and the judge follows it past the definitions: agreement on new outputs falls where good ones
are short.

## Example

```yaml
- value: 3
  anchors: [{output: "At nine, and on Sundays at ten; the desk closes at five."}]
- value: 2
  anchors: [{output: "At nine; parking is free."}, {output: "Nine, maybe."}]
- value: 1
  anchors: [{output: At ten.}]
```

## Use instead

```yaml
- value: 3
  anchors: [{output: At nine.}]
- value: 2
  anchors: [{output: "At nine; parking is free, and so is the lift."}, {output: Nine.}]
- value: 1
  anchors: [{output: "At ten, and on Sundays at noon."}]
```

## When to ignore

When the criterion is about length.
"""

from __future__ import annotations

from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Example, Subject

_LONGER = 1.6
_FEWEST, _FEWEST_OF_TWO = 4, 6
"""So many examples of three or more levels, or of two, are hardly in order by chance."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the longest example of each criterion whose lengths follow the levels."""
    for criterion in subject.criteria:
        if criterion.kind not in ("ordinal", "binary"):
            continue
        groups = _by_level(criterion)
        way = _way([[example.length for example in group] for group in groups])
        if way:
            longest = max(chain(*groups), key=lambda example: example.length)
            yield subject.at(
                longest.anchor.outputs[0],
                f"the examples give the level away: the higher it is, the {way} their output",
                help=f"let a {'low' if way == 'longer' else 'high'} level have the longest example",
            )


def _by_level(criterion: CriterionView) -> list[list[Example]]:
    """Return the examples with an output, from the lowest level up; none if that is unclear."""
    examples = [example for example in criterion.examples if example.length]
    numbers = {id(level): level.number for level in criterion.levels}
    if len(examples) < _FEWEST or None in numbers.values():
        return []
    examples.sort(key=lambda example: numbers[id(example.level)] or 0.0)
    groups = groupby(examples, key=lambda example: id(example.level))
    return [list(group) for _, group in groups]


def _way(groups: list[list[int]]) -> str | None:
    """Return whether the lengths get "longer" or "shorter" with the level, or None."""
    lengths = list(chain(*groups))
    if len(groups) < 2 or len(lengths) < (_FEWEST_OF_TWO if len(groups) == 2 else _FEWEST):
        return None
    if max(lengths) <= _LONGER * min(lengths):
        return None
    if all(max(low) < min(high) for low, high in pairwise(groups)):
        return "longer"
    if all(min(low) > max(high) for low, high in pairwise(groups)):
        return "shorter"
    return None
