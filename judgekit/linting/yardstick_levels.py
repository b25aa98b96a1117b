"""What a text says of single levels of a scale: their names, and which end of it is the better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.rubric.scale import fold, number_text

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from judgekit.linting.subject import CriterionView

_UNIT = r"(?:level|score|grade|rating|verdict|stufe|note|niveau|nivel)s?"
_NUMBERED = Late(
    r"(?i)^\W*(?:score|level|grade|rating|stufe|note|punktzahl|niveau|nivel)\s*(?:of|=|:)?\s*"
    r"(?P<number>-?\d+(?:\.\d+)?)\s*[:.)–-](?!\d)"
)
"""The number that a definition begins with as its own."""
_QUOTED = Late(rf"(?i)\b{_UNIT}\s[\"“„](?P<name>[^\"“”„\n\ufffc]{{2,40}})[\"”“]")
_ONE_OF = Late(
    rf"(?i)[\"“']?\b{_UNIT}[\"”']?\s(?:is|are|be|must be|should be|can be|may be|has to be|ist|sind"
    r"|lautet|muss)\s(?:exactly\s|always\s)?(?:one of|either|eine[rs]? von|entweder)\b"
    r"(?: the following| these| diesen)?:?\s(?P<list>[^.;!?\ufffc]{3,100})"
)
_END = (
    r"(?:(?P<best>best|highest|top|perfect|flawless|excellent|beste|höchste|perfekt|sehr gut)"
    r"|worst|lowest|bottom|terrible|poor|schlechteste|niedrigste|mangelhaft|ungenügend)\b"
)
_NUMBER_IS = Late(
    rf"(?i)(?<![\w.])(?P<number>\d{{1,3}})\s?(?:is|being|=|means|stands for|ist|bedeutet|heißt)\s?"
    rf"(?:the\s|die\s|das\s)?{_END}"
)
_LOWER = Late(
    r"(?i)\b(?:(?:a\s|the\s)?(?:lower|smaller)(?:\s(?:scores?|numbers?|values?|levels?|grades?"
    r"|ratings?))?(?:\s(?:is|are|means?|=)|,)?\s(?:the\s)?better"
    r"|(?:a\s|the\s)?(?:higher|larger|greater)(?:\s(?:scores?|numbers?|values?|levels?|grades?"
    r"|ratings?))?(?:\s(?:is|are|means?|=)|,)?\s(?:the\s)?worse"
    r"|(?:je\s)?(?:niedriger|kleiner)(?:\sist|,?\sdesto|,?\sumso)\sbesser"
    r"|the\s(?:highest|largest)\s(?:score|number|value|level|grade|rating)\sis\sthe\sworst"
    r"|the\s(?:lowest|smallest)\s(?:score|number|value|level|grade|rating)\sis\sthe\sbest)\b"
)


def no_level(text: str, criteria: Sequence[CriterionView], *, asked: bool) -> re.Match[str] | None:
    """Return where a text names a level that none of the criteria has.

    Args:
        text: A sentence.
        criteria: The criteria it may speak of.
        asked: Whether it asks or instructs the judge; definitions are held to the number they
            begin with.
    """
    if not asked:
        found = _NUMBERED.search(text)
        numbers = {level.number for c in criteria for level in c.levels}
        known = found is None or None in numbers or float(found["number"]) in numbers
        return None if known else found
    names = {fold(name) for criterion in criteria for name in _names(criterion)}
    for found in _ONE_OF.finditer(text):
        words = [fold(word.strip(" \"'“”‘’`*(")) for word in _parted(found["list"])]
        if len(words) > 1 and names.isdisjoint(words):
            return found
    return next((m for m in _QUOTED.finditer(text) if fold(m["name"].strip()) not in names), None)


def upside_down(text: str, criteria: Sequence[CriterionView]) -> re.Match[str] | None:
    """Return where a text says that the lower end of their scales is the better one."""
    if not criteria or any(c.kind not in ("ordinal", "binary") for c in criteria):
        return None
    for found in _NUMBER_IS.finditer(text):
        ends = {_end(c, best=found["best"] is None) for c in criteria}
        if float(found["number"]) in ends:
            return found
    return _LOWER.search(text)


def _end(criterion: CriterionView, *, best: bool) -> float | None:
    return criterion.ranked[-1 if best else 0].number


def _names(criterion: CriterionView) -> Iterator[str]:
    yield from ("not_applicable", "not applicable", "n/a")
    if criterion.name:
        yield criterion.name.value
    for level in criterion.levels:
        yield from (text.value for text in (level.name, level.value) if text)
        if level.number is not None:
            yield number_text(level.number)


def _parted(text: str) -> list[str]:
    for word in (" or ", " and ", " oder ", " und ", "/"):
        text = text.replace(word, ",")
    return [part for part in text.split(",") if part.strip()]
