"""Scales that a text speaks of, other than the one whose levels are defined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.late import Late
from judgekit.linting.remembered import remembered
from judgekit.linting.words import set_of, words_of
from judgekit.linting.yardstick_levels import no_level, upside_down
from judgekit.linting.yardstick_words import listed_words, other_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.prose import Sentence
    from judgekit.linting.subject import CriterionView

_NUMBERS = {
    word: number
    for words in (
        "zero one two three four five six seven eight nine ten",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn",
        "zéro un deux trois quatre cinq six sept huit neuf dix",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez",
        "zero uno due tre quattro cinque sei sette otto nove dieci",
        "zero um dois três quatro cinco seis sete oito nove dez",
        "nul een twee drie vier vijf zes zeven acht negen tien",
    )
    for number, word in enumerate(words.split())
} | {"hundred": 100, "hundert": 100, "cent": 100, "cien": 100, "cento": 100, "honderd": 100}
_NUMBERED = frozenset(_NUMBERS)
_WORD = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_N = rf"(?:\d{{1,3}}(?:\.\d)?|{_WORD})"

_ABOUT_WORDS = set_of(
    "rate rated rating score scored scores scoring mark marks scale grade grades graded grading "
    "point points star stars level levels percent percentage skala punkt punkte punkten sterne "
    "sternen note noten notez notes vergib schulnote échelle étoile étoiles escala puntúa "
    "estrellas nota valuta voto scala stelle pontos cijfer beoordeel schaal"
)
_ABOUT_STEMS = Late(r"(?i)\b(?:bewert|benot|califi|punte|punto|puntu|pontu|évalu|avali)")
"""How words begin that speak of grading; those above are whole."""

_ASKED = Late(
    r"(?i)\b(?:how (?!many|much|long|often|old|far)\w+|wie \w+|à quel point|qué tan|quanto è)\b"
)
_UNITS = (
    r"stars?|points?|marks?|scale|punkten?|sternen?|étoiles|puntos|estrellas|punti|stelle|pontos"
    r"|estrelas|punten|sterren|skala|schaal|percent|prozent"
)
_GOES_ON = Late(
    rf"(?i)\s*(?:$|[^\w\s%]|\s%?(?!\w)|(?:{_UNITS}|and|are|as|at|based|being|by|likert|depending"
    r"|deserves?|did|does|do|every|for|has|have|hat|how|if|in|is|it|on|or|should|that|the|to"
    r"|using|verdient|would|when|where|which|with|according|based|je|nach|wie"
    r"|wobei|auf|an|et|o[uù]|of the (?:marks|points|scale)|selon|según|donde|dove|secondo|per|con"
    r"|op|waar\w*)\b)"
)
"""What may stand behind a scale; a thing that is counted may not."""
_COUNTED = Late(
    r"(?i)\b(?:articles?|chapters?|claims|criteria|days?|hours?|items|lines?|pages?|paragraphs?"
    r"|parts|questions|rules?|sections?|sentences?|steps?|verses?|weeks?|years?|aged?|between the"
    r"|open|hours|january|february|march|april|may|june|july|august|september|october|november"
    r"|december)\s*$"
)
_SPAN = Late(
    r"(?i)(?<![\w.:/-])"
    r"(?P<from>(?:from|between|von|zwischen|de|del|da|dal|entre|tra|van|tussen)\s+)?"
    rf"(?P<low>-?{_N})(?:\s\([^()]{{1,20}}\))?\s*"
    r"(?:(?P<to>to|through|thru|up to|bis|à|al?|tot|[-–—])|and|und|et|e|y|en)\s*"
    rf"(?P<high>{_N})(?![\w:/]|[.,]\d)(?P<percent>\s?%)?"
)
_OUT_OF = Late(
    rf"(?i)\bout of (?P<high>{_N})(?![\w%]|[.,]\d)"
    r"|(?<![\d/])\d?/(?P<slash>10|100|5)\b"
    rf"|\b(?:sur|sobre|su|op)\s(?:une échelle de |una escala de |una scala di )?"
    rf"(?P<over>{_N})(?![\w%]|[.,]\d)"
)
_SIZE = Late(
    rf"(?i)\b(?P<count>{_N})(?:[- ](?:point|star|level|grade|step|stufige?|punkte)s?(?:\s+likert)?"
    r"[- ](?:\w+\s)?(?:scale|skala|rating)|stufige\w?\s|[- ]stufige\w?\s)"
    rf"|\b(?:scale|skala|échelle|escala|scala) (?:of|von|à|de|di) (?P<size>{_N})\b"
    r"(?!\s*(?:to|bis|à|al?|[-–—])\s*\w)"
)
_COUNT = Late(
    r"(?i)\b(?:there (?:are|is)|(?:scale|it|rubric|criterion|question) has|have|with|use|using"
    r"|one of(?: the)?|of the|among|into|these|following|exactly|es gibt|hat|il y a|hay|ci sono|há"
    rf"|er zijn)\s(?:the |exactly |only |these |following )?(?P<count>{_N})[- ]"
    r"(?:possible |different |quality |grading )?(?:levels?|grades|ratings|verdicts|stufen|niveaux"
    r"|niveles|livelli|níveis|niveaus|(?<=\s)points(?=[.,;:!?)]|$))\b(?!\s(?:of|below|above|up|down|apart|higher|lower|deep|that"
    r"|which|fit|fits|both|seem|apply|could|may|might)\b)"
)
_TOP = Late(
    r"(?i)\b(?:up to|at most|a maximum of|maximum of|bis zu|jusqu['’]à|hasta|fino a)\s"
    rf"(?P<most>{_N})\s(?:{_UNITS})\b(?!\s(?:for|off|per)\b)"
    r"|\b(?:maximum|highest|best|top|lowest|worst|minimum)\s(?:possible\s)?(?:score|grade|rating"
    rf"|mark|level)\s(?:is|of|being|=)\s(?P<is>{_N})\b"
    rf"|(?<![\w.])(?P<named>\d{{1,3}})\s(?:is|being|=|means)\s(?:the\s)?(?:best|highest|perfect|top"
    r"|worst|lowest|excellent|terrible|flawless)\b|\ba perfect (?P<perfect>\d{1,3})\b"
    r"|\b(?P<called>five|seven|ten|hundred|zehn)\s(?:is|being|means)\s(?:the\s)?"
    r"(?:best|highest|perfect)\b"
    rf"|\b(?:maximum|minimum)\s(?:is|=)\s(?P<end>{_N})\s(?:{_UNITS})\b"
)
_LIST = Late(rf"(?i)(?P<list>{_N}(?:, {_N})+,? (?:or|oder|ou|o) {_N})\s(?:{_UNITS})\b")
_CHOICE = Late(
    r"(?i)\b(?:assign|give|award|respond|answer|reply|choose|pick|output|return)(?: it)?"
    rf"(?: with)?\s(?P<list>{_N}(?:, {_N})*,? (?:or|oder|ou|o) {_N})(?=\s*(?:[.,;:!?)]|$))"
)
_GIVEN = Late(
    r"(?i)\b(?:give|assign|output|return|award)\s(?:it\s)?(?:an?\s|the\s)?(?:score|rating|grade)\s"
    r"(?:(?:of|around|about|near)\s){1,2}(?P<score>-?\d+(?:\.\d+)?)(?![\d%/])"
)
_DIGIT = re.compile(r"[\d👍👎]")
_SPEAKS = _ABOUT_WORDS | set_of(
    "agree besser better bottom categorise categorize choose classify disagree estrelas good label "
    "letter likert livelli lower maximum niveaus niveaux niveles níveis percentages percentuale "
    "perfect pick porcentaje pourcentage prozent rank schulnoten select sort stufen thumb thumbs "
    "up use"
)


@remembered
def may_speak(text: str, *, asked: bool) -> bool:
    """Return whether a text may speak of a scale at all; most do not, and are not read further."""
    words = _words(text)
    numbered = _DIGIT.search(text) is not None or not _NUMBERED.isdisjoint(words)
    if asked and (numbered or not _SPEAKS.isdisjoint(words)):
        return True
    return numbered and _is_about(text, words)


def _words(text: str) -> Sequence[str]:
    """Return the words of a text, "ten-point" as two."""
    words = words_of(text)
    return [part for w in words for part in w.split("-")] if "-" in text else words


def _is_about(text: str, words: Sequence[str]) -> bool:
    return not _ABOUT_WORDS.isdisjoint(words) or _ABOUT_STEMS.search(text) is not None


class Said(NamedTuple):
    """Words that speak of another scale.

    Attributes:
        start: Where they begin in the sentence.
        words: The words.
        turned: Whether they turn this scale upside down, rather than speak of another.
    """

    start: int
    words: str
    turned: bool = False


def other_scale(
    sentence: Sentence, criteria: Sequence[CriterionView], *, asked: bool = False
) -> Said | None:
    """Return the words of a sentence that speak of a scale none of the criteria has.

    Args:
        sentence: The sentence.
        criteria: The criteria it may speak of.
        asked: Whether it asks or instructs the judge; definitions tell of outputs, which may have
            scales of their own.
    """
    text = sentence.text
    words = _words(text)
    about = _is_about(text, words) or (asked and _ASKED.search(text) is not None)
    if _DIGIT.search(text) or not _NUMBERED.isdisjoint(words):
        numbers = [number for c in criteria for number in _numbers(c)]
        for found in _by_number(text, criteria, numbers, about=about, asked=asked):
            return Said(found.start(), found[0].strip())
    named = no_level(text, criteria, asked=asked)
    if asked:
        named = named or other_words(text, criteria) or listed_words(sentence, criteria)
    if named:
        return Said(named.start(), named[0].strip())
    turned = upside_down(text, criteria) if asked else None
    return turned and Said(turned.start(), turned[0].strip(), turned=True)


def _by_number(
    text: str,
    criteria: Sequence[CriterionView],
    numbers: Sequence[float],
    *,
    about: bool,
    asked: bool,
) -> Iterator[re.Match[str]]:
    """Yield what names a scale by its numbers, or by how many levels it has."""
    counts = {len(criterion.levels) for criterion in criteria}
    yield from (m for m in _SIZE.finditer(text) if _value(m["count"] or m["size"]) not in counts)
    if about:
        yield from (m for m in _SPAN.finditer(text) if _is_span(text, m, criteria))
        yield from (m for m in _OUT_OF.finditer(text) if _is_top(text, m, numbers))
        yield from (m for m in _LIST.finditer(text) if not set(_all(m["list"])) <= set(numbers))
        yield from (m for m in _GIVEN.finditer(text) if float(m["score"]) not in numbers)
    if asked:
        yield from (m for m in _CHOICE.finditer(text) if not set(_all(m["list"])) <= set(numbers))
        yield from (m for m in _COUNT.finditer(text) if _value(m["count"]) not in counts)
        yield from (m for m in _TOP.finditer(text) if not _all("".join(m.groups(""))) <= {*numbers})


def _is_span(text: str, found: re.Match[str], criteria: Sequence[CriterionView]) -> bool:
    """Return whether a span is one of levels, and none of these scales reaches so far."""
    low, high = _value(found["low"]), _value(found["high"])
    if low >= high or (found["to"] is None and not found["from"]):
        return False
    in_words = not (found["low"][-1].isdigit() and found["high"][-1].isdigit())
    unit = re.match(rf"(?i)\s(?:{_UNITS})\b", text[found.end() :])
    if in_words and not (found["from"] or unit):
        return False
    if _COUNTED.search(text, 0, found.start()) or not _GOES_ON.match(text[found.end() :]):
        return False
    return not any(_reaches(_numbers(criterion), low, high) for criterion in criteria)


def _is_top(text: str, found: re.Match[str], numbers: Sequence[float]) -> bool:
    high = _value(found["high"] or found["slash"] or found["over"])
    return max(numbers, default=None) != high and _GOES_ON.match(text[found.end() :]) is not None


def _reaches(numbers: Sequence[float], low: float, high: float) -> bool:
    """Return whether a span is within a scale: some of its levels may be meant."""
    return bool(numbers) and min(numbers) <= low < high <= max(numbers)


def _numbers(criterion: CriterionView) -> list[float]:
    return [level.number for level in criterion.levels if level.number is not None]


def _all(text: str) -> set[float]:
    return {_value(word) for word in re.findall(rf"(?i){_N}", text)}


def _value(written: str) -> float:
    return (
        float(_NUMBERS.get(written.casefold().lstrip("-"), -1))
        if written.lstrip("-").isalpha()
        else float(written)
    )
