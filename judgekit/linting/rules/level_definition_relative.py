"""A definition says only how the level compares with another.

## What it does

Looks for definitions such as *better than the above*, *like level 2 but less so*, *worse than
polite* where that is another level, that hold nothing to see besides the comparison; on ordinal
scales also for *everything else*. In English, German, French and Spanish.

## Why it hurts

The judge reads one output, not two. To place it, it has to imagine the others, and imagines others
on every call. People who label in another order label otherwise.

## Example

```yaml
- value: 2
  name: fair
  definition: Somewhat worse than the level above.
```

## Use instead

```yaml
- value: 2
  name: fair
  definition: One claim is neither stated in the context nor follows from it.
```

## When to ignore

On pairwise scales the comparison is the task; the rule keeps silent there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.others import REST, names_besides, relative
from judgekit.linting.words import telling_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, LevelView, Subject

_ENOUGH = 4


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition with a comparison and nothing to see besides."""
    for criterion in subject.criteria:
        for level in criterion.levels if criterion.kind != "pairwise" else ():
            definition = level.definition
            word = None if definition is None else _compared(definition.value, level, criterion)
            if definition is not None and word is not None:
                yield subject.at(
                    definition,
                    f"the definition of {level.called} only compares it with another level",
                    word=word,
                    help="the judge sees one output: say what is in it",
                )


def _compared(said: str, level: LevelView, criterion: CriterionView) -> str | None:
    """Return the comparison that a definition rests on, or None."""
    if criterion.kind == "ordinal" and REST.fullmatch(said):
        return said
    found = relative(said, names_besides(level, criterion.levels))
    if found is None:
        return None
    rest = f"{found.string[: found.start()]} {found.string[found.end() :]}"
    return found[0].split("§")[0].strip() if len(telling_words(rest)) < _ENOUGH else None
