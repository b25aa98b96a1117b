"""Names as an eye reads them: look-alike letters, accents, numbers in words, joined words."""

from __future__ import annotations

import re
import unicodedata

from judgekit.linting.remembered import remembered

_CYRILLIC = dict(zip("абвеѕіјкмнорстухѵԁһӏԛԝ", "abbesijkmhopctyxvdhlqw", strict=True))
_GREEK = dict(zip("αβγεηικνορτυχωϲ", "abyenikvoptuxwc", strict=True))
_LOOKS = str.maketrans({**_CYRILLIC, **_GREEK, "ı": "i", "ɡ": "g", "ɑ": "a"})
_NUMBERS = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten",
        "null eins zwei drei vier funf sechs sieben acht neun zehn",
        "zero un deux trois quatre cinq six sept huit neuf dix",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez",
    )
    for number, word in enumerate(words.split())
} | {
    word: str(number)
    for words in (
        "first second third fourth fifth",
        "1st 2nd 3rd 4th 5th",
        "erste zweite dritte vierte funfte",
        "i ii iii iv v",
    )
    for number, word in enumerate(words.split(), start=1)
}
_SIGNS = (("+", " plus "), ("%", " percent "), ("&", " and "))
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_PARTS = re.compile(r"\d+|[^\W\d_]+")


@remembered
def seen_as(name: str) -> tuple[str, ...]:
    """Return the parts of a name as they are read: number words as digits, no plurals."""
    text = name.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(sign for sign in text if unicodedata.category(sign) not in ("Mn", "Cf"))
    for sign, word in _SIGNS:
        text = text.replace(sign, word)
    parts = _PARTS.findall(_ORDINAL.sub("", text).translate(_LOOKS))
    return tuple(singular(_NUMBERS.get(part, part)) for part in parts)


def singular(word: str) -> str:
    """Return an English word without the ending of a plural."""
    if len(word) < 4 or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word.removesuffix("s")


def foreign_letters(name: str) -> str:
    """Return the Cyrillic and Greek letters within Latin words of a name that look like Latin ones.

    A word of nothing but such letters is meant, such as the first one of *β-blocker*.
    """
    found: list[str] = []
    for word in () if name.isascii() else _PARTS.findall(name):
        alike = [sign for sign in word if sign.casefold() in _ALIKE]
        if alike and any(unicodedata.name(sign, "").startswith("LATIN") for sign in word):
            found += alike
    return "".join(dict.fromkeys(found))


_ALIKE = frozenset(_CYRILLIC) | frozenset(_GREEK)
