"""A text speaks of something that the judge is not shown.

## What it does

Looks in the question, the definitions, `drops_when`, `not_applicable` and the body for the context,
the retrieved documents, the reference answer, the conversation history and `criterion_text`, where
the rubric has no input of such a name. Everyday uses (*in this context*, *for reference*, *a
history book*) are left alone, and so is a rubric with an input whose name says nothing of what it
holds.

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
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.places import spot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject


class _Field(NamedTuple):
    """Something that texts speak of.

    Attributes:
        input: What the input that holds it is mostly called.
        stems: One of them is in every way to speak of it, in lower case.
        spoken: How texts speak of it; the group is what they call it.
        names: What else the input may be called.
    """

    input: str
    stems: tuple[str, ...]
    spoken: re.Pattern[str]
    names: re.Pattern[str]


_RESTS = (
    r"(?:support|back|ground|stat|found|find|contain|bas|contradict|borne|entail|follow|cit|quot|tak"
    r"|drawn|rest|mention|present|clash|agree|consistent|faithful|point|missing|go(?:es)? beyond"
    r"|outside|belegt|gestützt|steht|stehen|widerspr)"
)
_CONTEXT = _Field(
    "context",
    ("context", "kontext", "retrieved", "provided", "supplied", "dokument"),
    re.compile(
        rf"(?i)\b{_RESTS}\w*(?: \w+){{0,2}} the (context)"
        r"(?! (?:of|in which|window|des)\b)(?![-\w])"
        r"|\b((?:retrieved|given|provided|supplied|source) contexts?)(?! (?:of|window)\b)(?![-\w])"
        r"|\bthe ((?:retrieved|provided|supplied) (?:documents?|passages?|chunks?|articles?"
        r"|sources?))\b"
        r"|\bthe (context) (?:it (?:was|is) given|(?:that )?(?:was |is )?(?:provided|supplied)"
        r"|(?:does not |do not )?(?:support|say|state|contain|mention|contradict|back|allow)s?)\b"
        r"|\bder (kontext) (?:stützt|belegt|sagt|enthält|nennt)\b|\b(abgerufenen? dokumente?n?)\b"
        r"|\b(?:durch|von) den (kontext)\b|\bim (kontext) (?:steht|stehen|belegt|genannt)\b"
    ),
    re.compile(
        r"(?i)context|kontext|doc|passage|source|quelle|retriev|evidence|knowledge|chunk|search"
        r"|article|background|material|facts|page"
    ),
)
_REFERENCE = _Field(
    "reference",
    ("reference", "referenz", "musterl", "gold", "ground", "expected"),
    re.compile(
        r"(?i)\b(?:the|this|der|die) (reference (?:answers?|responses?|outputs?|solutions?|summary"
        r"|texts?|translations?|implementation)|referenzantwort|musterlösung"
        r"|gold(?:en)? (?:standard )?answers?|ground[- ]truth answers?)\b"
        r"|\b(?:with|to|from|on|in|matche?s?|contradicts?|equals?|than|like|against)"
        r" (?:the )?['\"“]?(expected (?:answers?|outputs?|responses?))\b"
        r"(?! (?:from|by|format|length|times?|types?)\b)"
        r"|\b(?:with|to|from|match(?:es)?|contradicts?|in|by|than|like|omits?)"
        r" the (reference|ground truth)"
        r"(?=[.,;:?!)]|$| (?:says|states|does|has|gives|contains|is|and|or|but)\b)"
    ),
    re.compile(
        r"(?i)reference|referenz|expected|gold|truth|target|ideal|solution|lösung|key|correct|label"
    ),
)
_HISTORY = _Field(
    "history",
    ("history", "verlauf"),
    re.compile(
        r"(?i)\b((?:conversation|chat|dialogue|dialog|message) history|gesprächsverlauf"
        r"|chatverlauf)\b"
    ),
    re.compile(
        r"(?i)history|conversation|dialog|messages|chat|turns|transcript|thread|verlauf|session"
    ),
)
_CRITERION = _Field(
    "criterion_text",
    ("criterion_text",),
    re.compile(r"(?i)\b(criterion_text)\b"),
    re.compile(r"(?i)criteri|requirement|rubric"),
)
_FIELDS = (_CONTEXT, _REFERENCE, _HISTORY, _CRITERION)
_PLAIN = re.compile(
    r"(?i)inputs?|outputs?(?:_[ab12])?|question|prompt|query|instruction|request|answer|response"
    r"|reply|completion|criterion\w*|criteria|task|case|rubric"
)
_IN_INPUT = re.compile(
    r"(?i)\bin the (?:input|prompt|question|request|message|query|instructions?|task)\b"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what each criterion speaks of without showing it, once for each such thing."""
    if any(_holds_anything(name) for name in subject.inputs):
        return
    whole = subject.front.lower() + subject.body.lower()
    for field in _FIELDS:
        if not any(stem in whole for stem in field.stems):
            continue
        if any(field.names.search(name) for name in subject.inputs):
            continue
        for criterion in subject.criteria:
            if field is not _HISTORY or not _shows_messages(criterion):
                yield from islice(_spoken(subject, criterion, field), 1)
        yield from islice(_in_body(subject, field), 1)


def _in_body(subject: Subject, field: _Field) -> Iterator[Finding]:
    for number, line in enumerate(subject.body.split("\n"), start=1):
        if not any(stem in line.lower() for stem in field.stems) or _IN_INPUT.search(line):
            continue
        found = field.spoken.search(line)
        if found:
            said = found[found.lastindex or 0]
            yield subject.in_body(number, _missing(subject, said), word=said, help=_help(field))


def _missing(subject: Subject, said: str) -> str:
    return f"{said!r} is not among the inputs ({', '.join(subject.inputs)})"


def _help(field: _Field) -> str:
    return f"add {field.input} to the inputs, or ask for what the judge is shown"


def _holds_anything(name: str) -> bool:
    """Return whether the name of an input says nothing of what it holds."""
    return not _PLAIN.fullmatch(name) and not any(f.names.search(name) for f in _FIELDS)


def _shows_messages(criterion: CriterionView) -> bool:
    """Return whether its examples show chat messages: the input is then the conversation."""
    anchors = [anchor for level in criterion.levels for anchor in level.anchors]
    return any(
        isinstance(text.node.value, list) for anchor in anchors for text in anchor.fields.values()
    )


def _spoken(subject: Subject, criterion: CriterionView, field: _Field) -> Iterator[Finding]:
    for text in criterion.texts:
        said = text.value.lower()
        if not any(stem in said for stem in field.stems):
            continue
        found = field.spoken.search(text.value.replace("\n", " "))
        if found is None or _IN_INPUT.search(text.value):
            continue
        group = found.lastindex or 0
        yield subject.at(
            spot(subject, text, *found.span(group)),
            _missing(subject, found[group]),
            help=_help(field),
        )
