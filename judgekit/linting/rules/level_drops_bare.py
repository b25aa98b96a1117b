"""What drops an output out of a level is not said in words of its own.

## What it does

Looks for a ``drops_when`` that repeats a definition or the ``drops_when`` of another level, or that
rests on a vague word.

## Why it hurts

``drops_when`` is the border between two levels, and most errors of judges happen at borders. A
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

from typing import TYPE_CHECKING

from judgekit.linting.words import telling_words, vague_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import LevelView, Subject

_ENOUGH = 3


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each border that is none."""
    for criterion in subject.criteria:
        borders: list[tuple[list[str], LevelView]] = []
        for level in criterion.levels:
            if level.drops_when is None:
                continue
            problem = _problem(level, borders)
            borders.append((words_of(level.drops_when.value), level))
            if problem:
                yield subject.at(
                    level.drops_when,
                    problem,
                    help="name the one thing that makes it the next lower level",
                )


def _problem(level: LevelView, borders: list[tuple[list[str], LevelView]]) -> str | None:
    said = level.drops_when.value if level.drops_when else ""
    words = words_of(said)
    if level.definition and words and words == words_of(level.definition.value):
        return f"drops_when of {level.called} repeats its definition"
    same = next((other for found, other in borders if words and found == words), None)
    if same is not None:
        return f"drops_when of {level.called} is that of {same.called}"
    vague = vague_words(said)
    if vague and len(telling_words(said)) < _ENOUGH:
        return f"{vague[0]!r} leaves the border of {level.called} to the judge"
    return None
