"""Which level a sentence gives: "the usefulness score is 2", "I would rate it as good"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
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

_HINT = re.compile(
    r"scor|rat(?:e|ing)|grad|level|mark|assess|classif|label|judg|evaluat|deem|giv|gave|award|assign"
    r"|receiv|get|got|earn|deserv|merit|warrant|(?:it|this|that)(?:'s| is) an? \d",
    re.IGNORECASE,
)
_OBJECT = (
    r"(?:it|this|that|them|(?:the|this)\s+(?:\w+\s+)?(?:response|answer|output|code|snippet|summary"
    r"|text|essay|assistant|model|translation|reply|submission|solution|candidate|item|one))"
)
_THING = rf"(?:{_OBJECT}\s+(?:an?\s+)?|an?\s+)"
_GIVES = re.compile(
    r"\b(?:scores?|ratings?|grades?|level|mark)\s+"
    r"(?:(?:for|of|on)\s+(?=[^\W\d_])[^,.;:!?\n()]{1,120}?\s+)?"
    r"(?:is|was|would\s+be|should\s+be|of|as|at|=|:)\s+(?:(?:therefore|thus|also)\s+)?(?=\S)"
    r"|\b(?:rated?|rating|graded?|scored?|assess(?:ed)?|classif(?:y|ied)|label(?:l?ed)?|judged?"
    r"|evaluated?|marked|deemed)\b(?:\s+[^,.;:!?\n]{1,120}?)??\s+(?:as|at|to\s+be|with)\s+(?:an?\s+)?"
    rf"(?=\S)|\b(?:rated?|graded?|scored|(?:i|would|will)\s+score)\s+{_THING}?(?=\d)"
    rf"|\b(?:give[sn]?|gave|award(?:ed)?|assign(?:ed)?)\s+{_THING}(?=(?:level\s+)?\d)"
    r"|\b(?:receive[sd]?|gets?|got|earn(?:s|ed)?|deserves?|merits?|warrants?)\s+an?\s+"
    r"(?=(?:level\s+)?\d)|\bscores\s+(?:an?\s+)?(?=\d)|\b(?:it|this|that)(?:'s|\s+is)\s+an?\s+(?=\d)",
    re.IGNORECASE,
)
_SUPPOSED_AFTER = re.compile(
    r"\s*:\s|[\s,]*(?:would|could|might|means|is\s+(?:given|reserved|for|defined|assigned|too|only)"
    r"|requires|represents|indicates|applies|corresponds|denotes|goes|refers|if|when|or|and\s+\d"
    r"|-\s*\d)\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\W*(?:if|when|unless|whenever|should|had|suppose|imagine)\b", re.IGNORECASE
)
_COPULA = re.compile(
    r"(?:\b(?:is|are|was|be|seems|appears|as)|(?<=\w)'s)\s+(?:(?:an?|the)\s+)?(?=\S)", re.IGNORECASE
)
_LETTER_SUBJECT = re.compile(
    r"\b(?:answer|choice|verdict|option|winner|grade|label|category|decision|it)\s*$", re.IGNORECASE
)
_NONE = re.compile(r"\b(?:none|nothing|nobody|no\s?one|few|scarcely)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b\d+\s+(?:of\b|claims?|statements?|facts?|sentences?|points?)", re.IGNORECASE
)
_CLAIMED = re.compile(
    r"\b(?:claim|assert|alleg|argu)\w*\s+(?:that\s+)?"
    r"(?:the|its?|this|that|these|there|he|she|they)\b",
    re.IGNORECASE,
)
_STATED = re.compile(r"[\s.!\"')\]]*$")
SHORT = 12
"""A reply of at most so many words may give its level in a bare statement: "It is grounded." """


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
            found = value_at(words, sentence.text, match.end())
            if found is None or found.kind not in {"level", "out_of_scale", "contradictory"}:
                continue
            if found.kind != "level" and not words.numbers:
                continue
            before = clause_before(sentence.text, match.start())
            if SUPPOSES.search(before) or (found.name and DENIES.search(before)):
                continue
            if told_of(sentence.text, found.end) or (not found.name and _NONE.search(before)):
                continue
            if _SUPPOSED_AFTER.match(sentence.text, found.end):
                continue
            found = split(found) if is_split(words, sentence.text, found) else found
            passing = found.kind == "out_of_scale" and not answers
            yield Evidence(Weight.HINT if passing else weight, sentence.at + match.start(), found)


def statements(words: Vocabulary, said: list[Sentence]) -> Iterator[Evidence]:
    """Yield a level named in a bare statement, where the reply leaves no doubt that it answers.

    That is so in a reply of one short sentence, and in a last sentence that draws the conclusion.
    The level must end the sentence, be the only one named in it, and not be denied.
    """
    if not said:
        return
    sentence = said[-1]
    text = sentence.text
    short = sentence.alone and len(text.split()) <= SHORT
    if len(text) > LONGEST or not (short or CONCLUDES.search(text)):
        return
    for match in _COPULA.finditer(text):
        found = value_at(words, text, match.end())
        if found is None or found.kind != "level" or not found.name:
            continue
        denied = DENIES.search(text, 0, found.end - len(found.said))
        if not _STATED.match(text, found.end) or SUPPOSES.search(text, 0, match.start()) or denied:
            continue
        if _COUNTED.search(text, 0, match.start()) or _CLAIMED.search(text, 0, match.start()):
            continue
        letter = len(found.said) == 1
        if letter and not (short and _LETTER_SUBJECT.search(text, 0, match.start())):
            continue
        named = {words.word(token[0]) for token in words.token.finditer(text) if len(token[0]) > 1}
        if letter or named == {found.level}:
            yield Evidence(Weight.ANSWER, sentence.at, found)
