"""One piece of personal data, and what tells data of people from other numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

DATE = re.compile(r"(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d\d?[./-]\d\d?)(?![./-]?\d)")
"""A date in numbers; it is also looked for where a number begins."""
MANY_DIGITS = re.compile(r"[0-9](?:[ ().\-/–]{0,3}[0-9]){6}")
"""A quick look that misses no number by which somebody can be told."""
_COUNTED = re.compile(
    r"(?i)(?<![^\W_])(?:order|ticket|tracking|invoice|case|ref(?:erence)?|serial|isbn|issn|doi|ean|sku|gtin"
    r"|upc|part|model|batch|lot|vat|account|konto|sort code|version|build|bestell\w*|rechnung\w*"
    r"|artikel\w*|auftrag\w*|kunden\w*|vorgang\w*|steuer\w*|commande|facture|pedido|factura"
    r"|ordine|fattura|id|#)\W{0,3}(?:no|nr|number|nummer|num[eé]ro|code)?\W{0,3}(?:is|ist)?\W{0,2}$"
)
_RUNS = ("01234567890123456789", "98765432109876543210")


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


def digits_of(text: str) -> str:
    """Return the digits in a text."""
    return "".join(sign for sign in text if sign.isdigit())


def counts_things(text: str, start: int) -> bool:
    """Return whether the words before a number say that it counts orders or things."""
    return _COUNTED.search(text, max(0, start - 40), start) is not None


def made_up(digits: str) -> bool:
    """Return whether anybody sees that a number is nobody's: 0123456789, or 0000000."""
    told = digits.lstrip("0") or digits
    return any(told in run for run in _RUNS) or len(set(told)) == 1
