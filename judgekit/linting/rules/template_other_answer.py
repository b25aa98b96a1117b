"""The prompt asks for an answer in another form than the one that is read.

## What it does

Looks in the body and in questions for answer forms of its own: *reply with a single number*,
*answer yes or no*, *PASS ... FAIL*, *in XML*, *[[rating]]*, *Score: X*, a JSON object without the
keys ``reason`` and ``level``, in English and the commoner of these in six other languages. To ask
for words that are the levels is no other form.

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

from typing import TYPE_CHECKING

from judgekit.linting.answers import other_form
from judgekit.linting.prose import at_body, words_only
from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_MESSAGE = "the answer is asked for in another form than the one that is read"
_HELP = "leave the form to the built-in block answer_form"


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the first answer form of another kind in the body, and in each question."""
    names = [_names(criterion) for criterion in subject.criteria]
    at = other_form(words_only(subject.body), frozenset.intersection(*names) if names else ())
    if at is not None:
        yield at_body(subject, at, _MESSAGE, _HELP)
    for criterion, levels in zip(subject.criteria, names, strict=True):
        question = criterion.question
        if question and (place := other_form(question.value, levels)) is not None:
            word = question.value[place:].split("\n")[0][:20].strip()
            yield subject.at(question, _MESSAGE, word=word, help=_HELP)


def _names(criterion: CriterionView) -> frozenset[str]:
    """Return the words that are read as levels of a criterion."""
    words = [level.name or level.value for level in criterion.levels]
    truths = ("true", "false") if criterion.kind == "binary" else ()
    return frozenset((*(fold(word.value) for word in words if word), *truths))
