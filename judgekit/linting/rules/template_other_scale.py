"""The prompt speaks of another scale than the front matter.

## What it does

Looks in the body, in questions and in definitions for a scale in words (*from 1 to 10*, *one to
five stars*, *out of 10*, *a 5-point scale*) that is not the one whose levels are defined, and for
orders to give a score that is no level (*output a score of 0.5*). The body and questions are asked
for more: *there are seven levels*, *10 is the best*, *from A to F*, *a percentage*, *thumbs up or
down*, *good, fair or poor*, *the level "brilliant"*, *lower is better*. Hours, dates, pages,
sentences and other things that are counted are left alone.

## Why it hurts

The judge has two scales to choose from. Answers on the other one are off the scale, and each is an
item without a level.

## Example

```jinja
{% block task %}Rate the answer on a scale from 1 to 10.{% endblock %}
```

## Use instead

```jinja
{% block task %}You grade answers of a support desk.{% endblock %}
```

## When to ignore

When the numbers belong to what is judged, such as a product's rating.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.places import spot
from judgekit.linting.prose import at_body, body_sentences, sentences_of, words_only
from judgekit.linting.yardsticks import may_speak, other_scale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject
    from judgekit.linting.yardsticks import Said

_HELP = "leave the scale to the front matter: the prompt lists its levels"


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each place that promises another scale."""
    kinds = [criterion for criterion in subject.criteria if len(criterion.levels) > 1]
    if not kinds or any(c.kind is None for c in kinds):
        return
    shown = words_only(subject.body)
    for sentence in body_sentences(subject) if may_speak(shown, asked=True) else ():
        other = other_scale(sentence, kinds, asked=True, told=True)
        if other:
            at = sentence.start + other.start
            yield at_body(subject, at, _says(other, kinds), _HELP)
    for criterion in kinds:
        for text in criterion.texts:
            asked = text is criterion.question
            for sentence in sentences_of(text.value) if may_speak(text.value, asked=asked) else ():
                other = other_scale(sentence, [criterion], asked=asked)
                if other:
                    start = sentence.start + other.start
                    place = spot(subject, text, start, start + len(other.words))
                    yield subject.at(place, _says(other, [criterion]), help=_HELP)
                    break


def _says(other: Said, criteria: Sequence[CriterionView]) -> str:
    words, count = " ".join(other.words.split()), len(criteria[0].levels)
    if other.turned:
        return f"{words!r} turns the scale upside down: its highest value is the best level"
    return f"{words!r} is not this scale, which has {count} levels"
