"""A worked example lacks a text that every item has.

## What it does

Looks for anchors without one of the rubric's inputs. The judge is shown all of them for an item,
and an item without one cannot be judged.

## Why it hurts

The example then shows another task than the one at hand: an answer without the context it is to be
checked against teaches to check without one.

## Example

```yaml
inputs: [input, output, context]
criteria:
  - criterion: groundedness
    levels:
      - value: 1
        anchors:
          - input: When do you open?
            output: At nine.
            reason: The context says so.
```

## Use instead

```yaml
inputs: [input, output, context]
criteria:
  - criterion: groundedness
    levels:
      - value: 1
        anchors:
          - input: When do you open?
            context: We open at nine.
            output: At nine.
            reason: The context says so.
```

## When to ignore

When a text is empty for many items too. Better still, write it as empty: `context: ""`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each example that lacks an input; one with a misspelt field is reported elsewhere."""
    for criterion in subject.criteria:
        for level, anchor in criterion.examples:
            missing = [name for name in subject.inputs if name not in anchor.fields]
            if not missing or not anchor.fields or not anchor.fields.keys() <= set(subject.inputs):
                continue
            names = " and ".join(map(repr, missing))
            yield subject.at(
                anchor.node,
                f"an example of {level.called} has no {names}, which every item has",
                help=f"add {', '.join(f'{name}: ...' for name in missing)}",
            )
