"""What drops an output out of a level is not said in words of its own.

## What it does

Looks for a `drops_when` that repeats a definition or the `drops_when` of another level, that rests
on a vague word, or that says no more than that the output is not of this level: *Otherwise*, *It is
not level 3*, *It deserves a lower one*. In English, German, French and Spanish.

## Why it hurts

`drops_when` is the border between two levels, and most errors of judges happen at borders. A
border that says *when it is not good enough* is none.

## Example

```yaml
- value: 3
  name: grounded
  definition: Every claim is stated in the context.
  drops_when: The answer is not good enough.
```

## Use instead

```yaml
- value: 3
  name: grounded
  definition: Every claim is stated in the context.
  drops_when: One claim is neither stated nor follows.
```

## When to ignore

When the same thing does drop an output out of two levels, one after the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.alike import alike
from judgekit.linting.bare import LONGEST, left_over
from judgekit.linting.others import REST, names_of, other_numbers
from judgekit.linting.words import telling_words, vague_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, LevelView, Subject

_ENOUGH = 3
_SOMETHING = re.compile(
    r"(?i)\W*(?:some|any)thing is (?:amiss|missing|not right|off)\W*|not enough\W*"
)
_NAMED = ("there", "no", "none")
"""Beside one of these, the name of a level is the thing it is called after."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each border that is none."""
    for criterion in subject.criteria:
        borders: list[LevelView] = []
        ranked = criterion.ranked if criterion.kind == "ordinal" else ()
        for level in criterion.levels:
            if level.drops_when is None:
                continue
            problem = _problem(level, borders, ranked, criterion)
            borders.append(level)
            if problem:
                yield subject.at(
                    level.drops_when,
                    problem,
                    help="name the one thing that makes it the next lower level",
                )


def _problem(
    level: LevelView,
    borders: list[LevelView],
    ranked: Sequence[LevelView],
    criterion: CriterionView,
) -> str | None:
    said = level.drops_when.value if level.drops_when else ""
    if not words_of(said):
        return None  # no words at all are another rule's
    repeated = _repeated(said, level, ranked, criterion)
    if repeated:
        return f"drops_when of {level.called} repeats {repeated}"
    same = next((o for o in borders if o.drops_when and alike(said, o.drops_when.value)), None)
    if same is not None:
        return f"drops_when of {level.called} is that of {same.called}"
    vague = vague_words(said)
    if vague and len(telling_words(said)) < _ENOUGH:
        return f"{vague[0]!r} leaves the border of {level.called} to the judge"
    if _is_bare(said, criterion):
        return f"drops_when of {level.called} says no more than that it is not that level"
    return None


def _repeated(
    said: str, level: LevelView, ranked: Sequence[LevelView], criterion: CriterionView
) -> str | None:
    """Return what a border repeats; it may say what the next lower level says."""
    if criterion.question and alike(said, criterion.question.value):
        return "the question"
    if level.definition and _repeats(said, level.definition.value):
        return "its definition"
    at = next((place for place, other in enumerate(ranked) if other is level), 0)
    for other in (*ranked[: max(at - 1, 0)], *ranked[at + 1 :]):
        if other.definition and alike(said, other.definition.value):
            return f"the definition of {other.called}"
    return None


def _repeats(said: str, definition: str) -> bool:
    """Return whether a border is the definition, be it with words in front that deny it."""
    if alike(said, definition):
        return True
    words, defined = words_of(said), words_of(definition)
    before = len(words) - len(defined)
    return before > 0 and words[before:] == defined and not left_over(" ".join(words[:before]))


def _is_bare(said: str, criterion: CriterionView) -> bool:
    if len(words_of(said)) > LONGEST:
        return False
    if REST.fullmatch(said) or _SOMETHING.fullmatch(said):
        return True
    if other_numbers(said, criterion.levels):
        return False
    names = [] if set(words_of(said)) & {*_NAMED} else names_of(criterion.levels)
    return not left_over(said, names)
