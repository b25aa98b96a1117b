"""Addresses in a network that belong to somebody's connection."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING

from judgekit.linting.personal.datum import Datum, counts_things

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOUR = re.compile(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)")
_SIX = re.compile(r"(?<![\w:.])[23][0-9a-f]{3}:[0-9a-f:]{4,34}(?![\w:.]*[:.]\w)", re.IGNORECASE)
_CALLED = re.compile(r"(?i)\b(?:ip|ipv4|address|adresse|from|von)\b[^.\n]{0,20}$")
_NO_ADDRESS = re.compile(
    r"(?i)(?:\bv|version|release|build|firmware|section|chapter|§|==|>=)\W{0,3}$"
)
_ALL_KNOW = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"})


def network_addresses(text: str) -> Iterator[Datum]:
    """Yield public addresses; not those of private networks, for manuals, or of all."""
    for pattern in (_FOUR, _SIX):
        for match in pattern.finditer(text):
            if _is_somebodys(match[0]) and not counts_things(text, match.start()):
                before = text[max(0, match.start() - 30) : match.start()]
                if pattern is _SIX or (_looks_like_one(match[0], before)):
                    yield Datum("a public IP address", *match.span())


def _is_somebodys(written: str) -> bool:
    try:
        address = ip_address(written)
    except ValueError:
        return False
    return address.is_global and not address.is_multicast and written not in _ALL_KNOW


def _looks_like_one(written: str, before: str) -> bool:
    """Return whether four numbers are an address: a version has smaller ones."""
    if _NO_ADDRESS.search(before):
        return False
    numbers = [int(number) for number in written.split(".")]
    large = sum(number > 9 for number in numbers) >= 3 and max(numbers) > 99
    return large or _CALLED.search(before) is not None
