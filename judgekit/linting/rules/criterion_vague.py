"""The question rests on a vague word alone, asks for taste, or asks nothing.

## What it does

Looks for questions in which nothing says what is asked but words such as *good*, *appropriate* or
*helpful*, in English, German, French, Spanish, Italian, Portuguese, Dutch and Turkish. One word
that names a quality or a part of the output is enough to leave the question alone. A question
without any word of its own (*Which level does it have?*, *Rate the output*) and one that is nothing
but a name (*Tone*) are reported too, and so are a question of taste (*Do you like the output?*) and
a prompt or a `not_applicable` that leaves the yardstick to the judge (*Go with your gut feeling*).

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

from judgekit.linting.bare import left_over
from judgekit.linting.prose import at_body, body_sentences
from judgekit.linting.qualities import quality
from judgekit.linting.taste import handed_over, handed_over_in, taste_asked
from judgekit.linting.words import set_of, telling_words, vague_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_FRAME = set_of(
    "actual address addresses addressing answering assess assessing check determine evaluate input "
    "input's judge needs please prompt query rate responding user's users' whether "
    "hat haben ist welche welchen welcher welches quelle tiene tienen"
)
"""Words that only say that something is judged, and for whom."""


_HELP = "ask for what a reader would look for in the output"
_LEAVE = "leave it to the levels"


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each question that says nothing but a vague word, at the first of them."""
    yield from _in_body(subject)
    for criterion in subject.criteria:
        question, exception = criterion.question, criterion.not_applicable
        if exception and (said := handed_over(exception.value)):
            yield subject.at(exception, _left_to_judge(said), word=said, help=_LEAVE)
        if question is None:
            continue
        if said := taste_asked(question.value):
            yield subject.at(question, f"{said!r} asks for the judge's taste", help=_HELP)
            continue
        if any(sign.isdigit() for sign in question.value):
            continue
        vague = vague_words(question.value)
        if vague and not set(telling_words(question.value)) - _FRAME:
            problem = f"the question asks for no more than {vague[0]!r}"
        elif _is_bare(question.value, criterion):
            problem = "the question does not say what to look for"
        else:
            continue
        yield subject.at(question, problem, word=vague[0] if vague else "", help=_HELP)


def _left_to_judge(said: str) -> str:
    return f"{said!r} lets the judge choose the yardstick"


def _in_body(subject: Subject) -> Iterator[Finding]:
    for start, said in handed_over_in(body_sentences(subject)):
        yield at_body(subject, start, _left_to_judge(said), _LEAVE)


def _is_bare(question: str, criterion: CriterionView) -> bool:
    """Return whether a question has no word of its own, or is one noun."""
    words = words_of(question)
    named = words_of(criterion.name.value) if criterion.name else []
    if len(words) == 1:
        found = quality(words[0])
        bare = not left_over(question) and not vague_words(question)
        return words == named or bare or (found is not None and found.kind == "noun")
    return bool(words) and not {*named} & {*words} and not set(left_over(question)) - _FRAME
