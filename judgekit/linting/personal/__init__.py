"""Personal data in a text: what has the form of it and, where there is one, the check digit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.personal.addresses import addresses
from judgekit.linting.personal.datum import MANY_DIGITS, Datum
from judgekit.linting.personal.mails import mail_addresses
from judgekit.linting.personal.networks import network_addresses
from judgekit.linting.personal.secrets import secrets
from judgekit.linting.remembered import remembered

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Datum", "personal_data"]

_SIGN = re.compile("[0-9@]")
_DIGIT = re.compile("[0-9]")
_FEW_DIGITS = re.compile(r"[0-9](?:[^0-9\n]{0,3}[0-9]){3}")
_NETWORK = re.compile(r"\d\.\d{1,3}\.\d{1,3}\.\d|:[0-9a-fA-F]{0,4}:")
"""Quick looks that miss nothing: most texts hold no data."""


@remembered
def personal_data(text: str) -> tuple[Datum, ...]:
    """Return the personal data in a text by place; what is surely made up is not among it.

    Dates, versions, order numbers, amounts and ISBNs are left alone, and so are mail addresses at
    ``example.com`` and the like, those of offices, and the numbers that payment services and
    manuals give for tests.
    """
    if not (_SIGN.search(text) or "(at)" in text or "[at]" in text or "BEGIN" in text):
        return ()
    found: list[Datum] = []
    for datum in sorted(_found(text), key=lambda one: (one.start, -one.end)):
        if not found or datum.start >= found[-1].end:  # else it is part of that one
            found.append(datum)
    return tuple(found)


def _found(text: str) -> Iterator[Datum]:
    if "@" in text or "(at)" in text or "[at]" in text:
        yield from mail_addresses(text)
    yield from secrets(text)
    if not _DIGIT.search(text):
        return
    yield from addresses(text)
    if "19" in text or "20" in text:
        from judgekit.linting.personal.births import names_with_births

        yield from names_with_births(text)
    if not _FEW_DIGITS.search(text):
        return
    from judgekit.linting.personal.identities import identity_numbers

    yield from identity_numbers(text)
    if MANY_DIGITS.search(text):
        from judgekit.linting.personal.accounts import accounts
        from judgekit.linting.personal.phones import phone_numbers

        yield from accounts(text)
        yield from phone_numbers(text)
    if _NETWORK.search(text):
        yield from network_addresses(text)
