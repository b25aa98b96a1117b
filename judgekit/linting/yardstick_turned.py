"""Texts that say of a scale that its lower end is the better one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.numerals import WORD, value_of
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from judgekit.linting.subject import CriterionView

_UNIT = r"(?:levels?|scores?|numbers?|grades?|ratings?|stufen?|note|zahl|niveau|nivel|nota|le|el)"
_N = rf"(?P<number>\d{{1,3}}|(?<=level\s)(?:{WORD})|(?<=stufe\s)(?:{WORD}))"
_BEST = (
    r"best|highest|top|perfect|flawless|excellent|ideal|beste[nr]?|höchste|oberste|perfekt"
    r"|hervorragend|ausgezeichnet|sehr\sgut|bestnote|meilleur|mejor|excelente|parfait"
)
_WORST = (
    r"worst|lowest|bottom|terrible|poor|poorest|very\sbad|awful|schlechteste[nr]?|niedrigste"
    r"|unterste|schlecht|sehr\sschlecht|mangelhaft|ungenügend|pire|peor|mauvais|malo"
)
_END = rf"(?:(?P<best>{_BEST})|(?P<worst>{_WORST}))(?![\w-])"
_THE = r"(?:for\s|für\s)?(?:the\s|die\s|das\s|den\s|am\s|le\s|la\s|el\s|an?\s)?"
_NUMBER_IS = Late(
    rf"(?i)(?<![\w.]){_N}\s?(?:\(|[:=]\s?|(?:is|being|means?|indicates|represents|stands\sfor|ist"
    rf"|bedeutet|heißt|steht|est|es|signifie|significa)\s){_THE}{_END}"
)
_SAYS = (
    r"(?:\s(?:possible\s)?(?:outputs?|answers?|repl(?:y|ies)|levels?|scores?|grades?|ratings?"
    r"|numbers?|stufen?|note|ausgaben?|antwort(?:en)?|niveau|nivel))?"
)
_END_IS = Late(
    rf"(?i)(?:^|\b(?:the|die|das|le|el|a|from|von|with)\s){_END}{_SAYS}\s?(?:\(|=\s?|(?:is|are|gets?"
    rf"|receives?|has|ist|sind|bekommt|erhält|est|es|obtient|obtiene)\s)(?:an?\s|eine?\s|die\s)?"
    rf"(?:{_UNIT}\s)?(?P<number>\d{{1,3}})(?!\w|[.,/]\d|\s?%|\s(?!(?:and|or|to|is|when|if|und|wenn)\b)\w)"
)
_FIGURE = r"(?:scores?|numbers?|values?|levels?|grades?|ratings?|figures?|marks?)(?!\sof\b)"
_ZAHL = r"(?:zahl(?:en)?|werte?|stufen?|noten?|punktzahl|bewertung)(?!\s(?:der|von)\b)"
_LOW = r"(?:low(?:er|est)?|small(?:er|est)?)"
_HIGH = r"(?:high(?:er|est)?|larg(?:er?|est)|great(?:er|est))"
_IS = r"(?:\s(?:is|are|means?|indicates?|=)|,)?\s(?:the\s|an?\s)?"
_LOWER = Late(
    rf"(?i)\b(?:(?:a\s|the\s)?(?:lower|smaller)(?:\s{_FIGURE})?{_IS}better"
    rf"|(?:a\s|the\s)?(?:higher|larger|greater)(?:\s{_FIGURE})?{_IS}worse"
    rf"|(?:a\s|the\s)?{_LOW}\s{_FIGURE}\s(?:is|are|means?|indicates?|=)\s(?:the\s|an?\s)?(?:good|best|better)"
    rf"|(?:a\s|the\s)?{_HIGH}\s{_FIGURE}\s(?:is|are|means?|indicates?|=)\s(?:the\s|an?\s)?(?:bad|poor|worst|worse)"
    rf"|the\s(?:lower|smaller)\s(?:the|your|its)\s{_FIGURE},?\s(?:is,?\s)?the\sbetter"
    rf"|the\s(?:higher|larger|greater)\s(?:the|your|its)\s{_FIGURE},?\s(?:is,?\s)?the\sworse"
    rf"|je\s(?:niedriger|kleiner)(?:\s(?:die|der|ihre)\s{_ZAHL})?(?:\sist)?,?\s(?:desto|umso|je)\sbesser"
    rf"|je\s(?:höher|größer)(?:\s(?:die|der|ihre)\s{_ZAHL})?(?:\sist)?,?\s(?:desto|umso|je)\sschlechter"
    r"|(?:niedriger|kleiner)(?:\sist|,?\sdesto|,?\sumso)\sbesser"
    rf"|(?:niedrige|niedrigere|niedrigste|kleine|kleinere|kleinste)\s{_ZAHL}\s(?:ist|sind|bedeute[nt]|heißt)\s"
    r"(?:die\s|eine\s)?(?:gut|besser|beste)"
    rf"|(?:hohe|höhere|höchste|große|größere|größte)\s{_ZAHL}\s(?:ist|sind|bedeute[nt]|heißt)\s"
    r"(?:die\s|eine\s)?(?:schlecht|schlechter|schlechteste)"
    r"|plus\s(?:le|la)\s(?:score|note|chiffre|niveau)\sest\sbas(?:se)?,?\smieux"
    r"|cuanto\smás\sbaj[oa]\s(?:sea\s)?(?:el|la)\s(?:puntuación|nota|número|nivel),?\smejor)\b"
)
_THAN = Late(
    rf"(?i)(?<![\w.])(?P<one>\d{{1,3}})\s(?:is|ist|est|es)\s(?:(?P<better>better|higher|besser"
    r"|meilleur|mejor)|worse|lower|schlechter|pire|peor)\s(?:than|als|que)\s(?:an?\s|eine\s)?"
    rf"(?:{_UNIT}\s)?(?P<other>\d{{1,3}})(?!\w|[.,]\d|\s?%)"
)
_SIGNS = set_of(
    "ausgezeichnet awful bad besser best beste besten bester bestnote better bottom excelente "
    "excellent flawless good gut gute hervorragend highest höchste ideal lowest malo mangelhaft "
    "mauvais meilleur mejor mieux niedrigste oberste parfait peor perfect perfekt pire poor "
    "poorest schlecht schlechter schlechteste schlechtesten sehr terrible top ungenügend unterste "
    "worse worst"
)


def upside_down(text: str, criteria: Sequence[CriterionView]) -> re.Match[str] | None:
    """Return where a text says that the lower end of their scales is the better one."""
    if not criteria or any(c.kind not in ("ordinal", "binary") for c in criteria):
        return None
    return None if _SIGNS.isdisjoint(words_of(text)) else next(_turned(text, criteria), None)


def _turned(text: str, criteria: Sequence[CriterionView]) -> Iterator[re.Match[str]]:
    for pattern in (_NUMBER_IS, _END_IS):
        for found in pattern.finditer(text):
            ends = {c.ranked[0 if found["best"] else -1].number for c in criteria}
            if value_of(found["number"]) in ends:
                yield found
    for found in _THAN.finditer(text):
        one, other = float(found["one"]), float(found["other"])
        known = {one, other} <= {level.number for c in criteria for level in c.levels}
        if known and one != other and (one < other) == (found["better"] is not None):
            yield found
    yield from _LOWER.finditer(text)
