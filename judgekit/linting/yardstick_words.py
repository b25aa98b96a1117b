"""Scales of words, letters, stars and thumbs that a text asks the judge to use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.words import set_of, set_of_words, words_of
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
_ENDS = set_of("c d e f g")
_NAMED = (
    (
        set_of("grade grades schulnote schulnoten"),
        Late(r"(?i)\b(?:letter|school) grades?\b|\bschulnoten?\b"),
        "grade",
    ),
    (
        set_of("star stars sterne étoiles estrellas stelle"),
        Late(
            r"(?i)\b(?:how many|give|award|assign|vergib|donne[zr]?)\s(?:it\s)?(?:[\w-]+\s){0,3}?"
            r"(?:stars?|sterne|étoiles|estrellas|stelle)\b|\bstar rating\b"
        ),
        "star",
    ),
    (
        set_of("thumb thumbs"),
        Late(r"(?i)\bthumbs?[- ]up\b[^.\ufffc]{0,20}\bdown\b|[👍👎]"),
        "thumb",
    ),
    (set_of("agree disagree"), Late(r"(?i)\bstrongly (?:dis)?agree\b"), "agree"),
    (
        set_of("percentage percentages percent cent prozent pourcentage porcentaje percentuale"),
        Late(
            r"(?i)\b(?:give|assign|return|express|state|deserves?|what|which|rate|score|grade)\b"
            r"[^.\ufffc]{0,20}\b(?:percentages?|percent|prozent|pourcentage|porcentaje|percentuale)\b"
            r"(?!\s(?:of|der|des|de|di|are|is)\b)|\bhow \w+\b[^.\ufffc]{0,30}\bin per ?cent\b"
        ),
        "percent",
    ),
)
"""Words without which there is no such scale, what asks for it, and what its levels are called."""
_ORDER = Late(
    r"(?i)\b(?:(?:sort|classify|rate|grade|label|mark|categori[sz]e|rank)\s(?:it|this|(?:the|each|every)"
    r"\s(?:answer|output|reply|response|summary|comment|item|text))\s(?:as|into|in)\s(?:either\s|one"
    r" of\s)?|(?:rate|grade|label|mark|score)\s(?:it\s)?(?=\w+(?:,\s\w+)*,?\s(?:or|and)\s)"
    r"|(?:choose|pick|select|use)\s(?:exactly\s)?(?:one|from|between|among)(?:\sof)?:?\s"
    r"|(?:choose|pick|select)\s(?:either\s)"
    r"|(?:decide|say|state|tell)\s(?:whether|if)\s(?:it|this|the\s\w+)\sis\s"
    r"|(?:answer|reply|respond)\s(?:only\s)?(?:with\s)?(?:either\s)?"
    r"(?=\w+(?:,\s\w+)*,?\s(?:or|and)\s)"
    r"|(?:antworten?|wählen?|entscheiden?)(?:\ssie)?\s(?:nur\s)?(?:mit|zwischen|unter)\s"
    r"|(?:bewerten?|benoten?|stufen?)(?:\ssie)?\s(?:sie|es|(?:die|jede)\s\w+)\s(?:als|mit)\s"
    r"|(?:choisi\w*|réponde?[sz]?)\s(?:entre|par)\s|(?:elige|elija|responda?)\s(?:entre|con)\s)"
    r"(?P<list>[^.;!?\ufffc]{3,100})"
)
_LEVELS_ARE = Late(
    r"(?i)\b(?:the|die|les|los)\s(?:(?:possible|mögliche\w*)\s)?(?:levels|labels|grades|scores|stufen"
    r"|noten|niveaux|niveles)\s(?:are|sind|sont|son)\s(?P<list>[^.:;!?\ufffc]{3,100})"
    r"|^\W*(?:is|ist|est)\s(?:(?:the|die|das|diese)\s\w+|it|this|sie|es)\s"
    r"(?P<asked>\w+(?:,\s\w+)+,?\s(?:or|oder)\s\w+)\s?\?"
)
_WHEN = Late(
    r"(?i)\b(?:give|assign|award|answer|reply|respond|choose|pick|vergib|gib|antworte|wähle)\s"
    r"(?:it\s|with\s|only\s|mit\s|nur\s)?(?P<word>[^\W\d_]+)(?=,?\s(?:if|when|only\s(?:if|when)|unless"
    r"|wenn|falls|sobald)\b)"
)
_HEADS = set_of("levels labels grades scores stufen noten niveaux niveles")
_IFS = set_of("if when only unless wenn falls sobald")
_IN_TEXTS = {"percent", "star"}
GRADES = set_of(
    "accept acceptable adequate average awful bad brilliant correct dreadful excellent fail fair "
    "false good great high incorrect low maybe medium mediocre middling mixed moderate negative "
    "neutral no ok okay outstanding partial pass perfect poor positive reject right satisfactory "
    "strong sufficient superb terrible true ugly unacceptable unsure weak wrong yes "
    "ausgezeichnet ausreichend befriedigend durchschnittlich falsch gut hervorragend hoch ja "
    "mangelhaft mittel mittelmäßig mäßig nein niedrig perfekt richtig schlecht schwach spitze "
    "stark ungenügend "
    "bon bonne faible mauvais mauvaise moyen moyenne médiocre bueno deficiente excelente malo "
    "regular"
)
"""Words of praise and blame that levels are called by."""


def other_words(text: str, criteria: Sequence[CriterionView]) -> re.Match[str] | None:
    """Return what asks for letters, stars, thumbs and the like, which are no levels of theirs."""
    words = set_of_words(text.replace("-", " "))
    letters = None if words.isdisjoint(_ENDS) else _LETTERS.search(text)
    if letters and not any(_has_letter(criterion, letters["high"]) for criterion in criteria):
        return letters
    thumbs = "👍" in text or "👎" in text
    for needed, pattern, word in _NAMED:
        may = not words.isdisjoint(needed) or (thumbs and word == "thumb")
        found = pattern.search(text) if may else None
        if found and not any(word in said for c in criteria for said in _words_of(c, word)):
            return found
    return None


def listed_words(sentence: Sentence, criteria: Sequence[CriterionView]) -> re.Match[str] | None:
    """Return an order to choose among words of praise and blame that are not the levels."""
    text = sentence.text
    if GRADES.isdisjoint(words_of(text)):
        return None
    names = {name for criterion in criteria for name in _names(criterion)}
    for found in _ORDER.finditer(text):
        grades = _grades(found["list"])
        if len(grades) >= 2 and not grades <= names and sentence.orders_at(found.start()):
            return found
    words = words_of(text)
    heads = text.endswith("?") or not _HEADS.isdisjoint(words)
    for found in _LEVELS_ARE.finditer(text) if heads else ():
        grades = _grades(found["list"] or found["asked"])
        if len(grades) >= (3 if found["asked"] else 2) and grades.isdisjoint(names):
            return found
    for found in _WHEN.finditer(text) if not _IFS.isdisjoint(words) else ():
        word = fold(found["word"])
        if word in GRADES and word not in names and sentence.orders_at(found.start()):
            return found
    return None


def _grades(text: str) -> set[str]:
    """Return the words of praise and blame in a list."""
    words = (fold(word.strip(" \"'“”‘’`*(")) for word in _parted(text))
    return {word for word in words if word in GRADES}


def _parted(text: str) -> list[str]:
    """Return the words of a list, which a colon may introduce and a condition end."""
    listed = text.partition(" if ")[0].rpartition(":")[2]
    return re.split(r",\s*(?:or|and)?\s*|\s(?:or|and|oder|und|ou|et|o|y)\s|/", listed)


def _names(criterion: CriterionView) -> list[str]:
    words = [word for level in criterion.levels for word in (level.name, level.value) if word]
    return [fold(word.value) for word in words]


def _words_of(criterion: CriterionView, word: str) -> list[str]:
    """Return what may say of a scale that it is of this kind: its names, or its texts as well."""
    texts = [text.value.casefold() for level in criterion.levels for text in level.texts]
    return [*_names(criterion), *(texts if word in _IN_TEXTS else ())]


def _has_letter(criterion: CriterionView, letter: str) -> bool:
    return any(letter.casefold() in re.findall(r"\w+", name) for name in _names(criterion))
