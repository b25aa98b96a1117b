"""Read a level given as a number: ``4``, ``4/5``, ``four``, ``4 (good)``."""

from __future__ import annotations

import re

from judgekit.judging.reading.conventions import NUMBER_WORDS, SMALL
from judgekit.judging.reading.found import (
    DASH_GLOSS,
    GLOSS,
    JOINT,
    Found,
    after_closing,
    ends_at,
)
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.vocabulary import Vocabulary, as_number

NUMBER = pattern(r"[+-]?\d+(?:[.,]\d+)*(?![A-Za-z0-9_^])(?!\+)(?!'[A-Za-z])")
_NUMBER_WORD = pattern(
    rf"(?:{'|'.join(f'(?-i:{w})' if w in SMALL else w for w in NUMBER_WORDS)})"
    r"(?:(?![\w^'%\-])|(?=[分点點점星]))",
    re.IGNORECASE,
)
_UNIT = pattern(
    r"\s*-?(?:points?|pts?|stars?|marks?|分|点|點|점|балл\w*|punkte?n?|puntos?|pontos?)(?!\w)",
    re.IGNORECASE,
)
_OF_TOP = pattern(
    r"\s*(?:/|\(?\s*(?:out\s+of|of|von|sur|su|de|из|off)(?:\s+a(?:\s+possible)?)?)\s*"
    r"(?P<top>\d+(?:[.,]\d+)?|three|four|five|six|seven|ten)(?![\w%])(?!\s*/)(?![.,]\d)",
    re.IGNORECASE,
)
_FRACTION = pattern(r"(?<![\w/.])(\d+(?:\.\d+)?)\s*/\s*(\d+)(?![\w/.])")
_PERCENT = pattern(r"\s*(?:%|percent\b|per cent\b)", re.IGNORECASE)
_HUNDRED = 100  # the top of a scale on which a percentage is a level
_BETWEEN = pattern(
    r"(?:somewhere\s+)?between\s+(?:an?\s+)?\d+(?:\.\d+)?\s+and\s+(?:an?\s+)?\d+(?:\.\d+)?(?!\w)",
    re.IGNORECASE,
)
_RATHER = pattern(
    r"[\s,(]*(?:and\s+)?(?:not|rather\s+than|instead\s+of)\s+(?:an?\s+)?\d", re.IGNORECASE
)
_SPAN = frozenset({"-", "--", "~", "to"})
_GOES_ON = pattern(
    r"\s+(?:(?:for|on|in|with|but|and|to|from|is|indicates|means|which|so)\b"
    r"|(?-i:[A-Z][a-z]|I\s|A\s[a-z]))",
    re.IGNORECASE,
)
_HEDGE = pattern(
    r"[\s,;(]*\b(?:if|unless|or|maybe|perhaps|possibly|probably|leaning|bordering|otherwise)\b"
    r"|\s*[,;(]?\s*\b(?:to|and)\s+(?=\d)",
    re.IGNORECASE,
)
_DECIMAL_COMMA = pattern(r"[+-]?\d+,\d{1,2}")
_NAME_STANDS = pattern(r"\s*(?:$|[\n.;])")


def numbered(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return the number at ``at`` as a level, or as what it is instead; None where none stands."""
    between = _BETWEEN.match(text, at)
    if between is not None:
        return Found("contradictory", -1, between[0], between.end())
    match = NUMBER.match(text, at)
    if match is not None:
        number = as_number(_decimal(match[0]))
    else:
        match = _NUMBER_WORD.match(text, at)
        if match is None:
            return None
        number = float(NUMBER_WORDS[match[0].lower()])
    end = after_closing(text, match.end())
    unit = _UNIT.match(text, end)
    end = unit.end() if unit else end
    percent = _PERCENT.match(text, end)
    if percent is not None:
        end = after_closing(text, percent.end())
        if words.top != _HUNDRED or not words.counts:
            return Found("out_of_scale", -1, text[at:end], end)
        return _plain(words, text, at, end, number)
    of_top = _OF_TOP.match(text, end)
    if of_top is not None:
        return _out_of(words, text, at, number, of_top)
    return _second(words, text, at, end, number) or _plain(words, text, at, end, number)


def _decimal(text: str) -> str:
    """Return a number with a decimal point: ``3,5`` is how many languages write 3.5."""
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text) else text


def _ends(text: str, end: int) -> bool:
    """Return whether a number may end here; unlike a name, a sentence may go on from it."""
    goes_on = _GOES_ON.match(text, end) or _RATHER.match(text, end)
    return (ends_at(text, end) or goes_on is not None) and not _HEDGE.match(text, end)


def _out_of(
    words: Vocabulary, text: str, at: int, number: float | None, of_top: re.Match[str]
) -> Found | None:
    """Read "4/5": 4 where 5 is the top of this scale, else an answer on another scale."""
    unit = _UNIT.match(text, of_top.end())
    end = after_closing(text, unit.end() if unit else of_top.end())
    said = text[at:end].strip()
    if not words.counts or (words.size == 2 and "/" in of_top[0] and number == words.bottom):
        return Found("template", -1, said, end)  # "0/1" is the choice between them
    top = as_number(_decimal(of_top["top"]))
    top = NUMBER_WORDS.get(of_top["top"].lower()) if top is None else top
    if top is None or top != words.top or number is None or number not in words.numbers:
        return Found("out_of_scale", -1, said, end)
    line = text[end : end + 200].partition("\n")[0]
    others = {as_number(n) for n, m in _FRACTION.findall(line) if as_number(m) == top}
    if others - {number}:
        return Found("contradictory", -1, said + line, end)
    return Found("level", words.numbers[number], said, end) if _ends(text, end) else None


def _second(words: Vocabulary, text: str, at: int, end: int, number: float | None) -> Found | None:
    """Read "3-4", "3 or 4", "1 to 5": two levels, or the whole scale."""
    joint = JOINT.match(text, end)
    other = NUMBER.match(text, joint.end()) if joint else None
    if joint is None or other is None or _PERCENT.match(text, other.end()):
        return None
    stop = other.end()
    if not ends_at(text, stop) and after_closing(text, stop) == stop:
        return None
    whole = number is not None and (number, as_number(other[0])) == (words.bottom, words.top)
    if whole and joint[0].strip().lower() in _SPAN:
        return Found("template", -1, text[at:stop], stop)
    return Found("contradictory", -1, text[at:stop], stop)


def _plain(words: Vocabulary, text: str, at: int, end: int, number: float | None) -> Found | None:
    if not _ends(text, end):
        return None
    said = text[at:end].strip()
    if number is None or number not in words.numbers:
        return Found("out_of_scale", -1, said, end)
    level = words.numbers[number]
    rather = _RATHER.match(text, end)
    again = None if rather else _said_again(words, text, end)
    if again is not None:
        if again.level != level:
            return Found("contradictory", -1, text[at : again.end], again.end)
        end = again.end
    return Found("level", level, said, end)


def _said_again(words: Vocabulary, text: str, end: int) -> Found | None:
    """Read the name or number beside a number: "3 (good)", "3 - good", "four (4)"."""
    gloss = GLOSS.match(text, end)
    if gloss is not None:
        said = gloss["text"]
        number = as_number(said)
        top = _FRACTION.fullmatch(said)
        if top and as_number(top[2]) == words.top:
            number = as_number(top[1])
        level = words.word(said) if number is None else words.numbers.get(number, -1)
        return None if level is None else Found("level", level, said, gloss.end())
    dash = DASH_GLOSS.match(text, end)
    name = words.token.match(text, dash.end()) if dash else None
    if name is None or len(name[0]) == 1 or not _NAME_STANDS.match(text, name.end()):
        return None
    level = words.word(name[0])
    return None if level is None else Found("level", level, name[0], name.end())
