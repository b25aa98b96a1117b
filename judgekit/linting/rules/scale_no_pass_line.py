"""An ordinal scale does not say which of its levels pass.

## What it does

Looks for ordinal criteria without ``passes_at``.

## Why it hurts

Weighted kappa forgives a judge that is one level too kind throughout; the decision that ships does
not. With a pass line the gate asks for agreement on that decision as well, and for a pass rate that
is not shifted. Without one a certificate says nothing about either.

## Example

```yaml
scale: ordinal
levels:
  - {value: 2, name: grounded, definition: ...}
```

## Use instead

```yaml
scale: ordinal
passes_at: 2
levels:
  - {value: 2, name: grounded, definition: ...}
```

## When to ignore

When nobody ever decides by it and only the mean is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each ordinal criterion without a pass line."""
    for criterion in subject.criteria:
        if criterion.kind == "ordinal" and "passes_at" not in criterion.keys and criterion.levels:
            yield subject.at(
                criterion.keys["scale"],
                "it is not said which levels pass",
                help="add passes_at: the lowest level that passes",
            )
