"""Read which side a sentence prefers, as in "Therefore, Output (b) is better".

Only an unqualified statement is an answer. "Output (a) is better in terms of detail", "if the
goal is speed, A is better" and "neither A nor B is better" prefer nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found
from judgekit.judging.reading.sentences import CONCLUDES, LONGEST, Sentence
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import SIDE_NOUN, Vocabulary

_HINT = re.compile(
    r"better|best|superior|prefer|winn|wins|strong|choose|select|pick|favou?r|vote|opt for|go with"
    r"|outperform|verdict|decision|choice|equal|tie\b|tied|draw|neither",
    re.IGNORECASE,
)
_BETTER = re.compile(
    r"\s+(?:(?:is|are|was|would be|should be|comes out|seems(?: to be)?|appears(?: to be)?)\s+"
    r"(?:(?:clearly|definitely|slightly|much|significantly|marginally|overall|therefore|thus|also"
    r"|still|generally|ultimately|obviously|considerably|far|a bit|a little|somewhat|indeed|by far"
    r"|objectively|hence|overwhelmingly)\s+)*(?:(?:the|a|an|our|my)\s+)?"
    r"(?:(?:clearly|clear|overall|much|slightly|far|significantly)\s+)*"
    r"(?:better|best|superior|preferable|preferred|winner|winning|stronger|strongest)"
    r"|wins|outperforms)(?![\w-])",
    re.IGNORECASE,
)
_SUBJECTS = (
    re.compile(
        rf"\b{SIDE_NOUN}[\s_]*(?:\#|no\.?\s)?\s*[(\[\"']*(?P<side>[ab12])[)\]\"']*(?:'s\s+\w+)?$",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:the\s+)?(?P<side>first|second)\s+{SIDE_NOUN}$", re.IGNORECASE),
    re.compile(r"(?<![\w'(-])[\"'(\[]?(?P<side>[AB])[\"')\]]?$"),
)
_ORDINALS = {"first": "1", "second": "2"}
_NAME = re.compile(r"[^\W\d_][\w' -]{1,40}$")
_JOINED = re.compile(
    r"(?:\b(?:nor|neither|or|than|both|either|not|like|as)|(?<!,)\sand)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_SEEMS = re.compile(r"\s+(?:seems|appears|would be|should be)\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|unless|in terms of|regarding|when it comes to|with (?:respect|regards?) to"
    r"|as (?:far as|for)|hard to|difficult to|(?:i|we|one) (?:can(?:'t|not)|do(?:n't| not))"
    r"|not (?:say|think|believe|clear|necessarily|mean|sure|certain)"
    r"|some (?:may|might|people|users?)|might|could|arguabl[ey]|instruction says|depend(?:s|ing)"
    r"|claims?|says?|said|for (?:users|people|those|someone)|perspective|standpoint|had"
    r"|none|nothing|nobody|no\s?one|few|hardly|scarcely"
    r"|on (?:the )?one hand|initially|at first|(?:asked|want(?:s|ed)?|need(?:s|ed)?) to)\b|\?",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"^\W*(?:\w+[.)]\s+)?(?:therefore|thus|hence|so|overall|in conclusion)\b", re.IGNORECASE
)
_NOUNS = re.compile(
    r"(?:\s+(?:and\s+more\s+\w+|overall|quality|of\s+the\s+two|options?|choice|outputs?|responses?"
    r"|answers?|one|fit|match|version|solution|summary|candidate|reply|translation))+(?!\w)",
    re.IGNORECASE,
)
_ASPECT = re.compile(
    r"[\s,]*\b(?:if|when|whenever|unless|only|but|in\s+(?:terms|some|certain|one|many|most|other|its"
    r"|that)|for\s+(?:a\s+)?(?:users?|people|those|someone|some|beginners?|readers?)|depending"
    r"|at\s+(?!following|executing|addressing|answering)\w+|with\s+(?:respect|regards?)"
    r"|on\s+(?:the\s+)?(?:other|one)|as\s+(?:far|long)|suited|than\s+(?:neither|nothing|it\b|before))"
    r"(?!\w)",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"\s*(?:$|[.!,;:)\]\"]|-{1,2}\s|(?:overall|because|as|since|due\s+to|given|here|considering|based"
    r"|while|although|and|than|by|with|at|(?:for|to|of)\s+(?:this|these|that|the|a|two|both"
    r"|answering|following|executing|fulfilling|addressing)"
    r"|in\s+(?:this|general|following|executing|fulfilling|addressing|answering|the\s+end"
    r"|accurately|precisely|closely|honestly))\b)",
    re.IGNORECASE,
)
_THAN_ASPECT = re.compile(
    r"\s*than\b[^.,;]*\b(?:in terms of|in|at|with respect to|when|if|for)\b", re.IGNORECASE
)
_CHOOSES = re.compile(
    r"\b(?:i|we)(?:'d|\s+would|\s+will|'ll)?\s+(?:(?:therefore|thus|hence|clearly|strongly|slightly)"
    r"\s+)?(?:prefer|choose|select|pick|favou?r|vote\s+for|go\s+with|opt\s+for|declare)\s+(?=\S)"
    r"|\b(?:better|best|preferred|winning|superior|stronger)\s+(?:output|response|answer|option|one"
    r"|choice|assistant|model|candidate|summary|solution)\s+(?:overall\s+)?(?:is|would\s+be|was)\s*:?\s*"
    r"|\b(?:winner|verdict|decision|choice|preference|final\s+answer|judge?ment)\s+"
    r"(?:is|goes\s+to|would\s+be)\s*:?\s*",
    re.IGNORECASE,
)
_EVEN = re.compile(
    r"\b(?:both|the two|they|outputs|responses|answers)\b[^.;]*\b(?:equally (?:good|well|bad|valid"
    r"|strong)|(?:are|is) (?:tied|equal))\b|\bit(?:'s| is) a (?:tie|draw)\b"
    r"|\bneither\b[^.;]*\bis better\b|\b(?:results? in|declare|call (?:it|this)) a (?:tie|draw)\b",
    re.IGNORECASE,
)


def preferences(words: Vocabulary, said: list[Sentence]) -> Iterator[Evidence]:
    """Yield which side each sentence prefers; nothing on scales that are not pairwise."""
    if words.pair is None:
        return
    for sentence in said:
        text = sentence.text
        if len(text) > LONGEST or not _HINT.search(text):
            continue
        found = _preferred(words, text)
        if found is not None:
            plain = (sentence.edge or CONCLUDES.search(text)) and not _SEEMS.search(text)
            yield Evidence(Weight.ANSWER if plain else Weight.MENTION, sentence.at, found)
        elif _EVEN.search(text) and not _SUPPOSED.search(text):
            plain = sentence.last or CONCLUDES.search(text) is not None
            even = Found("out_of_scale", -1, text.strip()[:60], len(text))
            if words.tie is not None:
                even = even._replace(kind="level", level=words.tie)
            yield Evidence(Weight.ANSWER if plain else Weight.MENTION, sentence.at, even)


def _preferred(words: Vocabulary, text: str) -> Found | None:
    """Return what one sentence prefers, or None when it prefers nothing plainly."""
    found: list[Found] = []
    clear_from = 0
    for match in _BETTER.finditer(text):
        subject = _subject(words, text[: match.start()])
        if subject is None:
            continue
        level, start = subject
        before = text[clear_from:start]
        clear_from = match.end()
        if _stands(text, before, match.end()):
            found.append(Found("level", level, text[start : match.end()], match.end()))
    for match in _CHOOSES.finditer(text):
        if not _SUPPOSED.search(text, 0, match.start()):
            value = value_at(words, text, match.end())
            if value is not None and value.kind in {"level", "contradictory"} and value.name:
                found.append(value)
    if len({f.level for f in found}) > 1:
        return Found("contradictory", -1, text.strip()[:60], len(text))
    return found[-1] if found else None


def _subject(words: Vocabulary, text: str) -> tuple[int, int] | None:
    """Return the side that ``text`` ends with, and where its words begin."""
    for pattern in _SUBJECTS:
        side = pattern.search(text)
        if side is not None:
            level = words.side_level(_ORDINALS.get(side["side"].lower(), side["side"]))
            return None if level is None else (level, side.start())
    tail = _NAME.search(text)
    if tail is None:
        return None
    for word in re.finditer(r"\S+", tail[0]):  # the longest run of words that is a level's name
        level = words.word(tail[0][word.start() :])
        if level is not None and len(tail[0]) - word.start() > 1:
            return level, tail.start() + word.start()
    return None


def _stands(text: str, before: str, after: int) -> bool:
    """Return whether the statement is unqualified: nothing supposed before, no aspect behind."""
    if _JOINED.search(before):
        return False
    supposed = _SUPPOSED.search(before)
    if supposed and not (_THEN.match(text) and supposed[0].lower() == "in terms of"):
        return False
    nouns = _NOUNS.match(text, after)
    after = nouns.end() if nouns else after
    if _ASPECT.match(text, after) or _THAN_ASPECT.match(text, after):
        return False
    return _FINE.match(text, after) is not None
