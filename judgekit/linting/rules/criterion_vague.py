"""The question rests on a vague word alone.

## What it does

Looks for questions in which nothing says what is asked but words such as *good*, *appropriate* or
*helpful*, in English, German, French, Spanish, Italian, Portuguese, Dutch and Turkish. One word
that names a quality or a part of the output is enough to leave the question alone.

## Why it hurts

*Good* at what? The judge picks what it likes to look at, which is mostly length, layout and tone,
and picks anew on every call. Definitions repair part of it; but the question comes first, and it
is what people read when they label.

## Example

```yaml
question: Is the answer good?
```

## Use instead

```yaml
question: Does the answer name the step that solves the customer's problem?
```

## When to ignore

When the vague word is the name of the criterion, and its levels say all that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.words import set_of, telling_words, vague_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_FRAME = set_of(
    "actual address addresses addressing answering assess assessing check determine evaluate input "
    "input's judge needs prompt query rate responding user's users' whether"
)
"""Words that only say that something is judged, and for whom."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each question that says nothing but a vague word, at the first of them."""
    for criterion in subject.criteria:
        question = criterion.question
        if question is None or any(sign.isdigit() for sign in question.value):
            continue
        vague = vague_words(question.value)
        if vague and not set(telling_words(question.value)) - _FRAME:
            yield subject.at(
                question,
                f"the question asks for no more than {vague[0]!r}",
                word=vague[0],
                help="ask for what a reader would look for in the output",
            )
