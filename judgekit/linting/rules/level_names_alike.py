"""Two level names can be taken for one another when an answer is read.

## What it does

Looks for a name that stands whole in another (*grounded* and *partly grounded*, *correct* and *not
correct*), and for names that differ by one letter.

## Why it hurts

Models do not always answer in the form that was asked for. *It is not fully grounded* then holds
both names; the reader calls it contradictory and gives no level, which costs coverage, and people
who type labels by hand slip as well.

## Example

```yaml
levels:
  - {value: 2, name: grounded, definition: ...}
  - {value: 1, name: partly grounded, definition: ...}
```

## Use instead

```yaml
levels:
  - {value: 2, name: grounded, definition: ...}
  - {value: 1, name: stretched, definition: ...}
```

## When to ignore

When existing labels use these names, and replies come under an enforced schema.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_PARTS = re.compile(r"[\s_/-]+")
_SHORTEST = 4


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the longer, or the later, of two names that can be confused."""
    for criterion in subject.criteria:
        names = [level.name for level in criterion.levels if level.name]
        for first, second in combinations(names, 2):
            one, other = _parts(first.value), _parts(second.value)
            if one == other:
                continue  # the same name twice is another rule's
            if _within(one, other) or _within(other, one) or _one_letter(one, other):
                named = first if _within(other, one) else second
                rest = second if named is first else first
                yield subject.at(
                    named,
                    f"{named.value!r} can be taken for {rest.value!r} in an answer",
                    help="give each level a word of its own",
                )


def _parts(name: str) -> list[str]:
    return [part for part in _PARTS.split(name.casefold()) if part]


def _within(short: list[str], long: list[str]) -> bool:
    """Whether the words of a name stand in a row in a longer one; bare numbers do not count."""
    if not short or len(short) >= len(long) or all(len(word) < 3 for word in short):
        return False
    size = len(short)
    return any(long[at : at + size] == short for at in range(len(long) - size + 1))


def _one_letter(one: list[str], other: list[str]) -> bool:
    first, second = " ".join(one), " ".join(other)
    if min(len(first), len(second)) < _SHORTEST or abs(len(first) - len(second)) > 1:
        return False
    if first.translate(_NO_DIGITS) == second.translate(_NO_DIGITS):
        return False  # numbered names
    short, long = sorted((first, second), key=len)
    at = next((i for i, ch in enumerate(short) if ch != long[i]), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]


_NO_DIGITS = str.maketrans("", "", "0123456789")
