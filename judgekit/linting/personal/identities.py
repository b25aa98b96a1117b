"""Numbers that stand for one person: social security, passports, identity cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.personal.datum import DATE, MANY_DIGITS, Datum, digits_of, made_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CALLED = re.compile(
    r"(?i:\b(?:passport|reise?pass|passeport|pasaporte|passaporto|paspoort|(?:personal)?ausweis"
    r"|identity card|id card|national id|carte d['’]identité|carta d['’]identità|dni|bsn|pesel|cpf"
    r"|cédula|aadhaar|driv(?:er['’]?s?|ing) licen[cs]e|führerschein|permis de conduire"
    r"|social security|ssn|sozialversicherungs?|sécurité sociale|seguridad social|codice fiscale"
    r"|social insurance|national insurance|nino|ni(?= number)|nhs|steuer-?id|steueridentifikations?"
    r"|personnummer|fødselsnummer|cpr|ahv|tax file)"
    r"(?:[ -]?(?:card|no\.?|number|nummer|nr\.?|n(?:um|úm)[eé]ro|num\.?|n[°º]|#|is|ist|est|es|è"
    r"|lautet|was)|\s?[:=]){0,4} ?)"
    r"((?!QQ)[A-Z]{0,5}[ -]?\d[\dA-Z]*(?:[ .\-/]?[A-Z]{0,2}\d[\dA-Z]*){0,6}(?: ?[A-Z]\b)?)(?![\w-])"
)
_WORDS = (
    *("pass", "pasa", "pasp", "ausweis", "ident", " card", "dni", "bsn", "pesel", "cpf", "dula"),
    *("aadhaar", "licen", "führerschein", "permis", "social", "ssn", "versicherung", "fiscal"),
    *("insurance", "nino", "ni n", "nhs", "steuer", "nummer", "cpr", "ahv", "tax file"),
    *("national id", "sociale"),
)
"""A text with none of these calls no number by its name: looking for them is quick."""
_AMERICAN = re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-]|\.\d)")
_BRITISH = re.compile(r"[A-CEGHJ-PR-TW-Z](?<!\w[A-Z])[A-CEGHJ-NPR-TW-Z](?: \d\d){3} [A-D]\b")
_FRENCH = re.compile(r"(?<![\w.-])[12] ?\d\d ?[01]\d ?\d\d ?\d{3} ?\d{3} ?\d\d(?![\w-])")
_ITALIAN = re.compile(r"\b[A-Z]{6}\d\d[A-EHLMPRST][0-7]\d[A-Z]\d{3}[A-Z]\b")
_SWISS = re.compile(r"(?<![\w.-])756\.\d{4}\.\d{4}\.\d\d(?![\w-])")
_BRAZILIAN = re.compile(r"(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d\d(?![\w-])")
_CHINESE = re.compile(r"(?<!\w)[1-8]\d{5}(?:19|20)\d\d[01]\d[0-3]\d{4}[\dX](?!\w)")
_FOR_TESTS = frozenset(
    {"123-45-6789", "078-05-1120", "219-09-9999", "111-11-1111", "RSSMRA80A01H501U"}
    | {"756.1234.5678.97", "111.444.777-35", "123.456.789-09"}
)


def identity_numbers(text: str) -> Iterator[Datum]:
    """Yield identity numbers: of a form that only they have, or called by their name."""
    called = text.lower()
    forms = _FORMS if MANY_DIGITS.search(text) else _FORMS[:1]  # the British has six
    if any(word in called for word in _WORDS):
        forms = (*forms, (_CALLED, _NUMBER, _is_called))
    for pattern, kind, is_one in forms:
        for match in pattern.finditer(text):
            written = match[pattern.groups]
            if written not in _FOR_TESTS and is_one(written):
                yield Datum(kind, *match.span(pattern.groups))


def _always(_written: str) -> bool:
    return True


def _is_french(written: str) -> bool:
    digits = digits_of(written)
    return int(digits[13:]) == 97 - int(digits[:13]) % 97


def _is_swiss(written: str) -> bool:
    *digits, check = map(int, digits_of(written))
    return (sum(digits[::2]) + 3 * sum(digits[1::2]) + check) % 10 == 0


def _is_brazilian(written: str) -> bool:
    digits = [*map(int, digits_of(written))]
    if len(set(digits)) == 1:
        return False
    checks = (
        11 - sum(digit * (length + 1 - at) for at, digit in enumerate(digits[:length])) % 11
        for length in (9, 10)
    )
    return [0 if check > 9 else check for check in checks] == digits[9:]


def _is_chinese(written: str) -> bool:
    weighted = sum(int(digit) * pow(2, 17 - at, 11) for at, digit in enumerate(written[:17]))
    return "10X98765432"[weighted % 11] == written[17]


def _is_called(written: str) -> bool:
    digits, signs = digits_of(written), sum(map(str.isalnum, written))
    enough = len(digits) >= 5 or (len(digits) >= 4 and signs >= 8)
    return enough and len(written) <= 24 and not (DATE.match(written) or made_up(digits))


_SSN = "a US social security number"
_NUMBER = "an identity number"
_FORMS: tuple[tuple[re.Pattern[str], str, Callable[[str], bool]], ...] = (
    (_BRITISH, _NUMBER, _always),
    (_AMERICAN, _SSN, _always),
    (_FRENCH, _NUMBER, _is_french),
    (_ITALIAN, _NUMBER, _always),
    (_SWISS, _NUMBER, _is_swiss),
    (_BRAZILIAN, _NUMBER, _is_brazilian),
    (_CHINESE, _NUMBER, _is_chinese),
)
