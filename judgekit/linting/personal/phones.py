"""Phone numbers of people: with a country, in the American form, with a leading 0, after "call"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.personal.datum import DATE, Datum, counts_things, digits_of, made_up

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABROAD = re.compile(
    r"(?<![\w+])(?:\+|(?<!\d )00(?=[1-9]\d{0,2}[ /-]))[1-9](?:[ ().\-/]{0,2}\d){7,14}(?![\w.-]*\d)"
)
_AMERICAN = re.compile(
    r"(?<![\w.+-])(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}(?![\w-]|\.\d)"
)
_NATIONAL = re.compile(
    r"(?<![\w.,:/+–-])(?<!\d )(?:\(0[1-9]\d{0,4}\)[ /-]?|0[1-9]\d{0,4}(?: ?[/–-] ?| ))"
    r"\d{2,8}(?:[ –-]\d{2,8}){0,4}(?![\w-]|[.,:/]\d| \d\d)"
    r"|(?<![\w.,:/+-])0[1-9](?:\.\d\d){4}(?![\w-]|\.\d)"
)
_TIMES = re.compile(r"(?:[01]\d|2[0-4])[0-5]\d ?[–-] ?(?:[01]\d|2[0-4])[0-5]\d\b")
_PAIRS = re.compile(r"\d\d(?: \d\d)+")
_CALLED = re.compile(
    r"(?i)\b(?:tel|telephone|telefon|phone|mobile|mobil|cell|cellphone|handy|fax|rufnummer|call"
    r"|dial|ring|whatsapp|tél|téléphone|portable|teléfono|móvil|telefono|cellulare|telefoon"
    r"|mobiel|telefone|telemóvel|celular|tlf|телефон"
    r"|(?:reach|contact|text|call|ring|phone) (?:me|us|her|him|them)"
    r"|my (?:new |work |home )?number|appelez(?:-moi)?|ll[aá]m[ae]\w*|chiama\w*|bel|ligue"
    r"|erreich\w+(?: (?:mich|uns))?|anruf\w*|r(?:uf|uft|ufen) (?:sie )?(?:mich|uns) (?:bitte )?an)"
    r"(?:[ -]?(?:no|number|nummer|nr))?(?: me| us| her| him| them)?"
    r"(?: (?:at|on|under|unter|is|ist|est|es|au|al|le|op|è))?"
    r"(?: |[.:]{1,2} ?)(\(?\d[\d ().\-/–]{5,22}\d)(?![\w-])"
)
_AT_ITS_OWN_COST = re.compile(r"1?8(?:00|33|44|55|66|77|88)|0(?:800|808|845|870|180|900)")
_IN_FILMS = re.compile(r"(?:1?\d{3})?555\d{4}|1?555\d{7}")
_COUNTED = re.compile(r"\d{1,3}(?:[ .]\d{3})*[ .]000|\d+[.,]\d+|\d+(?:\.\d+){3}")
"""An amount, a fraction, or an address of a network."""


def phone_numbers(text: str) -> Iterator[Datum]:
    """Yield phone numbers; none that is at a company's cost, or seen to be made up."""
    for pattern in (_ABROAD, _AMERICAN, _NATIONAL, _CALLED):
        for match in pattern.finditer(text):
            is_phone = _is_phone(match[pattern.groups], national=pattern is _NATIONAL)
            if is_phone and not counts_things(text, match.start()):
                yield Datum("a phone number", *match.span(pattern.groups))


def _is_phone(number: str, *, national: bool) -> bool:
    digits = digits_of(number)
    if not (10 <= len(digits) <= 12 if national else 7 <= len(digits) <= 15):
        return False
    if DATE.match(number) or _TIMES.match(number) or _COUNTED.fullmatch(number):
        return False
    if national and _PAIRS.fullmatch(number) and not _is_french(number):
        return False
    nobodys = _AT_ITS_OWN_COST.match(digits) or _IN_FILMS.fullmatch(digits) or made_up(digits)
    return not nobodys


def _is_french(number: str) -> bool:
    """Return whether pairs of digits are a number: five that rise may be those of a lottery."""
    pairs = number.split()
    return len(pairs) == 5 and (pairs[0] in ("06", "07") or pairs != sorted(pairs))
