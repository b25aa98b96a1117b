"""A worked example does not say why it has its level.

## What it does

Looks for anchors without a ``reason``.

## Why it hurts

An example without a reason teaches whatever the judge happens to see in it: its length, its topic,
its tone. The reason says which of all that made the level, and shows the judge how to argue for
its own.

## Example

```yaml
anchors:
  - output: At nine, and parking is free.
```

## Use instead

```yaml
anchors:
  - output: At nine, and parking is free.
    reason: The context says nothing of parking.
```

## When to ignore

Hardly ever: a reason costs a dozen tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.examples import entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each example without a reason."""
    for criterion in subject.criteria:
        for level, anchor in criterion.examples:
            if anchor.fields and entry(anchor.node, "reason") is None:
                yield subject.at(
                    anchor.node,
                    f"an example of {level.called} does not say why it has that level",
                    help="add reason: what in it made the level",
                )
