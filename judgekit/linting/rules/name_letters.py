"""A name holds letters of another alphabet that look like its own.

## What it does

Looks for Cyrillic and Greek letters in the Latin names of levels and criteria, such as the *a* of
*warm* typed on a Russian keyboard.

## Why it hurts

A judge that writes the name back writes it in one alphabet, people who label type it in one, and a
label file that says *warm* then names a level that is not there. Nothing on the screen shows why.

## Example

```yaml
- value: 3
  name: wаrm
  definition: The reply greets the customer by name.
```

## Use instead

```yaml
- value: 3
  name: warm
  definition: The reply greets the customer by name.
```

## When to ignore

When the letter is meant, as in *β-blocker*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.letters import foreign_letters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each name with such letters."""
    for criterion in subject.criteria:
        names = [criterion.name]
        for level in criterion.levels:
            names += [level.name, level.value if level.value != level.name else None]
        for name in filter(None, names):
            letters = foreign_letters(name.value)
            if letters:
                yield subject.at(
                    name,
                    f"{name.value!r} holds {letters!r} from another alphabet",
                    help="type the name anew, in one alphabet",
                )
