"""A full name together with a date of birth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.personal.datum import Datum

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTH = (
    r"(?:jan|feb|fév|mar|mär|mrz|apr|avr|abr|ma[iy]|mag|maj|mei|jun|juin|jul|juil|lug|aug|ao[uû]t|ago"
    r"|sep|set|o[ckt]t|nov|de[czs]|dic|ene|gen|giu)[a-zéèû]{0,8}\.?"
)
_DATE = (
    r"(?:\d{1,2}[./-]\d{1,2}[./-](?P<a>(?:19|20)\d\d)\b|(?P<b>(?:19|20)\d\d)[./-]\d\d[./-]\d\d"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)? (?:of |de |di )?{_MONTH},? (?:de )?(?P<c>(?:19|20)\d\d)\b"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?P<d>(?:19|20)\d\d)\b)"
)
_BORN = re.compile(
    r"(?i)(?:(?P<form>d\.?o\.?b\.?|date of birth|birth ?date|birthday|geburtsdatum"
    r"|geburtstag|date de naissance|fecha de nacimiento|data di nascita|data de nascimento"
    r"|data urodzenia|geboortedatum|födelsedatum|fødselsdato)|born|geb\.|geboren|née?|nacid[oa]"
    rf"|nat[oa]|nascid[oa]|född|født|urodzon[ya])"
    rf"(?:\W{{1,4}}(?:on|is|am|le|el|il|em|op|ist|est|es|the|den)\b)?\W{{1,4}}{_DATE}"
)
_WORDS = (
    *("born", "birth", "dob", "d.o", "geb", "né", "nac", "nat", "nasc", "naissance", "urodz"),
    *("föd", "fød"),
)
"""A text with none of these speaks of no birth: looking for them is quick."""
_UP, _LOW = "[A-ZÀ-ÖØ-ÞŁŚŻЀ-Я]", "[a-zà-öø-ÿа-ёœßłńśżąęć'’-]"
_NAME = re.compile(
    rf"(?<!\w){_UP}{_LOW}+(?:-{_UP}{_LOW}+)?(?: (?:{_UP}\.|van|von|de|der|den|di|da|del|la|le|bin"
    rf"|al)){{0,2}} {_UP}{_LOW}+(?!\w)"
)
_HIMSELF = re.compile(
    r"(?i)\b(?:i am|i['’]m|my name|ich bin|ich heiße|mein name|je suis|je m['’]appelle|soy|me llamo"
    r"|sono|mi chiamo|patient\w*|customer|client|insured|applicant|tenant|mrs?|ms|herr|frau"
    r"|kund\w+)\b"
)
_NO_NAMES = frozenset(
    {"dear", "hello", "hi", "the", "my", "date", "birth", "name", "patient", "customer"}
    | {"client", "mr", "mrs", "ms", "dr", "herr", "frau", "sehr", "geehrte", "kind", "best"}
    | {"please", "full", "first", "last", "new", "gender", "address", "phone", "policy"}
    | {"account", "order", "insured", "doe", "roe", "bloggs", "muster", "mustermann"}
    | {"musterfrau", "example", "sample", "test"}
)
_LIVING = 1915
"""Somebody born before is spoken of in history books."""


def names_with_births(text: str) -> Iterator[Datum]:
    """Yield full names with a full date of birth; not those that an encyclopedia would give."""
    said = text.lower()
    if not any(word in said for word in _WORDS):
        return
    for born in _BORN.finditer(text):
        if text[max(0, born.start() - 1) : born.start()].isalnum():
            continue
        year = next(int(born[letter]) for letter in "abcd" if born[letter])
        names = [name for name in _names_around(born) if not _overlap(name, born)]
        if year >= _LIVING and names and (born["form"] or _is_told_by_himself(born, names)):
            yield Datum("a name with a date of birth", *born.span())


def _names_around(born: re.Match[str]) -> Iterator[re.Match[str]]:
    """Yield what may be full names of people near a date of birth."""
    for name in _NAME.finditer(born.string, max(0, born.start() - 80), born.end() + 60):
        if not _NO_NAMES & {*name[0].lower().split()}:
            yield name


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


def _is_told_by_himself(born: re.Match[str], names: list[re.Match[str]]) -> bool:
    """Return whether "born" stands in what a customer says and not in what everybody knows."""
    text, start = born.string, born.start()
    if any(text[name.end() : start] == ", " for name in names):
        return True
    return _HIMSELF.search(text, max(0, start - 80), start) is not None
