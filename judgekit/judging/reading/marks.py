"""Answers inside marks made for the purpose: ``[[A]]``, ``[RESULT] 4``, ``<score>4</score>``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.labels import SOMEBODY_ELSES
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

_DOUBLE = re.compile(r"\[\[\s*(?P<said>[^\[\]\n]{1,60}?)\s*\]\]")
_RESULT = re.compile(r"\[\s*(?:RESULT|FINAL|SCORE|VERDICT|ANSWER)\s*\]\s*:?\s*", re.IGNORECASE)
_BOXED = re.compile(r"\\+(?:boxed|fbox)\s*\{\s*(?P<said>[^{}\n]{1,60}?)\s*\}")
_TAGGED = re.compile(
    r"<\s*(?P<tag>(?:final[_ -]?|overall[_ -]?)?(?:score|rating|answer|verdict|level|label|grade"
    r"|choice|result|decision|winner|judge?ment|preference))\s*>"
    r"\s*(?P<said>[^<]{0,200}?)\s*(?:<\s*/\s*(?P=tag)\s*>|\Z)",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"\b(?:response|output|assistant|model|candidate|solution|code|says)\b", re.IGNORECASE
)
_NAME_TAG = re.compile(r"<\s*(?P<said>[^\W\d_][^<>/\n]{2,40}?)\s*/?>")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_PLACEHOLDER = re.compile(
    r"(?:your |the |final )?(?:score|rating|answer|verdict|level|grade|label|choice|result|decision"
    r"|n|x|number|integer|\.\.\.|insert.*|.*\bhere)\s*",
    re.IGNORECASE,
)


def marked(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield the answers given inside marks.

    Those that only judges are told to use are final. A box and an ``<answer>`` may as well be
    quoted from what is judged, so they weigh no more than a label.
    """
    if "[" in text:
        yield from _in_brackets(words, text)
    if "\\" in text:
        yield from _in_boxes(words, text)
    if "<" in text:
        yield from _in_tags(words, text)


def _in_brackets(words: Vocabulary, text: str) -> Iterator[Evidence]:
    for match in _DOUBLE.finditer(text):
        if words.token.search(match["said"]) or not _TWO_LETTERS.search(match["said"]):
            yield from _inside(words, match, Weight.FINAL)  # else a link: [[Paris]]
    for match in _RESULT.finditer(text):
        found = value_at(words, text, match.end()) or nothing()
        yield Evidence(Weight.FINAL, match.start(), found)


def _in_boxes(words: Vocabulary, text: str) -> Iterator[Evidence]:
    for match in _BOXED.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not (SOMEBODY_ELSES.search(line) or _ITEM.search(line)):
            yield from _inside(words, match, Weight.ANSWER)


def _in_tags(words: Vocabulary, text: str) -> Iterator[Evidence]:
    for match in _TAGGED.finditer(text):
        quotable = match["tag"].lower() in {"answer", "result", "choice", "label"}
        yield from _inside(words, match, Weight.ANSWER if quotable else Weight.FINAL)
    for match in _NAME_TAG.finditer(text):
        level = words.word(match["said"])
        if level is not None:
            found = Found("level", level, match["said"], match.end(), name=True)
            yield Evidence(Weight.ANSWER, match.start(), found)


def _inside(words: Vocabulary, match: re.Match[str], weight: Weight) -> Iterator[Evidence]:
    said = match["said"]
    if not _PLACEHOLDER.fullmatch(said):
        found = whole_value(words, said) or value_at(words, said, 0) or nothing(said)
        yield Evidence(weight, match.start(), found)
