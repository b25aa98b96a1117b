"""A definition rests on a word that lets the judge choose the yardstick.

## What it does

Looks for definitions whose weight lies on words such as *appropriate*, *good*, *clear* or
*sufficient*, in English, German, French, Spanish, Italian, Portuguese, Dutch and Turkish. A
definition that also says what such an output looks like is left alone.

## Why it hurts

Nobody sees *appropriate* in a text. The judge has to make up what counts, makes it up anew on
every call, and the people who label make up something else. Agreement is then luck.

## Example

```yaml
- value: 3
  name: friendly
  definition: The tone of the reply is appropriate.
```

## Use instead

```yaml
- value: 3
  name: friendly
  definition: The reply greets the customer, thanks them once and blames nobody.
```

## When to ignore

When the word has a meaning of its own in the field, and the labelling guide of your raters says
which.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.words import telling_words, vague_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_CONCRETE = re.compile(
    r"[\"“”«»„]|[:;]\s|\be\.?g\b|\bi\.?e\b|\bsuch as\b|\bfor example\b|\bthat is\b|\bnamely\b|\d"
)
_THAN = re.compile(r"(?i)\b(?:better|worse)\s+than\b")
"""A comparison says what it compares with."""
_ENOUGH = 5
"""So many words that say something are more than a vague word and its frame."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition that rests on a vague word, at the first of them."""
    for criterion in subject.criteria:
        for level in criterion.levels:
            definition = level.definition
            if definition is None:
                continue
            vague = vague_words(_THAN.sub("", definition.value))
            if not vague:
                continue
            if len(telling_words(definition.value)) >= _ENOUGH:
                continue
            if _CONCRETE.search(definition.value):
                continue
            yield subject.at(
                definition,
                f"{vague[0]!r} lets the judge choose the yardstick",
                word=vague[0],
                help='say what a reader would see in such an output, for example "greets, uses '
                'no insults"',
            )
