"""The prompt asks for the level before the reason.

## What it does

Looks in the body and in questions for wording that wants the level, score or verdict first and its
explanation after, or no explanation at all, in English, German, French, Spanish, Italian,
Portuguese and Dutch; and for answer forms with the level in front of the reason. A body whose own
answer form is `{"level": ...}` may ask for the level alone.

## Why it hurts

A model writes from left to right. A level that comes first is a guess, and what follows is its
defence; with the reason first the level follows from it. The difference is the cheapest gain in
agreement there is.

## Example

```jinja
{% block task %}First give the level, then explain it.{% endblock %}
```

## Use instead

```jinja
{% block task %}First give your reason in one sentence, then the level.{% endblock %}
```

## When to ignore

When a reasoning model has thought before it answers anyway.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.level_order import asks_for_less, asks_level_first, may_ask
from judgekit.linting.prose import at_body, body_sentences, sentences_of, words_only

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_LEVEL = "(?:level|score|rating|grade|verdict|label|decision)"
_REASON = "(?:reason|reasoning|rationale|explanation|justification)"
_FORM = re.compile(
    rf"[\"']{_LEVEL}[\"']\s*:[^{{}}\n]*[\"']{_REASON}[\"']\s*:"
    rf"|^[ \t]*{_LEVEL}:\s*[^\s:]{{0,20}}\s*\n[ \t]*{_REASON}:",
    re.IGNORECASE | re.MULTILINE,
)
_LEVEL_ONLY = re.compile(r"\{\s*\"level\"\s*:[^{},]*\}")
_MESSAGE, _HELP = (
    "the level is asked for before the reason",
    "ask for the reason first: the level then follows from it",
)
_NONE, _ADD = (
    "the level is asked for without a reason",
    "ask for a reason, and for it first: the level then follows from it",
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first place in the body, and in each question, that wants the level first."""
    shown = words_only(subject.body)
    form = _FORM.search(shown) if ":" in shown else None
    if form:
        start = form.start() + len(form[0]) - len(form[0].lstrip())
        yield at_body(subject, start, _MESSAGE, _HELP)
        return
    said = body_sentences(subject) if may_ask(shown) else ()
    for at, sentence in enumerate(said):
        if not may_ask(sentence.text):
            continue
        after = said[at + 1].text if at + 1 < len(said) else ""
        first = asks_level_first(sentence, after)
        less = None if first is not None or _LEVEL_ONLY.search(shown) else asks_for_less(sentence)
        if first is not None or less is not None:
            place = sentence.start + (first if first is not None else less or 0)
            told = (_MESSAGE, _HELP) if first is not None else (_NONE, _ADD)
            yield at_body(subject, place, *told)
            break
    yield from _in_questions(subject)


def _in_questions(subject: Subject) -> Iterator[Finding]:
    for criterion in subject.criteria:
        question = criterion.question
        may = question is not None and may_ask(question.value)
        asked = sentences_of(question.value) if question and may else ()
        for at, sentence in enumerate(asked):
            after = asked[at + 1].text if at + 1 < len(asked) else ""
            if question and asks_level_first(sentence, after) is not None:
                yield subject.at(question, _MESSAGE, help=_HELP)
                break
