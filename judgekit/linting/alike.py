"""Whether two texts say the same, with words that make no difference or their parts in turn."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.remembered import remembered
from judgekit.linting.words import AMOUNTS, set_of, set_of_words, telling_words, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.linting.subject import CriterionView, LevelView

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,;:()]")
_PHRASES = re.compile(
    r"(?i)\b(?:(as well as)|(or else)|(in order to)|in other words|that is to say|as well|that is,)"
)
_IN_PHRASES = ("well", "else", "order to", "words", "hat is")
_SHORTER = (",", "or", "to")
_IDLE = set_of(
    "a an the actually again also altogether basically clearly here indeed just moreover namely "
    "overall please quite really simply therefore thus too very "
    "der die das den dem des ein eine einen einem einer eines auch eben halt hier insgesamt ja "
    "nämlich wirklich le la les l un une des aussi el los las uno también"
)
"""Words that can be left out."""
_SAME = {
    **dict.fromkeys(
        ("answer", "completion", "message", "reply", "response", "text", "it", "this"), "output"
    ),
    **dict.fromkeys(("antwort", "ausgabe", "nachricht"), "output"),
    **dict.fromkeys(("are", "remains", "remain", "stays", "stay", "was", "were", "it's"), "is"),
    **dict.fromkeys(("every", "all"), "each"),
    **dict.fromkeys(("jede", "jeder", "alle"), "jedes"),
    **dict.fromkeys(("contains", "includes", "holds"), "has"),
    **dict.fromkeys(("names", "mentions", "gives"), "states"),
    **dict.fromkeys(("and", "but", "yet", "und", "aber", "et", "mais", "y", "pero"), ","),
    **dict.fromkeys((".", ";", ":", "(", ")"), ","),
    "which": "that",
    "within": "in",
    "starts": "begins",
    "isn't": "is not",
    "doesn't": "does not",
}
_ALIKE = 0.85
_SHARED, _SHORT = 0.5, 8
"""Texts of more words with less of them in common are not looked at further."""
_FEWEST = 3
"""Words from which on the order of parts is looked at."""


def alike(one: str, other: str) -> bool:
    """Return whether two texts leave a reader nothing to tell them apart by.

    Numbers, amounts and negations make a difference, and so do the same words in other places:
    *English, not German* and *German, not English*.
    """
    if _far_apart(one, other):
        return False
    first, second = _read(one), _read(other)
    if first.words == second.words:
        return bool(first.words) or words_of(one) == words_of(other)
    return _in_turn(first, second) or _nearly(one, other)


def _far_apart(one: str, other: str) -> bool:
    """Return at little cost whether two texts have too little in common to be alike."""
    if len(one) > 2 * len(other) or len(other) > 2 * len(one):
        return True
    return not _share_enough(set_of_words(one), set_of_words(other))


def _share_enough(first: frozenset[str], second: frozenset[str]) -> bool:
    most = max(len(first), len(second))
    return most <= _SHORT or len(first & second) >= _SHARED * most


class Original(NamedTuple):
    """A text of a criterion that others should not repeat."""

    text: str
    words: frozenset[str]
    what: str
    level: LevelView | None = None

    @property
    def called(self) -> str:
        """Return what to call it in a message."""
        return f"{self.what} of {self.level.called}" if self.level else self.what


def originals(criterion: CriterionView) -> list[Original]:
    """Return the texts of a criterion that others should not repeat."""
    said = criterion.question.value if criterion.question else ""
    asked = [Original(said, set_of_words(said), "the question")] if said else []
    texts = [
        Original(text.value, set_of_words(text.value), what, level)
        for level in criterion.levels
        for text, what in ((level.definition, "the definition"), (level.drops_when, "drops_when"))
        if text
    ]
    return asked + texts


def copied_from(said: str, texts: Sequence[Original]) -> str | None:
    """Return which of some texts says the same as one that should say something else."""
    least, most, words = len(said) / 2, len(said) * 2, set_of_words(said)
    for original in texts:
        near = least <= len(original.text) <= most and _share_enough(words, original.words)
        if near and alike(said, original.text):
            return original.called
    return None


class _Read(NamedTuple):
    """A text in one spelling.

    Attributes:
        parts: Its words and numbers, with a comma between its parts.
        words: The same without commas.
    """

    parts: tuple[str, ...]
    words: tuple[str, ...]


@remembered
def _read(text: str) -> _Read:
    if any(word in text for word in _IN_PHRASES):
        text = _PHRASES.sub(lambda m: f" {_SHORTER[m.lastindex - 1] if m.lastindex else ''} ", text)
    tokens = (m[0].casefold().replace("’", "'") for m in _TOKEN.finditer(text))
    parts = tuple(_SAME.get(token, token) for token in tokens if token not in _IDLE)
    words = tuple(word for word in parts if word != ",")
    return _Read(parts, words)


def _in_turn(one: _Read, other: _Read) -> bool:
    """Return whether two texts have the same parts, in another order."""
    if len(one.words) < _FEWEST or sorted(one.words) != sorted(other.words):
        return False
    if sorted(_parts(one.parts)) == sorted(_parts(other.parts)):
        return True
    start = _shared(one.parts, other.parts)
    end = _shared(one.parts[start:][::-1], other.parts[start:][::-1])
    first, second = (_parts(read.parts[start : len(read.parts) - end]) for read in (one, other))
    return len(first) > 1 and sorted(first) == sorted(second)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _parts(words: Sequence[str]) -> list[list[str]]:
    """Return what stands between commas and *or*."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in (",", "or", "oder", "ou", "o"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _nearly(one: str, other: str) -> bool:
    """Return whether two texts share nearly all words, in their order."""
    first, second = words_of(one), words_of(other)
    apart = len(set_of_words(one) ^ set_of_words(other))
    shared = set_of_words(one) & set_of_words(other)
    if len(shared) < 5 or len(shared) < _ALIKE * (len(shared) + apart):
        return False
    if _digits(one) != _digits(other) or _amounts(first) != _amounts(second):
        return False
    return _in_order(one, shared) == _in_order(other, shared)


def _amounts(words: Sequence[str]) -> list[str]:
    """Return amounts and negations, each as often as it stands there."""
    return sorted(_SAME.get(word, word) for word in words if word in AMOUNTS)


def _in_order(text: str, words: frozenset[str]) -> list[str]:
    return [word for word in telling_words(text) if word in words]


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())
