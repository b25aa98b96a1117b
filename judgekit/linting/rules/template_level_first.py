"""The prompt asks for the level before the reason.

## What it does

Looks in the body for wording that wants the level, score or verdict first and its explanation
after, and for answer forms with the level in front of the reason.

## Why it hurts

A model writes from left to right. A level that comes first is a guess, and what follows is its
defence; with the reason first the level follows from it. The difference is the cheapest gain in
agreement there is.

## Example

```jinja
{% block answer_form %}First give the level, then explain it.{% endblock %}
```

## Use instead

```jinja
{% block answer_form %}First give your reason in one sentence, then the level.{% endblock %}
```

## When to ignore

When a reasoning model has thought before it answers anyway.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_LEVEL = r"(?:level|score|grade|rating|verdict|label|decision|number|stufe|note|bewertung)"
_REASON = r"(?:reason|reasoning|rationale|explanation|justification|explain|justify|begründ\w+)"
_FIRST = re.compile(
    rf"\bfirst\b[^.\n]{{0,30}}\b{_LEVEL}\b(?![^.\n]{{0,40}}\b(?:read|look|think)\b)"
    rf"|\b{_LEVEL}\b[^.\n]{{0,20}}\b(?:and then|then|followed by|before)\b[^.\n]{{0,30}}"
    rf"\b{_REASON}\b"
    rf"|\"{_LEVEL}\"\s*:[^{{}}\n]*\"{_REASON}\"\s*:"
    rf"|^\s*{_LEVEL}\s*:\s*\S*\s*\n\s*{_REASON}\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_TAKEN_BACK = re.compile(rf"\b{_REASON}\b[^.\n]*\bfirst\b", re.IGNORECASE)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first place in the body that wants the level first."""
    for found in _FIRST.finditer(subject.body):
        start = subject.body.rfind("\n", 0, found.start()) + 1
        before = subject.body[start : found.start()]
        if re.search(rf"\b{_REASON}\b[^.]*$", before, re.IGNORECASE):
            continue  # "first your reason, then the level"
        if re.search(rf"\b{_REASON}\b.*\b{_LEVEL}\b", found.group(), re.IGNORECASE):
            continue
        if _TAKEN_BACK.search(found.group()):
            continue
        lineno = subject.body.count("\n", 0, found.start()) + 1
        word = found.group().strip().split("\n")[0]
        yield subject.in_body(
            lineno,
            "the level is asked for before the reason",
            word=word,
            help="ask for the reason first: the level then follows from it",
        )
        return
