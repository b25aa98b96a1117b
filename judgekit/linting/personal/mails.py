"""Mail addresses of people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.personal.datum import Datum

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAIL = re.compile(
    r"(?<![\w.%+/:-])(\w[\w.%+-]{0,63})(?:@| ?[(\[](?:at|@)[)\]] ?)"
    r"((?:[\w-]{1,63}\.){1,8}[a-z]{2,24})(?![\w@-])",
    re.IGNORECASE,
)
_NOBODYS = re.compile(r"(?:^|\.)(?:example(?:\.[a-z.]+)?|test|invalid|localhost)$")
_OFFICES = frozenset(
    {"abuse", "accounts", "admin", "billing", "booking", "bookings", "careers", "contact"}
    | {"enquiries", "feedback", "git", "hello", "help", "helpdesk", "hr", "info", "inquiries"}
    | {"jobs", "kontakt", "legal", "mail", "marketing", "media", "news", "newsletter"}
    | {"no-reply", "noreply", "office", "orders", "postmaster", "press", "privacy", "receipts"}
    | {"returns", "sales", "security", "service", "support", "team", "webmaster"}
)
"""Addresses of an office, not of a person."""


def mail_addresses(text: str) -> Iterator[Datum]:
    """Yield mail addresses; neither those of an office nor at ``example.com`` and the like."""
    for match in _MAIL.finditer(text):
        name, domain = match[1].lower(), match[2].lower()
        if name not in _OFFICES and _NOBODYS.search(domain) is None:
            yield Datum("a mail address", *match.span())
