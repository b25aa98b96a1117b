"""The worked examples of a pairwise rubric can be told without reading them.

## What it does

Looks at the examples that prefer one side, three or more of them. Either the better output is
always the longer one, by 1.3 times at least; or it always stands on the same side.

## Why it hurts

Judges that compare have two weaknesses without any help: they prefer the longer output, and the
one shown first. Examples that agree with a weakness confirm it.

## Example

```yaml
scale: pairwise
levels:
  - name: A
    value: 1
    anchors:
      - {output_a: "At nine, on Sundays at ten.", output_b: At ten.}
      - {output_a: "Yes, from the desk.", output_b: "Yes."}
      - {output_a: "Six euros, with the tour.", output_b: Ten euros.}
  - name: B
    value: 2
  - name: tie
    value: 0
    anchors: [{output_a: At noon., output_b: At twelve.}]
```

## Use instead

```yaml
scale: pairwise
levels:
  - name: A
    value: 1
    anchors:
      - {output_a: "At nine, on Sundays at ten.", output_b: At ten.}
      - {output_a: "Yes.", output_b: "I hope that you will have a nice day."}
  - name: B
    value: 2
    anchors: [{output_a: Ten euros., output_b: "Six euros, with the tour."}]
  - name: tie
    value: 0
    anchors: [{output_a: At noon., output_b: At twelve.}]
```

## When to ignore

When the criterion is about length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.examples import MANY, only_level, sides_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Example, LevelView, Subject

_LONGER = 1.3


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the examples of a pairwise criterion that share a sign of the better output."""
    for criterion in subject.criteria:
        if criterion.kind != "pairwise":
            continue
        level = only_level(criterion)
        if level is not None:
            if any(example.level is not level for example in criterion.examples):
                yield subject.at(
                    level.node,
                    f"all examples that prefer one output prefer {_name(level)}",
                    help="put the better output on the other side in about half of them",
                )
        elif longest := _always_longer(criterion):
            yield subject.at(
                longest.anchor.outputs[0],
                "in all examples that prefer one output it is the longer one",
                help="add one in which the shorter output is the better one",
            )


def _name(level: LevelView) -> str:
    word = level.name or level.value
    return repr(word.value) if word else "one side"


def _always_longer(criterion: CriterionView) -> Example | None:
    """Return the example with the most text if the better output is the longer in all of them."""
    sides = sides_of(criterion)
    decided = [e for e in criterion.examples if sides is not None and e.level in sides]
    if sides is None or len(decided) < MANY:
        return None
    for level, anchor in decided:
        first, second = anchor.fields.get("output_a"), anchor.fields.get("output_b")
        if first is None or second is None:
            return None
        better, worse = (first, second) if level is sides.first else (second, first)
        if len(better.value) < _LONGER * len(worse.value):
            return None
    return max(decided, key=lambda example: example.length)
