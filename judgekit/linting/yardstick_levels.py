"""Single levels that a text names, by number or by word, and that no scale has."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.called import may_call, named_numbers, ordered_numbers, own_number
from judgekit.linting.late import Late
from judgekit.linting.numerals import value_of
from judgekit.linting.others import numbers_of
from judgekit.linting.words import set_of, set_of_words
from judgekit.rubric.scale import fold, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.linting.called import Called
    from judgekit.linting.prose import Sentence
    from judgekit.linting.subject import CriterionView

_UNIT = r"(?:level|score|grade|rating|verdict|stufe|note|niveau|nivel)s?"
_QUOTES = '"“„”`«»'
_QUOTE = re.compile(f"[{_QUOTES}]")
_WORD = r"[^\W\d_][^\W\d_]+(?:[ '’-][^\W\d_]+){0,4}"
"""What may be the name of a level in quotes; names of code and sentences are none."""
_QUOTED = Late(rf"(?i)(?<![\w-]){_UNIT}\s(?:is\s|ist\s)?[{_QUOTES}](?P<name>{_WORD})[{_QUOTES}]")
_ANSWERS = Late(
    r"(?i)(?<!\w)(?:(?P<verb>give|assign|award|answer|reply|respond|return|output|choose|pick"
    r"|select)|vergib|vergeben\ssie|gib|geben\ssie|antworte|antworten\ssie|wähle|wählen\ssie"
    r"|donne[zr]?|réponde?[sz]?|choisi\w*|responda?|elige|elija)"
    r"(?:\s(?:it|only|either|between|among|from|with|one\sof|always|nur|mit|entweder|zwischen|sie"
    r"|die\sstufe|the\s(?:level|label|verdict|grade|rating)|avec|par|entre|con)){0,3}:?\s"
    rf"(?P<list>[{_QUOTES}]{_WORD}[{_QUOTES}]"
    rf"(?:(?:\s?[,/|]\s?|,?\s(?:or|and|oder|und|ou|et|o|y)\s)[{_QUOTES}]{_WORD}[{_QUOTES}])*)"
)
_FALLS = Late(
    r"(?i)\b(?:(?:it|which)\s(?:then\s)?(?:falls?|drops?|goes"
    r"|moves?)\s(?:down\s)?to|(?:es|sie)\s(?:fällt|sinkt|rutscht)\s(?:auf|zu)"
    r"|dann\s(?:ist\ses|gilt)|(?:then\sit|it\sthen)\sis|it\s(?:is|would\sbe)\sthen|would\sthen\sbe)"
    rf"\s(?:(?:the\s|die\s)?(?:level|stufe)\s)?[{_QUOTES}](?P<name>{_WORD})[{_QUOTES}]"
)
_INSIDE = re.compile(rf"[{_QUOTES}]({_WORD})[{_QUOTES}]")
_TIMES = Late(r"(?i)\s(?:if|when|where|only|for|unless|wenn|falls|nur|bei|für|si|cuando)\b")
_ONE_OF = Late(
    rf"(?i)[\"“']?\b(?:{_UNIT}|label|value|wert)[\"”']?\s(?:is|are|be|must be|should be|can be"
    r"|may be|has to be|ist|sind|lautet|muss)\s(?:exactly\s|always\s)?"
    r"(?:one of|either|eine[rs]? (?:von|der)|entweder)\b"
    r"(?: the following| these| diesen)?:?\s(?P<list>[^.;!?\ufffc]{3,100})"
)
_LISTED = Late(
    r"(?i)\b(?:(?:possible|allowed|available|valid|permitted|following|these|mögliche|erlaubte"
    r"|zulässige|folgende\w?)\s(?:levels|labels|values|scores|grades|ratings|verdicts|answers"
    r"|stufen|werte|noten|antworten)(?:\s(?:are|sind))?"
    r"|(?:the|die)\s(?:levels|labels|grades|stufen)\s(?:are|sind))\s?:\s(?P<list>[^.;!?\ufffc]{3,100})"
    r"|\bone\sof\sthe\s(?:levels|labels|grades|verdicts)\s(?P<plain>[^.;:!?\ufffc]{3,100})"
    r"|[\"']level[\"']\s?:\s?(?P<json>[\"'][^.;:!?{}\ufffc]{3,100})"
)
_ONE = set_of("one either einer eine eines einem entweder")
_HEADS = set_of(
    "level levels score scores grade grades rating ratings verdict verdicts label labels value "
    "values answers antworten stufe stufen note noten niveau niveaux nivel nivels wert werte"
)
"""What lists of levels are headed with."""
_LONGEST = 3
"""Words of what is taken for a level in a list."""
_N = r"(?:\d{1,3}|[^\W\d_]{3,9})"
_OF = Late(
    rf"(?i)\W{{0,3}}{_N}(?:\s?/\s?(?P<slash>5|10|20|100)|\sout\sof\s(?P<out>{_N})"
    rf"|\s(?:of|von|sur|de)\s(?P<of>{_N})(?=\s(?:p|mark|star|stern|étoile|estrella)))"
    r"(?:\s(?:points?|marks?|stars?|punkten?|sternen?|puntos|étoiles?|estrellas?))?"
    r"\s?(?:[:=]|[.,)–-]\s|[.)]?$)"
    r"|\W{0,3}\d{1,3}\s?[-–]\s?(?P<to>\d{1,3})\s?(?:points?|punkte|%|percent|prozent)?\s?:\s"
    rf"|\W{{0,3}}{_N}\s(?P<stars>stars?|sterne?|étoiles?|estrellas?)\s?:\s"
)
"""How a definition begins that says how many points it is worth."""
_BEGINS = re.compile(r"\W{0,3}(\d{1,3}|[^\W\d_]{3,9})\b")
_LETTER = re.compile(
    r"\W{0,3}(?P<grade>(?:[Gg]rade|[Nn]ote|[Ll]etter)\s(?P<name>[A-F][+-]?))\s?(?:[:=.)]|[–-]\s)"
)
_AROUND = " .,:=()-–"


class Named(NamedTuple):
    """A level that a text names.

    Attributes:
        start: Where the words begin.
        words: The words.
    """

    start: int
    words: str


class _Known:
    """The levels there are; most sentences name none, so that they are gathered when asked for."""

    def __init__(self, criteria: Sequence[CriterionView]) -> None:
        self._criteria = criteria

    @cached_property
    def numbers(self) -> frozenset[float]:
        """Return their numbers, those in their names too."""
        found = (number for c in self._criteria for number in numbers_of(c.levels))
        return frozenset(map(float, found))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return their names, folded, and what else may stand where a level is asked for."""
        return frozenset(fold(name) for c in self._criteria for name in _names(c))

    @property
    def numbered(self) -> bool:
        """Return whether each has a number."""
        return all(level.number is not None for c in self._criteria for level in c.levels)


def no_level(
    sentence: Sentence, criteria: Sequence[CriterionView], *, asked: bool, told: bool
) -> Named | None:
    """Return where a sentence names a level that none of the criteria has.

    Args:
        sentence: The sentence.
        criteria: The criteria it may speak of.
        asked: Whether it asks or instructs the judge; definitions are held to the numbers they
            give themselves.
        told: Whether it is an instruction rather than a question.
    """
    known = _Known(criteria)
    for called in _numbers(sentence, asked=asked, told=told):
        if called.number not in known.numbers and (asked or known.numbered):
            return Named(called.start, called.words)
    if asked:
        return next(_unknown(sentence, known), None)
    falls = _FALLS.search(sentence.text) if _QUOTE.search(sentence.text) else None
    if falls and fold(falls["name"]) not in known.names:
        return Named(falls.start(), falls[0])
    return None if sentence.start else _own_points(sentence.text, known)


def _numbers(sentence: Sentence, *, asked: bool, told: bool) -> Iterator[Called]:
    if may_call(sentence.text):
        yield from ordered_numbers(sentence, asked=asked)
        yield from named_numbers(sentence.text) if told else ()
    own = None if asked or sentence.start else own_number(sentence.text)
    if own:
        yield own


def _own_points(text: str, known: _Known) -> Named | None:
    """Return the points, stars or letter that a definition begins with, if the scale has none."""
    begins = _BEGINS.match(text)
    found = _OF.match(text) if begins and value_of(begins[1]) >= 0 else None
    if found:
        top = max(known.numbers, default=None)
        if found["to"]:
            fits = top is not None and min(known.numbers) <= value_of(found["to"]) <= top
        elif found["stars"]:
            fits = begins is not None and value_of(begins[1]) in known.numbers
        else:
            fits = value_of(found["slash"] or found["out"] or found["of"]) in (top, -1)
        return None if fits else Named(0, found[0].strip(_AROUND))
    letter = _LETTER.match(text)
    if letter and known.names.isdisjoint((fold(letter["name"]), fold(letter["grade"]))):
        return Named(0, letter[0].strip(_AROUND))
    return None


def _unknown(sentence: Sentence, known: _Known) -> Iterator[Named]:
    """Yield words that a sentence takes for levels and that are none."""
    text = sentence.text
    for found in _lists(text):
        parts = parted(next(said for said in found.groups() if said))
        told = [fold(part.strip(" \"'“”‘’`*()")) for part in parts]
        short = all(len(part.split()) <= _LONGEST for part in told[:-1])
        if len(told) > 1 and short and known.names.isdisjoint(told):
            yield Named(found.start(), found[0].strip())
    quoted = _QUOTE.search(text)
    for found in _QUOTED.finditer(text) if quoted else ():
        if fold(found["name"].strip()) not in known.names:
            yield Named(found.start(), found[0])
    for found in _ANSWERS.finditer(text) if quoted else ():
        told = _INSIDE.findall(found["list"])
        alone = len(told) == 1 and not _ends(text, found)
        meant = found["verb"] is None or sentence.orders_at(found.start())
        if meant and not alone and not known.names.issuperset(map(fold, told)):
            yield Named(found.start(), found[0])


def _lists(text: str) -> Iterator[re.Match[str]]:
    """Yield the lists in a text that are headed as those of levels."""
    words = set_of_words(text)
    if _HEADS.isdisjoint(words):
        return
    if not _ONE.isdisjoint(words):
        yield from _ONE_OF.finditer(text)
    if ":" in text or "one of the" in text:
        yield from _LISTED.finditer(text)


def _ends(text: str, found: re.Match[str]) -> bool:
    """Return whether a quoted word is all that is to be given: the sentence ends, or says when."""
    rest = text[found.end() :]
    return not rest.strip(" .!;,") or _TIMES.match(rest) is not None


def _names(criterion: CriterionView) -> Iterator[str]:
    yield from ("not_applicable", "not applicable", "n/a")
    if criterion.name:
        yield criterion.name.value
    for level in criterion.levels:
        yield from (text.value for text in (level.name, level.value) if text)
        if level.number is not None:
            yield number_text(level.number)


def parted(text: str) -> list[str]:
    """Return the parts of a list of words."""
    return [part for part in re.split(r"[,/|]|\s(?:or|and|oder|und)\s", text) if part.strip()]
