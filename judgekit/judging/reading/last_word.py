"""A reply that ends with its level as a sentence: "Failing it would be too harsh. Pass."."""

from __future__ import annotations

import re

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, ends_at
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.sentences import Sentence
from judgekit.judging.reading.silence import abstains
from judgekit.judging.reading.values import whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

LAST_WORD = "last word"
"""The label of what the last sentence says; a reply that ends so did not break off."""

_FAR = 40
_DENIED_BEFORE = pattern(
    r"(?:\b(?:not|never|no|without|hardly|cannot|nor|neither)|n't)\s+"
    r"(?:(?:an?|the|be|been|to|really|quite|simply|call|it|as)\s+){0,3}$",
    re.IGNORECASE,
)
_DENIED_BEHIND = pattern(
    r"\s+(?:nothing|none|no|neither|zero)\b"
    r"|(?:\s+\w+){0,3}?\s+(?:would|might|may|could|seems|feels|is|wäre|serait|sería|sarebbe|seria)"
    r"(?:\s+be)?(?:\s+\w+)?\s+(?:too|overly|unduly|unfair|unjust|unwarranted|unjustified|undeserved"
    r"|excessive|harsh|generous|lenient|wrong|zu|trop|demasiado|troppo)\b",
    re.IGNORECASE,
)


def last_word(words: Vocabulary, said: list[Sentence], stated: set[int]) -> Evidence | None:
    """Return the name of a level that is all the last sentence says; None where it says more.

    Beside any plainer answer it counts for nothing: "Score: 2. The style is clear. Good." But it
    contradicts what a sentence states, and by itself it is no answer where the reply names
    another level without denying it.

    Args:
        words: The written forms of the scale.
        said: The sentences of the reply.
        stated: The levels that other sentences state of the whole.
    """
    if len(said) == 1 or words.pair is not None:
        return None
    last = said[-1]
    text = last.text.strip()
    plain = text[0].isalnum() and (text[-1].isalnum() or text[-1] in ".!")  # and no quotation
    found = whole_value(words, text) if plain else None
    if found is None or found.kind != "level" or not found.name or len(found.said) == 1:
        return None
    if stated - {found.level}:
        return Evidence(Weight.MENTION, last.at, found, LAST_WORD)
    before = "\n".join(sentence.text for sentence in said[:-1])
    if abstains(before) or _names_another(words, before, found.level):
        found = Found("contradictory", -1, f"{found.said}, and others before", found.end)
    return Evidence(Weight.HINT, last.at, found, LAST_WORD)


def _names_another(words: Vocabulary, text: str, level: int) -> bool:
    """Return whether ``text`` names another level, or denies this one."""
    for token in words.token.finditer(text):
        if len(token[0]) == 1 or (token[0].lower() == "no" and not ends_at(text, token.end())):
            continue
        before = text[max(token.start() - _FAR, 0) : token.start()]
        denied = _DENIED_BEFORE.search(before) or _DENIED_BEHIND.match(text, token.end())
        if (words.word(token[0]) == level) == bool(denied):
            return True
    return False
