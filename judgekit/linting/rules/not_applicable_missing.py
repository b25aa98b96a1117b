"""The criterion supposes something that an item may not have, and cannot say so.

## What it does

Looks for questions and definitions with a condition on the item (*if the question asks for code*,
*when sources are given*, *if any*, *where applicable*, *n/a*) in criteria without
`not_applicable`. A condition that says what holds otherwise is left alone, and so is one in a
sentence that only adds to the question.

## Why it hurts

Where the condition does not hold, every level is wrong. Some judges and raters give the best one
for want of a fault, others the worst for want of the thing, and the noise is counted as
disagreement about outputs.

## Example

```yaml
question: If the question asks for code, does the code run?
```

## Use instead

```yaml
question: Does the code in the output run?
not_applicable: The question does not ask for code.
```

## When to ignore

When every item of yours meets the condition.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from judgekit.linting.absence import ABSENT
from judgekit.linting.examples import entry
from judgekit.linting.places import spot
from judgekit.linting.words import CHECKLIST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_ITEM = (
    r"(?:the |an? |any )?(?:\w+ )?(?:questions?|inputs?|users?|prompts?|requests?|tasks?|customers?"
    r"|query|queries|contexts?|conversations?|instructions?|messages?|documents?|references?)"
    r" (?:asks?|requests?|contains?|mentions?|has|includes?|wants?|requires?|gives?|provides?"
    r"|names?|specif(?:y|ies)|calls? for|states?|holds?|demands?|sets?|expresses|shows?|is|are)"
)
_WHEN = r"(?:if|when|where|whenever)"
_HELD = (
    r"(?<!the )(?<!a )(?<!be )(?:given|provided|supplied|present|available|requested|asked for"
    r"|specified|stated)"
)
_NEVER = (
    r"(?:if|where|when|whenever) applicable|not applicable|nicht anwendbar"
    r"|(?:falls|sofern|wo) zutreffend|\(?n/a(?: (?:if|when|where|for)\b|\))"
    r"|if any(?=\s*(?:[,.;:?!)]|$|\b(?:is|are|was|were|exists?)\b))"
)
_IN_QUESTION = re.compile(
    rf"(?i)(?<![\w/])({_NEVER}|{_WHEN} {_ITEM}\b|{_WHEN} (?:\w+ ){{0,3}}?(?:(?:is|are|was|were) )?"
    rf"(?:also )?{_HELD}\b|if there (?:is|are) \w+|(?:falls|wenn|sofern) (?:\w+ ){{1,5}}?"
    r"(?:verlangt|fragt|gefragt|angegeben|genannt|vorhanden|enthält))"
)
_IN_DEFINITION = re.compile(
    rf"(?i)(?:(?<![\w/])({_NEVER})|(?:^|[.!?] )\s*({_WHEN} {_ITEM}|(?:falls|wenn) (?:\w+ ){{1,5}}?"
    r"(?:verlangt|fragt|gefragt|angegeben|genannt|vorhanden))\b)"
)
_OTHERWISE = re.compile(
    r"(?i)\b(?:otherwise|else|if not|(?:even|only) (?:if|when|where)|sonst|andernfalls"
    r"|(?:auch|nur) wenn)\b"
)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!]+(?!\s)[^.?!]+)*[.?!]*")
_LONGEST = 60
"""Words of a question; a whole prompt has conditions on everything."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first condition of each criterion that always has to apply."""
    for criterion in subject.criteria:
        if not entry(criterion.node, "not_applicable"):
            yield from islice(_conditions(subject, criterion), 1)


def _conditions(subject: Subject, criterion: CriterionView) -> Iterator[Finding]:
    texts = [criterion.question, *(level.definition for level in criterion.levels)]
    for text in texts:
        if text is None or ABSENT.match(text.value) or len(text.value.split()) > _LONGEST:
            continue  # a definition that begins with "not applicable" is no level (CR10)
        said = text.value.replace("\n", " ")
        asked = text is texts[0]
        found = _in_question(said) if asked else _IN_DEFINITION.search(said)
        if found and not _OTHERWISE.search(said):
            group = found.lastindex or 0
            yield subject.at(
                spot(subject, text, *found.span(group)),
                f"{found[group]!r} does not hold for every item, and there is no not_applicable",
                help="add not_applicable: what an item is like that cannot be judged by this",
            )


def _in_question(said: str) -> re.Match[str] | None:
    """Return a condition in what is asked; what other sentences add need not hold everywhere."""
    stated = CHECKLIST.match(said)
    sentences = list(_SENTENCE.finditer(said, stated.end() if stated else 0))
    asked = [s for s in sentences if s[0].endswith("?")] or sentences[:1]
    found = (_IN_QUESTION.search(said, one.start(), one.end()) for one in asked)
    return next(filter(None, found), None)
