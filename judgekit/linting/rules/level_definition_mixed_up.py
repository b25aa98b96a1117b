"""A definition speaks of itself as another level.

## What it does

Looks for definitions that begin with a number as their own (*score 2*, *level 2*, *2 points*) which
is the value of another level.

## Why it hurts

The judge is shown two numbers for one description and takes now one, now the other. It happens when
levels are turned around or numbered anew and their texts stay.

## Example

```yaml
- value: 3
  name: complete
  definition: "Score 1: every part of the question is answered."
- value: 1
  name: partial
  definition: A part of the question is left open.
```

## Use instead

```yaml
- value: 3
  name: complete
  definition: Every part of the question is answered.
- value: 1
  name: partial
  definition: A part of the question is left open.
```

## When to ignore

When the number is part of what is judged, such as the score of a match.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_OWN = re.compile(
    r"^\W*(?:(?:score|level|grade|rating|points?|stufe|note|niveau)\s*(?:of\s*)?[:=]?\s*"
    r"(?P<a>-?\d+)\b|(?P<b>-?\d+)\s*(?:points?|stars?|punkte?|:|[-–—]\s))",
    re.IGNORECASE,
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition that begins with the number of another level."""
    for criterion in subject.criteria:
        numbers = {level.number for level in criterion.levels}
        for level in criterion.levels:
            found = _OWN.match(level.definition.value) if level.definition else None
            if level.definition is None or found is None or level.number is None:
                continue
            said = found["a"] or found["b"]
            if float(said) != level.number and float(said) in numbers:
                yield subject.at(
                    level.definition,
                    f"the definition of {level.called} calls itself {said}",
                    help="take the number out: the level's value stands beside it",
                )
