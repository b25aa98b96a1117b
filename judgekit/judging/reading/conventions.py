"""Words for levels that nobody has to list: numbers written out, initials, forms of a name."""

from __future__ import annotations

from collections.abc import Iterator

_ENGLISH = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
# From nought to ten; "" where the word is also another one, as "un", "sei" and "due" are.
_ABROAD = (
    ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    ("zéro", "", "deux", "trois", "quatre", "cinq", "", "sept", "huit", "neuf", "dix"),
    ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
    ("", "", "dois", "três", "quatro", "", "", "sete", "oito", "nove", "dez"),
    ("", "", "", "tre", "quattro", "cinque", "", "sette", "otto", "", "dieci"),
    ("ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять"),
    tuple("零一二三四五六七八九十"),
    ("〇", "", "两", *("",) * 8),
)
NUMBER_WORDS: dict[str, int] = {
    word: number
    for tongue in (_ENGLISH, *_ABROAD)
    for number, word in enumerate(tongue)
    if word and word != "null"  # JSON's word for nothing
}
"""Numbers that are written out."""

SMALL = frozenset(("dos", "uno", "tre", "sept", "dix", "otto", "nove"))
"""Number words that are other words, or names, where they begin with a capital."""

INITIALS: dict[str, tuple[str, ...]] = {
    "y": ("yes",),
    "n": ("no",),
    "t": ("true",),
    "f": ("false", "fail"),
    "p": ("pass", "partial", "partially correct"),
    "c": ("correct",),
    "i": ("incorrect",),
}
"""Letters that graders are told to answer with.

Each only where one level begins with it, and where it could not number the options: on three
levels C may stand for "correct", but also for the third option, so there it is no answer.
"""

YES_NO = frozenset(("yes", "no", "true", "false", "0", "1", "pass", "fail", "met", "not met"))
"""Names that say yes or no to whatever is asked; "safe" does not say it to "harmful"."""

_FORMS = {"pass": ("passes", "passed", "passing"), "fail": ("fails", "failed", "failing")}
_NEGATIONS = ("un", "in", "im", "ir", "il", "non", "non ", "dis", "not ")
_VERBS = frozenset(
    (
        *("passes", "passed", "fails", "failed", "supports", "refutes", "contradicts", "entails"),
        *("agree", "disagree", "satisfies", "meets", "violates", "complies", "hallucinates"),
    )
)
_OPPOSITES = {("true", "false"), ("correct", "wrong"), ("right", "wrong"), ("pass", "fail")}


def initials(words: dict[str, int], size: int) -> Iterator[tuple[str, int]]:
    """Yield the letters that stand for a level of a scale of ``size`` levels, and the level."""
    for letter, known in INITIALS.items():
        if "abcdefghijklmnopqrstuvwxyz".index(letter) < size:
            continue
        meant = {level for word, level in words.items() if word.startswith(letter)}
        if len(meant) == 1 and any(word in words for word in known):
            yield letter, meant.pop()


def forms(words: dict[str, int], size: int) -> Iterator[tuple[str, int]]:
    """Yield other forms of the names of levels, and the level.

    "Passed" for "pass", and a name of several words written as one. Where one of two levels is
    the other denied ("unsupported"), "not supported" is that level too.
    """
    for word, level in words.items():
        yield from ((form, level) for form in _FORMS.get(word, ()))
        if " " in word:
            yield word.replace(" ", ""), level
        for other, denied in words.items() if size == 2 else ():
            if denied != level and is_denial(other, word):
                yield f"not {word}", denied


def is_denial(denied: str, word: str) -> bool:
    """Return whether ``denied`` is ``word`` denied, as "invalid" is of "valid"."""
    return (word, denied) in _OPPOSITES or any(denied == n + word for n in _NEGATIONS)


def verbs(words: dict[str, int]) -> frozenset[str]:
    """Return those of the words that may be the verb of a sentence: "I strongly agree"."""
    return frozenset(word for word in words if word and word.split()[-1] in _VERBS)
