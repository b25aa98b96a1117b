"""Scales of words, letters, stars and thumbs that a text asks the judge to use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.words import set_of
from judgekit.rubric.scale import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judgekit.linting.prose import Sentence
    from judgekit.linting.subject import CriterionView

_LETTERS = Late(
    r"\b(?:[Gg]rad\w+|[Mm]arks?|[Rr]at\w+|[Ss]cor\w+|[Ll]etters?|[Nn]oten?|[Zz]ensur\w*|[Vv]oto"
    r"|[Nn]ota)(?:\s(?:it|this|the \w+|an?|of|from|as|is|on|between|in|with|letters?|scale|von|de"
    r"|da)){0,4}[\s:(]{1,2}(?P<low>[A-F])\s?(?:[-–—]|to|through|bis|à|al?)\s?(?P<high>[C-G])(?![\w-])"
)
_NAMED = (
    (Late(r"(?i)\b(?:letter|school) grades?\b|\bschulnoten?\b"), "grade"),
    (
        Late(
            r"(?i)\b(?:how many|give|award|assign|vergib|donne[zr]?)\s(?:it\s)?(?:[\w-]+\s){0,3}?"
            r"(?:stars?|sterne|étoiles|estrellas|stelle)\b|\bstar rating\b"
        ),
        "star",
    ),
    (Late(r"(?i)\bthumbs?[- ]up\b[^.\ufffc]{0,20}\bdown\b|[👍👎]"), "thumb"),
    (Late(r"(?i)\bstrongly (?:dis)?agree\b"), "agree"),
    (
        Late(
            r"(?i)\b(?:give|assign|return|express|state|deserves?|what|which|rate|score|grade)\b"
            r"[^.\ufffc]{0,20}\b(?:percentages?|percent|prozent|pourcentage|porcentaje|percentuale)\b"
            r"(?!\s(?:of|der|des|de|di|are|is)\b)|\bhow \w+\b[^.\ufffc]{0,30}\bin per ?cent\b"
        ),
        "percent",
    ),
)
_IN_TEXTS = {"percent", "star"}
_ORDER = Late(
    r"(?i)\b(?:(?:sort|classify|rate|grade|label|mark|categori[sz]e|rank)\s(?:it|this|(?:the|each|every)"
    r"\s(?:answer|output|reply|response|summary|comment|item|text))\s(?:as|into|in)\s(?:either\s|one"
    r" of\s)?|(?:rate|grade|label|mark|score)\s(?:it\s)?(?=\w+(?:,\s\w+)*,?\s(?:or|and)\s)"
    r"|(?:choose|pick|select|use)\s(?:exactly\s)?(?:one|from|between|among)(?:\sof)?:?\s"
    r"|(?:choose|pick|select)\s(?:either\s))(?P<list>[^.;!?\ufffc]{3,100})"
)
_GRADES = set_of(
    "a accept acceptable adequate average awful bad correct excellent fail fair false good great "
    "high incorrect low maybe medium middling mixed moderate negative neutral no ok okay "
    "outstanding partial pass perfect poor positive reject right satisfactory strong terrible true "
    "ugly unacceptable unsure weak wrong yes"
)


def other_words(text: str, criteria: Sequence[CriterionView]) -> re.Match[str] | None:
    """Return what asks for letters, stars, thumbs and the like, which are no levels of theirs."""
    letters = _LETTERS.search(text)
    if letters and not any(_has_letter(criterion, letters["high"]) for criterion in criteria):
        return letters
    for pattern, word in _NAMED:
        found = pattern.search(text)
        if found and not any(word in said for c in criteria for said in _words_of(c, word)):
            return found
    return None


def listed_words(sentence: Sentence, criteria: Sequence[CriterionView]) -> re.Match[str] | None:
    """Return an order to choose among words of praise and blame that are not the levels."""
    for found in _ORDER.finditer(sentence.text):
        words = [fold(word.strip(" \"'“”‘’`*(")) for word in _parted(found["list"])]
        grades = [word for word in words if word in _GRADES]
        names = {name for criterion in criteria for name in _names(criterion)}
        if len(grades) >= 2 and not set(grades) <= names and sentence.orders_at(found.start()):
            return found
    return None


def _parted(text: str) -> list[str]:
    """Return the words of a list, which a colon may introduce and a condition end."""
    listed = text.partition(" if ")[0].rpartition(":")[2]
    return re.split(r",\s*(?:or|and)?\s*|\s(?:or|and)\s|/", listed)


def _names(criterion: CriterionView) -> list[str]:
    words = [word for level in criterion.levels for word in (level.name, level.value) if word]
    return [fold(word.value) for word in words]


def _words_of(criterion: CriterionView, word: str) -> list[str]:
    """Return what may say of a scale that it is of this kind: its names, or its texts as well."""
    texts = [text.value.casefold() for level in criterion.levels for text in level.texts]
    return [*_names(criterion), *(texts if word in _IN_TEXTS else ())]


def _has_letter(criterion: CriterionView, letter: str) -> bool:
    return any(letter.casefold() in re.findall(r"\w+", name) for name in _names(criterion))
