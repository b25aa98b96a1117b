"""Where a text calls something by the number of a level: *give a 5*, *so it is level 2*."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.late import Late
from judgekit.linting.numerals import NUMBERED, value_of
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.prose import Sentence

_UNITS = set_of(
    "level levels livello niveau niveaux nivel niveles nível stufe stufen score scores rating "
    "ratings punktzahl wertung puntuación grade grades mark marks point points note nota"
)
_ARTICLES = set_of("a an eine einen einer die un une una")
_LEADS = _ARTICLES | _UNITS
"""Behind one of these a number is that of a level rather than of things."""
_BEFORE = _LEADS | set_of(
    "answer antworte asigna assign attribue award bewerte choose da de deserves donne erreicht get "
    "gib give give grant höchstens it least merits mindestens mit most nur of only otorga output "
    "pick pon rated reply respond return scored sie sind than use verdient vergib von with are"
)
"""What stands before the number wherever the patterns below find one."""
_AN = r"(?:an?|eine[nr]?|die|une?|una?)"
_LEVEL = r"(?:levels?|stufen?|niveaux?|nivel(?:es)?|livello|nível)"
_ANY = (
    rf"(?:{_LEVEL}|scores?|ratings?|punktzahl|wertung|puntuación|grades?|marks?|points?|(?-i:Note)"
    r"|note(?=\sde)|nota)(?:\s(?:of|von|de))?\s?[:=]?"
)
_HOW = (
    r"(?:(?:only|just|exactly|at\s(?:least|most|best)|(?:no\s)?(?:more|less|higher|lower)\sthan|nur"
    r"|höchstens|mindestens|genau|maximal|au\s(?:plus|moins)|seulement|sólo|still|clearly|then"
    r"|therefore|also|dann|klar)\s)?"
)
_DIGITS = r"-?\d{1,3}(?:\.\d{1,2})?"
_NUMBER = rf"{_HOW}(?:{_AN}\s)?(?:{_ANY}\s?)?(?P<n>{_DIGITS}|[^\W\d_]{{2,9}})"
_ITEM = (
    r"(?:it|this|that|which|outputs?|answers?|repl(?:y|ies)|responses?|texts?|summar(?:y|ies)"
    r"|examples?|one|es|das|dies|ausgaben?|antwort(?:en)?|beispiel|cela|réponses?|sorties?|esto"
    r"|respuestas?)"
)
_THEM = r"(?:it|them|this|these|with|(?:the|such|this|each|every)\s(?:an?\s)?\w+)"
_GIVES = Late(
    r"(?i)(?<!\w)(?:(?P<verb>(?:give|award|assign|grant|score|answer|reply|respond|return|output"
    rf"|choose|pick|use)(?:\s{_THEM}){{0,2}}|(?:rate|grade|mark)\s{_THEM}(?:\s(?:with|as))?)"
    r"|(?:vergib|gib|(?:vergeben|geben|bewerten)\ssie|bewerte|benote|antworte)"
    r"(?:\s(?:sie|ihr|ihm|es|dafür|hier|dann|mit|(?:die|der)\s(?:ausgabe|antwort))){0,2}"
    r"|(?:donne|attribue)[zr]?(?:-lui)?|(?:da|dé|asigna|asigne|otorga|otorgue|pon|ponga))"
    rf"\s{_NUMBER}"
)
_GETS = Late(
    r"(?i)(?<!\w)(?:gets?|deserves?|earns?|receives?|merits?|counts?\sas|becomes?|remains?|stays?"
    r"|(?:fall|drop|go|move)(?:s|es)?(?:\sdown)?\sto|makes?\s(?:it|this|them)|rated"
    r"|(?:bekommt|erhält|verdient|ergibt)(?:\s(?:die|der|das)\s\w+)?|mérite|obtient|merece"
    rf"|obtiene|(?:fällt|sinkt)\s(?:auf|zu)|{_ITEM}\s(?:is|are|be|would\sbe|should\sbe|ist|wäre|est"
    rf"|es)|c['’]est|ist\ses|is\s(?:it|the\s\w+)|it['’]s)\s{_NUMBER}"
)
_REACHES = Late(
    rf"(?i)(?<!\w)(?:{_ITEM}\s(?:reach(?:es)?|scores?|erreicht|atteint|alcanza)|^\W*{_ITEM}\b"
    rf"[^,;:]{{0,60}}\sscores?|erreicht\s(?:die|der|das)\s\w+)\s{_NUMBER}"
)
_NAMED = Late(
    rf"(?i)(?<![\w-]){_LEVEL}\s(?P<n>{_DIGITS}|[^\W\d_]{{2,9}})"
    r"|(?:^|[(;])\W{0,3}(?:an?\s|eine\s|die\s)?(?:scores?|ratings?|punktzahl)(?:\s(?:of|von))?\s"
    rf"(?P<score>{_DIGITS})"
)
_MEANS = Late(
    rf"(?i)(?:^|[;(.,]\s?|\b(?:and|und)\s)\W{{0,2}}(?:{_AN}\s)?(?:{_ANY}\s?)?(?P<n>{_DIGITS})"
    r"(?:\s?=\s|\s(?:means|bedeutet|heißt|signifie|significa|stands\sfor|steht\sfür|is\sfor)\b)"
    r"|\b(?:levels|scores|stufen|niveaux|niveles)\s(?:are|sind|sont|son)\s?:?\s"
    rf"(?P<first>\d{{1,3}})(?=,\s\d)|\bmit\s(?P<points>{_DIGITS})\spunkten\b"
)
_BRACKETED = Late(rf"(?i)[(\[]\s?{_ANY}\s?(?P<n>{_DIGITS})\s?[)\]]\W*$")
_SO = Late(
    r"(?i)(?:^|[,;:.]\s?)\W{0,2}(?:and\s|und\s)?(?:so|hence|thus|therefore|clearly|only|deshalb"
    r"|daher|darum|also|somit|damit|donc|entonces)(?:\s(?:it|this|es)\s(?:is|ist)|\sist\ses)?\s"
    rf"{_NUMBER}"
    rf"|(?:^|[.;:]\s?)\W{{0,2}}{_ANY}\s?(?P<unit>{_DIGITS})"
)
_PLAINLY = Late(
    rf"(?i)\b(?:deserves|merits|rated|scores|verdient)\s(?P<n>{_DIGITS})(?=\s?(?:$|[.;:])"
    r"|,?\s(?:because|since|weil|denn)\b)"
    rf"|^\W{{0,2}}(?:{_AN}\s)?(?P<first>{_DIGITS})(?::\s|,?\s(?:because|since|as|weil|da|denn|car"
    r"|porque)\b)"
)
_END = re.compile(
    r"(?i)(?:\s?(?:points?|punkten?|puntos)\b)?(?![\w%°$€/*^+×]|-\w|[.,:]\d|\s?[-–]\s?\d)"
    r"(?:\s?(?:$|[^\w\s%°$€/*^+×<>-]|[-–—=]\s)|\s(?:as|because|but|for|gets?|if|in\scase|is|means?"
    r"|needs?|only|out\sof|since|stands|though|unless|until|when|whenever|where|which|while|with"
    r"|without|als|bedeutet|bei|bekommt|da|denn|erhält|falls|für|gilt|heißt|ist|nur|sobald|steht"
    r"|vergeben|verdient|weil|wenn|wobei|car|est|parce|pour|quand|lorsque|si|signifie|cuando|es"
    r"|para|porque|pues|significa)\b)"
)
"""What may stand behind a level; what is counted or called so may not: *level 2 support*."""
_GOES_ON = re.compile(r"(?i)\s(?:and|or|to|und|oder|bis|et|ou|y|o)\s")
_OWN = re.compile(
    r"(?i)\W{0,3}(?:(?:an?|eine|the|die|score|level|grade|rating|mark|points?|stufe|note|punktzahl"
    r"|niveau|nivel|of|von|=|:)\s?){0,3}(?P<n>-?\d{1,3}(?:\.\d{1,2})?|(?<=\w\s)[^\W\d_]{2,9})"
    r"(?!\d|[.,:]\d|-\w)\s?(?:points?|punkte?|sterne?|stars?)?"
    r"(?P<end>\s?[:=)\]](?=\s)|\.(?=\s|$)|\s[-–—]\s)"
)
_UNREAL = re.compile(
    r"(?i)\b(?:would|could|were|might|instead|rather|unlike|needs?|almost|nearly|if|unless|until|wäre"
    r"|würde|könnte|statt|beinahe|wenn|serait|si|sería)\b"
    r"|(?:\b(?:not|never|nor|neither|no|short\sof|than|above|below|under|over|for|takes?|asks?|too"
    r"|nicht|nie|kein\w*|für|unter|über|fast|pas|sin|ni)|n['’]t)\W{1,3}(?:\w+\W{1,2})?$"
)
"""Behind one of these a reason speaks of a level that its example has not."""


class Called(NamedTuple):
    """A number that a text uses as that of a level.

    Attributes:
        start: Where its words begin.
        words: The words.
        number: The number.
    """

    start: int
    words: str
    number: float


def may_call(text: str) -> bool:
    """Return whether a text may hold such a number at all; most do not, and are read no further."""
    if not _DIGIT.search(text):
        words = words_of(text)
        return not NUMBERED.isdisjoint(words) and any(
            word in NUMBERED and before in _LEADS for before, word in pairwise(words)
        )
    said = _NUMBERS.findall(text)
    return any(not before or before.casefold() in _BEFORE for before in said)


_DIGIT = re.compile(r"\d")
_NUMBERS = re.compile(r"(?:([^\W\d_]+)[\s:=]{1,3}|(?<![\w.,])[^\w\s]{0,2})\d")
"""Numbers, each with the word before it; it is empty behind a sign, and at the beginning."""


def ordered_numbers(sentence: Sentence, *, asked: bool) -> Iterator[Called]:
    """Yield the numbers that a sentence orders to give, or says that something gets.

    Args:
        sentence: A sentence.
        asked: Whether it is said to the judge; definitions tell of outputs, and are held to what
            is surely no word on them.
    """
    text = sentence.text
    for found in _GIVES.finditer(text):
        if found["verb"] is None or sentence.orders_at(found.start()):
            yield from _called(found)
    for found in _GETS.finditer(text):
        yield from _called(found, led=True)
    if asked:
        for found in _REACHES.finditer(text):
            yield from _called(found)
    for pattern in (_MEANS,) if asked else (_BRACKETED,):
        yield from (_as_called(found) for found in pattern.finditer(text))


def named_numbers(text: str) -> Iterator[Called]:
    """Yield the numbers that an instruction has beside the word *level*, or as a score."""
    for found in _NAMED.finditer(text):
        if _GOES_ON.match(text, found.end()) or _END.match(text, found.end()):
            called = _as_called(found)
            yield from (called,) if called.number >= 0 or "-" in called.words else ()


def own_number(definition: str) -> Called | None:
    """Return the number that a definition begins with as its own, or None."""
    found = _OWN.match(definition)
    called = found and _as_called(found)
    if found is None or called is None or (called.number < 0 and found["n"].isalpha()):
        return None
    listed = found["end"] in (".", ")") and called.number <= 1 and found[0].strip()[0].isdigit()
    return None if listed else called


def asserted_numbers(sentence: Sentence) -> Iterator[Called]:
    """Yield the numbers of levels that a reason says its example has."""
    text = sentence.text
    for found in (*_GETS.finditer(text), *_SO.finditer(text)):
        if not _UNREAL.search(text, 0, found.end() - len(_number(found))):
            yield from _called(found, led=True)
    for found in _PLAINLY.finditer(text):
        if not _UNREAL.search(text, 0, found.start()):
            yield _as_called(found)


def _called(found: re.Match[str], *, led: bool = False) -> Iterator[Called]:
    """Yield what a match calls a level, if it is a number and nothing that is counted follows.

    Args:
        found: The match.
        led: Whether an article or the word *level* has to stand before the number.
    """
    called = _as_called(found)
    before = re.findall(r"[^\W\d_]+", found[0][: -len(_number(found))])
    leads = bool(before) and before[-1].casefold() in _LEADS | {"of", "von", "de"}
    if called.number < 0 and _number(found).isalpha():
        return
    if (leads or not (led or _number(found).isalpha())) and _END.match(found.string, found.end()):
        yield called


def _as_called(found: re.Match[str]) -> Called:
    return Called(found.start(), found[0].strip(_AROUND), value_of(_number(found)))


def _number(found: re.Match[str]) -> str:
    numbers = ("n", "points", "score", "first", "unit")
    return next(said for key, said in found.groupdict().items() if said and key in numbers)


_AROUND = " \t.,;:()[]-–—="
