"""Which side a sentence calls better, where it does so without reservation."""

from __future__ import annotations

import re

from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import SIDE_NOUN, Vocabulary

BETTER = pattern(
    r"\s+(?:(?:is|are|was|would be|should be|comes out|seems(?: to be)?|appears(?: to be)?)\s+"
    r"(?:(?:clearly|definitely|slightly|much|significantly|marginally|overall|therefore|thus|also"
    r"|still|generally|ultimately|obviously|considerably|far|a bit|a little|somewhat|indeed|by far"
    r"|objectively|hence|overwhelmingly)\s+)*(?:(?:the|a|an|our|my)\s+)?"
    r"(?:(?:clearly|clear|overall|much|slightly|far|significantly)\s+)*"
    r"(?:better|best|superior|preferable|preferred|winner|winning|stronger|strongest)"
    rf"|wins|(?:outperforms|surpasses|beats)(?=\s+(?:the\s+)?(?:other|{SIDE_NOUN}|[AB]\b)))(?![\w-])",
    re.IGNORECASE,
)

_SUBJECTS = (
    pattern(
        rf"\b{SIDE_NOUN}[\s_]*(?:\#|no\.?\s)?\s*[(\[\"']*(?P<side>[ab12])[)\]\"']*(?:'s\s+\w+)?$",
        re.IGNORECASE,
    ),
    pattern(rf"\b(?:the\s+)?(?P<side>first|second)\s+(?:{SIDE_NOUN}|one)$", re.IGNORECASE),
    pattern(rf"\b{SIDE_NOUN}\s+(?P<side>one|two)$", re.IGNORECASE),
    pattern(r"(?<![\w'(-])[\"'(\[]?(?P<side>[AB])[\"')\]]?$"),
)

ORDINALS = {"first": "1", "second": "2", "one": "1", "two": "2"}

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
    r"|while|although|and|than|by|with|at|(?:for|to|of)\s+(?:this|these|that|the|a|two|both"
    r"|answering|following|executing|fulfilling|addressing)"
    r"|in\s+(?:this|general|following|executing|fulfilling|addressing|answering|the\s+end"
    r"|accurately|precisely|closely|honestly))\b)",
    re.IGNORECASE,
)

_THAN_ASPECT = pattern(
    r"\s*than\b[^.,;]*\b(?:in terms of|in|at|with respect to|when|if|for)\b", re.IGNORECASE
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
