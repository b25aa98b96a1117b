"""A definition says no more than the name of its level.

## What it does

Looks for definitions that hold no word besides the name or the number of a level, the criterion's
name, talk of levels (*meets the standard*, *deserves a 3*) and the frame of a sentence: *helpful:
The answer is helpful.* One word alone (*Yes*, *Acceptable*) is no definition on a scale with an
order either, nor is the question again. In a checklist, where the question states the requirement,
the definition may repeat it.

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

from judgekit.linting.bare import LONGEST, left_over
from judgekit.linting.others import names_besides, names_of, other_numbers, relative
from judgekit.linting.words import CHECKLIST, vague_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, LevelView, Subject, Text

_STEM = 5
"""Letters by which two forms of a word are taken for one."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition with nothing of its own."""
    for criterion in subject.criteria:
        if criterion.question and CHECKLIST.match(criterion.question.value):
            continue
        for level in criterion.levels:
            problem = level.definition and _problem(level, level.definition, criterion)
            if level.definition and problem:
                yield subject.at(
                    level.definition,
                    f"the definition of {level.called} {problem}",
                    help="say what a reader would see in such an output and in no other",
                )


def _problem(level: LevelView, definition: Text, criterion: CriterionView) -> str | None:
    """Return what a definition is instead of one; vague words and comparisons are another's."""
    said = definition.value
    words = words_of(said)
    if criterion.question and words and words == words_of(criterion.question.value):
        return "is the question"
    if len(words) > LONGEST or _says_more(said, level, criterion):
        return None
    if _is_name(said, level, criterion):
        return "says no more than its name"
    if not left_over(said, names_of(criterion.levels)):
        return "says no more than that it is a level"
    single = len(words) == 1 and criterion.kind in ("ordinal", "binary")
    return "is a single word" if single else None


def _says_more(said: str, level: LevelView, criterion: CriterionView) -> bool:
    """Return whether a definition has a number of its own, or what other rules report."""
    return bool(
        vague_words(said)
        or not any(sign.isalnum() for sign in said)
        or other_numbers(said, criterion.levels)
        or relative(said, names_besides(level, criterion.levels))
    )


def _is_name(said: str, level: LevelView, criterion: CriterionView) -> bool:
    names = [text.value for text in (level.name, level.value, criterion.name) if text]
    known = {word[:_STEM] for name in names for word in words_of(name)}
    return not [word for word in left_over(said) if word[:_STEM] not in known]
