"""Personal data in a text: what has the form of it and, where there is one, the check digit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Datum(NamedTuple):
    """One piece of personal data.

    Attributes:
        kind: What it is: "a mail address" and the like.
        start: Where it begins in the text.
        end: Where it ends.
    """

    kind: str
    start: int
    end: int


_MAIL = re.compile(
    r"(?<![\w.%+/:-])(\w[\w.%+-]{0,63})@((?:[\w-]{1,63}\.){1,8}[a-z]{2,24})(?![\w@-])",
    re.IGNORECASE,
)
_FREE_DOMAIN = re.compile(r"(?:^|\.)(?:example(?:\.[a-z.]+)?|test|invalid|localhost)$")
_OFFICE = frozenset(
    [
        "abuse",
        "accounts",
        "admin",
        "billing",
        "booking",
        "bookings",
        "careers",
        "contact",
        "enquiries",
        "feedback",
        "git",
        "hello",
        "help",
        "helpdesk",
        "hr",
        "info",
        "inquiries",
        "jobs",
        "kontakt",
        "legal",
        "mail",
        "marketing",
        "media",
        "news",
        "newsletter",
        "no-reply",
        "noreply",
        "office",
        "orders",
        "postmaster",
        "press",
        "privacy",
        "receipts",
        "returns",
        "sales",
        "security",
        "service",
        "support",
        "team",
        "webmaster",
    ]
)
"""Addresses of an office, not of a person."""

_MANY_DIGITS = re.compile(r"\d(?:[ ().\-/–]{0,2}\d){6}")
_DIGITS = r"\(?\d(?:[\d ().\-/–]{5,22})\d"
_NO_PHONE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d\d-\d\d.*|\d+(?:\.\d+){3}")
"""A date, or an address of a network."""
_ABROAD = re.compile(r"(?<![\w+])\+[1-9](?:[ ().\-/]{0,2}\d){7,14}(?![\w.-]*\d)")
_AMERICAN = re.compile(
    r"(?<![\w.+-])(?:1[ .-])?(?:\(([2-9]\d\d)\) ?|([2-9]\d\d)[.-])[2-9]\d\d[ .-]\d{4}(?![\w-]|\.\d)"
)
_CALLED = re.compile(
    r"(?i)\b(?:tel|telephone|telefon|phone|mobile|mobil|cell|handy|fax|rufnummer|call|dial|ring"
    r"|whatsapp)(?: ?no| ?number| ?nummer)?(?: me| us| her| him| them)?"
    r"(?: (?:at|on|under|unter|is|ist))?"
    rf"(?: |[.:]{{1,2}} ?)({_DIGITS})(?![\w-])"
)
_INVENTED = re.compile(
    r"555|01632|1632960|7700900|2079460|^1?8(?:00|33|44|55|66|77|88)|^0?800|(\d)\1{5}|123456"
)
"""Numbers set aside for films and books, and those that call a company at its own cost."""

_CARD = re.compile(r"(?<![\w.,-])\d{4}(?:[ -]?\d){9,15}(?![\w-]|[.,]\d)")
_TEST_CARDS = frozenset(
    [
        "4111111111111111",
        "4242424242424242",
        "4012888888881881",
        "4000056655665556",
        "5555555555554444",
        "5105105105105100",
        "2223003122003222",
        "5200828282828210",
        "378282246310005",
        "371449635398431",
        "6011111111111117",
        "6011000990139424",
        "4222222222222",
        "4000000000000002",
        "4532015112830366",
    ]
)
_ORDER = re.compile(
    r"(?i)(?:order|ticket|tracking|invoice|case|ref(?:erence)?|serial|isbn|ean|sku|part|model"
    r"|bestell\w*|rechnung\w*|artikel\w*|auftrag\w*|kunden\w*|id|#)\W{0,3}(?:no|nr|number|nummer|code)?\W{0,3}$"
)
_SSN = re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-]|\.\d)")
_TEST_SSNS = frozenset({"123-45-6789", "078-05-1120", "219-09-9999", "111-11-1111"})
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)")
_TEST_IBANS = frozenset(
    {"DE89370400440532013000", "GB82WEST12345698765432", "GB29NWBK60161331926819"}
    | {"FR1420041010050500013M02606", "CH9300762011623852957", "NL91ABNA0417164300"}
    | {"AT611904300234573201", "ES9121000418450200051332", "IT60X0542811101000000123456"}
)
_IBAN_LENGTHS = {
    "NO": 15,
    "BE": 16,
    "DK": 18,
    "FI": 18,
    "NL": 18,
    "SI": 19,
    "AT": 20,
    "EE": 20,
    "LT": 20,
    "LU": 20,
    "CH": 21,
    "HR": 21,
    "LI": 21,
    "LV": 21,
    "BG": 22,
    "DE": 22,
    "GB": 22,
    "IE": 22,
    "CZ": 24,
    "ES": 24,
    "RO": 24,
    "SE": 24,
    "SK": 24,
    "PT": 25,
    "IS": 26,
    "TR": 26,
    "FR": 27,
    "GR": 27,
    "IT": 27,
    "CY": 28,
    "HU": 28,
    "PL": 28,
    "MT": 31,
}


def may_hold_personal_data(text: str) -> bool:
    """Return whether it is worth looking: a quick look that misses nothing."""
    return "@" in text or _MANY_DIGITS.search(text) is not None


def personal_data(text: str) -> Iterator[Datum]:
    """Yield the personal data in a text; what is surely made up is not among it.

    Dates, versions, order numbers and ISBNs are left alone, and so are addresses at
    ``example.com`` and the like, office addresses, numbers set aside for fiction and the numbers
    that payment services give out for tests.
    """
    if "@" in text:
        yield from _found("a mail address", _MAIL, text, _is_somebody)
    if not _MANY_DIGITS.search(text):
        return
    yield from _found("an IBAN", _IBAN, text, _is_iban)
    cards = list(_found("a payment card number", _CARD, text, _is_card))
    yield from cards
    yield from _found("a US social security number", _SSN, text, _is_ssn)
    taken = [range(card.start, card.end) for card in cards]
    for pattern in (_ABROAD, _AMERICAN, _CALLED):
        for datum in _found("a phone number", pattern, text, _is_phone):
            if not any(datum.start in span for span in taken):
                taken.append(range(datum.start, datum.end))
                yield datum


def _found(
    kind: str, pattern: re.Pattern[str], text: str, is_one: Callable[[re.Match[str]], bool]
) -> Iterator[Datum]:
    for match in pattern.finditer(text):
        if is_one(match):
            group = 1 if pattern is _CALLED else 0
            yield Datum(kind, match.start(group), match.end(group))


def _is_somebody(match: re.Match[str]) -> bool:
    name, domain = match[1].lower(), match[2].lower()
    return name not in _OFFICE and _FREE_DOMAIN.search(domain) is None


def _is_phone(match: re.Match[str]) -> bool:
    number = match[1] if match.re is _CALLED else match[0]
    digits = re.sub(r"\D", "", number)
    if not 7 <= len(digits) <= 15 or _NO_PHONE.fullmatch(number):
        return False
    return _INVENTED.search(digits) is None and not _ordered(match)


def _is_card(match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match[0])
    known = {15: ("34", "37"), 16: ("4", "51", "52", "53", "54", "55", "2", "6011", "65")}
    begins = digits.startswith(known.get(len(digits), ()))
    return begins and digits not in _TEST_CARDS and _luhn(digits) and not _ordered(match)


def _luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def _is_ssn(match: re.Match[str]) -> bool:
    return match[0] not in _TEST_SSNS and not _ordered(match)


def _is_iban(match: re.Match[str]) -> bool:
    written = match[0].replace(" ", "")
    if len(written) != _IBAN_LENGTHS.get(written[:2]) or written in _TEST_IBANS:
        return False
    turned = written[4:] + written[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1


def _ordered(match: re.Match[str]) -> bool:
    """Return whether the words before a number say that it counts orders or things."""
    return _ORDER.search(match.string[max(0, match.start() - 30) : match.start()]) is not None
