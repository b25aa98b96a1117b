"""The prompt asks for an answer in another form than the one that is read.

## What it does

Looks in the body for answer forms of its own: *reply with a single number*, *answer yes or no*,
*[[rating]]*, *Score: X*, a JSON object without the keys ``reason`` and ``level``.

## Why it hurts

The built-in answer form asks for ``{"reason": ..., "level": ...}``, and where the model takes it a
schema enforces it. A prompt that asks for something else as well gets now one, now the other; what
cannot be read is an item without a level.

## Example

```jinja
{% block task %}Grade the answer. Respond with a single number.{% endblock %}
```

## Use instead

```jinja
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the judge has ``structured = false`` and the reader takes that form: try it on ten replies.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_ASK = (
    r"(?<!an )(?<!the )(?<!each )(?<!every )(?<!this )\b"
    r"(?:answer|reply|respond|return|output|print|write|say)"
)
_OTHER = re.compile(
    rf"{_ASK}\s+(?:only |just )?(?:with |by |in )?(?:only |just )?(?:a |one |the )?"
    r"(?:single |plain )?(?:number|digit|integer|word|letter|float|percentage)\b"
    rf"|{_ASK}\b[^.\n]{{0,20}}[\"'“]?(?:yes|true|pass|ja)[\"'”]?\s*(?:,|or|/|oder)\s*[\"'“]?"
    r"(?:no|false|fail|nein)\b"
    r"|\[\[\s*(?:rating|score|level|verdict|[A-C0-9]+)\s*\]\]"
    r"|^\s*(?:score|rating|grade|verdict|level|final answer)\s*:\s*(?:<|\[|\{|X\b|\d)"
    r"|</?(?:score|rating|grade|verdict|level|answer)>",
    re.IGNORECASE | re.MULTILINE,
)
_OBJECT = re.compile(r"\{\s*\"(?P<first>\w+)\"\s*:[^{}]*\}")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first answer form of another kind."""
    found = _OTHER.search(subject.body)
    if found is None:
        objects = _OBJECT.finditer(subject.body)
        found = next((o for o in objects if not _is_ours(o.group())), None)
    if found is None:
        return
    lead = len(found.group()) - len(found.group().lstrip())
    lineno = subject.body.count("\n", 0, found.start() + lead) + 1
    yield subject.in_body(
        lineno,
        "the answer is asked for in another form than the one that is read",
        word=found.group().strip().split("\n")[0],
        help="leave the form to the built-in block answer_form",
    )


def _is_ours(form: str) -> bool:
    return '"reason"' in form and '"level"' in form
