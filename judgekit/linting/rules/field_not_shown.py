"""A text speaks of something that the judge is not shown.

## What it does

Looks in the question, the definitions, `drops_when`, `not_applicable` and the body for the context,
the retrieved documents, the reference answer, the conversation history or the conversation above,
an image, a video, an attached file, the system prompt, for names such as `criterion_text` and
`gold_answer`, for a name in backticks that the output is compared with (*agrees with
`order_lines`*) and no worked example shows, and for the output itself, where the rubric has no
input of such a name. Where every worked example shows a field that is not among the `inputs`, it is
missing there. Everyday uses (*in this context*, *for reference*, *a history book*) are left alone,
and so is a rubric with an input whose name says nothing of what it holds, or with worked examples
that are chat messages.

## Why it hurts

A judge that is asked whether the context supports a claim, and is shown no context, answers all
the same: from what it remembers of the world. Its levels look right and measure something else.

## Example

```yaml
inputs: [input, output]
criteria:
  - criterion: groundedness
    question: Does the answer claim only what the context supports?
```

## Use instead

```yaml
inputs: [input, output, context]
criteria:
  - criterion: groundedness
    question: Does the answer claim only what the context supports?
```

## When to ignore

When every input holds it, such as a prompt with the context pasted in: say so in the text ("the
context in the input").
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from judgekit.linting.declared import input_list
from judgekit.linting.field_names import unknown_input
from judgekit.linting.fields import FIELDS, OF_TEXTS, ON_PAPER
from judgekit.linting.places import spot
from judgekit.linting.prose import at_body, body_sentences
from judgekit.linting.slips import slip_of
from judgekit.linting.words import set_of_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.fields import Field
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject, Text

_PLAIN = re.compile(
    r"(?i)inputs?|outputs?(?:_[ab12])?|question|prompt|query|instruction|request|answer|response"
    r"|reply|completion|criterion\w*|criteria|task|case|rubric"
)
_IN_INPUT = re.compile(
    r"(?i)\bin the (?:input|prompt|question|request|message|query|instructions?|task)\b"
)
_IN_OUTPUT = re.compile(r"(?i)\bin the (?:output|answer|reply|response)\b")
_ENOUGH = 2
"""Worked examples that show what an item holds; one alone may be the slip."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what each criterion speaks of without showing it, once for each such thing."""
    yield from _left_out(subject)
    texts = [text for criterion in subject.criteria for text in criterion.texts]
    yield from _by_name(subject, texts)
    if any(_holds_anything(name) for name in subject.inputs):
        return
    said = set_of_words(subject.body).union(*(set_of_words(text.value) for text in texts))
    for field in FIELDS:
        if said.isdisjoint(field.words) or any(map(field.names.search, subject.inputs)):
            continue
        for criterion in subject.criteria:
            if field not in ON_PAPER or not _shows_messages(criterion):
                yield from islice(_spoken(subject, criterion, field), 1)
        yield from islice(_in_body(subject, field), 1)


def _left_out(subject: Subject) -> Iterator[Finding]:
    """Yield each field that all worked examples show and the list of inputs leaves out."""
    listed = input_list(subject)
    anchors = [a for c in subject.criteria for level in c.levels for a in level.anchors]
    if listed is None or len(anchors) < _ENOUGH:
        return
    always = set.intersection(*(set(anchor.fields) for anchor in anchors))
    for name in sorted(always.difference(subject.inputs)):
        if not any(slip_of(said, (name,)) for said in subject.inputs):
            message = f"the worked examples show {name!r}, which is not among the inputs"
            yield subject.at(listed, message, help=f"add {name}")


def _by_name(subject: Subject, texts: Sequence[Text]) -> Iterator[Finding]:
    """Yield each word that can only be the name of an input, and is of none."""
    for text in texts:
        if "_" in text.value and (name := unknown_input(text.value, subject)):
            yield subject.at(text, _missing(subject, name), word=name, help=f"add {name}")
    for start, sentence in body_sentences(subject) if "_" in subject.body else ():
        if name := unknown_input(sentence, subject):
            at = start + sentence.find(name)
            yield at_body(subject, at, _missing(subject, name), f"add {name}")


def _in_body(subject: Subject, field: Field) -> Iterator[Finding]:
    if field.words.isdisjoint(words_of(subject.body)):
        return
    for number, line in enumerate(subject.body.split("\n"), start=1):
        found = field.spoken.search(line)
        if found and not _says_where(line, field):
            said = found[found.lastindex or 0]
            yield subject.in_body(number, _missing(subject, said), word=said, help=_help(field))


def _missing(subject: Subject, said: str) -> str:
    return f"{said!r} is not among the inputs ({', '.join(subject.inputs)})"


def _help(field: Field) -> str:
    return f"add {field.input} to the inputs, or ask for what the judge is shown"


def _holds_anything(name: str) -> bool:
    """Return whether the name of an input says nothing of what it holds."""
    return not _PLAIN.fullmatch(name) and not any(f.names.search(name) for f in OF_TEXTS)


def _says_where(text: str, field: Field) -> bool:
    """Return whether a text says itself that what it speaks of stands in something shown."""
    within = _IN_OUTPUT.search(text) if field in ON_PAPER else None
    return within is not None or _IN_INPUT.search(text) is not None


def _shows_messages(criterion: CriterionView) -> bool:
    """Return whether its examples show chat messages: the input is then the conversation."""
    anchors = [anchor for level in criterion.levels for anchor in level.anchors]
    return any(
        isinstance(text.node.value, list) for anchor in anchors for text in anchor.fields.values()
    )


def _spoken(subject: Subject, criterion: CriterionView, field: Field) -> Iterator[Finding]:
    for text in criterion.texts:
        if field.words.isdisjoint(words_of(text.value)):
            continue
        found = field.spoken.search(text.value.replace("\n", " "))
        if found is None or _says_where(text.value, field):
            continue
        group = found.lastindex or 0
        yield subject.at(
            spot(subject, text, *found.span(group)),
            _missing(subject, found[group]),
            help=_help(field),
        )
