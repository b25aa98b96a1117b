"""The question asks two things at once.

## What it does

Looks for questions, in English, German, French and Spanish, that join two qualities (*accurate and
polite*, *accuracy/tone of the answer*, *sowohl korrekt als auch höflich*), two things the output
must do (*cite its sources and avoid jargon*), three things it must have (*facts, sources and
examples*), or two questions. Words that mean about the same (*accurate and correct*), words in
quotes and two objects of one predicate (*claims and figures*, *name and address*) are left alone.

## Why it hurts

An answer that is accurate and rude has no level. Each judge and each rater settles it in their own
way, mostly by the part that is worse, and nobody can tell from the level which part that was.

## Example

```yaml
question: Is the answer accurate and polite?
```

## Use instead

```yaml
- criterion: accuracy
  question: Is the answer accurate?
- criterion: politeness
  question: Is the answer polite?
```

## When to ignore

When the two only ever come together, or the definitions say what an output with one of them gets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.joined import BETWEEN, CONDITION, OF, VERBS, Pair, in_brackets, qualities
from judgekit.linting.joints import AND, BUT, Word, sentences
from judgekit.linting.places import spot
from judgekit.linting.qualities import quality
from judgekit.linting.words import set_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject, Text

_ASKS = set_of(
    "is are was were does do did has have had can could will would should must how to which"
)
_FRAGT = set_of(
    "ist sind war wird werden hat haben kann enthält nennt gibt bleibt beantwortet erklärt wie "
    "welche welcher welches geht stellt verwendet passt"
)
_ALSO = set_of("also moreover additionally furthermore and")
_THEN_ASKS = _ASKS - set_of("how to which")
_DANN_FRAGT = _FRAGT - set_of("wie welche welcher welches")
_SUBJECTS = set_of("it they the its their this that these there all any each every no")
_SUBJEKTE = set_of("sie er es die der das diese dieser ihr ihre alle jede jeder jedes")
_DEEPER = CONDITION | set_of(
    "to that which whom how whether while by without let lets help helps make makes ability able "
    "than for so such instead"
)
_PERHAPS_VERBS = set_of(
    "address answer ask begin close end keep list name offer quote say sign state stay show use "
    "warn"
)
"""Verbs only with an object behind them: *and offer a refund*, but *the price and offer*."""
_OBJECTS = set_of("a an the its their his her one two every each all any some at no them it")
_VERBEN = set_of(
    "begründet begrüsst begrüßt bedankt bietet bittet bleibt dankt enthält entschuldigt erklärt "
    "erläutert fragt gibt grüßt lässt nennt schlägt stellt vermeidet verweist verwendet verzichtet "
    "zitiert"
)
_VERBOS = set_of(
    "agradece cita da evita explica incluye indica menciona nombra ofrece pide propone resume "
    "saluda usa"
)
_DEMANDE = re.compile(r"[^\W\d_]+-(?:t-)?(?:elles?|ils?|on)")
_DETERMINERS = set_of(
    "the a an its their his her any all each every no both only of in with on from at"
)
_HAS = set_of("cite contain give have hold include list mention name offer provide show state")
_MANY = 3
"""So many things in a row are a list; each of them has no more words than that."""
_NO_THING = (
    _DEEPER
    | VERBS
    | OF
    | set_of(
        "any as at between both each either every how in it least like none not on one only or "
        "that these they this those two ( ) / ;"
    )
)
"""With one of these in it, a part of a sentence is no mere thing: *at least two of the price*."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each question that asks two things, at the word that joins them."""
    for criterion in subject.criteria:
        question = criterion.question
        found = question and _two_things(question.value)
        if question and found:
            yield _finding(subject, question, found)


def _finding(subject: Subject, question: Text, pair: Pair) -> Finding:
    both = f": {pair.first!r} and {pair.second!r}" if pair.second else ""
    return subject.at(
        spot(subject, question, pair.joint.start, pair.joint.end),
        f"the question asks two things{both}",
        help="make two criteria of it, each with its own levels",
    )


def _two_things(question: str) -> Pair | None:
    asked = sentences(question)
    found = next(_pairs(asked, AND), None) or next(_pairs(asked, BUT), None)
    found = found or next(filter(None, map(_listed, asked)), None)
    if found:
        return found
    begins = [(s, _asks(s)) for s in asked if s[-1].text == "?"]
    starts = [sentence[at] for sentence, at in begins if at is not None]
    return Pair(starts[1], "", "") if len(starts) > 1 else None


def _pairs(asked: Sequence[Sequence[Word]], joints: frozenset[str]) -> Iterator[Pair]:
    """Yield what is joined in each sentence by one of some words."""
    for sentence in asked:
        for index, word in enumerate(sentence):
            if index and word.text in joints:
                found = qualities(sentence, index)
                if found is None and joints is AND:
                    found = _clauses(sentence, index)
                if found:
                    yield found


def _listed(sentence: Sequence[Word]) -> Pair | None:
    """Return the last two of three things or more that an output must have."""
    texts = [word.text for word in sentence]
    verb = next((at for at, word in enumerate(texts[:6]) if at > 1 and word in _HAS), 0)
    if texts[0] not in ("does", "do") or texts[-1] != "?" or not verb or "," not in texts:
        return None
    items: list[list[str]] = [[]]
    joint = None
    for word in sentence[verb + 1 : -1]:
        if word.text == "," or word.text in AND:
            joint = word if word.text in AND else joint
            items.append([])
        else:
            items[-1].append(word.text)
    things = [item for item in items if item]
    if joint is None or len(things) < _MANY or not items[-1] or not all(map(_is_thing, things)):
        return None
    return Pair(joint, *(" ".join(item) for item in things[-2:]))


def _is_thing(words: Sequence[str]) -> bool:
    return len(words) <= _MANY and not any(word in _NO_THING for word in words)


def _asks(sentence: Sequence[Word]) -> int | None:
    """Return which word of a sentence begins a question: the first, or that behind "Also,"."""
    for index, word in enumerate(sentence[:3]):
        if word.text in _ASKS or word.text in _FRAGT:
            return index
        if index == 0 and word.text not in _ALSO:
            return None
    return None


def _clauses(sentence: Sequence[Word], index: int) -> Pair | None:
    """Return a second question, or a second thing to be done, behind a joint."""
    texts = [word.text for word in sentence]
    if texts[-1] != "?" or in_brackets(texts[:index]):
        return None
    behind = [word for word in texts[index + 1 : index + 5] if word not in ("also", "auch", ",")]
    begins = _asks(sentence)
    second = len(behind) > 1 and (
        _asks_again(texts, begins, behind)
        or _fragt_wieder(texts[:index], behind)
        or (begins is not None and _does_more(texts[begins:index], behind))
    )
    return Pair(sentence[index], "", "") if second else None


def _asks_again(texts: Sequence[str], begins: int | None, behind: Sequence[str]) -> bool:
    """Return whether another question begins behind a joint."""
    if begins is None:
        return False
    if behind[0] == texts[begins] and behind[0] in ("how", "wie"):
        return quality(behind[1]) is not None
    return (behind[0] in _THEN_ASKS and behind[1] in _SUBJECTS) or (
        behind[0] in _DANN_FRAGT and behind[1] in _SUBJEKTE
    )


def _fragt_wieder(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether another German, French or Spanish verb asks, as the first word does."""
    if _DEMANDE.fullmatch(behind[0]):
        return any(_DEMANDE.fullmatch(word) for word in before)
    if before[0].endswith("t") and not CONDITION.intersection(before):
        if behind[0].endswith("t") and behind[1] in ("sie", "er", "es", "sich"):
            return True
        return behind[0] in _VERBEN and "," not in before
    return before[0] in _VERBOS and behind[0] in _VERBOS


def _does_more(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether an output that has done one thing must do another: "and avoid jargon"."""
    if before[0] not in ("does", "do", "did", "can", "will", "should", "would", "must"):
        return False
    between = before[1:]
    if _DEEPER & set(between) or not _DETERMINERS & set(between[2:]):
        return False
    if between[-1] in VERBS and between[-2:-1] != [","]:
        return False  # two verbs of one object: *identify and explain the error*
    verbs = [word for word in behind if not (word.endswith("ly") or word in BETWEEN)]
    if not verbs:
        return False
    return verbs[0] in VERBS or (
        verbs[0] in _PERHAPS_VERBS and verbs[1:2] != [] and verbs[1] in _OBJECTS
    )
