"""The words of a question, its sentences, and the words that join two things in it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.words import set_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,;:?!()/&]|\d+")
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)"
)
_LONGEST = 60
"""Words of a question; in a whole prompt one pair of words is not what is asked."""

AND = set_of("and und sowie et y & plus")
"""What joins qualities and clauses."""
BUT = set_of("but yet aber mais pero / ,")
"""What may join two qualities."""
_PHRASES: tuple[tuple[str, ...], ...] = (
    ("as", "well", "as"),
    ("along", "with", "being"),
    ("along", "with"),
    ("but", "also"),
    ("while", "being"),
    ("while", "remaining"),
    ("while", "staying"),
    (",", "sondern", "auch"),
    ("sondern", "auch"),
    ("als", "auch"),
    ("ainsi", "que"),
    ("mais", "aussi"),
    ("así", "como"),
    ("sino", "también"),
    ("sino", "que", "también"),
)
"""Several words that mean *and*."""
_FIRST = {phrase[0] for phrase in _PHRASES}


class Word(NamedTuple):
    """A word or a sign of a question, in lower case, and where it stands."""

    text: str
    start: int
    end: int


def sentences(question: str) -> list[list[Word]]:
    """Return the words of each sentence, without what is quoted; none of a whole prompt."""
    quoted = _QUOTED.sub(lambda match: " " * len(match[0]), question)
    tokens = islice(_TOKEN.finditer(quoted), _LONGEST + 1)
    words = [Word(m[0].lower(), m.start(), m.end()) for m in tokens]
    return list(_split(_joined(words))) if len(words) <= _LONGEST else []


def _joined(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words, several that mean *and* as one."""
    at = 0
    while at < len(words):
        phrase = _phrase_at(words, at) if words[at].text in _FIRST else ()
        if phrase:
            yield Word("and", words[at].start, words[at + len(phrase) - 1].end)
        else:
            yield words[at]
        at += len(phrase) or 1


def _phrase_at(words: Sequence[Word], at: int) -> tuple[str, ...]:
    for phrase in _PHRASES:
        if tuple(word.text for word in words[at : at + len(phrase)]) == phrase:
            return phrase
    return ()


def _split(words: Iterator[Word]) -> Iterator[list[Word]]:
    sentence: list[Word] = []
    for word in words:
        sentence.append(word)
        if word.text in ".?!":
            yield sentence
            sentence = []
    if sentence:
        yield sentence
