"""Keeping keys, auth headers and URLs with credentials out of everything that is kept or shown."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

HIDDEN = "***"
SHORTEST = 8
"""Shorter values are words ("test", "none"); hiding them would garble texts."""

_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=://)[^/\s@'\"]+@"), f"{HIDDEN}@"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/*=-]{6,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"\b(?:sk|pk|rk|gsk|hf|xai|AIza)[-_][\w*-]{4,}"), HIDDEN),
    (re.compile(r"\bAIza[\w-]{20,}"), HIDDEN),
    (
        re.compile(r"(?i)([?&](?:api[-_]?key|key|[\w-]*token|sig|signature|password)=)[^&\s'\"]+"),
        rf"\1{HIDDEN}",
    ),
    (
        re.compile(r"(?i)\b((?:x-)?api[-_]?key|authorization)(['\"]?\s*[:=]\s*['\"]?)[^\s'\",}]+"),
        rf"\1\2{HIDDEN}",
    ),
)


def credentials_of(url: str) -> tuple[str, ...]:
    """Return the user name and password that ``url`` carries, in every form they take."""
    userinfo = urlsplit(url).netloc.rpartition("@")[0]
    parts = [userinfo, *userinfo.split(":", 1)]
    forms = [p for part in parts for p in (part, unquote(part)) if p]
    sent = [b64encode(unquote(userinfo).encode()).decode()] if userinfo else []
    return tuple(dict.fromkeys(forms + sent))


def login_of(url: str) -> str | None:
    """Return ``user:password`` as ``url`` carries it, decoded, or None."""
    return unquote(urlsplit(url).netloc.rpartition("@")[0]) or None


def without_credentials(url: str) -> str:
    """Return ``url`` without the user name and password in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


class Secrets:
    """Known secret values, and the texts they must not stand in.

    Args:
        values: Secrets known by value; those of the environment (``*_KEY``, ``*_TOKEN`` ...) are
            known without being given.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        found = {v.strip() for n, v in os.environ.items() if _NAMES.search(n)}
        found.update(v.strip() for v in values)
        # Longest first: a secret may be part of another.
        self._values = sorted((v for v in found if len(v) >= SHORTEST), key=len, reverse=True)

    def hide_values(self, text: str) -> str:
        """Return ``text`` without the known values; everything else is left as it is."""
        for value in self._values:
            if value in text:
                text = text.replace(value, HIDDEN)
        return text

    def hide(self, text: str) -> str:
        """Return ``text`` without the known values, nor anything that looks like a secret."""
        text = self.hide_values(text)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text
