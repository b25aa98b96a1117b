"""The reason of a worked example says nothing about the example.

## What it does

Looks for reasons that only give the level (*It is a 3*, *This is polite*), rest on a vague word or
name one quality (*Because it is good*, *It is correct*), in English, German, French and Spanish;
for reasons that repeat the definition of a level, and for one that stands word for word under
another level as well, or calls the example by the number or the name of another level. On a nominal
scale a level's name that the item itself has is a reason: *It is a draft* of a draft.

## Why it hurts

The judge knows the level already: the example stands under it. Without a word on what in the text
made it so, it learns from the example whatever catches its eye: the length, the topic, the tone.

## Example

```yaml
anchors:
  - output: At nine, and parking is free.
    reason: This is a level 2.
```

## Use instead

```yaml
anchors:
  - output: At nine, and parking is free.
    reason: The context says nothing of parking.
```

## When to ignore

Hardly ever: a reason costs a dozen tokens.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.alike import copied_from, originals
from judgekit.linting.bare import LONGEST, left_over
from judgekit.linting.called import asserted_numbers, may_call
from judgekit.linting.late import Late
from judgekit.linting.others import names_besides, names_of, other_numbers
from judgekit.linting.prose import sentences_of
from judgekit.linting.qualities import quality
from judgekit.linting.words import set_of_words, words_of
from judgekit.rubric.scale import fold, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.alike import Original
    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Example, LevelView, Subject

_WHAT = (
    r"(?:(?:this|that)(?:\s(?:one|example|output|answer|reply|response|text|item))?|it"
    r"|the\s(?:output|answer|reply|response|example|text)|es|das|dies|(?:die|diese)\s(?:antwort"
    r"|ausgabe)|(?:das|dieses)\sbeispiel|c['’]est|(?:la|cette)\sréponse|(?:la|esta)\srespuesta)"
)
_IS = (
    r"(?:\s(?:is|gets|deserves|should\sbe|counts\sas|belongs\s(?:to|in|under)|falls\s(?:in|under)"
    r"|ist|bekommt|verdient|gilt\sals|gehört\s(?:zu|unter)|est|es))?"
)
_HOW = (
    r"(?:(?:an?|clearly|just|only|still|plainly|rated|eindeutig|klar|nur|eine?|un|une|una)\s){0,2}"
    r"(?:(?:level|stufe|niveau|nivel)\s?[:=]?\s)?"
)
_NAME = r"[\"'“„‘]?(?P<name>\S[^,.;:\"'”“’]{0,40}?)[\"'”“’]?"
_WHY = (
    r"(?:\s?[:;]|\s[-–—]|,?\s(?:since|because|as\s(?:the|it|a|no)|for\s(?:the|it)|weil|da|denn|car"
    r"|porque)\b)"
)
_SO = (
    r"(?:\b(?:so|hence|therefore|thus|daher|deshalb|darum|also|damit|donc|entonces)"
    rf"(?:\s{_WHAT}{_IS}|\sist\ses)?|\bmakes\s(?:it|this))"
)
_IS_NAMED = Late(
    rf"(?i)(?:(?P<first>^\W{{0,2}})(?:{_SO}\s|(?P<what>{_WHAT}{_IS}\s))?|(?P<so>{_SO}\s)"
    rf"|\b(?:level|stufe|niveau|nivel)\s?[:=]?\s){_HOW}{_NAME}(?:(?P<why>{_WHY})|[,.;:]|$)"
)
"""An example that is called by a level, as far as the words cannot be about its text alone."""
_BUT = re.compile(
    r"(?i)\b(?:but|yet|however|although|though|except|until|unless|if|would|could|might|aber|doch"
    r"|jedoch|obwohl|wäre|würde|mais|serait|pero|sería)\b"
)
"""With one of these a reason may weigh one level against another."""
_FEWEST = 3
"""Words from which on two reasons that are the same are no chance."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each reason that gives none."""
    for criterion in subject.criteria:
        texts = originals(criterion)
        said: dict[tuple[str, ...], LevelView] = {}
        for example in criterion.examples:
            reason = example.anchor.reason
            if reason is None or not any(sign.isalnum() for sign in reason.value):
                continue  # signs alone are a placeholder
            first = said.setdefault(tuple(words_of(reason.value)), example.level)
            problem = _copied(reason.value, example, texts, first)
            problem = problem or _no_reason(reason.value, example, criterion)
            if problem:
                yield subject.at(
                    reason,
                    f"the reason of an example of {example.level.called} {problem}",
                    help="say what in the text of the example made the level",
                )


def _copied(said: str, example: Example, texts: list[Original], first: LevelView) -> str | None:
    """Return where a reason stands as well; ``first`` is the level that had its words first."""
    if any(said == text.value for text in example.anchor.outputs):
        return "is its text again"
    copied = copied_from(said, texts)
    if copied:
        return f"is {copied}"
    if first is not example.level and len(words_of(said)) >= _FEWEST:
        return f"is that of an example of {first.called}"
    return None


def _no_reason(said: str, example: Example, criterion: CriterionView) -> str | None:
    """Return what a reason says instead of one: the level it has, or another."""
    level = example.level
    if _is_bare(said, example, criterion):
        return "says no more than its level"
    name = _other_name(said, names_besides(level, criterion.levels))
    if name:
        return f"calls it {name!r}"
    if level.number is None or not may_call(said):
        return None
    calls = (called for sentence in sentences_of(said) for called in asserted_numbers(sentence))
    other = next((called for called in calls if called.number != level.number), None)
    return other and f"calls it level {number_text(other.number)}"


def _other_name(said: str, others: list[str]) -> str | None:
    """Return the name of another level that a reason gives its example."""
    folded = said.casefold()
    if not any(name.casefold() in folded for name in others) or _BUT.search(said):
        return None
    for called in _IS_NAMED.finditer(said):
        name, why = called["name"], called["why"] is not None
        meant = why or called["what"] is not None
        if called["first"] is None:
            meant = called["so"] is None or why or called.end() >= len(said.rstrip(" ."))
        if meant and (name in others or (len(name) > 1 and fold(name) in map(fold, others))):
            return name
    return None


def _is_bare(said: str, example: Example, criterion: CriterionView) -> bool:
    if len(words_of(said)) > LONGEST or other_numbers(said, criterion.levels):
        return False
    if not _is_empty(left_over(said, names_of(criterion.levels))):
        return False
    words, own = set_of_words(said), names_of([example.level])
    others = [n for n in names_besides(example.level, criterion.levels) if words >= set_of_words(n)]
    left = left_over(said, [*own, *others])  # one word of another name may be a reason
    if not left and criterion.kind == "nominal":
        return not _is_shown(words, own, example)
    return _is_empty(left)


def _is_empty(left: list[str]) -> bool:
    return not left or (len(left) <= 2 and all(quality(word) for word in left))


def _is_shown(words: frozenset[str], names: list[str], example: Example) -> bool:
    """Return whether the item says the name of its level itself: *PR 4, draft*."""
    told = {word for name in names for word in words_of(name)} & words
    texts = (set_of_words(text.value) for text in example.anchor.fields.values())
    return any(told & text for text in texts)
