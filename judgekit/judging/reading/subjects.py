"""Whether a sentence speaks of the whole of what is judged."""

from __future__ import annotations

import re

from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.sentences import CONCLUDES, Sentence

_LEAD = (
    r"\W*(?:(?:i|we)(?:\s+(?:would|will|have|must|can|do)|'d|'ll|'ve)?(?:\s+(?:to|therefore|thus)){0,2}"
    r"\s+(?:concluded?|think|believe|find|found|say|judged?|determined?|argue|consider)(?:\s+that)?\s+"
    r"|(?:it\s+is\s+clear|it\s+follows|this\s+means)\s+that\s+"
    r"|(?:therefore|thus|hence|so|overall|consequently|accordingly|ultimately|finally|then|indeed)\s+"
    r"|(?:in\s+(?:conclusion|summary|short|this\s+case))\s+)*"
)

_ITEM = (
    r"(?:response|answer|output|reply|summary|text|code|snippet|solution|submission|essay|translation"
    r"|completion|passage|document|article|story|report|explanation|verdict|judge?ment|rating|label"
    r"|grade|classification|assessment|evaluation|decision|sentiment|stance|mood|prediction"
    r"|generation|candidate|assistant)"
)

_ASPECT = (
    r"(?:claims?|statements?|content|message|conversation|dialogue|item|hypothesis|argument|result"
    r"|conclusion|tone|quality|model|category|level|score|[a-z]{3,}(?:ness|ity|ance|ence|ency|acy))"
)

_ADJECTIVES = (
    r"(?:(?:given|generated|whole|entire|overall|final|provided|submitted|proposed|produced|llm|ai"
    r"|system|model|assistant|student|user|chatbot|candidate|writer|author|level\s+of|degree\s+of)"
    r"(?:'s)?\s+){0,3}"
)

_WHOLE = pattern(
    rf"{_LEAD}(?:it|this|that|everything|all(?:\s+of)?(?:\s+(?:it|the|its|these))?(?:\s+claims?)?"
    rf"|(?:each|every|all\s+the)\s+claims?|(?:(?:the|this|that|its|his|her|their|my)\s+)?"
    rf"{_ADJECTIVES}(?:(?P<item>{_ITEM})|{_ASPECT})"
    r"(?:\s+(?:provided|given|generated|produced|made|submitted|of|in|to|by"
    r"|from|for|as\s+a\s+whole|itself|above|below)\b[^,;:]{0,60})?)\s*$",
    re.IGNORECASE,
)

_CLAIMED = pattern(
    r"\b(?:claim|assert|alleg|argu)\w*\s+(?:that\s+)?"
    r"(?:the|its?|this|that|these|there|he|she|they)\b",
    re.IGNORECASE,
)

_BREAKS = pattern(r"[,;:(](?=\s)|\s-{1,2}\s|\b(?:but|and|so|while|although)\s", re.IGNORECASE)

_SUPPOSED = pattern(
    r"\b(?:if|unless|whether|would|could|might|may|had|were|suppose)\b", re.IGNORECASE
)


def of_whole(sentence: Sentence, at: int) -> bool:
    """Return whether what stands before ``at`` is the whole of what is judged, and nothing else.

    "It" and "the claim" may be anything that was spoken of before, unless the sentence concludes.
    """
    start, text = 0, sentence.text
    for match in _BREAKS.finditer(text, 0, at):
        start = match.end()
    clause = text[start:at]
    if _SUPPOSED.search(text, 0, start) or _CLAIMED.search(text, 0, at):
        return False
    whole = _WHOLE.match(clause)
    if whole is None:
        return False
    return bool(whole["item"] or sentence.alone or CONCLUDES.search(text))
