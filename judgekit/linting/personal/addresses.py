"""Where people live: a street with a number, as it is written in several languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.personal.datum import Datum

if TYPE_CHECKING:
    from collections.abc import Iterator

_UP = "[A-ZÀ-ÖØ-ÞŁŚŻ]"
_WORD = rf"{_UP}[\w.'’-]*"
_OF = r"(?:(?:de|du|des|del|della|dei|di|do|da|la|le|les|los|las|l['’]|d['’]) ?)*"
_NUMBER = r"\d{1,4} ?[a-zA-Z]?(?![\w.-]*\d)(?!\w)"

# A pattern that begins with a digit is looked for where digits are; one that begins with a look
# behind is tried everywhere.
_ENGLISH = Late(
    r"[0-9](?<![\w.,:/€$£#-][0-9])(?<!\d [0-9])[0-9]{0,4}[A-Za-z]?,? "
    r"(?P<name>(?:(?:[NSEW]|North|South|East|West)\.? )?"
    r"(?:\d{1,3}(?:st|nd|rd|th)|[A-Za-z][\w.'’-]{1,20})(?: [A-Z][\w.'’-]{1,20}){0,2}) "
    r"(?P<kind>(?P<sure>Street|St|Road|Rd|Avenue|Ave|Boulevard|Blvd|Lane|Terrace|Crescent)"
    r"|Drive|Dr|Court|Ct|Way|Place|Pl|Close|Square|Gardens|Grove|Hill|Mews|Row|Walk|Circle|Parkway)"
    r"(?!\w)\.?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(rf" (?:Nr\.? ?)?{_NUMBER}")
_STREETS = (
    *("straße", "strasse", "str.", "gasse", "allee", "chaussee", "straat", "laan", "gracht"),
    *("gatan", "vägen", "veien", "katu"),
)
_WAYS = (
    *("weg", "platz", "ring", "ufer", "damm", "steig", "markt", "hof", "berg", "plein", "kade"),
    *("dijk", "vej", "gade", "vei"),
)
"""Of these only the town behind the number says that it is no seat, and no platform."""
_FRENCH = Late(
    rf"[0-9](?<![\w.,:/€-][0-9])[0-9]{{0,3}}(?: ?(?:bis|ter))?,? "
    rf"(?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d|[Cc]hemin|[Ii]mpasse"
    rf"|[Aa]llée|[Qq]uai) {_OF}{_WORD}(?:[ -]{_WORD}){{0,2}}"
)
_NAMED_FIRST = Late(
    r"(?:Rue|Avenue|Chemin|Calle|C/|Avenida|Avda\.|Carrer|Paseo|Plaza|Via|Viale|Vicolo"
    r"|Piazza|Corso|Rua|Travessa|Praça|ul\.|ulica|ул\.|улица) ?"
    rf"{_OF}(?:{_UP}|[А-Я])[\w.'’-]+(?: {_OF}(?:{_UP}|[А-Я])[\w.'’-]+){{0,2}},?"
    rf" (?:n\.?[°º]? ?|д\. ?)?{_NUMBER}"
)
_ZIP = Late(
    r",? ?(?:#\w+|(?:Apt|Apartment|Flat|Unit|Suite)\.? \w+)?,? ?"
    r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2},? ?)"
    r"(?:[A-Z]{2} \d{5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|,? ?[A-Z]{2,3} \d{4})\b"
)
_LEADS = Late(
    r"(?i)\b(?:live[sd]?|living|resid\w+|moved?|home|house|flat|address|deliver\w*|ship\w*|send|sent"
    r"|post|parcel)\b[^.!?\n]{0,30}$"
)
_LEADS_TO_IT = Late(
    r"(?i)\b(?:(?:live[sd]?|living|home) (?:at|in|on|is)|address(?: is|:)?"
    r"|(?:deliver\w*|ship\w*|send|sent|moved?)(?: (?:it|them|this|mine|my \w+|the \w+))? to) $"
)
"""Before a street in small letters, which reads like any other words."""
_OF_FIRMS = Late(
    r"(?i)\b(?:stores?|shops?|branch|office|offices|hotel|restaurant|café|cafe|museum|station|stop"
    r"|library|clinic|hospital|headquarters|hq|warehouse|depot|school|theat\w+|cinema|venue|gallery"
    r"|church|bank|university|agency|desk|filiale|laden|geschäft|büro|haltestelle|praxis|kanzlei"
    r"|magasin|boutique|agence|bureau|gare|tienda|oficina|sucursal|negozio|ufficio)\b[^.!?\n]{0,60}$"
)
_COUNTS = Late(
    r"(?:\b(?:[Ss]tep|[Cc]hapter|[Ss]ection|[Pp]art|[Pp]hase|[Ll]evel|[Tt]op|[Pp]age|[Ff]igure|[Tt]able"
    r"|[Qq]uestion|[Tt]ask|[Rr]ound|[Dd]ay|[Ww]eek|[Ii]tem|[Bb]us|[Ll]ine|[Tt]ram|[Rr]oute)) $"
)
_NOBODYS = Late(
    r"(?i)\b(?:example|sample|any|anystreet|fake|fictional|nowhere|test|some|evergreen|privet"
    r"|grimmauld|baker|downing|pennsylvania|wall|sesame|state|hard|flash|solid|disk|google)\b"
    r"|^123,? main\b|muster\w*|beispiel\w*|teststra|bundesstra|staatsstra|kreisstra|landesstra"
    r"|schnellstra|milchstra"
)
_PLACE = Late(rf",? (?:[A-Z]{{1,2}}-)?(?!12345|0{{4}})\d{{4,5}} {_UP}\w+")
_YEAR = re.compile(r"(?:19|20)\d\d\b")


def addresses(text: str) -> Iterator[Datum]:
    """Yield postal addresses; not those of shops and offices, of films, or of nobody."""
    for start, end in _streets(text):
        if _is_a_home(text, start, end):
            yield Datum("a postal address", start, end)


def _streets(text: str) -> Iterator[tuple[int, int]]:
    """Yield where streets with a number stand, whoever lives there."""
    for match in _ENGLISH.finditer(text):
        if _is_english(match):
            yield match.span()
    for match in _NUMBERED.finditer(text):
        before = text[max(0, match.start() - 10) : match.start()].lower()
        named = before.endswith(_STREETS)
        if named or (before.endswith(_WAYS) and _PLACE.match(text, match.end())):
            start = _beginning(text, match.start())
            if text[start].isupper():
                yield start, match.end()
    yield from (match.span() for match in _FRENCH.finditer(text))
    for match in _NAMED_FIRST.finditer(text):
        if not text[max(0, match.start() - 1) : match.start()].isalnum():
            yield match.span()


def _is_a_home(text: str, start: int, end: int) -> bool:
    before, written = text[max(0, start - 80) : start], text[start:end]
    if _OF_FIRMS.search(before) or _COUNTS.search(before) or _YEAR.match(written):
        return False
    return not _NOBODYS.search(written) or _PLACE.match(text, end) is not None


def _is_english(match: re.Match[str]) -> bool:
    """Return whether a number, words and "street" are an address; "way" and "close" say less."""
    words = [word for word in match["name"].split() if not word[0].isdigit()]
    before = match.string[max(0, match.start() - 80) : match.start()]
    if not all(word[0].isupper() for word in [*words, match["kind"]]):
        return len(words) == 1 and _LEADS_TO_IT.search(before) is not None
    return (
        match["sure"] is not None
        or _ZIP.match(match.string, match.end()) is not None
        or _LEADS.search(before) is not None
    )


def _beginning(text: str, end: int) -> int:
    """Return where the name of a street begins that ends at a place: "Berliner Straße" is one."""
    start = _word_before(text, end)
    lone = text[start:end].lower() in _STREETS or text[start:end].lower() in _WAYS
    return _word_before(text, start - 1) if lone and start and text[start - 1] == " " else start


def _word_before(text: str, at: int) -> int:
    while at and (text[at - 1].isalpha() or text[at - 1] in ".-"):
        at -= 1
    return at
