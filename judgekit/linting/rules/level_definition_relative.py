"""A definition says only how the level compares with another.

## What it does

Looks for definitions such as *better than the above*, *like level 2 but less so*, *between good and
bad*, that hold nothing to see besides the comparison.

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

import re
from typing import TYPE_CHECKING

from judgekit.linting.words import telling_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_OTHER = (
    r"(?:the\s+|a\s+)?(?:level\s+)?(?:above|below|previous|next|last|preceding|following|former"
    r"|lower|higher|other|levels?\s+\S+|score\s+\S+|-?\d+\b|one\s+(?:above|below))"
    r"(?!\s+(?:answers?|drafts?|messages?|outputs?|questions?|repl(?:y|ies)|responses?|sentences?"
    r"|steps?|turns?|versions?)\b)"
)
_RELATIVE = re.compile(
    rf"\b(?:(?:better|worse|more|less|stronger|weaker|higher|lower)\b[^.;]{{0,30}}\bthan\s+{_OTHER}"
    rf"|(?:same|similar|identical)\s+(?:as|to)\s+{_OTHER}|like\s+{_OTHER}"
    r"|as\s+(?:above|before)\b|see\s+(?:above|below)\b|in\s+between\b"
    r"|between\s+(?:levels?\s+)?\S+\s+and\s+\S+"
    r"|somewhere\s+between\b"
    r"|(?:besser|schlechter|mehr|weniger)\s+als\s+(?:die\s+)?(?:vorige|obige|stufe|oben)\w*"
    r"|wie\s+oben\b|siehe\s+oben\b)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"than\b|same|similar|identical|like|as\s+(?:above|before)|see\s+(?:above|below)|between|als\b"
    r"|wie\s|siehe\s"
)
"""What every comparison has, found quickly in lower case."""
_ENOUGH = 4


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition with a comparison and nothing to see besides."""
    for criterion in subject.criteria:
        for level in criterion.levels if criterion.kind != "pairwise" else ():
            definition = level.definition
            if definition is None or not _HINT.search(definition.value.lower()):
                continue
            found = _RELATIVE.search(definition.value)
            if found is None:
                continue
            rest = f"{definition.value[: found.start()]} {definition.value[found.end() :]}"
            if len(telling_words(rest)) < _ENOUGH:
                yield subject.at(
                    definition,
                    f"the definition of {level.called} only compares it with another level",
                    word=found.group(),
                    help="the judge sees one output: say what is in it",
                )
