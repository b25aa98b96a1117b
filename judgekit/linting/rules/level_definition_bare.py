"""A definition says no more than the name of its level.

## What it does

Looks for definitions that hold no word besides the level's name, the criterion's name and the frame
of a sentence: *helpful: The answer is helpful.* In a checklist, where the question states the
requirement, the definition may repeat it.

## Why it hurts

The name alone is what the judge had without a definition. It fills the gap with a yardstick of its
own, another one on every call, and two people who label do the same.

## Example

```yaml
- value: 1
  name: concise
  definition: The answer is concise.
```

## Use instead

```yaml
- value: 1
  name: concise
  definition: No sentence can be taken out without losing something that was asked for.
```

## When to ignore

When the name is a fact that needs no yardstick, such as the name of a language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.words import CHECKLIST, telling_words, vague_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_STEM = 5
"""Letters by which two forms of a word are taken for one."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition with nothing of its own."""
    for criterion in subject.criteria:
        if criterion.question and CHECKLIST.match(criterion.question.value):
            continue
        for level in criterion.levels:
            definition = level.definition
            if definition is None or vague_words(definition.value):
                continue
            names = [text.value for text in (level.name, level.value, criterion.name) if text]
            known = {word[:_STEM] for name in names for word in words_of(name)}
            told = [w for w in telling_words(definition.value) if w[:_STEM] not in known]
            if not told and not any(ch.isdigit() for ch in definition.value):
                yield subject.at(
                    definition,
                    f"the definition of {level.called} says no more than its name",
                    help="say what a reader would see in such an output and in no other",
                )
