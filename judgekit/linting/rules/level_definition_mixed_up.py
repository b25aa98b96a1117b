"""A definition speaks of itself as another level.

## What it does

Looks for definitions that begin with a number as their own (*score 2*, *level 2*, *2 points*) which
is the value of another level, with the name of another level and a colon (*harsh: ...*), or with a
place in the scale that another level has (*the lowest level* at the top of it).

## Why it hurts

The judge is shown two levels for one description and takes now one, now the other. It happens when
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

from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, LevelView, Subject

_OWN = re.compile(
    r"^\W*(?:(?:score|level|grade|rating|points?|stufe|note|niveau)\s*(?:of\s*)?[:=]?\s*"
    r"(?P<a>-?\d+)\b|(?P<b>-?\d+)\s*(?:points?|stars?|punkte?|:|=|[-–—]\s)"
    r"|(?:give|award|assign|vergib|gib|donnez?)(?:\s(?:it|ihr|sie))?\s(?:an?\s|eine\s|un\s)?"
    r"(?P<c>-?\d+)(?=\s(?:if|when|where|wenn|falls|si|quand)\b))",
    re.IGNORECASE,
)

_RANK = re.compile(
    r"\W*(?:(?:this|it) is )?(?:the )?(?:(?P<low>lowest|worst|bottom)|highest|best|top)"
    r"(?:(?: possible)? (?:level|score|grade|rating|one)\b|(?: end)? of (?:the|this) scale\b"
    r"| possible (?:output|answer|reply|response|text)\b)"
    r"|\W*(?:(?:this gets )?full marks|full score|(?:maximum|perfect) score|volle punktzahl"
    r"|höchstpunktzahl|bestnote|(?P<none>no points|zero points|minimum score|keine punkte"
    r"|null punkte))(?=\s*(?:$|[,.:;]))"
    r"|\W*(?:(?:das|dies) ist )?(?:die )?(?:(?P<tief>niedrigste|schlechteste|unterste)|höchste"
    r"|beste|oberste) (?:stufe|note)\b"
    r"|\W*(?:c['’]est )?(?:le |la )?(?:(?P<pire>pire|plus bas(?:se)?)|meilleure?|plus haute?)"
    r" (?:niveau|note)\b|\W*(?:es )?(?:el |la )?(?:(?P<peor>peor)|mejor) (?:nivel|nota)\b",
    re.IGNORECASE,
)

_TITLE = re.compile(
    r"\W*(?:(?:this|it) is (?:an? )?|das ist |level |stufe )?([^\s:–—][^:–—\n]{0,40}?)"
    r"\s*(?::|\s[–—-])\s",
    re.IGNORECASE,
)
"""What stands before a definition as its title."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition that begins with the number or the name of another level."""
    for criterion in subject.criteria:
        for level in criterion.levels:
            said = level.definition and (
                _other_number(level, criterion)
                or _other_name(level, criterion)
                or _other_rank(level, criterion)
            )
            if level.definition and said:
                yield subject.at(
                    level.definition,
                    f"the definition of {level.called} calls itself {said}",
                    help="take that out: value and name of the level stand beside it",
                )


def _other_number(level: LevelView, criterion: CriterionView) -> str | None:
    found = _OWN.match(level.definition.value) if level.definition else None
    if found is None or level.number is None:
        return None
    said = next(part for part in found.groups() if part)
    numbers = {other.number for other in criterion.levels}
    return said if float(said) != level.number and float(said) in numbers else None


def _other_name(level: LevelView, criterion: CriterionView) -> str | None:
    """Return the name of another level in front of a definition's first colon or dash."""
    found = _TITLE.match(level.definition.value) if level.definition else None
    if found is None or level.name is None or fold(found[1]) == fold(level.name.value):
        return None
    names = [other.name.value for other in criterion.levels if other.name]
    return next((repr(name) for name in names if fold(name) == fold(found[1])), None)


def _other_rank(level: LevelView, criterion: CriterionView) -> str | None:
    """Return the end of the scale that a definition begins with, where its level is at none."""
    found = _RANK.match(level.definition.value) if level.definition else None
    if found is None or criterion.kind not in ("ordinal", "binary"):
        return None
    end = criterion.ranked[0 if any(found.groups()) else -1]  # the groups say the lowest
    return None if level is end else repr(found[0].strip())
