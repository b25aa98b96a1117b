"""A level stands for "does not apply".

## What it does

Looks for levels whose name or definition begins with *not applicable*, *N/A*, *none of these*,
*cannot be judged* and the like.

## Why it hurts

It is no point of the scale. On an ordinal scale it counts as better or worse than its neighbours;
agreement rises when both raters set an item aside; and it enters rates it has no place in. With
`not_applicable` judge and raters can say the same, and it is counted apart.

## Example

```yaml
levels:
  - {value: 2, name: cited, definition: Each figure has a source.}
  - {value: 1, name: bare, definition: A figure has none.}
  - {value: 0, name: no figures, definition: Not applicable.}
```

## Use instead

```yaml
levels:
  - {value: 2, name: cited, definition: Each figure has a source.}
  - {value: 1, name: bare, definition: A figure has none.}
not_applicable: The output has no figures.
```

## When to ignore

On a nominal scale, when "none of these" is a class of its own that you count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.absence import ABSENT
from judgekit.rubric.levels import NA_WORDS
from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import LevelView, Subject, Text


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each level that is none, at the words that say so."""
    for criterion in subject.criteria:
        for level in criterion.levels:
            said = _absent(level)
            if said:
                yield subject.at(
                    said,
                    f"{level.called} stands for items that the criterion does not apply to",
                    help="take the level out and say in not_applicable what such an item is like",
                )


def _absent(level: LevelView) -> Text | None:
    """Return the text that says that a level is none; a reserved name is reported elsewhere."""
    texts = [level.name, level.value, level.definition]
    if any(text and fold(text.value) in NA_WORDS for text in texts[:2]):
        return None
    return next((text for text in texts if text and ABSENT.match(_words(text.value))), None)


def _words(text: str) -> str:
    """Return a name as it is spoken: ``cannot_judge`` as two words."""
    return text.replace("_", " ")
