"""The question asks two things at once.

## What it does

Looks for questions, in English and German, that join two qualities (*accurate and polite*,
*korrekt und höflich*), two things the output must do (*cite its sources and avoid jargon*), or two
questions. Words that mean about the same (*accurate and correct*), words in quotes and lists of
what one predicate is about (*claims and figures*) are left alone.

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
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.places import spot
from judgekit.linting.qualities import quality

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject, Text


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,;:?!()/&]|\d+")
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)"
)
_LONGEST = 60
"""Words of a question; in a whole prompt one pair of words is not what is asked."""

_AND = _set("and und sowie &")
_BETWEEN = _set("also both very more most highly fully well even as auch sehr gut being is be are")
_WRITTEN = _set("structured organized organised written formatted worded formulated reasoned")
_CONDITION = _set(
    "if when whenever where unless although though because why who whose what until since "
    "wenn falls wo warum weil obwohl wer"
)
_WHETHER = _set("assess check confirm decide determine evaluate judge see tell verify")
"""Verbs behind which *if* means *whether*."""
_ASKS = _set(
    "is are was were does do did has have had can could will would should must how to which"
)
_FRAGT = _set(
    "ist sind war wird werden hat haben kann enthält nennt gibt bleibt beantwortet erklärt wie "
    "welche welcher welches geht stellt verwendet passt"
)
_THEN_ASKS = _ASKS - _set("how to which")
_DANN_FRAGT = _FRAGT - _set("wie welche welcher welches")
_SUBJECTS = _set("it they the its their this that these there all any each every no")
_SUBJEKTE = _set("sie er es die der das diese dieser ihr ihre alle jede jeder jedes")
_DEEPER = _CONDITION | _set(
    "to that which whom how whether while by without let lets help helps make makes ability able "
    "than for so such instead"
)
_VERBS = _set(
    "acknowledge adhere analyse analyze apologise apologize apply avoid calculate cite clarify "
    "compute contain convey define demonstrate derive describe discuss ensure exclude explain "
    "follow give identify include incorporate integrate introduce maintain mention propose provide "
    "recognise recognize recommend refrain refuse remain rephrase respect suggest summarise "
    "summarize tell thank use"
)
_ANSWERS = frozenset(f"{verb}s" for verb in _VERBS) | _set(
    "addresses answers captures completes covers matches reflects represents resolves responds "
    "solves supports"
)
_DETERMINERS = _set(
    "the a an its their his her any all each every no both only of in with on from at"
)
_WHOSE = _set(
    "answer answers response responses output outputs reply replies text summary "
    "explanation translation code content assistant model essay"
)


class _Word(NamedTuple):
    text: str
    start: int
    end: int


class _Pair(NamedTuple):
    """Two things that are asked for, and the word that joins them."""

    joint: _Word
    first: str
    second: str


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each question that asks two things, at the word that joins them."""
    for criterion in subject.criteria:
        question = criterion.question
        found = question and _two_things(question.value)
        if question and found:
            yield _finding(subject, question, found)


def _finding(subject: Subject, question: Text, pair: _Pair) -> Finding:
    both = f": {pair.first!r} and {pair.second!r}" if pair.second else ""
    return subject.at(
        spot(subject, question, pair.joint.start, pair.joint.end),
        f"the question asks two things{both}",
        help="make two criteria of it, each with its own levels",
    )


def _two_things(question: str) -> _Pair | None:
    quoted = _QUOTED.sub(lambda match: " " * len(match[0]), question)
    tokens = islice(_TOKEN.finditer(quoted), _LONGEST + 1)
    words = [_Word(m[0].lower(), m.start(), m.end()) for m in tokens]
    if len(words) > _LONGEST:
        return None
    sentences = list(_sentences(words))
    for sentence in sentences:
        for index, word in enumerate(sentence):
            if word.text not in _AND:
                continue
            found = _qualities(sentence, index) or _clauses(sentence, index)
            if found:
                return found
    asked = [s for s in sentences if s[-1].text == "?" and _asks(s) is not None]
    if len(asked) > 1:
        return _Pair(asked[1][_asks(asked[1]) or 0], "", "")
    return None


def _sentences(words: Sequence[_Word]) -> Iterator[list[_Word]]:
    sentence: list[_Word] = []
    for word in words:
        sentence.append(word)
        if word.text in ".?!":
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _asks(sentence: Sequence[_Word]) -> int | None:
    """Return which word of a sentence begins a question: the first, or that behind "Also,"."""
    for index, word in enumerate(sentence[:3]):
        if word.text in _ASKS or word.text in _FRAGT:
            return index
        if index == 0 and word.text not in (
            "also",
            "moreover",
            "additionally",
            "furthermore",
            "and",
        ):
            return None
    return None


def _qualities(sentence: Sequence[_Word], index: int) -> _Pair | None:
    """Return two qualities of different kinds around a joint."""
    texts = [word.text for word in sentence]
    if index == 0 or _has_condition(texts[:index]) or _in_brackets(texts[:index]):
        return None
    left = index - 2 if texts[index - 1] == "," and index > 1 else index - 1
    right = index + 1
    if texts[right : right + 2] == ["/", "or"] or texts[right : right + 2] == ["/", "oder"]:
        right += 2
    while right < len(texts) and _passes(texts, right):
        right += 1
    if right >= len(texts):
        return None
    first, second = _quality_at(texts, left), _quality_at(texts, right)
    behind = texts[right + 1] if right + 1 < len(texts) else ""
    does = f"{texts[right]} {behind}" if texts[right].endswith("ly") else texts[right]
    if first and first[0] == "adjective" and does.split()[-1] in _ANSWERS:
        return _Pair(sentence[index], texts[left], does)
    if first is None or second is None or first[0] != second[0] or first[1] == second[1]:
        return None
    if first[0] == "noun" and not _of_output(texts, left, right):
        return None
    end = right + 2 if texts[right] == "well" else right + 1
    return _Pair(sentence[index], texts[left], " ".join(texts[right:end]))


def _has_condition(texts: Sequence[str]) -> bool:
    """Return whether a condition is stated; *Determine if ...* is a question instead."""
    return any(
        word in _CONDITION and not (word == "if" and at > 0 and texts[at - 1] in _WHETHER)
        for at, word in enumerate(texts)
    )


def _passes(texts: Sequence[str], at: int) -> bool:
    """Return whether a word between a joint and a quality says how much of it."""
    word = texts[at]
    if word == "well" and at + 1 < len(texts) and texts[at + 1] in _WRITTEN:
        return False
    if word in _BETWEEN:
        return True
    adverb = word.endswith("ly") and at + 1 < len(texts) and quality(texts[at + 1]) is not None
    return adverb and quality(word) is None


def _quality_at(texts: Sequence[str], at: int) -> tuple[str, int] | None:
    if texts[at] == "well" and at + 1 < len(texts):
        return quality(f"well-{texts[at + 1]}")
    if at > 0 and texts[at - 1] == "well":
        return quality(f"well-{texts[at]}")
    return quality(texts[at])


def _of_output(texts: Sequence[str], left: int, right: int) -> bool:
    """Return whether nouns name qualities of the output: "accuracy and depth of the answer"."""
    behind = texts[right + 1 : right + 5]
    if behind[:1] == ["of"] and _WHOSE & set(behind):
        return True
    before = texts[max(0, left - 2) : left]
    return any(
        word.removesuffix("'s").removesuffix("’s") in _WHOSE and "s" in word[-2:] for word in before
    )


def _in_brackets(texts: Sequence[str]) -> bool:
    return texts.count("(") > texts.count(")")


def _clauses(sentence: Sequence[_Word], index: int) -> _Pair | None:
    """Return a second question, or a second thing to be done, behind a joint."""
    texts = [word.text for word in sentence]
    begins = _asks(sentence)
    if begins is None or texts[-1] != "?" or _in_brackets(texts[:index]):
        return None
    behind = [word for word in texts[index + 1 : index + 4] if word not in ("also", "auch", ",")]
    if len(behind) > 1 and (
        (behind[0] in _THEN_ASKS and behind[1] in _SUBJECTS)
        or (behind[0] in _DANN_FRAGT and behind[1] in _SUBJEKTE)
    ):
        return _Pair(sentence[index], "", "")
    if texts[begins] not in ("does", "do", "did", "can", "will", "should", "would", "must"):
        return None
    between = texts[begins + 1 : index]
    if _DEEPER & set(between) or not _DETERMINERS & set(between[2:]) or between[-1] in _VERBS:
        return None
    verbs = [word for word in behind if not (word.endswith("ly") or word in _BETWEEN)]
    if verbs and verbs[0] in _VERBS:
        return _Pair(sentence[index], "", "")
    return None
