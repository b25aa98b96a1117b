"""Which side a sentence calls better, where it does so without reservation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import SIDE_NOUN, Vocabulary

_ANOTHER = rf"(?:the\s+)?(?:other|first|second|{SIDE_NOUN}|[AB]\b)"

BETTER = pattern(
    r"(?<=\S)\s+(?:(?:is|are|was|would be|should be|comes out|seems(?: to be)?"
    r"|appears(?: to be)?)\s+"
    r"(?:(?:clearly|definitely|slightly|much|significantly|marginally|overall|therefore|thus|also"
    r"|still|generally|ultimately|obviously|considerably|far|a bit|a little|somewhat|indeed|by far"
    r"|objectively|hence|overwhelmingly)\s+)*(?:(?:the|a|an|our|my)\s+)?"
    r"(?:(?:clearly|clear|overall|much|slightly|far|significantly)\s+)*"
    r"(?:better|best|superior|preferable|preferred|winner|winning|stronger|strongest"
    r"|(?P<worse>worse|worst|inferior|weaker|weakest|poorer|poorest|loser))"
    rf"|wins|(?:outperforms|surpasses|beats)(?=\s+{_ANOTHER}))(?![\w-])",
    re.IGNORECASE,
)

_SUBJECTS = (
    pattern(
        rf"\b{SIDE_NOUN}[\s_]*(?:\#|no\.?\s)?\s*[(\[\"']*(?P<side>[ab12])[)\]\"']*"
        rf"(?:'s\s+{SIDE_NOUN})?$",
        re.IGNORECASE,
    ),
    pattern(rf"\b(?:the\s+)?(?P<side>first|second)\s+(?:{SIDE_NOUN}|one)$", re.IGNORECASE),
    pattern(rf"\b{SIDE_NOUN}\s+(?P<side>one|two)$", re.IGNORECASE),
    pattern(r"(?<![\w'(-])[\"'(\[]?(?P<side>[AB])[\"')\]]?$"),
)

ORDINALS = {"first": "1", "second": "2", "one": "1", "two": "2"}

_ON = (
    r"(?:if|unless|in\s+case|should|for\s+(?:an?\s+|the\s+|any\s+)?(?:users?|people|those|someone"
    r"|anyone|readers?|beginners?))\b"
)
IF = pattern(
    rf"(?:^|[,;:(]|-\s|\b(?:but|however|and|yet|only|even|though|still)\b)\W{{0,3}}{_ON}",
    re.IGNORECASE,
)
"""Begins a condition."""

_IF_BEHIND = pattern(rf"[\s,]*(?:(?:but|only)\s+){{0,2}}{_ON}", re.IGNORECASE)
_WOULD = pattern(r"\s+(?:would|should)\b", re.IGNORECASE)
_OTHERWISE = pattern(r"\b(?:it|they|had|were|was)\b", re.IGNORECASE)

_OVER = pattern(
    r"(?P<side>[^,.;:!?\n]{1,40}?)(?<=\S)\s+(?:over|to|rather\s+than|instead\s+of)\s+(?:the\s+)?"
    rf"(?:(?:other|first|second)(?:\s+(?:{SIDE_NOUN}|one))?|{SIDE_NOUN}[\s_]*[(\[\"']*[ab12]\b"
    r"[)\]\"']*|[\"'(\[]?(?-i:[AB])\b[\"')\]]?)(?!\w)",
    re.IGNORECASE,
)

_NAME = pattern(r"[^\W\d_][\w' -]{1,40}$")

_JOINED = pattern(
    r"(?:\b(?:nor|neither|or|than|both|either|not|like|as)|(?<!,)\sand)\s+(?:the\s+)?$",
    re.IGNORECASE,
)

SUPPOSED = pattern(
    r"\b(?:if|whether|unless|in terms of|regarding|when it comes to|with (?:respect|regards?) to"
    r"|as (?:far as|for)|hard to|difficult to|(?:i|we|one) (?:can(?:'t|not)|do(?:n't| not))"
    r"|not (?:say|think|believe|clear|necessarily|mean|sure|certain)"
    r"|some (?:may|might|people|users?)|might|could|arguabl[ey]|instruction says|depend(?:s|ing)"
    r"|claims?|says?|said|for (?:users|people|those|someone)|perspective|standpoint|had"
    r"|none|nothing|nobody|no\s?one|few|hardly|scarcely"
    r"|on (?:the )?one hand|initially|at first|(?:asked|want(?:s|ed)?|need(?:s|ed)?) to)\b|\?",
    re.IGNORECASE,
)

_THEN = pattern(
    r"^\W*(?:\w+[.)]\s+)?(?:therefore|thus|hence|so|overall|in conclusion)\b", re.IGNORECASE
)

# What is worse than something else may still be the better side.
_THAN_ELSE = pattern(rf"(?:\s+(?!than\b)\w+){{0,2}}\s+than\s+(?!{_ANOTHER})", re.IGNORECASE)

_NOUNS = pattern(
    r"(?:\s+(?:and\s+more\s+\w+|overall|quality|of\s+the\s+two|options?|choice|outputs?|responses?"
    r"|answers?|one|fit|match|version|solution|summary|candidate|reply|translation))+(?!\w)",
    re.IGNORECASE,
)

_ASPECT = pattern(
    r"[\s,]*\b(?:if|when|whenever|unless|only|but|in\s+(?:terms|some|certain|one|many|most|other|its"
    r"|that)|for\s+(?:a\s+)?(?:users?|people|those|someone|some|beginners?|readers?)|depending"
    r"|at\s+(?!following|executing|addressing|answering)\w+|with\s+(?:respect|regards?)"
    r"|on\s+(?:the\s+)?(?:other|one)|as\s+(?:far|long)|suited|than\s+(?:neither|nothing|it\b|before))"
    r"(?!\w)",
    re.IGNORECASE,
)

_FINE = pattern(
    r"\s*(?:$|[.!,;:)\]\"]|-{1,2}\s|(?:other|response|assistant|answer|output|option|model|[ab]\b|the"
    r"\s+other|overall|because|as|since|due\s+to|given|here|considering|based"
    rf"|(?:over|to)(?=\s+{_ANOTHER})|while|although|and|than|by|with|at|(?:for|to|of)\s+(?:this|these|that|the|a|two|both"
    r"|answering|following|executing|fulfilling|addressing)"
    r"|in\s+(?:this|general|following|executing|fulfilling|addressing|answering|the\s+end"
    r"|accurately|precisely|closely|honestly))\b)",
    re.IGNORECASE,
)

_THAN_ASPECT = pattern(
    rf"\s*(?:than\b|(?:over|to)\s+{_ANOTHER})[^.,;]*"
    r"\b(?:in terms of|in|at|with respect to|when|if|for)\b",
    re.IGNORECASE,
)


def subject_of(words: Vocabulary, text: str) -> tuple[int, int] | None:
    """Return the side that ``text`` ends with, and where its words begin."""
    for subject in _SUBJECTS:
        side = subject.search(text)
        if side is not None:
            level = words.side_level(ORDINALS.get(side["side"].lower(), side["side"]))
            return None if level is None else (level, side.start())
    tail = _NAME.search(text)
    if tail is None:
        return None
    for word in re.finditer(r"\S+", tail[0]):  # the longest run of words that is a level's name
        level = words.word(tail[0][word.start() :])
        if level is not None and len(tail[0]) - word.start() > 1:
            return level, tail.start() + word.start()
    return None


class Compared(NamedTuple):
    """One place of a sentence that calls a side better, or the other side worse.

    Attributes:
        level: The level that says this side is better.
        start: Where its side is named.
        end: Where "is better" ends.
        before: What stands between the place before and this one.
        would: It says what would be better, or should be.
    """

    level: int
    start: int
    end: int
    before: str
    would: bool


def other_side(words: Vocabulary, level: int) -> int | None:
    """Return the side that is better where ``level`` is the worse one; None where it is no side."""
    pair = words.pair
    return pair[1 - pair.index(level)] if pair and level in pair else None


def compared(words: Vocabulary, text: str) -> Iterator[Compared]:
    """Yield which side each comparison in a sentence calls better, whatever it is bound to."""
    clear_from = 0
    for match in BETTER.finditer(text):
        subject = subject_of(words, text[: match.start()])
        if subject is None:
            continue
        side, start = subject
        before, clear_from = text[clear_from:start], match.end()
        better: int | None = side
        if match["worse"]:
            than_else = _THAN_ELSE.match(text, match.end())
            better = None if than_else else other_side(words, side)
        if better is not None:
            would = _WOULD.match(match[0]) is not None
            yield Compared(better, start, match.end(), before, would)


def before_other(words: Vocabulary, text: str, at: int) -> tuple[int, int] | None:
    """Return the side at ``at`` that goes before the other, and where both end: "B over A"."""
    match = _OVER.match(text, at)
    subject = subject_of(words, match["side"]) if match else None
    if match is None or subject is None or match["side"][: subject[1]].strip():
        return None
    return (subject[0], match.end()) if stands(text, "", match.end()) else None


def conditioned(text: str, place: Compared) -> bool:
    """Return whether a comparison holds on a condition: "if speed counts, B is better".

    What would be better if it had been otherwise is no verdict.
    """
    if IF.search(place.before):
        return not (place.would and _OTHERWISE.search(place.before))
    nouns = _NOUNS.match(text, place.end)
    behind = _IF_BEHIND.match(text, nouns.end() if nouns else place.end)
    return behind is not None and not place.would


def stands(text: str, before: str, after: int) -> bool:
    """Return whether the statement is unqualified: nothing supposed before, no aspect behind."""
    if _JOINED.search(before):
        return False
    supposed = SUPPOSED.search(before)
    if supposed and not (_THEN.match(text) and supposed[0].lower() == "in terms of"):
        return False
    nouns = _NOUNS.match(text, after)
    after = nouns.end() if nouns else after
    if _ASPECT.match(text, after) or _THAN_ASPECT.match(text, after):
        return False
    return _FINE.match(text, after) is not None
