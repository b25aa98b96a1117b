"""Scales that a text speaks of, other than the one whose levels are defined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.late import Late
from judgekit.linting.numerals import NUMBER, NUMBERED, value_of
from judgekit.linting.remembered import remembered
from judgekit.linting.words import set_of, set_of_words, words_of
from judgekit.linting.yardstick_levels import no_level
from judgekit.linting.yardstick_turned import upside_down
from judgekit.linting.yardstick_words import GRADES, listed_words, other_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.prose import Sentence
    from judgekit.linting.subject import CriterionView

_ABOUT_WORDS = set_of(
    "rate rated rating score scored scores scoring mark marks scale grade grades graded grading "
    "point points star stars stufe stufen level levels percent percentage skala punkt punkte "
    "punkten sterne sternen note noten notez notes vergib schulnote échelle étoile étoiles escala "
    "puntúa estrellas nota valuta voto scala stelle pontos cijfer beoordeel schaal"
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
    rf"(?P<low>-?{NUMBER})(?:\s\([^()]{{1,20}}\))?\s*"
    r"(?:(?P<to>to|through|thru|up to|bis|à|al?|tot|[-–—])|and|und|et|e|y|en)\s*"
    rf"(?P<high>{NUMBER})(?![\w/]|[.,:]\d)(?P<percent>\s?%)?"
)
_SCALE = Late(r"(?i)\b(?:scale|skala|échelle|escala|scala|schaal)\s(?:(?:of|à|de|di)\s)?$")
"""Behind it a span is one of levels, whatever follows."""
_OUT_OF = Late(
    rf"(?i)\bout of (?P<high>{NUMBER})(?![\w%]|[.,]\d)"
    r"|(?<![\d/])\d?/(?P<slash>10|100|5)\b"
    rf"|\b(?:sur|sobre|su|op)\s(?:une échelle de |una escala de |una scala di )?"
    rf"(?P<over>{NUMBER})(?![\w%]|[.,]\d)"
)
_N = r"(?:\d{1,3}|[^\W\d_]{3,9})"
_POINTS_OF = Late(
    rf"(?i)\b(?:\d{{1,3}}|(?:{_UNITS})|combien|viele)\s(?:out\sof|of|von|sur|de)\s(?P<n>{_N})\s"
    r"(?:points|marks|stars|punkten|sternen|puntos)\b"
    rf"|\b(?:punkte|sterne|points|étoiles|puntos)\s(?:von|sur|de)\s(?P<of>{_N})(?![\w%]|[.,]\d"
    r"|\s(?:bis|to|à|a)\b)"
    r"|\b(?:gets?|deserves?|earns?|gives?|given|worth|bekommt|erhält|verdient)\s(?:[\w-]+\s){0,3}?\d{1,3}\s"
    r"(?:out\sof|von)\s(?P<out>5|10|20|100)(?=\s?(?:$|[.,;:!?)]))"
)
"""Points of a maximum, whatever stands behind it; words that are no numbers are left out."""
_POINTS = set_of("points marks stars punkte punkten sterne sternen étoiles puntos out")
_SIZE = Late(
    rf"(?i)\b(?P<count>{NUMBER})(?:[- ](?:point|star|level|grade|step|stufige?|punkte)s?"
    r"(?:\s+likert)?[- ](?:\w+\s)?(?:scale|skala|rating)|stufige\w?\s|[- ]stufige\w?\s)"
    rf"|\b(?:scale|skala|échelle|escala|scala) (?:of|von|à|de|di) (?P<size>{NUMBER})\b"
    r"(?!\s*(?:to|bis|à|al?|[-–—])\s*\w)"
)
_COUNT = Late(
    r"(?i)\b(?:there (?:are|is)|(?:scale|it|rubric|criterion|question) has|have|with|use|using"
    r"|one of(?: the)?|of the|among|into|these|following|exactly|es gibt|hat|il y a|hay|ci sono|há"
    rf"|er zijn)\s(?:the |exactly |only |these |following )?(?P<count>{NUMBER})[- ]"
    r"(?:possible |different |quality |grading )?(?:levels?|grades|ratings|verdicts|stufen|niveaux"
    r"|niveles|livelli|níveis|niveaus|(?<=\s)points(?=[.,;:!?)]|$))\b(?!\s(?:of|below|above|up|down|apart|higher|lower|deep|that"
    r"|which|fit|fits|both|seem|apply|could|may|might)\b)"
)
_TOP = Late(
    r"(?i)\b(?:up to|at most|a maximum of|maximum of|bis zu|jusqu['’]à|hasta|fino a)\s"
    rf"(?P<most>{NUMBER})\s(?:{_UNITS})\b(?!\s(?:for|off|per)\b)"
    r"|\b(?:maximum|highest|best|top|lowest|worst|minimum)\s(?:possible\s)?(?:score|grade|rating"
    rf"|mark|level)\s(?:is|of|being|=)\s(?P<is>{NUMBER})\b"
    rf"|(?<![\w.])(?P<named>\d{{1,3}})\s(?:is|being|=|means)\s(?:the\s)?(?:best|highest|perfect|top"
    r"|worst|lowest|excellent|terrible|flawless)\b|\ba perfect (?P<perfect>\d{1,3})\b"
    r"|\b(?P<called>five|seven|ten|hundred|zehn)\s(?:is|being|means)\s(?:the\s)?"
    r"(?:best|highest|perfect)\b"
    r"|(?<![\w.])(?P<being>\d{1,3})\sbeing\s(?=[a-z])"
    rf"|\b(?:maximum|minimum)\s(?:is|=)\s(?P<end>{NUMBER})\s(?:{_UNITS})\b"
)
_LIST = Late(rf"(?i)(?P<list>{NUMBER}(?:, {NUMBER})+,? (?:or|oder|ou|o) {NUMBER})\s(?:{_UNITS})\b")
_CHOICE = Late(
    r"(?i)\b(?:assign|give|award|respond|answer|reply|choose|pick|output|return)(?: it)?"
    rf"(?: with)?\s(?P<list>{NUMBER}(?:, {NUMBER})*,? (?:or|oder|ou|o) {NUMBER})"
    r"(?=\s*(?:[.,;:!?)]|$))"
)
_GIVEN = Late(
    r"(?i)\b(?:give|assign|output|return|award)\s(?:it\s)?(?:an?\s|the\s)?(?:score|rating|grade)\s"
    r"(?:(?:of|around|about|near)\s){1,2}(?P<score>-?\d+(?:\.\d+)?)(?![\d%/])"
)
_OVER, _OR = set_of("out sur sobre su op"), set_of("or oder ou o")
_SCORE = set_of("score rating grade")
_SIZED = set_of(
    "point points star stars level levels grade grades step steps punkte punktes scale skala "
    "rating échelle escala scala"
)
_COUNTS = set_of(
    "level levels grades ratings verdicts stufen niveaux niveles livelli níveis niveaus points"
)
_TOPS = set_of(
    "stars star points point marks mark scale punkte punkten sterne sternen étoiles puntos "
    "estrellas punti stelle pontos estrelas punten sterren skala schaal percent prozent maximum "
    "highest best top lowest worst minimum perfect excellent terrible flawless being"
)
"""Without one of these words a text holds nothing of what the patterns look for."""
_QUOTE = re.compile(r"[\"“„”`«»]")
_DIGIT = re.compile(r"[\d👍👎]")
_SPEAKS = (
    _ABOUT_WORDS
    | GRADES
    | set_of(
        "agree besser better bottom categorise categorize choose classify disagree estrelas "
        "greater higher highest hohe höchste höher je label largest letter likert livelli lower "
        "lowest maximum meilleur mejor mieux niedrige niedriger niedrigste niveaus niveaux niveles "
        "níveis percentages percentuale pick porcentaje pourcentage prozent rank schulnoten "
        "select "
        "smaller smallest sort thumb thumbs up use value values worse worst"
    )
)
_FALLS = set_of("dann drops drop fall falls fällt goes moves rutscht sinkt then")
_MAY_GRADE = re.compile(
    r"(?i)\W{0,3}(?:an?\s|the\s|eine\s)?\d|.*?\b(?:an?|eine[nr]?|die|give|vergib|gib|une?|una?)\s\d"
)
"""How a text about an output may speak of a level although no word of it is on grading."""


@remembered
def may_speak(text: str, *, asked: bool) -> bool:
    """Return whether a text may speak of a scale at all; most do not, and are not read further."""
    words = _words(text)
    digits = _DIGIT.search(text) is not None
    numbered = digits or not NUMBERED.isdisjoint(words)
    if asked:
        return numbered or not _SPEAKS.isdisjoint(words) or _QUOTE.search(text) is not None
    if digits and _MAY_GRADE.match(text):
        return True
    if words[:1] == ("grade",) or (not _FALLS.isdisjoint(words) and _QUOTE.search(text)):
        return True
    return numbered and (_is_about(text, words) or "out of" in text)


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text, "ten-point" as two."""
    words = words_of(text)
    return tuple(part for w in words for part in w.split("-")) if "-" in text else words


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
    sentence: Sentence,
    criteria: Sequence[CriterionView],
    *,
    asked: bool = False,
    told: bool = False,
) -> Said | None:
    """Return the words of a sentence that speak of a scale none of the criteria has.

    Args:
        sentence: The sentence.
        criteria: The criteria it may speak of.
        asked: Whether it asks or instructs the judge; definitions tell of outputs, which may have
            scales of their own.
        told: Whether it is an instruction rather than a question.
    """
    text = sentence.text
    words = _words(text)
    if _DIGIT.search(text) or "stufig" in text or not NUMBERED.isdisjoint(words):
        about = _is_about(text, words) or (asked and _ASKED.search(text) is not None)
        numbers = [number for c in criteria for number in _numbers(c)]
        for found in _by_number(text, criteria, numbers, about=about, asked=asked):
            return Said(found.start(), found[0].strip())
    named = no_level(sentence, criteria, asked=asked, told=told)
    if named:
        return Said(named.start, named.words)
    if asked:
        worded = other_words(text, criteria) or listed_words(sentence, criteria)
        if worded:
            return Said(worded.start(), worded[0].strip())
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
    words = set_of_words(text.replace("-", " "))
    if "stufig" in text or not words.isdisjoint(_SIZED):
        found = _SIZE.finditer(text)
        yield from (m for m in found if value_of(m["count"] or m["size"]) not in counts)
    top = max(numbers, default=None)
    if not words.isdisjoint(_POINTS):
        yield from (m for m in _POINTS_OF.finditer(text) if _most(m) not in (top, -1))
    if about:
        yield from (m for m in _SPAN.finditer(text) if _is_span(text, m, criteria))
    if about and ("/" in text or not words.isdisjoint(_OVER)):
        yield from (m for m in _OUT_OF.finditer(text) if _is_top(text, m, numbers))
    if about and not words.isdisjoint(_OR):
        yield from (m for m in _LIST.finditer(text) if not set(_all(m["list"])) <= set(numbers))
    if about and not words.isdisjoint(_SCORE):
        yield from (m for m in _GIVEN.finditer(text) if float(m["score"]) not in numbers)
    if asked and not words.isdisjoint(_OR):
        yield from (m for m in _CHOICE.finditer(text) if not set(_all(m["list"])) <= set(numbers))
    if asked and not words.isdisjoint(_COUNTS):
        yield from (m for m in _COUNT.finditer(text) if value_of(m["count"]) not in counts)
    if asked and not words.isdisjoint(_TOPS):
        yield from (m for m in _TOP.finditer(text) if not _all("".join(m.groups(""))) <= {*numbers})


def _is_span(text: str, found: re.Match[str], criteria: Sequence[CriterionView]) -> bool:
    """Return whether a span is one of levels, and none of these scales reaches so far."""
    low, high = value_of(found["low"]), value_of(found["high"])
    if low >= high or (found["to"] is None and not found["from"]):
        return False
    in_words = not (found["low"][-1].isdigit() and found["high"][-1].isdigit())
    unit = re.match(rf"(?i)\s(?:{_UNITS})\b", text[found.end() :])
    if in_words and not (found["from"] or unit):
        return False
    scale = _SCALE.search(text, 0, found.start()) is not None
    if _COUNTED.search(text, 0, found.start()):
        return False
    if not scale and not _GOES_ON.match(text[found.end() :]):
        return False
    return not any(_reaches(_numbers(criterion), low, high) for criterion in criteria)


def _is_top(text: str, found: re.Match[str], numbers: Sequence[float]) -> bool:
    high = value_of(found["high"] or found["slash"] or found["over"])
    return max(numbers, default=None) != high and _GOES_ON.match(text[found.end() :]) is not None


def _most(found: re.Match[str]) -> float:
    return value_of(next(said for said in found.groups() if said))


def _reaches(numbers: Sequence[float], low: float, high: float) -> bool:
    """Return whether a span is within a scale: some of its levels may be meant."""
    return bool(numbers) and min(numbers) <= low < high <= max(numbers)


def _numbers(criterion: CriterionView) -> list[float]:
    return [level.number for level in criterion.levels if level.number is not None]


def _all(text: str) -> set[float]:
    return {value_of(word) for word in re.findall(rf"(?i){NUMBER}", text)}
