"""Keeping keys, auth headers and URLs with credentials out of everything that is kept or shown.

A secret is known by value: what the environment holds under a name such as ``*_KEY``, the login in
any address there, and whatever :func:`remember` was told. It is hidden in each form in which an
endpoint may say it back: as it is, URL-encoded, in base64, escaped for JSON or HTML. In messages
(:meth:`Secrets.hide`) everything that looks like a secret goes as well, known or not; in replies,
which are evidence, only what is known.
"""

from __future__ import annotations

import html
import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

HIDDEN = "***"
SHORTEST = 8
"""Shorter values are words ("test", "none"); hiding them would garble texts."""

_VARIABLE = re.compile(
    r"(?:KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)"
    r"(?:_?\d+|(?:_(?!FILE|PATH|DIR|SOCK|ENV|UR[LI]|NAME|HOST|TYPE|ENDPOINT)[A-Z]+\d*)*)$|AUTH$",
    re.IGNORECASE,
)
_PARAMETER = re.compile(
    r"(?:api|access|secret|private|subscription|license|auth)[-_]?keys?(?![a-z])|^key$|token$"
    r"|secret|passw(?:or)?d|passphrase|authorization|(?:^|[-_])auth$|credential|bearer|cookie"
    r"|signature",
    re.IGNORECASE,
)
_QUERY = r"[\w.-]*(?:key|token|secret|sig|signature|passw(?:or)?d|pwd|auth|credential|code)[\w.-]*"
_FIELDS = (
    r"[\w-]*(?:api[-_]?key|access[-_]?key|secret[-_]?key|subscription[-_]?key|access[-_]?token"
    r"|auth[-_]?token|session[-_]?token|client[-_]?secret|authorization|passw(?:or)?d|cookie)"
)
_PREFIXES = r"sk|pk|rk|gsk|csk|hf|xai|AIza|pplx|nvapi|r8|ghp|gho|github_pat|glpat|xox[abp]"
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=://)[^/\s'\"]+@"), f"{HIDDEN}@"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/*=-]{6,}"), rf"\1 {HIDDEN}"),
    (re.compile(rf"\b(?:{_PREFIXES})[-_][\w*-]{{4,}}"), HIDDEN),
    (re.compile(r"\bAIza[\w-]{20,}|\bAKIA[A-Z0-9]{12,}|\beyJ[\w-]{10,}(?:\.[\w-]+)+"), HIDDEN),
    (re.compile(r"-----BEGIN [A-Z ]*KEY-----.*?(?:-----END [A-Z ]*KEY-----|$)", re.DOTALL), HIDDEN),
    (re.compile(rf"(?i)([?&]{_QUERY}=)[^&\s'\"]+"), rf"\1{HIDDEN}"),
    (re.compile(rf"(?i)\b({_FIELDS})(['\"]?\s*[:=]\s*['\"]?)[^\s'\",}}]+"), rf"\1\2{HIDDEN}"),
)
_remembered: set[str] = set()


def remember(*values: str | None) -> None:
    """Take ``values`` for secrets from now on, wherever this process writes or says something."""
    _remembered.update(v.strip() for v in values if v)


def looks_secret(name: str) -> bool:
    """Whether a parameter of that name would hold a secret: ``api_key``, ``X-Auth-Token``."""
    return _PARAMETER.search(name) is not None


def variable_words(name: str) -> str:
    """Return how a message calls an environment variable; a key put in its place is not said."""
    if re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", name):
        return f"the environment variable {name!r}"
    return "the environment variable that api_key_env names"


def credentials_of(url: str) -> tuple[str, ...]:
    """Return the secrets in ``url``: the login and its password, and keys in its query.

    A user name beside a password is none: as a value to hide it would garble texts.
    """
    try:
        parts = urlsplit(url)
        netloc, query = parts.netloc, parts.query
    except ValueError:  # no address, and yet there may be a login in it
        netloc, query = url.partition("://")[2].partition("/")[0], ""
    login, _, _ = netloc.rpartition("@")
    password = login.partition(":")[2] or login
    sent = b64encode(unquote(login).encode()).decode()
    found = [login, unquote(login), password, unquote(password), sent]
    wanted = re.compile(_QUERY, re.IGNORECASE)
    found += [value for name, value in parse_qsl(query) if wanted.fullmatch(name)]
    return tuple(dict.fromkeys(filter(None, found)))


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
        values: Secrets known by value; those of the environment and the remembered ones are
            known without being given.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        found = {v.strip() for v in values} | _remembered | _in_environment()
        forms = {form for v in found if len(v) >= SHORTEST for form in _forms(v)}
        # Longest first: a secret may be part of another.
        self._values = sorted(forms, key=lambda form: (-len(form), form))
        self._plain = sorted({v for v in found if len(v) >= SHORTEST}, key=lambda v: (-len(v), v))
        self._escaped: re.Pattern[str] | None = None

    @cached_property
    def forms(self) -> tuple[bytes, ...]:
        """Every form of every known secret, longest first, as it stands in UTF-8."""
        return tuple(form.encode("utf-8", "surrogatepass") for form in self._values)

    def hide_values(self, text: str) -> str:
        """Return ``text`` without the known values; everything else is left as it is."""
        for value in self._values:
            if value in text:
                text = text.replace(value, HIDDEN)
        if "\\" in text and self._plain:
            if self._escaped is None:
                self._escaped = re.compile("|".join(map(_escaped, self._plain)))
            text = self._escaped.sub(HIDDEN, text)
        return text

    def hide(self, text: str) -> str:
        """Return ``text`` without the known values, nor anything that looks like a secret."""
        text = self.hide_values(text)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text

    def brief(self, text: str, most: int = 300) -> str:
        """Return ``text`` as one line, hidden first and cut then: half a secret is not known."""
        text = " ".join(self.hide(text).split())
        return text if len(text) <= most else f"{text[:most]} ..."


class _Known(NamedTuple):
    """The secrets known at some time, and by what one sees that there may be others now."""

    secrets: Secrets
    remembered: int
    environment: dict[Any, Any]


_known: _Known | None = None


def known_secrets() -> Secrets:
    """Return the secrets known now, which are gathered again only where there may be others."""
    global _known  # noqa: PLW0603  (they are the process's own)
    now: Any = getattr(os.environ, "_data", None) or dict(os.environ)
    known = _known
    if known is None or known.remembered != len(_remembered) or known.environment != now:
        known = _known = _Known(Secrets(), len(_remembered), dict(now))
    return known.secrets


def _in_environment() -> set[str]:
    """Return the values under secret-looking names, and the logins in addresses (of proxies)."""
    found: set[str] = set()
    for name, value in os.environ.items():
        if _is_secret_variable(name):
            found.update(part.strip() for part in (value, *value.split(",")))
        elif "@" in value and "://" in value:
            found.update(credentials_of(value))
    return found


@lru_cache(maxsize=4096)
def _is_secret_variable(name: str) -> bool:
    return _VARIABLE.search(name) is not None


def _escaped(value: str) -> str:
    """Return a pattern of ``value`` with any of its characters escaped, as JSON allows for all."""
    return "".join(rf"(?:\\{{0,4}}{re.escape(c)}|{_as_units(c)})" for c in value)


def _as_units(character: str) -> str:
    r"""Return a pattern of one character written as ``\uXXXX``, in either case."""
    data = character.encode("utf-16-be", "surrogatepass")
    units = (data[i : i + 2].hex() for i in range(0, len(data), 2))
    return "".join(rf"\\{{1,4}}u(?i:{unit})" for unit in units)


@lru_cache(maxsize=256)
def _forms(value: str) -> frozenset[str]:
    """Return the forms in which ``value`` may be said back."""
    data = value.encode("utf-8", "surrogatepass")
    coded = {b64encode(data).decode(), urlsafe_b64encode(data).decode()}
    escaped = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    quoted = {quote(data), quote(data, safe=""), quote_plus(data), html.escape(value)}
    return frozenset({value, *escaped, *quoted, *coded, *(c.rstrip("=") for c in coded)})
