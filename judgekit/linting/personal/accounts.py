"""Bank accounts and payment cards whose check digits are right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.personal.datum import Datum, counts_things, digits_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_CARD = re.compile(r"(?<![\w.,-])\d{4}(?:[ -]?\d){9,15}(?![\w-]|[.,]\d)")
_BRANDS = {15: ("34", "37"), 16: ("4", "51", "52", "53", "54", "55", "2", "6011", "65")}
_TEST_CARDS = frozenset(
    {"4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556"}
    | {"5555555555554444", "5105105105105100", "2223003122003222", "5200828282828210"}
    | {"378282246310005", "371449635398431", "6011111111111117", "6011000990139424"}
    | {"4222222222222", "4000000000000002", "4532015112830366"}
)
_IBAN = re.compile(r"(?<!\w)([A-Z]{2})\d\d(?:[ -]?[A-Z0-9]){11,30}")
_TEST_IBANS = frozenset(
    {"DE89370400440532013000", "GB82WEST12345698765432", "GB29NWBK60161331926819"}
    | {"GB33BUKB20201555555555", "FR1420041010050500013M02606", "FR7630006000011234567890189"}
    | {"CH9300762011623852957", "NL91ABNA0417164300", "AT611904300234573201"}
    | {"ES9121000418450200051332", "IT60X0542811101000000123456", "BE68539007547034"}
    | {"PL61109010140000071219812874"}
)
_LENGTHS = {
    country: length
    for length, countries in (
        *((15, "NO"), (16, "BE"), (18, "DK FI FO GL NL"), (19, "MK SI"), (21, "CH CR HR LI LV")),
        *((20, "AT BA EE KZ LT LU XK"), (22, "BG BH DE GB GE IE ME RS"), (23, "AE GI IL IQ TL")),
        *((24, "AD CZ ES MD PK RO SA SE SK"), (25, "PT"), (26, "IS TR"), (27, "FR GR IT MC SM")),
        *((28, "AL CY HU PL"), (29, "BR QA UA"), (31, "MT")),
    )
    for country in countries.split()
}
"""Signs of an IBAN, by country."""


def accounts(text: str) -> Iterator[Datum]:
    """Yield accounts and cards; not those that payment services and manuals give for tests."""
    for match in _IBAN.finditer(text):
        end = _end_of_iban(match)
        if end:
            yield Datum("an IBAN", match.start(), end)
    for match in _CARD.finditer(text):
        if _is_card(digits_of(match[0])) and not counts_things(text, match.start()):
            yield Datum("a payment card number", *match.span())


def _end_of_iban(match: re.Match[str]) -> int | None:
    """Return where an IBAN ends: what follows may look like more of it."""
    wanted = _LENGTHS.get(match[1])
    signs = [at for at in range(*match.span()) if match.string[at] not in " -"]
    if wanted is None or len(signs) < wanted:
        return None
    end = signs[wanted - 1] + 1
    written = "".join(match.string[at] for at in signs[:wanted])
    turned = written[4:] + written[:4]
    right = int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1
    alone = not match.string[end : end + 1].isalnum()
    return end if right and alone and written not in _TEST_IBANS else None


def _is_card(digits: str) -> bool:
    begins = digits.startswith(_BRANDS.get(len(digits), ()))
    return begins and digits not in _TEST_CARDS and _luhn(digits)


def _luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0
