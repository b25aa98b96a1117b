"""Keys, tokens and passwords: whoever reads them can use them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.personal.datum import Datum, made_up

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = (
    *("pass", "pwd", "pin", "token", "secret", "key", "schlüssel", "kennwort", "zugangscode"),
    *("senha", "contraseña", "clave", "wachtwoord", "şifre", "parola"),
)
_LONG = 16
"""Signs of the shortest key."""
_KEY = Late(
    r"(?<![\w-])(?:sk-[\w-]{16,}"
    r"|(?:[rs]k_(?:live|test)|gh[oprsu]|github_pat|glpat|glsa|gsk|hf|npm|pypi|r8|dop_v1|dckr_pat"
    r"|shp(?:at|ca|ss)|lin_api|xai|pplx|nvapi|tvly|figd|PMAK|whsec|GOCSPX|xox[abeoprs]|xapp)"
    r"[_-][\w-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{5,}|\d{8,10}:AA[\w-]{30,})(?![\w-])"
    r"|(?<=hooks\.slack\.com/services/)[\w/]{20,}|(?<=/api/webhooks/)\d+/[\w-]{30,}"
    r"|(?<=Bearer )[\w.~+/-]{16,}=*|(?<=AccountKey=)[\w+/]{40,}=*"
)
"""What is known by how it begins, or by what stands before it."""
_PRIVATE = Late(
    r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY(?: BLOCK)?-----"
    r"(?=(?:\s|\\n|[\w-]+: [^\n]{1,80}\n){1,9}[\w+/]{10})"
)
"""The head of a private key, with a key behind it."""
_SAID = Late(
    r"(?i)(?<![^\W_])(?:(?P<weak>pass(?:word|wort|phrase|code|wd)?|pwd|kennwort|zugangscode|pin"
    r"|mot de passe|contraseña|senha|wachtwoord|şifre|parola)"
    r"|(?:api|access|auth|client|secret|private|signing|encryption)?[ _-]?(?:access[ _-]?)?"
    r"(?:key|token|secret)|api-schlüssel|clé (?:d['’])?api|clave de api)"
    r"[\"'”*`]{0,3}\s?(?P<is>:?=|:|(?:(?:is|was|has been) )?(?:now )?(?:re)?(?:set|changed) to"
    r"|(?:is|was|ist|war|lautet|est|es|è|é)(?: now| still| jetzt)?:?)?\s?"
    r"(?P<quote>[\"'“„”`*]{0,3})(?=(?P<secret>[^\s\"'“”„`,;<>(){}\[\]$|*]{4,100})(?P<next>.?))"
)
"""What is called a password or a key, with what is said to be one."""
_LOGIN = Late(r"[a-z0-9+.-]{2,20}://[^\s/:@]{0,40}:(?P<secret>[^\s/@]{3,80})@[\w.-]+")
_HOLD = re.compile(
    r"(?i)example|beispiel|dummy|placeholder|sample|your|redacted|change.?me|x{4,}|\*{3,}|\.{3}|…"
    r"|[<>{}$%]\w|pass?(?:word|wort|wd|phrase)?\d?$|passw[o0]r[dt]|(?:my|the|a)?[_-]?"
    r"(?:pw|pwd|secret|token|key)$|eyJzdWIiOiIxMjM0NTY3ODkw|4eC39HqLyjWDarjtT1zdp7dc"
)
"""What stands in the place of one, and those of manuals."""
_MIXED = re.compile(r"[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d")
_RUN = re.compile(r"[A-Za-z0-9]+")
_TALK = re.compile(
    r"(?i)\d+(?:[-–][^\W\d]+)+|\d+[^\W\d]{4,}|\d[\d.,:/-]*[^\W\d]{0,2}|[^@]+@[\w-]+\.[\w.]+|.*://.*"
    r"|(?:aes|argon|base|bcrypt|fido|gpt|hs|http|md|oauth|pbkdf|rs|rsa|sha|ssl|tls|utf|win|level"
    r"|step|page|line|version|v)[-_ ]?\d[\w.-]*|[a-z_]\w*(?:\.[a-z_]\w*)+"
)
"""What stands behind the word as well: *8-digit*, *SHA-256*, *settings.db2*."""
_STRONG = re.compile(r"[^\W_][!#$%&*+?^~=@]+[^\W_]")
_OPENS = re.compile(r"[(\[{$<]")
_UNIT = re.compile(r"(?i)\s*(?:char|sign|digit|letter|time|attempt|day|zeichen|stell|ziffer|mal)")
_USER = re.compile(r"(?i)user|login|log in|benutzer|nutzer|konto|account")


def secrets(text: str) -> Iterator[Datum]:
    """Yield the keys, tokens and passwords in a text; not what stands in the place of one."""
    if max(map(len, text.split()), default=0) >= _LONG:
        yield from _keys(text)
    called = text.lower()
    for match in _SAID.finditer(text) if any(name in called for name in _NAMES) else ():
        if _is_said(match):
            start = match.start("secret")
            yield Datum("a password or token", start, start + len(_told(match)))


def _keys(text: str) -> Iterator[Datum]:
    """Yield what is a secret by its form; all are long words."""
    for match in _KEY.finditer(text):
        if _is_key(match[0]):
            yield Datum("a key or token", *match.span())
    for match in _PRIVATE.finditer(text) if "-----BEGIN" in text else ():
        yield Datum("a key or token", *match.span())
    for match in _LOGIN.finditer(text) if "://" in text else ():
        if not (_HOLD.search(match["secret"]) or match["secret"].isdigit()):
            yield Datum("a password or token", *match.span("secret"))


def _is_key(word: str) -> bool:
    """Return whether a word is made by a machine: letters and digits without any order."""
    digits, runs = sum(map(str.isdigit, word)), _RUN.findall(word)
    long = digits > 4 or max(map(len, runs), default=0) >= 12
    mixed = digits > 1 and _MIXED.search(word) is not None
    return long and mixed and not (_HOLD.search(word) or _in_order(word))


def _in_order(word: str) -> bool:
    """Return whether most signs of a word follow one another, or are the same: *abcdef1234*."""
    told = max(_RUN.findall(word), key=len, default="").casefold()
    steps = [ord(b) - ord(a) for a, b in pairwise(told)]
    return 2 * sum(step in (-1, 0, 1) for step in steps) > len(steps)


def _told(match: re.Match[str]) -> str:
    return match["secret"].rstrip(".!?:")


def _is_said(match: re.Match[str]) -> bool:
    """Return whether what stands behind *password* or *key* is one."""
    word, name = _told(match), match["weak"] or ""
    if (
        _HOLD.search(word)
        or _OPENS.match(match["next"])
        or _UNIT.match(match.string, match.end("next"))
    ):
        return False
    if not name:
        return match["is"] is not None and _is_key(word)
    if name.casefold() == "pin":
        return name.isupper() and match["is"] is not None and _is_number(word)
    if name.casefold() == "pass":
        before = match.string[max(0, match.start() - 60) : match.start()]
        return match["is"] is not None and bool(_USER.search(before)) and _is_password(word)
    if _is_number(word):
        return match["is"] is not None
    quoted = match["quote"] != "" and match["quote"][-1] == match["next"]
    sure = match["is"] or quoted or _STRONG.search(word)
    return bool(sure) and _is_password(word)


def _is_number(word: str) -> bool:
    return word.isdigit() and not made_up(word)


def _is_password(word: str) -> bool:
    """Return whether a word is none of any language: letters with digits among them."""
    if len(word) < 6 or _TALK.fullmatch(word) or _in_order(word):
        return False
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))
