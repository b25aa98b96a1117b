"""Words for what can be good about an output, each with the group of words that mean about that."""

from __future__ import annotations

from functools import lru_cache

_ENGLISH = (
    "accurate correct factual truthful true precise exact right",
    "complete comprehensive thorough exhaustive detailed in-depth",
    "clear understandable readable legible easy simple structured organized well-structured",
    "concise brief succinct short terse",
    "coherent consistent logical cohesive well-reasoned well-argued",
    "helpful useful valuable",
    "informative insightful",
    "relevant pertinent on-topic",
    "fluent grammatical natural idiomatic",
    "safe harmless",
    "honest transparent sincere",
    "polite courteous respectful friendly kind civil warm professional formal",
    "empathetic compassionate caring supportive understanding",
    "appropriate suitable proper fitting apt",
    "creative original novel innovative imaginative",
    "fair impartial unbiased neutral objective balanced",
    "engaging interesting compelling captivating entertaining",
    "specific",
    "persuasive convincing",
    "actionable practical realistic feasible",
    "grounded faithful supported",
    "well-written well-formulated well-worded",
    "up-to-date current timely",
)
_NOUNS = (
    "accuracy correctness factuality truthfulness precision",
    "completeness comprehensiveness thoroughness",
    "clarity readability understandability",
    "conciseness brevity",
    "coherence consistency",
    "helpfulness usefulness",
    "relevance",
    "fluency",
    "safety harmlessness",
    "honesty transparency",
    "politeness courtesy friendliness",
    "empathy compassion",
    "appropriateness suitability",
    "creativity originality",
    "fairness impartiality neutrality",
    "professionalism",
    "persuasiveness",
    "depth",
)
_GERMAN = (
    "korrekt richtig fehlerfrei genau präzise zutreffend",
    "vollständig umfassend ausführlich detailliert",
    "klar verständlich eindeutig lesbar einfach strukturiert gegliedert",
    "knapp kurz prägnant",
    "schlüssig stimmig logisch widerspruchsfrei",
    "hilfreich nützlich",
    "relevant",
    "flüssig",
    "sicher harmlos unbedenklich",
    "ehrlich transparent",
    "höflich freundlich respektvoll professionell",
    "einfühlsam mitfühlend verständnisvoll",
    "angemessen passend geeignet",
    "kreativ originell",
    "fair neutral ausgewogen sachlich",
    "konkret",
    "überzeugend",
    "belegt begründet",
    "aktuell",
)


def _groups(table: tuple[str, ...]) -> dict[str, int]:
    return {word: number for number, words in enumerate(table) for word in words.split()}


_ADJECTIVES, _NAMES, _DEUTSCH = map(_groups, (_ENGLISH, _NOUNS, _GERMAN))


@lru_cache(maxsize=1024)
def quality(word: str) -> tuple[str, int] | None:
    """Return what kind of word a quality is, and its group; None for any other word.

    Args:
        word: In lower case. English adjectives, their comparatives, adverbs and nouns; German
            adjectives.
    """
    if word in _ADJECTIVES:
        return "adjective", _ADJECTIVES[word]
    if word in _NAMES:
        return "noun", _NAMES[word]
    for ending, instead in (("ier", "y"), ("er", ""), ("er", "e")):
        base = word.removesuffix(ending) + instead
        if word.endswith(ending) and base in _ADJECTIVES:
            return "adjective", _ADJECTIVES[base]
    for ending, instead in (("ally", "al"), ("ily", "y"), ("bly", "ble"), ("ly", ""), ("ly", "e")):
        base = word.removesuffix(ending) + instead
        if word.endswith(ending) and base in _ADJECTIVES:
            return "adverb", _ADJECTIVES[base]
    for ending in ("", "e", "en", "er", "es", "em"):
        base = word.removesuffix(ending)
        if word.endswith(ending) and base in _DEUTSCH:
            return "eigenschaft", _DEUTSCH[base]
    return None
