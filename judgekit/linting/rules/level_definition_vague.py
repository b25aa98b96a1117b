"""A definition rests on a word that lets the judge choose the yardstick.

## What it does

Looks for definitions whose weight lies on words such as *appropriate*, *good*, *clear* or
*sufficient*, in English, German, French, Spanish, Italian, Portuguese, Dutch and Turkish. A
definition that also says what such an output looks like is left alone. Definitions and
`drops_when` that hand the yardstick over are reported too: to the judge (*use your own judgement*)
or to people who cannot be asked (*most users would like it*, *meets high standards*).

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

from judgekit.linting.taste import by_taste
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
_HELP = 'say what a reader would see in such an output, for example "greets, uses no insults"'
_ENOUGH = 5
"""So many words that say something are more than a vague word and its frame."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each text that rests on a vague word or on somebody's taste, at the first of them."""
    for criterion in subject.criteria:
        for level in criterion.levels:
            for text in level.texts:
                said = by_taste(text.value)
                if text is level.definition:
                    said = said or _vague(text.value)
                if said:
                    message = f"{said!r} lets the judge choose the yardstick"
                    yield subject.at(text, message, word=said, help=_HELP)


def _vague(said: str) -> str | None:
    """Return the first vague word of a definition that says nothing else."""
    vague = vague_words(_THAN.sub("", said))
    if not vague or len(telling_words(said)) >= _ENOUGH or _CONCRETE.search(said):
        return None
    return vague[0]
