"""The prompt speaks of another scale than the front matter.

## What it does

Looks in the body, in questions and in definitions for a scale in words (*from 1 to 10*, *out of 5*,
*a 5-point scale*, *4 stars*) that is not the one whose levels are defined, and for orders to give
a score that is no level (*output a score of 0.5*).

## Why it hurts

The judge has two scales to choose from. Answers on the other one are off the scale, and each is an
item without a level.

## Example

```jinja
{% block task %}Rate the answer on a scale from 1 to 10.{% endblock %}
```

## Use instead

```jinja
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the numbers belong to what is judged, such as a product's rating.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_ABOUT = re.compile(
    r"\b(?:rat(?:e|ing)|scor(?:e|ing)|scale|grad(?:e|ing)|points?|stars?|levels?|skala|punkte?"
    r"|bewert\w+|note[nz]?|échelle|escala)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_SPAN = re.compile(
    r"\b(?:from|between|von|zwischen|de|entre)?\s*(?P<low>-?\d{1,3})\s*"
    r"(?:to|and|bis|und|à|a|through|[-–—])\s*(?P<high>\d{1,3})\b(?!\s*(?:%|sentences?|words?|"
    r"seconds?|minutes?|lines?|times|years?|days?|am\b|pm\b|:|\.\d))",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"\bout of (?P<high>\d{1,3})\b|(?<![\d/])\d?/(?P<slash>10|100|5)\b", re.IGNORECASE
)
_POINTS = re.compile(
    rf"\b(?P<count>\d{{1,2}}|{'|'.join(_WORDS)})[- ](?:point|star|level)s?\b"
    r"(?:\s+(?:likert\s+)?scale)?",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\b(?:give|assign|output|return|award)\s(?:it\s)?(?:an?\s|the\s)?(?:score|rating|grade)\s"
    r"(?:(?:of|around|about|near)\s){1,2}(?P<score>-?\d+(?:\.\d+)?)(?![\d%/])",
    re.IGNORECASE,
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each place that promises another scale."""
    kinds = [criterion for criterion in subject.criteria if len(criterion.levels) > 1]
    if not kinds or any(c.kind is None for c in kinds):
        return
    for number, line in enumerate(subject.body.split("\n"), start=1):
        other = _other(line, kinds)
        if other:
            yield subject.in_body(number, _says(other, kinds), word=other, help=_HELP)
    for criterion in kinds:
        for text in criterion.texts:
            other = _other(text.value, [criterion])
            if other:
                yield subject.at(text, _says(other, [criterion]), word=other, help=_HELP)


_HELP = "leave the scale to the front matter: the prompt lists its levels"


def _says(other: str, criteria: Sequence[CriterionView]) -> str:
    count = len(criteria[0].levels)
    return f"{' '.join(other.split())!r} is not this scale, which has {count} levels"


def _other(text: str, criteria: Sequence[CriterionView]) -> str | None:
    """Return the words that speak of a scale none of the criteria has."""
    if not (_DIGIT.search(text) or "scale" in text.casefold()) or not _ABOUT.search(text):
        return None  # most texts: looked at quickly
    found = _SPAN.search(text)
    if found and not any(_spans(c, float(found["low"]), float(found["high"])) for c in criteria):
        return found.group().strip()
    found = _OUT_OF.search(text)
    if found and not any(_tops(c, float(found["high"] or found["slash"])) for c in criteria):
        return found.group().strip()
    for given in _GIVEN.finditer(text):
        if all(float(given["score"]) not in _numbers(c) for c in criteria):
            return given.group().strip()
    found = _POINTS.search(text)
    if found and "scale" in text.casefold():
        said = found["count"].casefold()
        count = _WORDS.get(said) or int(said)
        if all(len(c.levels) != count for c in criteria):
            return found.group().strip()
    return None


def _numbers(criterion: CriterionView) -> list[float]:
    return [level.number for level in criterion.levels if level.number is not None]


def _spans(criterion: CriterionView, low: float, high: float) -> bool:
    """Whether a span is within a scale: some of its levels may be meant."""
    numbers = _numbers(criterion)
    return bool(numbers) and min(numbers) <= low < high <= max(numbers)


def _tops(criterion: CriterionView, high: float) -> bool:
    numbers = _numbers(criterion)
    return bool(numbers) and max(numbers) == high
