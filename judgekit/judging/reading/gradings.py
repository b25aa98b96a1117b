"""Which level a sentence gives: "the usefulness score is 2", "I would rate it as good"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.quoted import told_of
from judgekit.judging.reading.rivals import is_split, split
from judgekit.judging.reading.sentences import (
    CONCLUDES,
    DENIES,
    LONGEST,
    SUPPOSES,
    Sentence,
    clause_before,
)
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import Vocabulary

_HINT = pattern(
    r"vergebe|[打评評]|go(?:ing)? with|settle|worth"
    r"|(?:ness|ity|nce|cy)\b|scor|rat(?:e|ing)|grad|level|mark|assess|classif|label|judg|evaluat|deem|giv|gave|award|assign"
    r"|receiv|get|got|earn|deserv|merit|warrant|(?:it|this|that)(?:'s| is) an? \d",
    re.IGNORECASE,
)
_OBJECT = (
    r"(?:it|this|that|them|(?:the|this)\s+(?:\w+\s+)?(?:response|answer|output|code|snippet|summary"
    r"|text|essay|assistant|model|translation|reply|submission|solution|candidate|item|one))"
)
_THING = rf"(?:{_OBJECT}\s+(?:an?\s+)?|an?\s+)"
_GIVES = pattern(
    r"\b(?:scores?|ratings?|grades?|level|mark)\s+"
    r"(?:(?:for|of|on)\s+(?=[^\W\d_])[^,.;:!?\n()]{1,120}?\s+)?"
    r"(?:is|was|would\s+be|should\s+be|of|as|at|=|:)\s+(?:(?:therefore|thus|also)\s+)?(?=\S)"
    r"|\b(?:rated?|rating|graded?|scored?|assess(?:ed)?|classif(?:y|ied)|label(?:l?ed)?|judged?"
    r"|evaluated?|marked|deemed)\b(?:\s+[^,.;:!?\n]{1,120}?)??\s+(?:as|at|to\s+be|with)\s+(?:an?\s+)?"
    rf"(?=\S)|\b(?:rated?|graded?|scored|(?:i|would|will)\s+score)\s+{_THING}?(?=\d)"
    rf"|\b(?:give[sn]?|giving|gave|award(?:ed)?|assign(?:ed)?)\s+{_THING}(?=(?:level\s+)?\d)"
    r"|\b(?:receive[sd]?|gets?|got|earn(?:s|ed)?|deserves?|merits?|warrants?)\s+an?\s+"
    r"(?=(?:level\s+)?\d)|\bscores\s+(?:an?\s+)?(?=\d)|\b(?:it|this|that)(?:'s|\s+is)\s+an?\s+(?=\d)"
    r"|\b[a-z]{3,}(?:ness|ity|ance|ence|cy)\s+(?:(?:for|of|in)\s+(?=[^\W\d_])[^,.;:!?\n()]{1,120}?\s+)?"
    r"is\s+(?:(?:therefore|thus|also)\s+)?(?=\d)"
    r"|\b(?:go\s+with|going\s+with|settle\s+(?:on|for|at)|worth)\s+(?:an?\s+)?(?=\d)"
    r"|\bvergebe\s+(?:[^\W\d]+\s+){0,3}(?=\d)|(?:打分?为?|[评評]分?[为為])\s*(?=\d)",
    re.IGNORECASE,
)
_SUPPOSED_AFTER = pattern(
    r"\s*:\s|[\s,]*(?:would|could|might|means|is\s+(?:given|reserved|for|defined|assigned|too|only)"
    r"|requires|represents|indicates|applies|corresponds|denotes|goes|refers|if|when|or|and\s+\d"
    r"|-\s*\d)\b",
    re.IGNORECASE,
)
_SUPPOSES = pattern(
    r"\W*(?:(?:if|when|unless|whenever|should|had|suppose|imagine)\b|(?:in\s+order\s+)?to\s)",
    re.IGNORECASE,
)
_OTHERS = pattern(
    r"\b(?:other|another|previous|second|human)\s+(?:judge|rater|annotator|grader|reviewer|evaluator)s?\b"
    r"|\b(?:was|were)\s+(?:going|about|inclined)\s+to\b|\b(?:average|mean|median|highest|lowest|passing|perfect|full|max|min|original|previous|earlier)\s+$",
    re.IGNORECASE,
)
_NONE = pattern(r"\b(?:none|nothing|nobody|no\s?one|few|scarcely)\b", re.IGNORECASE)


def gradings(words: Vocabulary, said: list[Sentence]) -> Iterator[Evidence]:
    """Yield the level each sentence gives in so many words."""
    for sentence in said:
        if len(sentence.text) > LONGEST or not _HINT.search(sentence.text):
            continue
        if _SUPPOSES.match(sentence.text):
            continue
        answers = sentence.last or CONCLUDES.search(sentence.text) is not None
        weight = Weight.ANSWER if answers else Weight.MENTION
        for match in _GIVES.finditer(sentence.text):
            found = _given(words, sentence.text, match)
            if found is not None:
                passing = found.kind == "out_of_scale" and not answers
                at = sentence.at + match.start()
                yield Evidence(Weight.HINT if passing else weight, at, found)


def _given(words: Vocabulary, text: str, match: re.Match[str]) -> Found | None:
    """Return what the words of ``match`` give, unless the sentence supposes or denies it."""
    found = value_at(words, text, match.end())
    if found is None or found.kind not in {"level", "out_of_scale", "contradictory"}:
        return None
    if found.kind != "level" and not words.numbers:
        return None
    before = clause_before(text, match.start())
    denies = DENIES if found.name else _NONE
    if SUPPOSES.search(before) or denies.search(before) or _OTHERS.search(before):
        return None
    if told_of(text, found.end) or _SUPPOSED_AFTER.match(text, found.end):
        return None
    return split(found) if is_split(words, text, found) else found
