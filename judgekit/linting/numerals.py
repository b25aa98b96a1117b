"""Numbers in texts, in digits and in words."""

from __future__ import annotations

NUMBERS: dict[str, int] = {
    word: number
    for words in (
        "zero one two three four five six seven eight nine ten",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn",
        "zéro un deux trois quatre cinq six sept huit neuf dix",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez",
        "zero uno due tre quattro cinque sei sette otto nove dieci",
        "zero um dois três quatro cinco seis sete oito nove dez",
        "nul een twee drie vier vijf zes zeven acht negen tien",
    )
    for number, word in enumerate(words.split())
} | {
    word: number
    for number, words in (
        (12, "twelve zwölf douze doce dodici doze twaalf"),
        (20, "twenty zwanzig vingt veinte venti vinte twintig"),
        (100, "hundred hundert cent cien cento honderd"),
    )
    for word in words.split()
}
"""Number words of seven languages."""

NUMBERED = frozenset(NUMBERS)
WORD = "|".join(sorted(NUMBERS, key=len, reverse=True))
NUMBER = rf"(?:\d{{1,3}}(?:\.\d)?|{WORD})"
"""A number in a pattern, in digits or in a word; whoever uses it says what stands around it."""


def value_of(written: str) -> float:
    """Return the number that is written; -1 for a word that is none."""
    if written.lstrip("-").isalpha():
        return float(NUMBERS.get(written.casefold().lstrip("-"), -1))
    return float(written)
