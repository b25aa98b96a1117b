"""The criterion supposes something that an item may not have, and cannot say so.

## What it does

Looks for questions and definitions with a condition on the item (*if the question asks for code*,
*when sources are given*, *in case the customer complained*, *if any*, *where applicable*, *n/a*) in
criteria without `not_applicable`, in English, German, French and Spanish. A condition that says
what holds otherwise is left alone, and so is one in a sentence that only adds to the question.

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
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from judgekit.linting.absence import ABSENT
from judgekit.linting.examples import entry
from judgekit.linting.places import spot
from judgekit.linting.words import CHECKLIST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_OF_ITEM = (
    r"(?:questions?|inputs?|users?|prompts?|requests?|tasks?|customers?|clients?|callers?|patients?"
    r"|query|queries|askers?|senders?)"
)
_ITEM = (
    r"(?:the |an? |any )?(?:\w+ )?(?:questions?|inputs?|users?|prompts?|requests?|tasks?|customers?"
    r"|query|queries|contexts?|conversations?|instructions?|messages?|documents?|references?)"
    r" (?:asks?|requests?|contains?|mentions?|has|includes?|wants?|requires?|gives?|provides?"
    r"|names?|specif(?:y|ies)|calls? for|states?|holds?|demands?|sets?|expresses|shows?|is|are)"
)
_SAYS = (
    r"(?:ask(?:s|ed)?|request(?:s|ed)?|contain(?:s|ed)?|mention(?:s|ed)?|ha[sd]|include[sd]?"
    r"|want(?:s|ed)?|require[sd]?|g[ia]ves?|provide[sd]?|name[sd]?|specif(?:y|ies|ied)"
    r"|call(?:s|ed)? for|sets?|demand(?:s|ed)?|express(?:es|ed)|complain(?:s|ed)?|need(?:s|ed)?"
    r"|quote[sd]?|report(?:s|ed)?"
    r"|(?:is|are|was|were) (?:about|angry|rude|upset|in))"
)
_WHEN = r"(?:if|when|where|whenever)"
_WHEN_EVER = (
    r"(?:if|when|where|whenever|in case(?: that)?|provided(?: that)?|as long as|so long as"
    r"|in cases (?:where|in which))"
)
_HELD = (
    r"(?<!the )(?<!a )(?<!be )(?:given|provided|supplied|present|available|requested|asked for"
    r"|specified|stated)"
)
_NEVER = (
    r"(?:if|where|when|whenever|as) (?:applicable|appropriate|relevant)(?=\s*(?:[,.;:)]|$))"
    r"|not applicable|nicht anwendbar"
    r"|(?:falls|sofern|soweit|wo) (?:zutreffend|anwendbar|vorhanden)"
    r"|\(?n/a(?: (?:if|when|where|for)\b|\))"
    r"|le cas échéant|si (?:procede|corresponde|applicable)"
    r"|if (?:there (?:is|are) )?any(?=\s*(?:[,.;:?!)]|$|\b(?:is|are|was|were|exists?)\b))"
)
_DE_VERB = (
    r"(?:verlangt|fragt|fragte|gefragt|angegeben|genannt|vorhanden|enthält|erwähnt|beschwert"
    r"|gewünscht|vorgegeben|wünscht|bittet|nennt)"
)
_FR = (
    r"(?:si|lorsque|quand|dans le cas où|au cas où) (?:la|le|l['’]|une?|les) ?(?:question|demande"
    r"|consigne|client|utilisat\w+|entrée|énoncé)(?:e)? \w+"
)
_ES = (
    r"(?:si|cuando|en caso de que|siempre que) (?:la|el|los|una?) (?:pregunta|petición|consulta"
    r"|entrada|cliente|usuario|instrucción) \w+"
)
_IN_QUESTION = (
    rf"(?i)(?<![\w/])({_NEVER}|{_WHEN} {_ITEM}\b|{_WHEN} (?:\w+ ){{0,3}}?(?:(?:is|are|was|were) )?"
    rf"(?:also )?{_HELD}\b|if there (?:is|are) \w+|(?:falls|wenn|sofern|soweit) (?:\w+ ){{1,5}}?"
    rf"{_DE_VERB}\b|{_WHEN_EVER} (?:the |an? |any )?{_OF_ITEM} {_SAYS}\b|{_FR}|{_ES})"
)
_BEGINS = (
    rf"{_WHEN} {_ITEM}|{_WHEN_EVER} (?:the |an? |any )?(?:\w+ )?{_OF_ITEM} {_SAYS}"
    rf"|{_WHEN_EVER} (?:the |an? |any |no )?(?:\w+ ){{1,2}}(?:is|are|was|were) {_HELD}"
    rf"|(?:falls|wenn|sofern|soweit) (?:\w+ ){{1,5}}?{_DE_VERB}|{_FR}|{_ES}"
    rf"|for (?:questions|inputs|requests|prompts|tasks|items) (?:that|which|with|in which|where)"
)
_WITHIN = (
    rf"(?:if|whenever|in case|provided that|as long as) (?:the |an? |any )?{_OF_ITEM} {_SAYS}"
    r"|(?:if|where|when|whenever) (?:an? |any )?(?:\w+ ){1,2}"
    r"(?:was|were|has been|have been) (?:given|provided|supplied|available|requested|asked for)"
    r"|(?:falls|sofern|soweit) (?:\w+ ){1,5}?(?:verlangt|gefragt|angegeben|genannt"
    r"|vorgegeben|gewünscht)|(?:where|if|when) available(?=\s*[,.;:)])"
)
_IN_DEFINITION = (
    rf"(?i)(?:(?<![\w/])({_NEVER})|(?:^|[.!?:] )\s*({_BEGINS})\b|(?<![\w/])({_WITHIN})\b)"
)
_ASKS = re.compile(r"(?i)\b(?:asks?|checks?|knows?|says?|sees?|tells?|fragt|prüft)\s+$")
_HINT = re.compile(
    r"(?i)if|whe[nr]e?|case|provided|as long|n/a|not? appl|nicht anw|falls|wenn|sofern|soweit"
    r"|\bwo\b|échéant|\bsi\b|s['’]|lorsque|quand|cuando|siempre|for (?:q|in|re|pr|ta|it)|as appl"
)
"""What every condition has; most texts do without."""
_OTHERWISE = re.compile(
    r"(?i)\b(?:otherwise|else|if not|(?:even|only) (?:if|when|where)|sonst|andernfalls"
    r"|(?:auch|nur) wenn)\b"
)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!]+(?!\s)[^.?!]+)*[.?!]*")
_LONGEST = 60
"""Words of a question; a whole prompt has conditions on everything."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern ready for use; most files need none, and making one takes its time."""
    return re.compile(pattern)


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
        if not _HINT.search(said):
            continue
        asked = text is texts[0]
        found = (
            _in_question(said) if asked else _condition(_compiled(_IN_DEFINITION).finditer(said))
        )
        if found and not _OTHERWISE.search(said):
            group = found.lastindex or 0
            yield subject.at(
                spot(subject, text, *found.span(group)),
                f"{found[group]!r} does not hold for every item, and there is no not_applicable",
                help="add not_applicable: what an item is like that cannot be judged by this",
            )


def _in_question(said: str) -> re.Match[str] | None:
    """Return a condition in what is asked; what other sentences add need not hold everywhere."""
    asks = _compiled(_IN_QUESTION)
    stated = CHECKLIST.match(said)
    sentences = list(_SENTENCE.finditer(said, stated.end() if stated else 0))
    asked = [s for s in sentences if s[0].endswith("?")] or sentences[:1]
    found = (_condition(asks.finditer(said, one.start(), one.end())) for one in asked)
    return next(filter(None, found), None)


def _condition(found: Iterable[re.Match[str]]) -> re.Match[str] | None:
    """Return the first match whose *if* does not mean *whether*."""
    for match in found:
        if not _ASKS.search(match.string[max(0, match.start() - 9) : match.start()]):
            return match
    return None
